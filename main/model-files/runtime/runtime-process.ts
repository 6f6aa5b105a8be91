import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { AppError } from '../../platform/errors.ts';
import { findSandbox, sandboxCommand, type Sandbox } from '../../platform/sandbox.ts';
import { levelsOf, sentTensor, type Outputs, type Tensor } from '../tensor.ts';
import { insteadOf, type Placement } from './execution-provider.ts';
import { defined } from '../../platform/defined.ts';

/** Channel to a model process; messages contain tensors. */
export interface RuntimeChannel {
  /**
   * Resolves when the process has taken the levels, which it reads without copies in memory. They are not read after
   * `kill`.
   */
  send(message: object, levels?: readonly Uint8Array[]): Promise<unknown>;
  onMessage(take: (message: unknown) => void): void;
  /** `words`: last output of the process. */
  onEnd(take: (words: string) => void): void;
  kill(): void;
  /** Undefined before the process has started and after its end. */
  readonly pid: number | undefined;
}

/** Starts the process of one model, with read access to these folders. */
export type StartRuntime = (folders: readonly string[]) => RuntimeChannel;

export const runtimeLimits = { memoryMiB: 4096, startMs: 120_000, runMs: 120_000, idleMs: 60_000 };
type RuntimeLimits = Readonly<typeof runtimeLimits>;

const watchMs = 50;
const keptCharacters = 4000;

/** A model that could not be run, with a message for the user. `invalid`: the model itself fails, now and later. */
export class RuntimeProblem extends AppError {
  constructor(
    message: string,
    code: 'invalid' | 'unavailable' | 'timeout' | 'cancelled' = 'unavailable',
    cause?: unknown,
  ) {
    super(code, message, message, { cause });
  }
}

/** Path outside of app.asar, which only Electron can read. */
const unpacked = (path: string) => path.replace(/\bapp\.asar([\\/])/, 'app.asar.unpacked$1');

/**
 * Plain Node processes in the strictest available sandbox: no network, only their own files, and a memory limit of the
 * operating system.
 */
export function nodeRuntime(script: string, library: string, limits: RuntimeLimits = runtimeLimits): StartRuntime {
  let found: Sandbox | null | undefined;
  const [host, runtime] = [unpacked(script), unpacked(library)];
  return (folders) => {
    found ??= findSandbox(host, { memoryMiB: limits.memoryMiB, totalMs: 24 * 60 * 60_000, outputBytes: 0 });
    if (found === null) {
      throw new RuntimeProblem(
        'ONNX models need Node 24 or later here. Install it, or set its path in LIMNER_NODE, and restart Limner.',
      );
    }
    // The packages folder, because the runtime imports from it.
    const packages = dirname(dirname(dirname(runtime)));
    const { command, args } = sandboxCommand(found, {
      read: [`${packages}/`, ...folders.map((folder) => `${folder}/`)],
      write: [],
      addons: true,
    });
    const child = spawn(command, [...args, runtime], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
      serialization: 'advanced',
      // Users add the folders of CUDA's libraries to this variable.
      env: defined({ LD_LIBRARY_PATH: process.env['LD_LIBRARY_PATH'] }),
      cwd: folders[0] ?? dirname(host),
      windowsHide: true,
    });
    let words = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (piece: Buffer) => (words = (words + piece.toString('latin1')).slice(-keptCharacters)));
      stream?.on('error', () => undefined);
    }
    const pixels = child.stdio[4] as Writable;
    pixels.on('error', () => undefined);
    return {
      send(message, levels = []) {
        child.send(message, () => undefined);
        return Promise.all(levels.map((one) => new Promise<void>((taken) => pixels.write(one, () => taken()))));
      },
      onMessage: (take) => void child.on('message', take),
      onEnd(take) {
        child.once('error', (error) => take(error.message));
        child.once('exit', (code, signal) =>
          take(signal === null ? `code ${code ?? '?'} ${words}` : `${signal} ${words}`),
        );
      },
      kill() {
        pixels.destroy();
        child.kill('SIGKILL');
      },
      get pid() {
        return child.exitCode === null && child.signalCode === null ? child.pid : undefined;
      },
    };
  };
}

interface RuntimeMessage {
  readonly id?: number;
  readonly value?: unknown;
  readonly failure?: string;
  /** Reason why the process runs the model on the CPU from now on. */
  readonly unusable?: string;
}

export type ModelRuntime = ReturnType<typeof createModelRuntime>;

/**
 * One process per model: started by the first run, stopped when it is idle, too slow or uses too much memory. Runs are
 * serialized.
 */
