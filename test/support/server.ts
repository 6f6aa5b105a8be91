import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leanEnvironment, leanOptions } from '../../scripts/lib/memory-settings.mjs';
import { compileCache, nodeExecutable, programEntry, projectRoot } from './node-executable.ts';

/** Entries of the command line: the sources (bundled in suites), and the output of `npm run build`. */
export const serverEntries = {
  source: programEntry('cli'),
  built: join(projectRoot, 'out', 'main', 'cli.js'),
} as const;

export interface ServerOptions {
  /** By default a temporary directory, removed at the end. */
  readonly dataDir?: string;
  /** Null starts without `--password`, so the owner's password is unchanged. */
  readonly password?: string | null;
  readonly entry?: keyof typeof serverEntries;
  /** The command line of another checkout, used instead of an entry of this one. */
  readonly program?: string | undefined;
  readonly nodeOptions?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly port?: number;
  /** Lets the service open the browser: `xdg-open` of the environment. */
  readonly isOpening?: boolean;
  readonly more?: readonly string[];
}

interface ReadyLine {
  readonly url: string;
  readonly dashboardUrl: string;
  readonly dataDir: string;
  readonly user: string;
  readonly launchUrl: string;
}

export interface RunningServer extends ReadyLine {
  readonly password: string;
  readonly authorization: string;
  readonly pid: number;
  /** Time from the start of the process to its line on standard output. */
  readonly readyMs: number;
  readonly isRunning: () => boolean;
  readonly errorOutput: () => string;
  /** Peak resident memory of the process in bytes; null on other systems than Linux. */
  readonly peakMemoryBytes: () => Promise<number | null>;
  /** CPU time of all its threads; null on other systems than Linux. */
  readonly processorMs: () => Promise<number | null>;
  /** Stops it like a service manager and returns its exit code. A temporary data directory is removed. */
  readonly stop: () => Promise<number | null>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
  readonly kill9: () => Promise<void>;
  readonly restart: () => Promise<RunningServer>;
}

export const ownerPassword = 'a password for tests';
const startTimeoutMs = 60_000;
const stopTimeoutMs = 20_000;

/**
 * Starts `limner serve` as a separate process and waits for its ready line. Throws with its output if it ends first.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const isTemporary = options.dataDir === undefined;
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'limner-test-'));
  return launch({ ...options, dataDir }, isTemporary);
}

async function launch(options: ServerOptions & { dataDir: string }, isTemporary: boolean): Promise<RunningServer> {
  const password = options.password === undefined ? ownerPassword : options.password;
  const started = performance.now();
  const child = spawn(nodeExecutable(), argumentsOf(options, password), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...leanEnvironment, ...process.env, ...compileCache, ...options.env },
  });
  let errorOutput = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errorOutput += text));
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
  exited.catch(() => undefined);
  const ready = await readyLine(child, exited, () => errorOutput);
  const readyMs = performance.now() - started;
  const removeData = () => {
    if (isTemporary) rmSync(options.dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    const code = isRunning() ? await end(child, exited) : child.exitCode;
    removeData();
    return code;
  };
  return {
    ...ready,
    dataDir: options.dataDir,
    password: password ?? '',
    authorization: `Basic ${Buffer.from(`${ready.user}:${password ?? ''}`).toString('base64')}`,
    pid: child.pid ?? 0,
    readyMs,
    isRunning,
    errorOutput: () => errorOutput,
    peakMemoryBytes: () => peakMemory(child.pid ?? 0),
    processorMs: () => processorTime(child.pid ?? 0),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
    async kill9() {
      if (!isRunning()) return;
      child.kill('SIGKILL');
      await exited;
    },
    restart: () => launch(options, isTemporary),
  };
}

function argumentsOf(options: ServerOptions & { dataDir: string }, password: string | null): string[] {
  return [
    // The same options as the program's own scripts.
    ...leanOptions,
    ...(options.nodeOptions ?? []),
    options.program ?? serverEntries[options.entry ?? 'source'],
    'serve',
    '--data-dir',
    options.dataDir,
    '--port',
    String(options.port ?? 0),
    '--dashboard-port',
    '0',
    ...(password === null ? [] : ['--password', password]),
    ...(options.isOpening === true ? [] : ['--no-open']),
    ...(options.more ?? []),
  ];
}

async function readyLine(
  child: ChildProcess,
  exited: Promise<[number | null, string | null]>,
  errorOutput: () => string,
): Promise<ReadyLine> {
  const controller = new AbortController();
  const line = firstLine(child);
  const ended = exited.then(([code, signal]) => {
    throw new Error(`The server ended with ${signal ?? `code ${code}`} before it was ready.\n${errorOutput()}`);
  });
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`The server was not ready after ${startTimeoutMs / 1000} s.\n${errorOutput()}`));
    }, startTimeoutMs);
    controller.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  try {
    // The line is the documented output of `limner serve`.
    return JSON.parse(await Promise.race([line, ended, late])) as ReadyLine;
  } finally {
    controller.abort();
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece;
      const end = text.indexOf('\n');
      if (end >= 0) resolve(text.slice(0, end));
    });
  });
}

async function end(child: ChildProcess, exited: Promise<[number | null, string | null]>): Promise<number | null> {
  const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
  child.kill('SIGTERM');
  const [code] = await exited;
  clearTimeout(force);
  return code;
}

async function peakMemory(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** Linux counts in ticks of 10 ms. */
const tickMs = 10;

async function processorTime(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before the closing bracket may contain spaces. User and system time are fields 12 and 13 after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return text === '' ? null : (Number(fields[11]) + Number(fields[12])) * tickMs;
}
