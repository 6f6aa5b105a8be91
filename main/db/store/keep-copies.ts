import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../../platform/log.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { openDatabase } from '../open.ts';
import { copyName, copyStoreTo, dailyCopies, dayOf, outdated, removeUnfinishedCopies, storeBytes } from './copies.ts';
import { copiesFolder, storeFile } from './store-files.ts';

export interface CopyJob {
  readonly file: string;
  readonly destination: string;
}

/** With a connection of its own that takes no turn among the writers: they go on meanwhile. */
export function copyStore({ file, destination }: CopyJob): void {
  const database = openDatabase(file, { readonly: true });
  try {
    copyStoreTo(database, destination);
  } finally {
    database.close();
  }
}

/** Left free beside a copy: the disk is there for the work, not for its copies. */
const reserveBytes = 256 * 1024 * 1024;

/** Keeps a copy of each day on which Limner runs, and removes those that are too many. */
export function createCopyKeeper(paths: DataDirectory, workers: WorkerPool, log: Logger) {
  let running: Promise<void> | null = null;

  function isDue(): boolean {
    const [newest] = dailyCopies(paths);
    return newest === undefined || dayOf(newest.takenAt) !== dayOf(new Date());
  }

  function hasRoom(): boolean {
    const { bavail, bsize } = statfsSync(paths.db);
    const needed = storeBytes(paths);
    // Room for the next one, too.
    if (bavail * bsize >= 2 * needed + reserveBytes) return true;
    log.warn('The disk has too little room for a copy of the store', {
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
      await workers.run<CopyJob, void>('copyStore', { file: storeFile(paths), destination });
      for (const { file } of outdated(dailyCopies(paths))) rmSync(file, { force: true });
      log.info('The store was copied', { copy: destination });
    } catch (error) {
      // Earlier copies stay; of a damaged store none is made.
      log.error('The store could not be copied; the copies that exist are kept', { error });
    } finally {
      running = null;
    }
  }

  return {
    /** Makes the copy of today, where there is none yet. */
    keep(): void {
      running ??= copy();
    },
    stop: async (): Promise<void> => void (await running),
  };
}
