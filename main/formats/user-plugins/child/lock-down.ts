import { createSocket } from 'node:dgram';
import { builtinModules, isBuiltin, registerHooks } from 'node:module';
import net from 'node:net';

/** Node modules that a plug-in may import. Network, processes, threads and modules are excluded. */
const allowedModules: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'buffer',
  'console',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'path',
  'path/posix',
  'path/win32',
  'process',
  'punycode',
  'querystring',
  'readline',
  'readline/promises',
  'stream',
  'stream/consumers',
  'stream/promises',
  'stream/web',
  'string_decoder',
  'timers',
  'timers/promises',
  'url',
  'util',
  'util/types',
  'zlib',
]);

const refuse = (what: string) => () => {
  throw new Error(`${what} is not available to a format plug-in.`);
};

function close(target: object, names: readonly string[], what: string): void {
  for (const name of names) {
    if (!(name in target)) continue;
    Object.defineProperty(target, name, { value: refuse(what), writable: false, configurable: false });
  }
}

/**
 * Node's permission model does not cover the network in this version, so the methods of all socket handles are
 * disabled. Open sockets (standard output) keep working.
 */
function closeNetwork(): void {
  const what = 'The network';
  // Node creates these streams on first access, which needs sockets, so they are created before the lock.
  void [process.stdout, process.stderr];
  for (const handle of probeHandles()) {
    const prototype = Object.getPrototypeOf(handle) as object;
    close(prototype, ['connect', 'connect6', 'bind', 'bind6', 'listen', 'send', 'send6', 'fchmod'], what);
  }
  close(net.Socket.prototype, ['connect'], what);
  close(net.Server.prototype, ['listen'], what);
  for (const name of ['fetch', 'WebSocket', 'EventSource', 'navigator']) Reflect.deleteProperty(globalThis, name);
}

interface Closable {
  close(): void;
}

/** Creates and closes one handle per kind of socket. All others share their prototypes. */
function probeHandles(): object[] {
  // Node's internal way to a handle without a server. It is missing in the types.
  const { ['_createServerHandle']: create } = net as unknown as Record<
    '_createServerHandle',
    (address: string, port: number, type: number) => unknown
  >;
  const pipeName = process.platform === 'win32' ? `\\\\?\\pipe\\limner-${process.pid}` : `\0limner-${process.pid}`;
  const handles: object[] = [];
  for (const made of [create('127.0.0.1', 0, 4), create(pipeName, -1, -1)]) {
    // A number is an error code: a system without such sockets needs no lock.
    if (typeof made !== 'object' || made === null) continue;
    handles.push(made);
    (made as Closable).close();
  }
  const datagrams = createSocket('udp4');
  for (const symbol of Object.getOwnPropertySymbols(datagrams)) {
    const state = (datagrams as unknown as Record<symbol, unknown>)[symbol] as { handle?: object } | null;
    if (typeof state === 'object' && state?.handle) handles.push(state.handle);
  }
  datagrams.close();
  return handles;
}

/** Disables access from `process` to other processes and to Node's internals. */
function closeProcess(): void {
  close(process, ['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'loadEnvFile'], "Node's inside");
  close(process, ['kill', '_kill', '_debugProcess', '_debugEnd', 'execve'], 'Other processes');
  close(
    process,
    ['setuid', 'setgid', 'seteuid', 'setegid', 'setgroups', 'initgroups', 'chdir', '_getActiveHandles'],
    'The process',
  );
  Object.defineProperty(process, 'report', { value: undefined, configurable: false });
}

/** Closes gaps of Node's permission model. Called once, before plug-in code is loaded. */
export function lockDown(): void {
  closeNetwork();
  closeProcess();
}

/** Module that plug-ins import the decorators from. */
const publicModule = 'limner/formats';
const publicUrl = 'limner:formats';

/**
 * Restricts imports to `limner/formats`, the plug-in's files, and harmless Node modules. Only ES modules are loaded,
 * because a CommonJS module's `module` gives access to all of Node.
 */
export function installModuleRules(api: Readonly<Record<string, unknown>>): void {
  const known = new Set(builtinModules);
  const key = Symbol.for(publicUrl);
  Object.defineProperty(globalThis, key, { value: Object.freeze({ ...api }) });
  const names = Object.keys(api).map((name) => `export const ${name} = api.${name};`);
  const source = `const api = globalThis[Symbol.for('${publicUrl}')];\n${names.join('\n')}`;

  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === publicModule) return { url: publicUrl, format: 'module', shortCircuit: true };
      if (isBuiltin(specifier) || known.has(specifier)) {
        if (allowedModules.has(specifier.replace(/^node:/, ''))) return next(specifier, context);
        throw new Error(`A format plug-in cannot import "${specifier}".`);
      }
      const resolved = next(specifier, context);
      if (/^(file|data):/.test(resolved.url)) return resolved;
      throw new Error(`A format plug-in cannot import "${specifier}".`);
    },
    load(url, context, next) {
      if (url === publicUrl) return { format: 'module', source, shortCircuit: true };
      const loaded = next(url, context);
      if (loaded.format?.startsWith('commonjs') || loaded.format === 'addon') {
        throw new Error('A format plug-in is an ES module: it imports and exports, and needs no require().');
      }
      return loaded;
    },
  });
}