export function createModelRuntime(given: {
  readonly name: string;
  readonly folder: string;
  readonly start: StartRuntime;
  readonly limits?: RuntimeLimits;
  /** Default: the CPU. */
  readonly placement?: Placement;
}) {
  const { name, folder, start, limits = runtimeLimits } = given;
  let placement: Placement = given.placement ?? { provider: 'cpu', text: 'CPU' };
  let channel: RuntimeChannel | null = null;
  let opened = new Set<string>();
  let last = 0;
  let turn: Promise<unknown> = Promise.resolve();
  let idle: NodeJS.Timeout | null = null;
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();

  function end(reason: RuntimeProblem): void {
    channel?.kill();
    channel = null;
    opened = new Set();
    if (idle) clearTimeout(idle);
    for (const { reject } of waiting.values()) reject(reason);
    waiting.clear();
  }

  function started(): RuntimeChannel {
    if (channel !== null) return channel;
    const own = start([folder]);
    channel = own;
    own.onMessage((message) => {
      const { id, value, failure, unusable } = Object(message) as RuntimeMessage;
      if (unusable !== undefined) placement = insteadOf(placement, unusable);
      const one = waiting.get(id ?? -1);
      waiting.delete(id ?? -1);
      if (failure === undefined) one?.resolve(value);
      else one?.reject(new RuntimeProblem(`Cannot run "${name}": ${failure.replace(/\.$/, '')}.`, 'invalid'));
    });
    own.onEnd((words) => {
      if (channel === own) end(new RuntimeProblem(`The process of "${name}" ended: ${lastWords(words)}.`));
    });
    return own;
  }

  /** Waits for one answer while it checks the timeout and the memory. */
  async function ask(
    message: object,
    { timeoutMs, signal, levels }: { timeoutMs: number; signal: AbortSignal | undefined; levels?: Uint8Array[] },
  ): Promise<unknown> {
    const own = started();
    const id = (last += 1);
    const answer = Promise.withResolvers<unknown>();
    waiting.set(id, answer);
    const begun = performance.now();
    const look = setInterval(() => {
      const used = residentMiB(own.pid);
      if (used > limits.memoryMiB) {
        end(new RuntimeProblem(`"${name}" needed more than ${limits.memoryMiB} MiB of memory and was stopped.`));
      } else if (performance.now() - begun > timeoutMs) {
        const seconds = Math.round(timeoutMs / 100) / 10;
        end(new RuntimeProblem(`"${name}" took longer than ${seconds} s and was stopped.`, 'timeout'));
      } else if (signal?.aborted) end(new RuntimeProblem('The call was cancelled.', 'cancelled'));
    }, watchMs);
    try {
      const [value] = await Promise.all([answer.promise, own.send({ id, ...message }, levels)]);
      return value;
    } finally {
      clearInterval(look);
    }
  }

  const threads = Math.max(1, Math.min(8, availableParallelism() - 1 || 1));

  async function runOnce(
    file: string,
    feeds: Readonly<Record<string, Tensor>>,
    signal: AbortSignal | undefined,
  ): Promise<Outputs> {
    if (!opened.has(file) || channel === null) {
      const { provider } = placement;
      const opening = { command: 'open', key: file, path: `${folder}/${file}`, threads, provider };
      await ask(opening, { timeoutMs: limits.startMs, signal });
      opened.add(file);
    }
    const sent = Object.fromEntries(Object.entries(feeds).map(([input, tensor]) => [input, sentTensor(tensor)]));
    const levels = Object.values(feeds).flatMap(levelsOf);
    return (await ask(
      { command: 'run', key: file, feeds: sent },
      { timeoutMs: limits.runMs, signal, levels },
    )) as Outputs;
  }

  return {
    /** @param file name in the folder of the model */
    run(file: string, feeds: Readonly<Record<string, Tensor>>, signal?: AbortSignal): Promise<Outputs> {
      const work = async () => {
        if (signal?.aborted) throw new RuntimeProblem('The call was cancelled.', 'cancelled');
        if (idle) clearTimeout(idle);
        try {
          return await runOnce(file, feeds, signal);
        } catch (error) {
          // A provider can end its process, which the CPU then replaces.
          const isOver = error instanceof RuntimeProblem && error.code !== 'invalid' && error.code !== 'cancelled';
          if (!isOver || placement.provider === 'cpu') throw error;
          placement = insteadOf(placement, 'ended the process of the model');
          return await runOnce(file, feeds, signal);
        } finally {
          idle = setTimeout(() => end(new RuntimeProblem('It rests.')), limits.idleMs);
          idle.unref();
        }
      };
      const result = turn.then(work);
      turn = result.catch(() => undefined);
      return result;
    },
    /** One line about the place where the model runs. */
    where: (): string => placement.text,
    isRunning: (): boolean => channel !== null,
    stop: (): void => end(new RuntimeProblem(`"${name}" was stopped.`)),
  };
}

function lastWords(words: string): string {
  const lines = words.split('\n').map((line) => line.trim());
  const error = lines.find((line) => /error|cannot|denied/i.test(line)) ?? lines.filter(Boolean).at(-1) ?? '';
  return error.replace(/\.$/, '').slice(0, 300);
}

/** Memory of a process and its children; 0 if the system does not report it. */
function residentMiB(pid: number | undefined): number {
  if (pid === undefined || process.platform !== 'linux') return 0;
  try {
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean);
    return Number(kibibytes ?? 0) / 1024 + children.reduce((sum, child) => sum + residentMiB(Number(child)), 0);
  } catch {
    return 0;
  }
}
