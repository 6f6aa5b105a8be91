import type { Logger } from '../../platform/log.ts';
import { turnsTaken, type TurnState } from '../../platform/turns.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { openDatabase } from '../open.ts';
import { sizeOf } from './store-files.ts';

const lookMs = 1000;
/** Some 3,500 pages of edits: SQLite itself would do it after 1,000, within a commit. */
const writesPerCheckpoint = 500;
/** Taken up within a millisecond or two: for more nobody waits. */
const fewPages = 200;
/** Who was on the way in when the others began to wait may still add a few. */
const triesWhileHeld = 5;
/** Above the size that SQLite cuts the log back to (`journal_size_limit`). */
const largeLogBytes = 80 * 1024 * 1024;
/** Nobody waits longer: a log that grows on is better than one who waits. */
const longestHoldMs = 100;

export interface CheckpointJob {
  readonly file: string;
  /** One number that threads share: not 0 while the last pages are brought in. */
  readonly hold: Int32Array;
}

/**
 * Brings the write-ahead log into the store from time to time, in a thread of its own: SQLite's own way does it within
 * a commit, which then waits for the disk twice more.
 *
 * Only when all of it is there is the log used from its start again, and who writes on and on never leaves such a
 * moment. A log that grows is slow: the disk has to lengthen the file with every commit (0.34 ms instead of 0.16). So
 * those who are about to write wait for the last pages, and nobody else does.
 */
export function keepCheckpoints(file: string, turns: TurnState, workers: Pick<WorkerPool, 'run'>, log: Logger) {
  const hold = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let running: Promise<void> | null = null;
  let writes = turnsTaken(turns);

  async function checkpoint(): Promise<void> {
    try {
      await workers.run<CheckpointJob, void>('checkpointStore', { file, hold });
    } catch (error) {
      log.warn('The write-ahead log could not be brought into the store; it is tried again', { error });
    } finally {
      // Also where the thread was ended in between.
      Atomics.store(hold, 0, 0);
      running = null;
    }
  }

  const writesSince = () => (turnsTaken(turns) - writes) | 0;

  function start(): void {
    writes = turnsTaken(turns);
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
    /** Undefined where nobody has to wait. */
    ready: (): Promise<unknown> | undefined =>
      Atomics.load(hold, 0) === 0 ? undefined : Promise.resolve(Atomics.waitAsync(hold, 0, 1, longestHoldMs).value),
    async stop(): Promise<void> {
      clearInterval(timer);
      await running;
    },
  };
}

/** In a worker thread. Waits for nobody: what a reader still needs stays for the next time. */
export function checkpointStore({ file, hold }: CheckpointJob): void {
  const database = openDatabase(file);
  /** Of the pages that the log had at its beginning: those that are committed meanwhile are for the next time. */
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
