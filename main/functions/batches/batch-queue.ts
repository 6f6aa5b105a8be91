import type { Actor } from '../../users/access/actor.ts';
import type { Clock } from '../../platform/clock.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { BatchRepository, BatchRow } from './batch-repository.ts';
import { FunctionAway, type FrameEnds, type RunHow } from './batch-run.ts';
import { defined } from '../../platform/defined.ts';

type Running = { readonly row: BatchRow; readonly controller: AbortController; done: Promise<void> };

/** A third batch would only compete for GPU time, because one batch already sends several frames at once. */
const mostAtOnce = 2;
const firstRetryMs = 1000;
const longestRetryMs = 60_000;

export type BatchQueue = ReturnType<typeof createBatchQueue>;

/**
 * Schedules batches: two at a time, one per function, highest priority first. Batches of lower priority yield. If its
 * function is unavailable, a batch is retried at growing intervals.
 */
export function createBatchQueue(dependencies: {
  readonly batches: BatchRepository;
  readonly run: (batch: BatchRow, how: RunHow) => Promise<void>;
  readonly finish: (batch: BatchRow, actor: Actor) => void;
  /** True if the function runs on this computer. Other batches wait for a remote worker and occupy no slot. */
  readonly takesPlace: (batch: BatchRow) => boolean;
  /** The user that a batch runs as. @throws AppError if the user no longer exists */
  readonly actorOf: (batch: BatchRow) => Actor;
  readonly clock: Clock;
  readonly log: Logger;
}) {
  const { batches, run, finish, takesPlace, actorOf, clock, log } = dependencies;
  const running = new Map<number, Running>();
  const retries = new Map<number, { tries: number; timer: NodeJS.Timeout | null; doneCount: number }>();
  const ends: FrameEnds = new Map();
  let pauses = 0;

  const doneOf = (id: number) => batches.parts(id).reduce((sum, part) => sum + part.done_count, 0);

  function schedule(): void {
    if (pauses > 0) return;
    for (const row of batches.open()) {
      const current = running.get(row.id);
      if (current || retries.get(row.id)?.timer) continue;
      const others = [...running.values()];
      const placed = takesPlace(row) ? others.filter((one) => takesPlace(one.row)) : [];
      const rival =
        others.find((one) => one.row.function_id === row.function_id) ??
        (placed.length >= mostAtOnce ? placed.toSorted((a, b) => a.row.priority - b.row.priority)[0] : undefined);
      if (rival === undefined) launch(row);
      else if (rival.row.priority < row.priority) rival.controller.abort('aside');
    }
  }

  function launch(row: BatchRow): void {
    const entry: Running = { row, controller: new AbortController(), done: Promise.resolve() };
    running.set(row.id, entry);
    batches.change(row.id, {
      state: 'running',
      message: '',
      ...defined({ started_date: row.started_date === null ? clock() : undefined }),
    });
    entry.done = execute(entry).finally(() => {
      running.delete(row.id);
      schedule();
    });
  }

  async function execute({ row, controller }: Running): Promise<void> {
    const { signal } = controller;
    try {
      const actor = actorOf(row);
      await run(row, { actor, ends, signal });
      finish(row, actor);
      retries.delete(row.id);
      const { failed_count: failed = 0, object_count: objects = 0, frame_count: count = 0 } = batches.get(row.id) ?? {};
      const left = failed === 0 ? '' : ` ${failed} could not be annotated; see the report.`;
      const message = `Annotated ${count - failed} of ${count} frames: ${objects} objects.${left}`;
      batches.change(row.id, { state: 'finished', message, finished_date: clock() });
    } catch (error) {
      // The caller that stopped the batch has set its state; a preempted batch is queued again.
      if (signal.aborted) {
        if (batches.get(row.id)?.state === 'running') batches.change(row.id, { state: 'queued' });
        return;
      }
      if (error instanceof FunctionAway) return later(row.id, error.message);
      if (!(error instanceof AppError)) log.error('A batch failed', { batch: row.id, error });
      const reason = error instanceof Error ? error.message : String(error);
      const message = `${reason} Saved results are kept. The batch can be resumed.`;
      batches.change(row.id, { state: 'failed', message, finished_date: clock() });
    }
  }

  function later(id: number, reason: string): void {
    const done = doneOf(id);
    const before = retries.get(id);
    const tries = before !== undefined && before.doneCount === done ? before.tries + 1 : 0;
    const waitMs = Math.min(longestRetryMs, firstRetryMs * 2 ** tries);
    const again = () => {
      retries.set(id, { tries, timer: null, doneCount: done });
      schedule();
    };
    retries.set(id, { tries, timer: setTimeout(again, waitMs).unref(), doneCount: done });
    batches.change(id, {
      state: 'waiting',
      message: `${reason} The batch resumes automatically when the function is available.`,
    });
  }

  /** Resolves when the batch no longer runs. Its state is set by the caller before. */
  async function halt(id: number): Promise<void> {
    clearTimeout(retries.get(id)?.timer ?? undefined);
    retries.delete(id);
    const entry = running.get(id);
    entry?.controller.abort('halt');
    await entry?.done;
  }

  return {
    schedule,
    halt,
    /** Stops all batches until `resume`. */
    async pause(): Promise<number> {
      pauses += 1;
      const entries = [...running.values()];
      for (const { controller } of entries) controller.abort('pause');
      await Promise.allSettled(entries.map(({ done }) => done));
      return entries.length;
    },
    resume(): void {
      pauses -= 1;
      schedule();
    },
    async stop(): Promise<void> {
      for (const { timer } of retries.values()) clearTimeout(timer ?? undefined);
      await this.pause();
    },
  };
}
