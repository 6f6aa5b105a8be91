import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeExecutable, projectRoot } from '../node-executable.ts';

export interface RuntimeKind {
  readonly name: string;
  readonly command: readonly string[];
  readonly file: string;
}

const runtimes = join(projectRoot, 'resources', 'runtimes');
export const nodeRuntime: RuntimeKind = {
  name: 'Node.js',
  command: [nodeExecutable(), join(runtimes, 'node', 'server.cjs')],
  file: 'main.js',
};
export const pythonRuntime = (python: string): RuntimeKind => ({
  name: python,
  command: [python, join(runtimes, 'python', 'server.py')],
  file: 'main.py',
});

export interface RuntimeOptions {
  readonly workers?: number;
  readonly workerWaitMs?: number;
  readonly eventTimeoutMs?: number;
  readonly maxBodyBytes?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly handler?: string;
  readonly files?: Readonly<Record<string, string>>;
}

export interface LogRecord {
  readonly level: string;
  readonly message: string;
  readonly worker?: number;
  readonly invocation?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

export interface RunningRuntime extends Awaited<ReturnType<typeof startRuntime>> {}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export async function startRuntime(kind: RuntimeKind, code: string, options: RuntimeOptions = {}, waitReady = true) {
  const folder = mkdtempSync(join(tmpdir(), 'limner-runtime-'));
  writeFileSync(join(folder, kind.file), code);
  for (const [name, text] of Object.entries(options.files ?? {})) writeFileSync(join(folder, name), text);
  const port = await freePort();
  const [executable = '', ...args] = kind.command;
  const child = spawn(executable, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      PYTHONDONTWRITEBYTECODE: '1',
      LIMNER_PORT: String(port),
      LIMNER_ADDRESS: '127.0.0.1',
      LIMNER_HANDLER: options.handler ?? 'main:handler',
      LIMNER_HANDLER_DIR: folder,
      LIMNER_WORKERS: String(options.workers ?? 1),
      LIMNER_WORKER_WAIT_MS: String(options.workerWaitMs ?? 10_000),
      LIMNER_EVENT_TIMEOUT_MS: String(options.eventTimeoutMs ?? 30_000),
      LIMNER_MAX_BODY_BYTES: String(options.maxBodyBytes ?? 32 * 1024 * 1024),
      ...options.env,
    },
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const exited = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)));
  const url = `http://127.0.0.1:${port}`;
  const running = {
    url,
    process: child,
    logs: (): LogRecord[] =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as LogRecord),
    call: (
      body: unknown,
      {
        path = '/',
        method = 'POST',
        headers = {},
      }: { path?: string; method?: string; headers?: Record<string, string> } = {},
    ): Promise<Response> =>
      fetch(new URL(path, url), {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    /** Waits until the process ends without a signal. */
    ended: (): Promise<number | null> => exited,
    async stop(): Promise<number | null> {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      const code = await exited;
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
  if (waitReady) await ready(running);
  return running;
}

async function ready(running: RunningRuntime): Promise<void> {
  for (;;) {
    const status = await fetch(`${running.url}/__internal/health`).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    if (running.process.exitCode !== null) throw new Error(`The runtime ended: ${JSON.stringify(running.logs())}`);
    await sleep(20);
  }
}

export async function logged(running: RunningRuntime, pattern: RegExp): Promise<LogRecord> {
  for (;;) {
    const found = running.logs().find(({ message }) => pattern.test(message));
    if (found) return found;
    if (running.process.exitCode !== null) await sleep(50);
    await sleep(20);
  }
}
