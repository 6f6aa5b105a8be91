import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AppError, type ErrorCode } from './errors.ts';
import { noteHeldThread } from './thread-pool.ts';
import type { WriteLockState } from './write-lock.ts';

/** Worker tasks by name. `main/worker.ts` adds them, because this module cannot import their modules. */
// oxlint-disable-next-line typescript/no-empty-object-type -- extended by declaration merging
export interface WorkerTasks {}

export type TaskName = keyof WorkerTasks;

export type PayloadOf<Name extends TaskName> = PayloadOfTask<WorkerTasks[Name]>;
type PayloadOfTask<Task> = Task extends (payload: infer Payload, run: never) => unknown ? Payload : never;

export type ResultOf<Name extends TaskName> = ResultOfTask<WorkerTasks[Name]>;
type ResultOfTask<Task> = Task extends (payload: never, run: never) => infer Result ? Received<Awaited<Result>> : never;

/** A Buffer that was sent from another thread is a Uint8Array. */
type Received<Result> = Result extends Uint8Array ? Uint8Array : Result;

export interface WorkerCall {
  readonly name: TaskName;
  readonly payload: unknown;
  /** Sends progress as `[fraction, message?]`. */
  readonly progress: MessagePort;
  /** Element 0 becomes 1 when the job is cancelled, so that synchronous loops can check it. */
  readonly cancelled: Int32Array;
  readonly turns: WriteLockState | undefined;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number, message?: string) => void;
  readonly transfer?: readonly MessagePort[];
}

/** An AppError for transfer between threads, where errors lose their class. */
export interface PackedError {
  readonly appError: true;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: unknown;
}

export interface WorkerPool {
  /** Runs a worker task. Waits for a cancelled one, so that it can clean up. */
  run<Name extends TaskName>(name: Name, payload: PayloadOf<Name>, options?: RunOptions): Promise<ResultOf<Name>>;
  /** Threads for tasks that must not wait for those of this pool. They end with it. */
  separate(maxThreads: number, jobsPerThread?: number): WorkerPool;
  /** @param isEnd true if the process ends: does not wait for threads that wait for a disk */
  stop(isEnd?: boolean): Promise<void>;
}

/**
 * Worker threads for heavy work. `workerUrl` is the only worker module. Writes of its tasks to the store share the queue
 * `turns` with the main thread.
 */
export function createWorkerPool(
  workerUrl: URL,
  turns?: WriteLockState,
  // An import uses two threads, and a second request must not wait for it.
  maxThreads = Math.max(4, availableParallelism()),
  /** Higher for jobs that mostly wait for other programs, or for disks. */
  jobsPerThread = 1,
): WorkerPool {
  const pool = new Piscina({
    filename: workerUrl.href,
    name: 'run',
    minThreads: 0,
    maxThreads,
    concurrentTasksPerWorker: jobsPerThread,
    idleTimeout: 30_000,
    // Most objects of these threads live for microseconds. A Node option for the young generation
    // (scripts/lib/memory-settings.mjs) takes precedence; this is for the desktop shell.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
    atomics: 'disabled',
    // geotiff imports web-worker, which treats every thread without data as one that it started itself.
    workerData: {},
  });

  const others: WorkerPool[] = [];
  return {
    async run<Name extends TaskName>(
      name: Name,
      payload: PayloadOf<Name>,
      options: RunOptions = {},
    ): Promise<ResultOf<Name>> {
      const { signal, onProgress, transfer = [] } = options;
      const channel = new MessageChannel();
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const cancel = () => Atomics.store(cancelled, 0, 1);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel);
      channel.port1.on('message', ([fraction, message]: [number, string?]) => onProgress?.(fraction, message));
      channel.port1.unref();
      const call: WorkerCall = { name, payload, progress: channel.port2, cancelled, turns };
      try {
        return (await pool.run(call, { transferList: [channel.port2, ...transfer] })) as ResultOf<Name>;
      } catch (error) {
        throw unpackError(error);
      } finally {
        signal?.removeEventListener('abort', cancel);
        channel.port1.close();
      }
    },
    separate(...threads) {
      const other = createWorkerPool(workerUrl, turns, ...threads);
      others.push(other);
      return other;
    },
    async stop(isEnd = false) {
      const ended = Promise.all([pool.destroy(), ...others.map((other) => other.stop(isEnd))]);
      if (!isEnd) return void (await ended);
      const waiting = new AbortController();
      const late = sleep(endMs, undefined, { signal: waiting.signal }).then(noteHeldThread, () => undefined);
      await Promise.race([ended, late]).finally(() => waiting.abort());
    },
  };
}

/** A thread cannot end while it waits for a disk that does not answer. */
const endMs = 5000;

function unpackError(error: unknown): unknown {
  const packed = (error as { cause?: unknown } | null)?.cause as Partial<PackedError> | undefined;
  if (packed?.appError !== true || packed.code === undefined) return error;
  return new AppError(packed.code, packed.message ?? '', packed.details);
}
