import { execFileSync } from 'node:child_process';
import { dirname } from 'node:path';
import { defined } from './defined.ts';

export interface PluginLimits {
  readonly memoryMiB: number;
  /** Maximum time without output of the plug-in. */
  readonly silenceMs: number;
  readonly totalMs: number;
  /** Time to load a module and read its registrations. */
  readonly describeMs: number;
  /** Time to detect whether a file has the format. */
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

/** Settings for starting plug-in processes on this computer. Plain data, so that it can be sent to worker threads. */
export interface Sandbox {
  /** Node 24 or later: a program, and the environment that makes Electron's program a Node. */
  readonly node: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The entry that runs in the process; files in its folder are readable there. */
  readonly hostFile: string;
  /** `unshare` and its options, if the system allows processes with separate network and process namespaces. */
  readonly namespaces: readonly string[];
  /** `prlimit` if available: limits enforced by the kernel. */
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

export interface OwnProgram {
  readonly path: string;
  readonly isElectron: boolean;
}

const ownProgram = (): OwnProgram => ({
  path: process.execPath,
  isElectron: process.versions['electron'] !== undefined,
});

type FoundNode = Pick<Sandbox, 'node' | 'environment'>;

/** Electron's program acts as Node with this variable, unless its package disables the option. */
const asNode = { ELECTRON_RUN_AS_NODE: '1' };

/** The Node that runs plug-ins: LIMNER_NODE, this program, or the one on the PATH. */
function findNode({ path, isElectron }: OwnProgram): FoundNode | null {
  const named = process.env['LIMNER_NODE'];
  const candidates: readonly FoundNode[] = [
    ...(named ? [{ node: named, environment: {} }] : []),
    { node: path, environment: isElectron ? asNode : {} },
    { node: 'node', environment: {} },
  ];
  // Includes the option that restricts plug-ins to their permissions: a program without it cannot be used.
  const question = ['--permission', '-p', 'process.versions.node'];
  const isNode = ({ node, environment }: FoundNode): boolean =>
    Number.parseInt(works(node, question, environment) ?? '', 10) >= oldestNode;
  return candidates.find(isNode) ?? null;
}

/** Detects the sandbox features of this computer. Null if there is no Node that can run plug-ins. */
export function findSandbox(
  hostFile: string,
  limits: Partial<PluginLimits> = {},
  own: OwnProgram = ownProgram(),
): Sandbox | null {
  const found = findNode(own);
  if (found === null) return null;
  return {
    ...found,
    // A packaged program is in an archive that only Electron can read: this file is unpacked beside it.
    hostFile: hostFile.replace(/\bapp\.asar([\\/])/, 'app.asar.unpacked$1'),
    namespaces: findNamespaces(),
    hasResourceLimits: process.platform === 'linux' && works('prlimit', ['--version']) !== null,
    limits: { ...defaultPluginLimits, ...defined(limits) },
  };
}

export interface Grants {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** True if native libraries may be loaded; only the system's limits apply to them. */
  readonly addons?: boolean;
}

/** Memory beyond the JavaScript heap that Node itself needs: stacks of its threads, code, buffers of streams. */
const ownMemoryMiB = 512;

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
