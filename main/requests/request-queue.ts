import { rmSync } from 'node:fs';
import type { Logger } from '../platform/log.ts';
import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors.ts';
import { createEndKeeper } from './end-keeper.ts';
import { createInterrupted, runsAlone } from './interrupted.ts';
import { failedEnd, finishedEnd, type RequestResult } from './request-end.ts';
import type { RequestUploads } from './request-uploads.ts';
import type { NewRequest, RequestRepository, RequestRow } from './request-repository.ts';

export interface RequestRun {
  readonly signal: AbortSignal;
  /** 0..1, with a sentence about what is being done. */
  readonly progress: (fraction: number, message?: string) => void;
  /**
   * Stores the end of the request now: in the transaction that makes its work visible, so that no crash comes between
   * the two and the work is not done twice. The runner then answers the same result.
   */
  readonly finish: (result: RequestResult) => void;
}

export type RequestRunner = (request: RequestRow, run: RequestRun) => Promise<RequestResult>;

const concurrency = 2;

interface Running {
  readonly controller: AbortController;
  readonly done: Promise<void>;
  readonly taskId: number | null;
  readonly alone: boolean;
  readonly takesPlace: boolean;
  progress: number;
  message: string;
  /** The runner has stored the end of its request itself. */
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

/** Whether a request may begin beside others; `none`: what comes behind it may not, either. */
function placeOf(request: RequestRow, others: readonly Running[], takesPlace: boolean): 'now' | 'later' | 'none' {
  if (others.some(({ alone }) => alone)) return 'none';
  const placed = takesPlace ? others.filter((one) => one.takesPlace).length : 0;
  if (placed > 0 && runsAlone(request)) return 'none';
  // Who waits for somebody elsewhere may wait for long: it holds up its own kind only.
  const isInWay = (one: Running): boolean => one.taskId === request.task_id && (one.takesPlace || !takesPlace);
  const isOfTask = request.task_id !== null && others.some(isInWay);
  return placed >= concurrency || isOfTask ? 'later' : 'now';
}

export type RequestQueue = ReturnType<typeof createRequestQueue>;

/**
 * The persistent queue of long work. A request that was queued or running when the process ended begins again at the
 * next start; its runner must leave nothing half done. Two requests for one task never run at the same time, unless one
 * waits for somebody elsewhere.
 */
export function createRequestQueue(dependencies: {
  readonly requests: RequestRepository;
  readonly runners: Readonly<Record<string, RequestRunner>>;
  readonly uploads: RequestUploads;
  /** Whether it works on this computer; others wait for whoever does, and take nobody's place. */
  readonly takesPlace?: (request: RequestRow) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { requests, runners, uploads, takesPlace = () => true, clock, log } = dependencies;
  const running = new Map<string, Running>();
  const keeper = createEndKeeper({ requests, log, onRetry: schedule });
  const interrupted = createInterrupted({ requests, uploads, clock, end: keeper.end, onReady: schedule });
  /** Those who need everything to stand still; a stop is one that does not end. */
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
        log.error('A background request could not be started; it is tried again', { request: request.id, error });
        return keeper.retryLater();
      }
      launch(request);
    }
  }

  function launch(request: RequestRow): void {
    const entry = newRunning(request, takesPlace(request));
    running.set(request.id, entry);
    const done = execute(request, entry).finally(() => {
      running.delete(request.id);
      schedule();
    });
    running.set(request.id, Object.assign(entry, { done }));
  }

  async function execute(request: RequestRow, entry: Running): Promise<void> {
    try {
      const runner = runners[request.type];
      if (!runner) throw new AppError('internal', `There is no runner for ${request.type}.`);
      const result = await runner(request, {
        signal: entry.controller.signal,
        progress: (fraction, message) => {
          entry.progress = Math.max(entry.progress, Math.min(1, fraction));
          if (message !== undefined) entry.message = message;
        },
        finish(done) {
          requests.end(request.id, finishedEnd(done, clock()));
          entry.ended = true;
        },
      });
      if (entry.ended || keeper.end(request.id, finishedEnd(result, clock()))) await uploads.remove(request);
    } catch (error) {
      // The request's id may by now belong to the same request, asked for again.
      if (entry.ended) {
        log.warn('Something was left behind by a background request', { request: request.id, error });
        return uploads.remove(request);
      }
      if (pauses > 0) return requests.release(request.id);
      const cancelled = entry.controller.signal.aborted;
      if (!cancelled && !(error instanceof AppError)) {
        log.error('A background request failed', { request: request.id, error });
      }
      if (keeper.end(request.id, failedEnd(error, cancelled, clock()))) await uploads.remove(request);
    }
  }

  return {
    /** At start, before anything is taken in. */
    sweepUploads: () => uploads.sweep(requests.unfinished()),
    /**
     * Call once at start: interrupted requests wait again, expired ones go.
     * @param ownEnd why the process before ended, where that was by its own fault
     */
    recover(ownEnd: string | null): void {
      interrupted.takeUp(ownEnd);
      this.removeExpired();
      schedule();
    },
    enqueue(request: NewRequest): void {
      const earlier = requests.get(request.id);
      requests.put(request);
      // The row that named the file is gone.
      if (earlier && earlier.result_file !== null) rmSync(earlier.result_file, { force: true });
      keeper.forget(request.id);
      schedule();
    },
    current: keeper.current,
    /** Progress of a running request, which is not written to the store. */
    live: (id: string) => running.get(id),
    /** True when there was something to cancel. A waiting request disappears; a running one ends as failed. */
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
        // Not before: a row never names a file that is gone.
        if (request.result_file !== null) rmSync(request.result_file, { force: true });
      }
    },
    /** Nothing runs from now on until `resume`; what runs is put back and begins again then. Answers how many were. */
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
    /** Stops running work without ending its requests: they begin again at the next start. */
    async stop(): Promise<void> {
      keeper.stop();
      interrupted.stop();
      await this.pause();
    },
  };
}
