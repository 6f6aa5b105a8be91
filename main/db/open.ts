import BetterSqlite3 from 'better-sqlite3';
import { AppError, storageFailure } from '../platform/errors.ts';
import { createWriteLock, type WriteLockState } from '../platform/write-lock.ts';
import { prepareLate } from './prepare-late.ts';
import { serializeWrites } from './serialized-writes.ts';

/** A separate interface, so that inferred types can name it. */
export interface Database extends BetterSqlite3.Database {}
export type Statement<Parameters extends unknown[] = unknown[], Row = unknown> = BetterSqlite3.Statement<
  Parameters,
  Row
>;

/** Small, because jobs read the store once, in order: a larger cache saves no time, and several jobs run at once. */
const defaultCacheMiB = 4;

export interface OpenOptions {
  readonly readonly?: boolean;
  readonly cacheMiB?: number;
  readonly turns?: WriteLockState | undefined;
  /** True if another thread checkpoints the write-ahead log, so that commits need not. */
  readonly checkpointed?: boolean;
}

/**
 * Opens the store. WAL with `synchronous=FULL`: the library's own default for WAL (NORMAL) loses acknowledged commits
 * at a power failure. Foreign keys are on. Waits up to 5 s for a write of another connection.
 */
export function openDatabase(file: string, options: OpenOptions = {}): Database {
  let database: Database;
  try {
    database = new BetterSqlite3(file, { readonly: options.readonly ?? false, timeout: 5000 });
    if (!options.readonly) database.pragma('journal_mode = WAL');
  } catch (cause) {
    const failure = storageFailure(cause);
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new AppError(
      failure?.code ?? 'invalid',
      `Cannot open the store ${file}: ${reason}. Nothing was changed. ` +
        (failure?.message ?? 'Check that the disk is available, and that the folder is writable.'),
      undefined,
      { cause },
    );
  }
  if (options.turns) serializeWrites(database, createWriteLock(options.turns));
  prepareLate(database);
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`cache_size = -${(options.cacheMiB ?? defaultCacheMiB) * 1024}`);
  database.pragma('temp_store = MEMORY');
  if (options.checkpointed) database.pragma('wal_autocheckpoint = 0');
  database.pragma('journal_size_limit = 67108864');
  return database;
}
