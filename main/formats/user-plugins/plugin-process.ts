import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Duplex } from 'node:stream';
import { AppError } from '../../platform/errors.ts';
import { createFrameReader, encodeFrame, type Frame, maxMessageBytes } from './message-frames.ts';
import type { StartMessage } from './messages.ts';
import { type Grants, type Sandbox, sandboxCommand } from '../../platform/sandbox.ts';

export interface Answer {
  readonly value: unknown;
  readonly attachment?: Uint8Array;
}

export interface PluginRun {
  readonly sandbox: Sandbox;
  readonly module: string;
  readonly start: StartMessage;
  readonly grants: Grants;
  /** States the data that is unchanged after a failed run, as a sentence. */
  readonly kept: string;
  readonly signal?: AbortSignal;
  /** Called often; an exception ends the run. */
  readonly tick?: () => void;
  /** Receives each message. Returns the answer to send, or `done` to end the run. */
  readonly onFrame: (frame: Frame) => Promise<Answer | 'done' | undefined> | Answer | 'done' | undefined;
}

const watchIntervalMs = 100;
const keptOutputCharacters = 4000;

/** An error caused by the plug-in, with a message that names it. */
export function pluginFault(module: string, what: string, kept: string, cause?: unknown): AppError {
  const message = `The plug-in ${basename(module)} ${what}. ${kept}`;
  return new AppError('invalid', message, [message], { cause });
}

/**
 * Runs a plug-in in a separate process until it reports completion. The process has exited when the promise settles,
 * also after an error, a limit, `signal`, or an exception of `tick` or `onFrame`.
 */
export async function runPluginProcess(run: PluginRun): Promise<void> {
  const { sandbox, module, start, grants, kept } = run;
  const { command, args } = sandboxCommand(sandbox, grants);
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...sandbox.environment },
    cwd: dirname(module),
    windowsHide: true,
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  ended.catch(() => undefined);
  const output = keepLastOutput(child);
  // The fourth file is a socket: `pipe` creates it in both directions.
  const socket = child.stdio[3] as Duplex;
  socket.on('error', () => undefined);
  const watch = watchLimits(child, run);
  try {
    socket.write(encodeFrame(start));
    const finished = converse(socket, run, watch.heard);
    finished.catch(() => undefined);
    const isDone = await Promise.race([finished, watch.broken]);
    if (isDone) return;
    const [code, signal] = await Promise.race([ended, watch.broken]);
    throw pluginFault(module, endedEarly(code, signal, output(), sandbox), kept);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      throw pluginFault(module, `cannot start: ${command} is missing`, kept, error);
    }
    throw error;
  } finally {
    watch.stop();
    socket.destroy();
    child.kill('SIGKILL');
    await ended.catch(() => undefined);
  }
}

/** V8's messages for memory exhaustion. An array beyond every limit is an "invalid size". */
const outOfMemory = /out of memory|allocation failed|Fatal JavaScript invalid size|ENOMEM|std::bad_alloc/i;

function endedEarly(code: number | null, signal: string | null, output: string, { limits }: Sandbox): string {
  const said = lastWords(output);
  if (outOfMemory.test(output)) {
    return `needed more than ${limits.memoryMiB} MiB of memory and was stopped`;
  }
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  return `ended ${how} before it was done${said === '' ? '' : `: ${said}`}`;
}

/** The message of an uncaught error, or the last line. */
function lastWords(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  const error = lines.find((line) => /^(Uncaught )?[A-Za-z]*Error\b/.test(line));
  return (error ?? lines.filter((line) => line !== '' && !line.startsWith('Node.js v')).at(-1) ?? '').slice(0, 300);
}

/** Collects the end of standard output and standard error. */
function keepLastOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('error', () => undefined);
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString('latin1', Math.max(0, chunk.length - keptOutputCharacters))).slice(
        -keptOutputCharacters,
      );
    });
  }
  return () => text;
}

/** Processes the plug-in's messages in sequence. Returns true after completion, false if the socket closed early. */
async function converse(socket: Duplex, { onFrame, module, kept, start }: PluginRun, heard: () => void) {
  const reader = createFrameReader({ textBytes: maxMessageBytes, attachmentBytes: 0 });
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    let frames: Frame[];
    try {
      frames = reader.push(chunk);
    } catch (error) {
      throw pluginFault(module, `sent an invalid message (${sentence(error)})`, kept, error);
    }
    for (const frame of frames) {
      heard();
      const failure = failureOf(frame.message);
      if (failure !== null) {
        const doing = start.command === 'describe' ? 'could not be loaded' : `failed`;
        throw pluginFault(module, `${doing}: ${failure}`, kept);
      }
      const answer = await onFrame(frame);
      heard();
      if (answer === 'done') return true;
      if (answer) await write(socket, encodeFrame({ value: answer.value }, answer.attachment));
    }
  }
  return false;
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));

function failureOf(message: unknown): string | null {
  const { say, message: text } = (message ?? {}) as { say?: unknown; message?: unknown };
  if (say !== 'failed') return null;
  return String(text).slice(0, 2000).replace(/\.$/, '');
}

async function write(socket: Duplex, bytes: Buffer): Promise<void> {
  if (!socket.write(bytes)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => undefined);
}

/** Maximum duration of a command, and maximum silence of the plug-in within it. */
function allowedMs(command: StartMessage['command'], limits: Sandbox['limits']): readonly [number, number] {
  if (command === 'describe') return [limits.describeMs, limits.describeMs];
  if (command === 'detect') return [limits.detectMs, limits.detectMs];
  return [limits.totalMs, limits.silenceMs];
}

/** Watches time, memory and cancellation. `broken` rejects at the first limit. */
function watchLimits(child: ChildProcess, { sandbox: { limits }, module, kept, start, signal, tick }: PluginRun) {
  const startedMs = performance.now();
  const [totalMs, silenceMs] = allowedMs(start.command, limits);
  let heardMs = startedMs;
  let fail: (reason: unknown) => void = () => undefined;
  const broken = new Promise<never>((_resolve, reject) => (fail = reject));
  broken.catch(() => undefined);
  child.on('error', fail);
  // Running out of memory is detected by the exit of the process, not here.
  const check = () => {
    const now = performance.now();
    if (now - startedMs > totalMs)
      fail(pluginFault(module, `took longer than ${seconds(totalMs)} and was stopped`, kept));
    else if (now - heardMs > silenceMs)
      fail(pluginFault(module, `did not respond for ${seconds(silenceMs)} and was stopped`, kept));
    else if (memoryMiB(child.pid) > limits.memoryMiB + nodeMemoryMiB)
      fail(pluginFault(module, `needed more than ${limits.memoryMiB} MiB of memory and was stopped`, kept));
    if (signal?.aborted) fail(signal.reason);
    try {
      tick?.();
    } catch (error) {
      fail(error);
    }
  };
  const timer = setInterval(check, watchIntervalMs);
  return {
    broken,
    heard: () => (heardMs = performance.now()),
    stop: () => clearInterval(timer),
  };
}

/** Resident memory of an idle Node process. */
const nodeMemoryMiB = 128;

const seconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Resident memory of a process and its child in MiB; 0 if unknown. */
function memoryMiB(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    return [String(pid), ...children].reduce((sum, one) => sum + residentMiB(one), 0);
  } catch {
    return 0;
  }
}

function residentMiB(pid: string): number {
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return Number(kibibytes ?? 0) / 1024;
  } catch {
    return 0;
  }
}
