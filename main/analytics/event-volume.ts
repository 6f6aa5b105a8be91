import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityEvent } from '../../preload/contract/schema/activity.ts';
import { makeFolderSync, syncFolderSync } from '../platform/durable-files.ts';
import { AppError } from '../platform/errors.ts';
import type { Counted, CountJob } from './count-events.ts';
import type { EventExtent } from './event-jobs.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';
import type { Logger } from '../platform/log.ts';

/** Older events are deleted. */
export const keptDays = 730;
/** File size limit, about ten million events; the oldest days are deleted before it is exceeded. */
export const maxBytes = 4 * 1024 ** 3;

const fileName = 'events.sqlite';

export type EventVolume = ReturnType<typeof createEventVolume>;

/**
 * The events volume (folder `events` of the data directory). It exists only while analytics is enabled. Worker threads
 * do all reads and writes.
 */
export function createEventVolume({
  dataDirectory,
  workers,
  log,
}: Pick<BaseDependencies, 'dataDirectory' | 'workers' | 'log'>) {
  const folder = join(dataDirectory, 'events');
  const file = join(folder, fileName);
  let enabled = existsSync(file);
  if (!enabled) removeLeftovers(folder);
  const write = (events: readonly ActivityEvent[]): Promise<void> => workers.run('keepEvents', { file, events });
  const staging = createEventIntake({ write, log });
  /** Serializes switching on and off. */
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
    await staging.clear();
    // The file is deleted first, because analytics is off without it, whatever a crash leaves behind.
    await rm(file, { force: true, maxRetries: 5 });
    // The folder of a moved volume stays for the next time.
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
        'Analytics is disabled, so no events are recorded. An administrator can enable it in Settings → Analytics.',
      );
    },
    async switchTo(wanted: boolean): Promise<void> {
      const switched = switching.then(() => switchTo(wanted));
      switching = switched.catch(() => undefined);
      await switched;
    },
    add(events: readonly ActivityEvent[]): void {
      if (enabled) staging.add(events);
    },
    async keep(events: readonly ActivityEvent[]): Promise<void> {
      if (enabled && events.length > 0) await staging.keep(events);
    },
    /** Resolves when all waiting events are written. */
    settle: staging.settle,
    droppedCount: staging.droppedCount,
    measure: (): Promise<EventExtent> => workers.run('measureEvents', { file }),
    count: (job: CountJob): Promise<Counted> => workers.run('countEventsOf', { file, ...job }),
    housekeep(): void {
      if (!enabled) return;
      workers
        .run('trimEvents', { file, nowMs: Date.now(), keptDays, maxBytes })
        .catch((error: unknown) => log.warn('Old events could not be deleted', { error }));
    },
    async stop(): Promise<void> {
      await switching;
      if (enabled) await staging.settle();
    },
  };
}

/** Removes remains of an interrupted switch-off. Other files are kept. */
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

/** Time to collect events for a batch. */
const gatherMs = 1000;
const batchSize = 5000;
/** Some seconds of disk throughput; more events indicate a faulty program. */
const maxWaiting = 50_000;

/**
 * Buffers events for a second, then a worker thread writes them, one batch at a time. Events above the limit are
 * counted and dropped.
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

  /** Resolves when the currently waiting events are on disk. */
  function flush(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const written = running.then(writeAll);
    running = written.catch((error: unknown) => log.warn('Analytics events could not be written', { error }));
    return written;
  }

  return {
    /** Adds events without waiting; never fails. */
    add(events: readonly ActivityEvent[]): void {
      if (events.length === 0 || !hasRoom(events.length)) return;
      waiting.push(...events);
      timer ??= setTimeout(() => void flush().catch(() => undefined), gatherMs);
    },
    /** @throws AppError if the events cannot be stored */
    async keep(events: readonly ActivityEvent[]): Promise<void> {
      if (!hasRoom(events.length)) {
        throw new AppError('unavailable', 'Too many events at once. These were dropped; send them later.');
      }
      waiting.push(...events);
      await flush();
    },
    /** Drops waiting events; resolves when no write is running. */
    async clear(): Promise<void> {
      waiting = [];
      if (timer) clearTimeout(timer);
      timer = null;
      await running;
    },
    /** Resolves when all events are written or have failed. */
    settle: (): Promise<void> => flush().catch(() => undefined),
    droppedCount: (): number => dropped,
  };
}
