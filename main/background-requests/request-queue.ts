import { rmSync } from 'node:fs';
import type { Logger } from '../platform/log.ts';
import { causedBy, causingRequest } from '../platform/causing-request.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { createRequestCompletion } from './request-completion.ts';
import { createInterrupted, runsAlone } from './interrupted.ts';
import { failedEnd, finishedEnd, type RequestResult } from './request-end.ts';
import type { RequestUploads } from './request-uploads.ts';
import type { NewRequest, RequestRepository, RequestRow } from './request-repository.ts';

export interface RequestRun {
  readonly signal: AbortSignal;
  /** `fraction` is 0 to 1; `message` describes the current step. */
  readonly progress: (fraction: number, message?: string) => void;
  /** Stores a report before the end. A run that starts again after an interruption finds it in its request. */
  readonly keepReport: (report: string) => void;
  /**
   * Stores the end now, in the transaction that publishes the results, so that a crash cannot cause the work to run
   * twice. The runner then returns the same result.
   */
  readonly finish: (result: RequestResult) => void;
}

export type RequestRunner = (request: RequestRow, run: RequestRun) => Promise<RequestResult>;

/** True if the request runs on this computer. Others wait for a remote worker and occupy no slot. */
type TakesPlace = (request: RequestRow) => boolean;

const concurrency = 2;
const maxCauses = 10_000;

export interface RequestProgress {
  /** 0 to 1. */
  progress: number;
  message: string;
}

interface Running extends RequestProgress {
  readonly controller: AbortController;
  readonly done: Promise<void>;
  readonly taskId: number | null;
  readonly alone: boolean;
  readonly takesPlace: boolean;
  /** True if the runner has stored the end of its request. */
  ended: boolean;
}

const newRunning = (request: RequestRow, takesPlace: boolean): Running => ({
  takesPlace,
  controller: new AbortController(),
  taskId: request.task_id,
  alone: takesPlace && runsAlone(request),
  progress: 0,
  message: '',
  ended: false,
  done: Promise.resolve(),
});

/** Decides if a request can start next to running ones; `none` also blocks the requests behind it. */
function placeOf(request: RequestRow, others: readonly Running[], takesPlace: boolean): 'now' | 'later' | 'none' {
  if (others.some(({ alone }) => alone)) return 'none';
  const placed = takesPlace ? others.filter((one) => one.takesPlace).length : 0;
  if (placed > 0 && runsAlone(request)) return 'none';
  // A request that waits for a remote worker may take long, so it blocks only its own kind.
  const isInWay = (one: Running): boolean => one.taskId === request.task_id && (one.takesPlace || !takesPlace);
  const isOfTask = request.task_id !== null && others.some(isInWay);
  return placed >= concurrency || isOfTask ? 'later' : 'now';
}

function createRunners() {
  const runners = new Map<string, { readonly runner: RequestRunner; readonly takesPlace: TakesPlace }>();
  return {
    /** Sets the runner of a type. Call before `recover`. */
    register(type: string, runner: RequestRunner, takesPlace: TakesPlace = () => true): void {
      runners.set(type, { runner, takesPlace });
    },
    runnerOf({ type }: RequestRow): RequestRunner {
      const found = runners.get(type);
      if (found) return found.runner;
      throw new AppError('internal', `There is no runner for ${type}.`);
    },
    types: (): string[] => [...runners.keys()],
    takesPlace: (request: RequestRow): boolean => runners.get(request.type)?.takesPlace(request) ?? true,
  };
}

/** HTTP requests that started the latest background requests; lost on restart. */
function createCauses() {
  const causes = new Map<string, string | undefined>();
  return {
    noted(request: NewRequest): NewRequest {
      causes.delete(request.id);
      causes.set(request.id, causingRequest());
      const [oldest] = causes.keys();
      if (causes.size > maxCauses && oldest !== undefined) causes.delete(oldest);
      return request;
    },
    run: <Result>(id: string, work: () => Result): Result => causedBy(causes.get(id), work),
  };
}

