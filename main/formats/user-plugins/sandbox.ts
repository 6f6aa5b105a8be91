import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';

/** What a plug-in's process may use. */
export interface PluginLimits {
  readonly memoryMiB: number;
  /** The longest time without a word from the plug-in. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** For loading a module to see what it registers. */
  readonly describeMs: number;
  /** For saying whether a file is of the format. */
  readonly detectMs: number;
  /** Largest file that an exporter may write. */
  readonly outputBytes: number;
}

const defaultPluginLimits: PluginLimits = {
  memoryMiB: 512,
  silenceMs: 60_000,
  totalMs: 4 * 60 * 60_000,
  describeMs: 10_000,
  detectMs: 5000,
  outputBytes: 64 * 1024 ** 3,
};

/** How processes of plug-ins are started on this computer. Plain data: it travels to worker threads. */
export interface Sandbox {
  /** Node 24 or later. */
  readonly node: string;
  /** The entry that runs in the process; what lies in its folder can be read there. */
  readonly hostFile: string;
  /** `unshare` and its options, where the system lets a process have a network and a process table of its own. */
  readonly namespaces: readonly string[];
  /** `prlimit`, where there is one: limits that the kernel keeps. */
  readonly hasResourceLimits: boolean;
  readonly limits: PluginLimits;
}

const ownWorld = ['--net', '--pid', '--ipc', '--fork', '--kill-child'];

function works(command: string, args: readonly string[]): string | null {
  try {
    return execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 5000, encoding: 'utf8' });
  } catch {
    return null;
  }
}

function findNamespaces(): readonly string[] {
  if (process.platform !== 'linux') return [];
  const asUser = process.getuid?.() === 0 ? [] : ['--user', '--map-current-user'];
  const options = [...asUser, ...ownWorld];
  return works('unshare', [...options, 'true']) === null ? [] : ['unshare', ...options];
}

const oldestNode = 24;

/** The Node that runs plug-ins: this one, or where this is Electron one that LIMNER_NODE or the PATH names. */
function findNode(): string | null {
  if (process.versions['electron'] === undefined && Number.parseInt(process.versions.node, 10) >= oldestNode)
    return process.execPath;
  const candidates = [process.env['LIMNER_NODE'], 'node'].filter((name) => name !== undefined && name !== '');
  return (
    candidates.find(
      (name) => Number.parseInt(works(name ?? '', ['-p', 'process.versions.node']) ?? '', 10) >= oldestNode,
    ) ?? null
  );
}

/** Looks at what this computer offers. Null where there is no Node that could run plug-ins. */
export function findSandbox(hostFile: string, limits: Partial<PluginLimits> = {}): Sandbox | null {
  const node = findNode();
  if (node === null) return null;
  return {
    node,
    // A packaged program lies in an archive that only Electron can read: this file is kept beside it.
    hostFile: hostFile.replace(/\bapp\.asar([\\/])/, 'app.asar.unpacked$1'),
    namespaces: findNamespaces(),
    hasResourceLimits: process.platform === 'linux' && works('prlimit', ['--version']) !== null,
    limits: { ...defaultPluginLimits, ...limits },
  };
}

export interface Grants {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/** Memory beyond the JavaScript heap that Node itself needs: stacks of its threads, code, buffers of streams. */
const ownMemoryMiB = 512;

/** The command line of one process. */
export function sandboxCommand(sandbox: Sandbox, { read, write }: Grants): { command: string; args: string[] } {
  const { limits, namespaces } = sandbox;
  const node = [
    sandbox.node,
    '--permission',
    `--allow-fs-read=${dirname(sandbox.hostFile)}/`,
    ...read.map((path) => `--allow-fs-read=${path}`),
    ...write.map((path) => `--allow-fs-write=${path}`),
    `--max-old-space-size=${limits.memoryMiB}`,
    '--disable-sigusr1',
    '--no-warnings',
    sandbox.hostFile,
  ];
  const resources = sandbox.hasResourceLimits
    ? [
        'prlimit',
        `--data=${(limits.memoryMiB + ownMemoryMiB) * 1024 ** 2}`,
        `--cpu=${Math.ceil(limits.totalMs / 1000) * 2 + 10}`,
        `--fsize=${limits.outputBytes}`,
        '--core=0',
      ]
    : [];
  const [command = sandbox.node, ...args] = [...resources, ...namespaces, ...node];
  return { command, args };
}
