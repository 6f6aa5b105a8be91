import { chmodSync, closeSync, openSync } from 'node:fs';
import { isStorageFull, isStoreDamaged } from '../../platform/errors.ts';
import type { Logger } from '../../platform/log.ts';
import type { DataDirectory } from '../../platform/paths.ts';
import type { WriteLockState } from '../../platform/write-lock.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import { migrate, newestSchema, oldestSchema } from './migrate.ts';
import { Store } from '../store.ts';
import { forgetCleanStop, rememberCleanStop } from './clean-stop.ts';
import { keepCheckpoints } from './checkpoints.ts';
import { createLogSync, type LogSync } from '../log-sync.ts';
import { createCheckpointScheduler } from './keep-copies.ts';
import { inspectStore, refuseStore, requireTables } from './inspect-store.ts';
import { damagedStore } from './store-check.ts';
import { mediaFolderIds, sizeOf, storeFile } from './store-files.ts';

export interface OpenStoreOptions {
  readonly paths: DataDirectory;
  readonly workers: WorkerPool;
  readonly turns: WriteLockState;
  readonly log: Logger;
}

/**
 * Opens the store of a data directory, migrates it, and schedules its copies.
 * @throws StoreRefused for one that cannot be opened; it is unchanged then
 */
export function openStore({ paths, workers, turns, log }: OpenStoreOptions) {
  const file = storeFile(paths);
  // A store that was just created is not worth a copy yet.
  let isWorthACopy = inspectStore(paths) === 'present';
  const checkpoints = keepCheckpoints(file, turns, workers, log);
  const logSync = createLogSync(`${file}-wal`, checkpoints);
  let database: Store;
  try {
    database = openOwn(paths, turns, logSync);
  } catch (error) {
    void checkpoints.stop();
    throw error;
  }
  const copies = createCheckpointScheduler(paths, workers, log);
  raiseTaskIds(database, paths, log);
  return {
    file,
    database,
    /** Called once after the start, then about every hour. */
    housekeep(): void {
      raiseTaskIds(database, paths, log);
      if (isWorthACopy) copies.keep();
      isWorthACopy = true;
    },
    async close(): Promise<void> {
      await copies.stop();
      await checkpoints.stop();
      await logSync.close();
      try {
        database.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        log.warn('The write-ahead log remains beside the store; the next start applies it', { error });
      }
      database.close();
      if (sizeOf(`${file}-wal`) === 0) markCleanStop(file, log);
    },
  };
}

function openOwn(paths: DataDirectory, turns: WriteLockState, logSync: LogSync): Store {
  const file = storeFile(paths);
  forgetCleanStop(file);
  // SQLite gives the files beside it the same permissions.
  closeSync(openSync(file, 'a', 0o600));
  if (process.platform !== 'win32') chmodSync(file, 0o600);
  let database: Store | null = null;
  try {
    database = new Store(file, { cacheMiB: 16, turns, checkpointed: true, logSync });
    const schema = Number(database.pragma('user_version', { simple: true }));
    requireTables(paths, schema);
    requireKnownSchema(paths, schema);
    migrate(database);
    return database;
  } catch (error) {
    database?.close();
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    throw isStoreDamaged(cause) ? damagedStore(paths, [String((cause as Error).message)], cause) : error;
  }
}

/** 0 is the schema of a new store. */
function requireKnownSchema(paths: DataDirectory, schema: number): void {
  if (schema > newestSchema) {
    throw refuseStore(
      paths,
      'newer',
      `This data directory was written by a newer Limner (schema ${schema}; this one knows ${newestSchema}). ` +
        'Start the newer version, or choose another data directory.',
    );
  }
  if (schema === 0 || schema >= oldestSchema) return;
  throw refuseStore(
    paths,
    'older',
    `This data directory was written by a Limner before the first release (schema ${schema}; this one opens schemas ` +
      `from ${oldestSchema} on). Start the last build with schema ${oldestSchema} once, which updates the data, or ` +
      'choose another data directory.',
  );
}

/**
 * Reserves the ids of existing image folders. A task's id names the folder of its images, and after restoring an older
 * copy there may be folders without a row. Reusing such an id would overwrite them.
 */
function raiseTaskIds(database: Store, paths: DataDirectory, log: Logger): void {
  const highest = Math.max(0, ...mediaFolderIds(paths));
  const last = database.query<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'task'").pluck();
  if (highest <= (last.get() ?? 0)) return;
  try {
    database.write(() => {
      database.query("DELETE FROM sqlite_sequence WHERE name = 'task'").run();
      database.query("INSERT INTO sqlite_sequence (name, seq) VALUES ('task', ?)").run(highest);
    });
    log.warn('The store does not know some image folders; their ids are not used again', { highest });
  } catch (error) {
    if (!isStorageFull(error)) throw error;
    log.warn('The disk is full: cannot raise task ids above the existing folders', { error });
  }
}

function markCleanStop(file: string, log: Logger): void {
  try {
    rememberCleanStop(file);
  } catch (error) {
    log.warn('Cannot record the clean stop; the next start checks the store', { error });
  }
}
