import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { devNull } from 'node:os';
import { AppError } from '../platform/errors.ts';
import type { RemoteAddress } from './remote-address.ts';
import { defined } from '../platform/defined.ts';

export interface GitCall {
  readonly args: readonly string[];
  readonly input?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
  readonly connection?: GitConnection;
  readonly signal?: AbortSignal;
}

export interface GitConnection {
  readonly address: RemoteAddress;
  readonly knownHosts: string;
  /** Socket of the key agent; null for a folder. */
  readonly agent: string | null;
}

/** Ignores settings of the computer and the user; disables hooks, prompts and other protocols. */
const settings = [
  `core.hooksPath=${devNull}`,
  'core.fsmonitor=false',
  'core.quotePath=false',
  'gc.auto=0',
  'protocol.allow=never',
  'protocol.ssh.allow=always',
  'protocol.file.allow=always',
].flatMap((setting) => ['-c', setting]);

/** Keeps the end of the error output, which contains the messages. */
const keptErrors = 8 * 1024;

/** Runs the system's git. @throws AppError if git is missing, cancelled or fails */
export async function runGit({ args, input, connection, signal }: GitCall): Promise<Buffer> {
  signal?.throwIfAborted();
  const child = spawn('git', ['--literal-pathspecs', ...settings, ...args], {
    env: { ...environment(), ...(connection ? sshEnvironment(connection) : {}) },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    windowsHide: true,
  });
  const output: Buffer[] = [];
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + String(chunk)).slice(-keptErrors)));
  // A program that exits early does not read its input; its exit code is more informative.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close') as Promise<[number | null]>;
  try {
    for await (const text of input ?? [])
      if (!child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain'), ended]);
    child.stdin.end();
    const [code] = await ended;
    if (code === 0) return Buffer.concat(output);
  } catch (error) {
    // The input may have failed, for whose end git would wait.
    child.kill();
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw noGit(error);
    if (signal?.aborted)
      throw new AppError('cancelled', 'Cancelled. Nothing was changed.', undefined, { cause: error });
    throw error;
  }
  throw new GitFailure(args.find((arg) => !arg.startsWith('-')) ?? 'git', errors.trim());
}

export class GitFailure extends Error {
  readonly said: string;
  constructor(command: string, said: string) {
    super(`git ${command}: ${said}`);
    this.name = 'GitFailure';
    this.said = said;
  }
}

function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(GIT_|SSH_|LIMNER_)/.test(name));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_TERMINAL_PROMPT: '0',
    // The user chose the folder, so its owner does not matter; nothing in it is executed.
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.directory',
    GIT_CONFIG_VALUE_0: '*',
  };
}

function sshEnvironment({ knownHosts, agent }: GitConnection): NodeJS.ProcessEnv {
  const options = {
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    UserKnownHostsFile: `"${knownHosts}"`,
    GlobalKnownHostsFile: devNull,
    UpdateHostKeys: 'no',
    IdentityFile: 'none',
    PreferredAuthentications: 'publickey',
    ForwardAgent: 'no',
    ConnectTimeout: '15',
    ServerAliveInterval: '15',
    ServerAliveCountMax: '4',
  };
  const words = Object.entries(options).map(([name, value]) => `-o ${quoted(`${name}=${value}`)}`);
  return {
    // git passes this line to a shell. It consists of constants and one quoted path.
    GIT_SSH_COMMAND: ['ssh', '-F', 'none', ...words].join(' '),
    GIT_SSH_VARIANT: 'ssh',
    ...defined({ SSH_AUTH_SOCK: agent ?? undefined }),
  };
}

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const noGit = (cause: unknown) =>
  new AppError(
    'unavailable',
    'Git is not installed on this computer, or not on its PATH. Install it (Debian: git) and try again.',
    undefined,
    { cause },
  );
