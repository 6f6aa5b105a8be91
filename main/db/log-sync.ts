import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import { AppError } from '../platform/errors.ts';

export type LogSync = ReturnType<typeof createLogSync>;

/** Checkpoint scheduler: called after each sync, and holds writers if needed. */
export interface LogRetention {
  look(): void;
  ready(): Promise<unknown> | undefined;
}

/**
 * Syncs the write-ahead log to the disk without blocking the main thread. During an export that keeps the disk busy, a
 * sync takes some 90 ms; a blocking sync would delay all other requests for that long.
 *
 * The log is synced in order, so a sync for a later commit includes all earlier commits.
 *
 * @param walFile exists once a connection has read or written the store
 * @param syncFile syncs the file of this descriptor to disk
 */
export function createLogSync(
  walFile: string,
  checkpoints: LogRetention,
  syncFile: (descriptor: number) => Promise<void> = promisify(fdatasync),
) {
  let descriptor: number | null = null;
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
      // Windows flushes only writable files.
      descriptor ??= openSync(walFile, 'r+');
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

  /** Resolves when all commits so far are on the disk. Concurrent callers share one sync. */
  function onDisk(): Promise<void> {
    if (failure) return Promise.reject(failure);
    if (!isBehind) return running ?? Promise.resolve();
    if (!running) return start();
    next ??= running.then(start, start);
    return next;
  }

  return {
    /** Call after each commit that was not synced. The caller awaits `onDisk` soon; starting now saves time. */
    committed(): void {
      isBehind = true;
      onDisk().catch(() => undefined);
    },
    /** Resolves when writers are not held. Undefined if they are not. */
    ready: checkpoints.ready,
    onDisk,
    /** Call before the connection is closed. */
    async close(): Promise<void> {
      await onDisk().catch(() => undefined);
      if (descriptor !== null) closeSync(descriptor);
    },
  };
}
