import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../platform/log.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { Store } from '../store.ts';
import { copyName, copyStoreTo, dailyCopies, dayOf, outdated, removeUnfinishedCopies, storeBytes } from './copies.ts';
import { copiesFolder, storeFile } from './store-files.ts';

export interface CopyJob {
  readonly file: string;
  readonly destination: string;
}

/** Uses a separate connection that takes no write lock, so that other connections can write during the copy. */
export function copyStore({ file, destination }: CopyJob): void {
  const database = new Store(file, { readonly: true });
  try {
    copyStoreTo(database, destination);
  } finally {
    database.close();
  }
}

/** Free space to leave beside a copy, because the user's work has priority over copies. */
const reserveBytes = 256 * 1024 * 1024;

export function createCheckpointScheduler(paths: DataDirectory, workers: WorkerPool, log: Logger) {
  let running: Promise<void> | null = null;

  function isDue(): boolean {
    const [newest] = dailyCopies(paths);
    return newest === undefined || dayOf(newest.takenAt) !== dayOf(new Date());
  }

  function hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(paths.db);
    const needed = storeBytes(paths);
    // Includes space for the next copy.
    if (bavail * bsize >= 2 * needed + reserveBytes) return true;
    log.warn('Not enough disk space for a copy of the store', {
      neededBytes: needed,
      freeBytes: bavail * bsize,
    });
    return false;
  }

  async function copy(): Promise<void> {
    try {
      removeUnfinishedCopies(paths);
      if (!isDue() || !hasRoom()) return;
      const destination = join(copiesFolder(paths), copyName(new Date()));
      await workers.run('copyStore', { file: storeFile(paths), destination });
      for (const { file } of outdated(dailyCopies(paths))) rmSync(file, { force: true });
      log.info('The store was copied', { copy: destination });
    } catch (error) {
      // Earlier copies remain; a damaged store cannot be copied.
      log.error('Cannot copy the store; the existing copies remain', { error });
    } finally {
      running = null;
    }
  }

  return {
    keep(): void {
      running ??= copy();
    },
    stop: async (): Promise<void> => void (await running),
  };
}
