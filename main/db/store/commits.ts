import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../../platform/errors.ts';
import type { Database } from '../open.ts';

/**
 * Commits that do not block the main thread. A transaction is written to the write-ahead log and visible immediately.
 * The log is synced to disk in the background; the response and all notifications wait for it. During an export that
 * keeps the disk busy, a sync takes some 90 ms; a blocking sync would delay all other requests for that long.
 *
 * The log is synced in order, so a sync for a later commit includes all earlier commits.
 */
export interface Commits {
  /** Runs a transaction; await `onDisk` for its durability. Inside another transaction it becomes part of that one. */
  soon<Result>(transaction: () => Result): Result;
  /** Await before a possible write: resolves when writers are not held. Undefined if they are not. */
  ready(): Promise<unknown> | undefined;
  /**
   * Resolves when all commits so far are on the disk. Concurrent callers share one sync.
   * @throws AppError if the disk failed: which commits are on the disk is unknown until the next start checks
   */
  onDisk(): Promise<void>;
}

/** For connections whose commits sync themselves. */
export const plainCommits: Commits = {
  soon: (transaction) => transaction(),
  ready: () => undefined,
  onDisk: () => Promise.resolve(),
};

/** Checkpoint scheduler: called after each sync, and holds writers if needed. */
export interface LogRetention {
  look(): void;
  ready(): Promise<unknown> | undefined;
}

/**
 * @param walFile the write-ahead log of this connection, which must exist, so the connection must have read or written
 * before
 * @param syncFile syncs the file of this descriptor to disk
 */
export function createCommits(
  database: Database,
  walFile: string,
  checkpoints: LogRetention,
  syncFile: (descriptor: number) => Promise<void> = promisify(fdatasync),
) {
  // Windows flushes only writable files.
  const descriptor = openSync(walFile, 'r+');
  let isBehind = false;
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  let failure: AppError | null = null;

  /**
   * After a failed sync the system marks the unwritten pages as clean, so that a retry would succeed without writing
   * them. Therefore all later syncs fail too.
   */
  async function sync(): Promise<void> {
    isBehind = false;
    try {
      await syncFile(descriptor);
      checkpoints.look();
    } catch (cause) {
      failure ??= new AppError(
        'storage-broken',
        'Cannot write a change to the disk. It is unknown whether it was saved. Check the disk, and start ' +
          'Limner again, which then checks the entire store.',
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
      // `exec` creates no statement object that must be collected.
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        return transaction();
      } finally {
        isBehind = true;
        // The caller awaits this soon; starting now saves time.
        commits.onDisk().catch(() => undefined);
        database.exec('PRAGMA synchronous = FULL');
      }
    },
    ready: checkpoints.ready,
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
    /** Call before the connection is closed. */
    async close(): Promise<void> {
      await commits.onDisk().catch(() => undefined);
      closeSync(descriptor);
    },
  };
}
