import type { ActivityEvent } from '../../../preload/contract/schema/activity.ts';
import { AppError } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';

/** Time for others to join a batch. */
const gatherMs = 1000;
const batchSize = 5000;
/** Some seconds of what a disk takes up: more come from a program gone wild. */
const maxWaiting = 50_000;

/**
 * Where events wait for the disk, away from what caused them: they are gathered for a second and written by another
 * thread, one batch after the other. What does not fit is counted and left out.
 */
export function createEventIntake({
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
