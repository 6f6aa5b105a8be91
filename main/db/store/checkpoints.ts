import type { Logger } from '../../platform/log.ts';
import { turnsTaken, type TurnState } from '../../platform/turns.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { openDatabase } from '../open.ts';
import { sizeOf } from './store-files.ts';

const lookMs = 1000;
/** Some 1,000 pages of edits, after which SQLite would do it by itself, within a commit. */
const writesPerCheckpoint = 150;
/** Who writes meanwhile keeps the log from being used from its start again: the last few pages are brought in once more. */
const mostTries = 10;
/** Above the size that SQLite cuts the log back to (`journal_size_limit`). */
const largeLogBytes = 80 * 1024 * 1024;

/**
 * Brings the write-ahead log into the store from time to time, in a thread of its own: SQLite's own way does it within
 * a commit, which then waits for the disk twice more.
 */
export function keepCheckpoints(file: string, turns: TurnState, workers: WorkerPool, log: Logger) {
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  let writes = turnsTaken(turns);

  async function checkpoint(): Promise<void> {
    try {
      await workers.run<string, void>('checkpointStore', file);
    } catch (error) {
      log.warn('The write-ahead log could not be brought into the store; it is tried again', { error });
    } finally {
      isRunning = false;
    }
  }

  const timer = setInterval(() => {
    const now = turnsTaken(turns);
    const isDue =
      ((now - writes) | 0) >= writesPerCheckpoint || (now !== writes && sizeOf(`${file}-wal`) > largeLogBytes);
    if (isRunning || !isDue) return;
    writes = now;
    isRunning = true;
    running = checkpoint();
  }, lookMs).unref();

  return {
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/** In a worker thread. Waits for nobody: what a reader still needs stays for the next time. */
export function checkpointStore(file: string): void {
  const database = openDatabase(file);
  try {
    for (let left = mostTries; left > 0; left -= 1) {
      const [row] = database.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
      if (row?.log === row?.checkpointed) return;
    }
  } finally {
    database.close();
  }
}
