import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../../platform/errors.ts';
import type { Database } from '../open.ts';

/**
 * Commits that the answering thread does not wait for. A transaction is written into the write-ahead log at once and
 * seen by everybody; the disk takes it up meanwhile, and only then the one who asked for it is answered, and anybody
 * outside hears of it. Beside an export that keeps the disk busy one commit waits some 90 ms for it: with the thread
 * waiting as well, all other requests stood still for that long.
 *
 * The log is brought to the disk in its order. So what a later commit waits for holds what was committed before.
 */
export interface Commits {
  /** Runs a transaction whose durability is waited for by `onDisk`. Within another transaction it is part of that one. */
  soon<Result>(transaction: () => Result): Result;
  /** Before something that may be stored: ends when the log may be written. Undefined where that is at once. */
  ready(): Promise<unknown> | undefined;
  /**
   * Resolves when all that has been committed is on the disk. Several that wait share one sync.
   * @throws AppError when the disk failed: what has reached it is not known any more, until the next start looks
   */
  onDisk(): Promise<void>;
}

/** Where every commit waits for the disk itself. */
export const plainCommits: Commits = {
  soon: (transaction) => transaction(),
  ready: () => undefined,
  onDisk: () => Promise.resolve(),
};

/** Who brings the log into the store: looks after each sync whether it is time, and says whether to wait for it. */
export interface LogKeeper {
  look(): void;
  ready(): Promise<unknown> | undefined;
}

/**
 * @param walFile the write-ahead log of this connection, which has to be there: something has been read or written
 * @param keeper who brings it into the store
 * @param syncFile brings the file of this descriptor to the disk
 */
export function createCommits(
  database: Database,
  walFile: string,
  keeper: LogKeeper,
  syncFile: (descriptor: number) => Promise<void> = promisify(fdatasync),
) {
  // Windows flushes only what may be written.
  const descriptor = openSync(walFile, 'r+');
  let isBehind = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let failure: AppError | null = null;

  /**
   * After a failed sync the system takes what it could not write for written, so that a second try would succeed and
   * mean nothing: every later one fails, too.
   */
  async function sync(): Promise<void> {
    isBehind = false;
    try {
      await syncFile(descriptor);
      keeper.look();
    } catch (cause) {
      failure ??= new AppError(
        'storage-broken',
        'The disk could not take up a change. Whether it was kept is not known. Please check the disk, and start ' +
          'Limner again: it looks at the whole store then.',
        undefined,
        { cause },
      );
    }
    if (failure) throw failure;
  }

  function start(): Promise<void> {
    next = null;
    running = sync().finally(() => {
      running = null;
    });
    return running;
  }

  const commits: Commits = {
    soon(transaction) {
      if (database.inTransaction) return transaction();
      // `exec`, for it makes no statement that would have to be collected.
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        return transaction();
      } finally {
        isBehind = true;
        // Whoever waits for it asks in a moment: the disk has begun by then.
        commits.onDisk().catch(() => undefined);
        database.exec('PRAGMA synchronous = FULL');
      }
    },
    ready: keeper.ready,
    onDisk() {
      if (failure) return Promise.reject(failure);
      if (!isBehind) return running ?? Promise.resolve();
      if (!running) return start();
      next ??= running.then(start, start);
      return next;
    },
  };
  return {
    ...commits,
    /** Before the connection is closed. */
    async close(): Promise<void> {
      await commits.onDisk().catch(() => undefined);
      closeSync(descriptor);
    },
  };
}
