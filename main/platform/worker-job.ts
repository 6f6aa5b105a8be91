import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { AppError, storageFailure } from './errors.ts';
import type { WriteLockState } from './write-lock.ts';
import type { PackedError, WorkerCall } from './worker-pool.ts';

export interface JobRun {
  /** Aborted when the job is cancelled, in every job that yields. Loops that do not yield call `checkCancelled`. */
  readonly signal: AbortSignal;
  readonly progress: (fraction: number, message?: string) => void;
  /** Throws if the job was cancelled. */
  readonly checkCancelled: () => void;
  readonly turns: WriteLockState | undefined;
}

const progressIntervalMs = 100;
const lookIntervalMs = 50;

type Task = (payload: never, run: JobRun) => unknown;

/**
 * Runs a worker task: cancellation, progress at most ten times a second, errors that keep their code, and a lower
 * priority for the thread, so that the API responds while two cores import.
 */
export async function runTask(
  load: () => Task | Promise<Task>,
  { payload, progress, cancelled, turns }: WorkerCall,
): Promise<unknown> {
  const controller = new AbortController();
  let reportedMs = 0;
  const isCancelled = (): boolean => {
    if (Atomics.load(cancelled, 0) === 1) controller.abort();
    return controller.signal.aborted;
  };
  const checkCancelled = (): void => {
    if (isCancelled()) throw new AppError('cancelled', 'Cancelled. Nothing was changed.');
  };
  lowerPriority();
  const looking = setInterval(isCancelled, lookIntervalMs);
  try {
    const task = await load();
    // The pool checks the payload against the name.
    return await task(payload as never, {
      signal: controller.signal,
      checkCancelled,
      turns,
      progress(fraction, message) {
        checkCancelled();
        if (fraction < 1 && Date.now() - reportedMs < progressIntervalMs) return;
        reportedMs = Date.now();
        progress.postMessage([fraction, message]);
      },
    });
  } catch (error) {
    throw packError(error);
  } finally {
    clearInterval(looking);
    progress.close();
  }
}

function packError(error: unknown): Error {
  const known = error instanceof AppError ? error : storageFailure(error);
  if (!known) return error instanceof Error ? error : new Error(String(error));
  const { code, message, details } = known;
  const cause: PackedError = { appError: true, code, message, details };
  return new Error(message, { cause });
}

/** Linux has a priority per thread, set by thread id. On other systems the priority is unchanged. */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The priority is optional, so a system without /proc is fine.
  }
}
