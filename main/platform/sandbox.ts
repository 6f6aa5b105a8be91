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
  /** Node 24 or later: a program, and what makes it one where it is Electron's. */
  readonly node: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The entry that runs in the process; what lies in its folder can be read there. */
  readonly hostFile: string;
  /** `unshare` and its options, where the system lets a process have a network and a process table of its own. */
  readonly namespaces: readonly string[];
  /** `prlimit`, where there is one: limits that the kernel keeps. */
  readonly hasResourceLimits: boolean;
  readonly limits: PluginLimits;
}

const ownWorld = ['--net', '--pid', '--ipc', '--fork', '--kill-child'];

function works(command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}): string | null {
  try {
    const env = { ...process.env, ...more };
    return execFileSync(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'], timeout: 5000, encoding: 'utf8' });
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

/** What this program is started as. */
export interface OwnProgram {
  readonly path: string;
  readonly isElectron: boolean;
}

const ownProgram = (): OwnProgram => ({
  path: process.execPath,
  isElectron: process.versions['electron'] !== undefined,
});

type FoundNode = Pick<Sandbox, 'node' | 'environment'>;

/** Electron's program is a Node when it is told so, as long as its package leaves it that switch. */
const asNode = { ELECTRON_RUN_AS_NODE: '1' };

/** The Node that runs plug-ins: one that LIMNER_NODE names, this program, or the one on the PATH. */
function findNode({ path, isElectron }: OwnProgram): FoundNode | null {
  const named = process.env['LIMNER_NODE'];
  const candidates: readonly FoundNode[] = [
    ...(named ? [{ node: named, environment: {} }] : []),
    { node: path, environment: isElectron ? asNode : {} },
    { node: 'node', environment: {} },
  ];
  // With the option that keeps plug-ins within their grants: a program that does not know it is none for them.
  const question = ['--permission', '-p', 'process.versions.node'];
  const isNode = ({ node, environment }: FoundNode): boolean =>
    Number.parseInt(works(node, question, environment) ?? '', 10) >= oldestNode;
  return candidates.find(isNode) ?? null;
}

/** Looks at what this computer offers. Null where there is no Node that could run plug-ins. */
export function findSandbox(
  hostFile: string,
  limits: Partial<PluginLimits> = {},
  own: OwnProgram = ownProgram(),
): Sandbox | null {
  const found = findNode(own);
  if (found === null) return null;
  return {
    ...found,
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
  /** Whether libraries of machine code may be loaded; they are held by the system's limits only. */
  readonly addons?: boolean;
}

/** Memory beyond the JavaScript heap that Node itself needs: stacks of its threads, code, buffers of streams. */
const ownMemoryMiB = 512;

/** The command line of one process. */
export function sandboxCommand(
  sandbox: Sandbox,
  { read, write, addons = false }: Grants,
): { command: string; args: string[] } {
  const { limits, namespaces } = sandbox;
  const node = [
    sandbox.node,
    '--permission',
    ...(addons ? ['--allow-addons'] : []),
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