interface QueueDependencies {
  readonly requests: RequestRepository;
  readonly uploads: RequestUploads;
  readonly clock: Clock;
  readonly log: Logger;
  /** Runs before a request, if it returns a promise. */
  readonly before?: (request: RequestRow, signal: AbortSignal) => Promise<void> | undefined;
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

/**
 * Persistent queue of background requests. A request that was queued or running when the process ended starts again, so
 * runners must leave no partial work. Requests of one task never run in parallel, unless one waits for a remote worker.
 */
export function createRequestQueue(dependencies: QueueDependencies) {
  const { requests, uploads, clock, log, before } = dependencies;
  const { register, types, runnerOf, takesPlace } = createRunners();
  const running = new Map<string, Running>();
  const causes = createCauses();
  const completion = createRequestCompletion({ requests, log, onRetry: schedule });
  const interrupted = createInterrupted({ requests, uploads, clock, end: completion.end, onReady: schedule });
  /** Number of active pauses; a stop is a pause without end. */
  let pauses = 0;

  function schedule(): void {
    if (pauses > 0) return;
    for (const request of requests.queued()) {
      if (interrupted.isWaiting(request.id) || running.has(request.id)) continue;
      const place = placeOf(request, [...running.values()], takesPlace(request));
      if (place === 'none') return;
      if (place === 'later') continue;
      try {
        requests.start(request.id, clock());
      } catch (error) {
        log.error('A background request could not be started and is retried', { request: request.id, error });
        return completion.retryLater();
      }
      launch(request);
    }
  }

  function launch(request: RequestRow): void {
    const entry = newRunning(request, takesPlace(request));
    running.set(request.id, entry);
    const done = causes
      .run(request.id, () => execute(request, entry))
      .finally(() => {
        running.delete(request.id);
        schedule();
      });
    running.set(request.id, Object.assign(entry, { done }));
  }

  async function execute(request: RequestRow, entry: Running): Promise<void> {
    try {
      const ready = before?.(request, entry.controller.signal);
      if (ready) await ready;
      const result = await runnerOf(request)(request, {
        signal: entry.controller.signal,
        progress: (fraction, message) => {
          entry.progress = Math.max(entry.progress, Math.min(1, fraction));
          if (message !== undefined) entry.message = message;
        },
        keepReport: (report) => requests.keepReport(request.id, report),
        finish(done) {
          requests.end(request.id, finishedEnd(done, clock()));
          entry.ended = true;
        },
      });
      if (entry.ended || completion.end(request.id, finishedEnd(result, clock()))) await uploads.remove(request);
    } catch (error) {
      // The request is finished; its id may already belong to a new request.
      if (entry.ended) {
        log.warn('A background request could not clean up', { request: request.id, error });
        return uploads.remove(request);
      }
      if (pauses > 0) return requests.release(request.id);
      const cancelled = entry.controller.signal.aborted;
      if (!cancelled && !(error instanceof AppError))
        log.error('A background request failed', { request: request.id, error });
      if (completion.end(request.id, failedEnd(error, cancelled, clock()))) await uploads.remove(request);
    }
  }

  return {
    register,
    /** Types of background requests. */
    types,
    /** Call once at the start, before new requests are accepted. */
    sweepUploads: () => uploads.sweep(requests.unfinished()),
    /**
     * Call once at the start. Queues interrupted requests again and deletes expired ones.
     * @param crashMarker cause of the previous process's crash; null if it did not crash
     */
    recover(crashMarker: string | null): void {
      interrupted.takeUp(crashMarker);
      this.removeExpired();
      schedule();
    },
    enqueue(request: NewRequest): void {
      const earlier = requests.get(request.id);
      requests.put(causes.noted(request));
      // The replaced row was the only reference to the file.
      if (earlier && earlier.result_file !== null) rmSync(earlier.result_file, { force: true });
      completion.forget(request.id);
      schedule();
    },
    current: completion.current,
    /** Progress of a running request, which is not stored. */
    live: (id: string): RequestProgress | undefined => running.get(id),
    /** Returns true if a request was cancelled. A waiting one is deleted; a running one ends as failed. */
    async cancel(id: string): Promise<boolean> {
      const entry = running.get(id);
      if (!entry) {
        const waiting = requests.get(id);
        if (waiting?.status !== 'queued') return false;
        requests.remove(id);
        await uploads.remove(waiting);
        return true;
      }
      entry.controller.abort();
      await entry.done;
      return true;
    },
    removeExpired(): void {
      for (const request of requests.expired(clock())) {
        requests.remove(request.id);
        // Deleted after the row, so that no row refers to a missing file.
        if (request.result_file !== null) rmSync(request.result_file, { force: true });
      }
    },
    /** Stops all requests until `resume`, and queues running ones again. Returns their number. */
    async pause(): Promise<number> {
      pauses += 1;
      const entries = [...running.values()];
      for (const entry of entries) entry.controller.abort();
      await Promise.allSettled(entries.map((entry) => entry.done));
      return entries.length;
    },
    resume(): void {
      pauses -= 1;
      schedule();
    },
    /** Stops running requests without ending them; they start again with the next process. */
    async stop(): Promise<void> {
      completion.stop();
      interrupted.stop();
      await this.pause();
    },
  };
}
