import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { makeFolderSync, syncFolderSync } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';
import type { Counted, CountJob } from './count-events.ts';
import type { EventExtent, TrimJob } from './event-jobs.ts';
import type { HouseParts } from '../../db/house-parts.ts';
import type { Logger } from '../../platform/log.ts';

/** Older events go. */
export const keptDays = 730;
/** Of the file: the oldest days go before it grows beyond. Some ten million events. */
export const maxBytes = 4 * 1024 ** 3;

const fileName = 'events.sqlite';

export type EventVolume = ReturnType<typeof createEventVolume>;

/**
 * The volume of events, which is there exactly while analytics is on: the folder `events` of the data directory. All of
 * it is written and read by other threads than the one that answers.
 */
export function createEventVolume({
  dataDirectory,
  workers,
  log,
}: Pick<HouseParts, 'dataDirectory' | 'workers' | 'log'>) {
  const folder = join(dataDirectory, 'events');
  const file = join(folder, fileName);
  let enabled = existsSync(file);
  if (!enabled) removeLeftovers(folder);
  const write = (events: readonly ActivityEvent[]): Promise<void> => workers.run('keepEvents', { file, events });
  const intake = createEventIntake({ write, log });
  /** Switching, one after the other. */
  let switching: Promise<void> = Promise.resolve();

  async function switchTo(wanted: boolean): Promise<void> {
    if (wanted === enabled) return;
    if (wanted) {
      makeFolderSync(folder);
      await write([]);
      syncFolderSync(folder);
      syncFolderSync(dataDirectory);
      enabled = true;
      return;
    }
    enabled = false;
    await intake.clear();
    // The volume's file goes first: where it is gone, analytics is off, whatever else a crash leaves.
    await rm(file, { force: true, maxRetries: 5 });
    // Where the volume was moved, its folder stays for the next time.
    if (isElsewhere(folder)) removeContent(folder);
    else await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    syncFolderSync(dataDirectory);
  }

  return {
    file,
    isOn: (): boolean => enabled,
    requireOn(): void {
      if (enabled) return;
      throw new AppError(
        'invalid',
        'Analytics is switched off, so no events are kept. An administrator switches it on in Settings → Analytics.',
      );
    },
    async switchTo(wanted: boolean): Promise<void> {
      const switched = switching.then(() => switchTo(wanted));
      switching = switched.catch(() => undefined);
      await switched;
    },
    add(events: readonly ActivityEvent[]): void {
      if (enabled) intake.add(events);
    },
    async keep(events: readonly ActivityEvent[]): Promise<void> {
      if (enabled && events.length > 0) await intake.keep(events);
    },
    /** Until all that waits is written. */
    settle: intake.settle,
    droppedCount: intake.droppedCount,
    measure: (): Promise<EventExtent> => workers.run('measureEvents', { file }),
    count: (job: CountJob): Promise<Counted> => workers.run('countEventsOf', { file, ...job }),
    housekeep(): void {
      if (!enabled) return;
      workers
        .run<TrimJob, number>('trimEvents', { file, nowMs: Date.now(), keptDays, maxBytes })
        .catch((error: unknown) => log.warn('Old events could not be removed', { error }));
    },
    async stop(): Promise<void> {
      await switching;
      if (enabled) await intake.settle();
    },
  };
}

/** What a switching off that was cut short left. Anything else there is left alone. */
function removeLeftovers(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) if (name.startsWith(`${fileName}-`)) rmSync(join(folder, name));
  if (readdirSync(folder).length === 0 && !isElsewhere(folder)) rmSync(folder, { recursive: true });
}

const isElsewhere = (folder: string): boolean =>
  lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;

function removeContent(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
}

/** Time for others to join a batch. */
const gatherMs = 1000;
const batchSize = 5000;
/** Some seconds of what a disk takes up: more come from a program gone wild. */
const maxWaiting = 50_000;

/**
 * Where events wait for the disk, away from what caused them: they are gathered for a second and written by another
 * thread, one batch after the other. What does not fit is counted and left out.
 */
function createEventIntake({
  write,
  log,
}: {
  readonly write: (events: readonly ActivityEvent[]) => Promise<void>;
  readonly log: Logger;
}) {
  let waiting: ActivityEvent[] = [];
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let dropped = 0;

  const hasRoom = (count: number): boolean => {
    if (waiting.length + count <= maxWaiting) return true;
    dropped += count;
    return false;
  };

  async function writeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize);
      waiting = waiting.slice(batchSize);
      try {
        await write(batch);
      } catch (error) {
        dropped += batch.length;
        throw error;
      }
    }
  }

  /** Ends when what waits now is on the disk. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const written = running.then(writeAll);
    running = written.catch((error: unknown) => log.warn('Events of analytics could not be kept', { error }));
    return written;
  }

  return {
    /** For what must not wait, and must not fail. */
    add(events: readonly ActivityEvent[]): void {
      if (events.length === 0 || !hasRoom(events.length)) return;
      waiting.push(...events);
      timer ??= setTimeout(() => void flush().catch(() => undefined), gatherMs);
    },
    /** @throws AppError where they cannot be kept */
    async keep(events: readonly ActivityEvent[]): Promise<void> {
      if (!hasRoom(events.length)) {
        throw new AppError('unavailable', 'More events come than can be kept. These were left out; send them later.');
      }
      waiting.push(...events);
      await flush();
    },
    /** What waits is forgotten; ends when nothing is being written. */
    async clear(): Promise<void> {
      waiting = [];
      if (timer) clearTimeout(timer);
      timer = null;
      await running;
    },
    /** Ends when all is written, or could not be. */
    settle: (): Promise<void> => flush().catch(() => undefined),
    droppedCount: (): number => dropped,
  };
}
