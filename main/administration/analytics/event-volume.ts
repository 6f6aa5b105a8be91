import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { makeFolderSync, syncFolderSync } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { Counted, CountJob } from './count-events.ts';
import { createEventIntake } from './event-intake.ts';
import type { EventExtent, TrimJob } from './event-jobs.ts';

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
}: {
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly log: Logger;
}) {
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
