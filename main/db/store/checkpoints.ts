import type { Logger } from '../../platform/log.ts';
import { locksTaken, type WriteLockState } from '../../platform/write-lock.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { Store } from '../store.ts';
import { sizeOf } from './store-files.ts';

const lookMs = 1000;
/** Some 3,500 pages of edits. SQLite's own limit is 1,000 pages, within a commit. */
const writesPerCheckpoint = 500;
/** Writers are held only if at most this many pages remain, which take a millisecond or two. */
const fewPages = 200;
/** Attempts while writers are held: those that had started before may still add a few pages. */
const triesWhileHeld = 5;
/** Larger than the size that SQLite truncates the log to (`journal_size_limit`). */
const largeLogBytes = 80 * 1024 * 1024;
/** Maximum hold of a writer: a growing log is better than a longer delay. */
const longestHoldMs = 100;

export interface CheckpointJob {
  readonly file: string;
  /** One number shared by threads: not 0 while the last pages are checkpointed and writers are held. */
  readonly hold: Int32Array;
}

/**
 * Checkpoints the write-ahead log regularly in a separate thread. SQLite's automatic checkpoint runs within a commit,
 * which then waits for the disk twice more.
 *
 * The log restarts only after all of it is checkpointed, and continuous writes never allow that. A growing log is slow,
 * because every commit extends the file (0.34 ms instead of 0.16). So new writers, and only these, are held while the
 * last pages are checkpointed.
 */
export function keepCheckpoints(file: string, turns: WriteLockState, workers: Pick<WorkerPool, 'run'>, log: Logger) {
  const hold = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let running: Promise<void> | null = null;
  let writes = locksTaken(turns);

  async function checkpoint(): Promise<void> {
    try {
      await workers.run('checkpointStore', { file, hold });
    } catch (error) {
      log.warn('Cannot checkpoint the write-ahead log; it will be tried again', { error });
    } finally {
      // Also releases writers if the thread was terminated in between.
      Atomics.store(hold, 0, 0);
      running = null;
    }
  }

  const writesSince = () => (locksTaken(turns) - writes) | 0;

  function start(): void {
    writes = locksTaken(turns);
    running ??= checkpoint();
  }

  /** Called after commits. */
  function look(): void {
    if (running === null && writesSince() >= writesPerCheckpoint) start();
  }

  const timer = setInterval(() => {
    look();
    if (running === null && writesSince() !== 0 && sizeOf(`${file}-wal`) > largeLogBytes) start();
  }, lookMs).unref();

  return {
    look,
    /** Undefined if writers are not held. */
    ready: (): Promise<unknown> | undefined =>
      Atomics.load(hold, 0) === 0 ? undefined : Promise.resolve(Atomics.waitAsync(hold, 0, 1, longestHoldMs).value),
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/** Runs in a worker thread. Never waits for readers: pages they still need stay in the log until the next run. */
export function checkpointStore({ file, hold }: CheckpointJob): void {
  const database = new Store(file);
  /** Checkpoints the pages in the log at its start; later commits wait for the next run. */
  const bringIn = () => {
    const [row] = database.pragma('wal_checkpoint(PASSIVE)') as { log: number; checkpointed: number }[];
    return row ?? { log: 0, checkpointed: 0 };
  };
  try {
    const first = bringIn();
    if (first.log - first.checkpointed > fewPages) return;
    let { log } = first;
    Atomics.store(hold, 0, 1);
    for (let tries = 0; tries < triesWhileHeld; tries += 1) {
      const now = bringIn().log;
      if (now === log) return;
      log = now;
    }
  } finally {
    Atomics.store(hold, 0, 0);
    Atomics.notify(hold, 0);
    database.close();
  }
}
