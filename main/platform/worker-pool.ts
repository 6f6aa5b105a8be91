import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AppError, type ErrorCode } from './errors.ts';
import type { TurnState } from './turns.ts';

/** What a job in a worker thread is given beside its own payload. */
export interface WorkerCall<Payload> {
  readonly payload: Payload;
  /** Progress goes out here as `[fraction, message?]`. */
  readonly progress: MessagePort;
  /** Element 0 becomes 1 when the job is cancelled: synchronous loops can look at it. */
  readonly cancelled: Int32Array;
  /** The queue of the process's writers. */
  readonly turns: TurnState | undefined;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (fraction: number, message?: string) => void;
  readonly transfer?: readonly MessagePort[];
}

/** Errors lose their class on the way between threads: an AppError travels in this form. */
export interface PackedError {
  readonly appError: true;
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: unknown;
}

export type WorkerPool = ReturnType<typeof createWorkerPool>;

/**
 * Worker threads for heavy work. `workerUrl` is the one worker module; a job is one of its exported functions. What
 * they write to the store they write in `turns` with the main thread.
 */
export function createWorkerPool(
  workerUrl: URL,
  turns?: TurnState,
  // An import takes two threads at once, and a second request must not wait for it.
  maxThreads = Math.max(4, availableParallelism()),
  /** Of jobs that wait for other programs most of the time. */
  jobsPerThread = 1,
) {
  const pool = new Piscina({
    filename: workerUrl.href,
    minThreads: 0,
    maxThreads,
    concurrentTasksPerWorker: jobsPerThread,
    idleTimeout: 30_000,
    // Most of what these threads make lives for microseconds. Where Node is started with an option for the size of its
    // nurseries (scripts/lib/lean-process.mjs), that decides; this is the same for the desktop shell.
    resourceLimits: { maxYoungGenerationSizeMb: 6 },
    atomics: 'disabled',
    // web-worker, which geotiff imports, takes every thread without data for one that it has started.
    workerData: {},
  });

  return {
    /** Runs `name` of the worker module. A cancelled job is waited for, so that it can put things in order. */
    async run<Payload, Result>(name: string, payload: Payload, options: RunOptions = {}): Promise<Result> {
      const { signal, onProgress, transfer = [] } = options;
      const channel = new MessageChannel();
      const cancelled = new Int32Array(new SharedArrayBuffer(4));
      const cancel = () => Atomics.store(cancelled, 0, 1);
      if (signal?.aborted) cancel();
      signal?.addEventListener('abort', cancel);
      channel.port1.on('message', ([fraction, message]: [number, string?]) => onProgress?.(fraction, message));
      channel.port1.unref();
      const call: WorkerCall<Payload> = { payload, progress: channel.port2, cancelled, turns };
      try {
        return (await pool.run(call, { name, transferList: [channel.port2, ...transfer] })) as Result;
      } catch (error) {
        throw unpackError(error);
      } finally {
        signal?.removeEventListener('abort', cancel);
        channel.port1.close();
      }
    },
    stop: () => pool.destroy(),
  };
}

function unpackError(error: unknown): unknown {
  const packed = (error as { cause?: unknown } | null)?.cause as Partial<PackedError> | undefined;
  if (packed?.appError !== true || packed.code === undefined) return error;
  return new AppError(packed.code, packed.message ?? '', packed.details);
}
