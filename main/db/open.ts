import BetterSqlite3 from 'better-sqlite3';
import { AppError, storageFailure } from '../platform/errors.ts';
import { createTakeTurn, type TurnState } from '../platform/turns.ts';
import { prepareLate } from './prepare-late.ts';
import { writeInTurns } from './write-in-turns.ts';

/** An interface of its own, so that inferred types can name it. */
export interface Database extends BetterSqlite3.Database {}
export type Statement<Parameters extends unknown[] = unknown[], Row = unknown> = BetterSqlite3.Statement<
  Parameters,
  Row
>;

/** Jobs go through the store once, in order: a larger cache saves them no time, and there are several at once. */
const defaultCacheMiB = 4;

export interface OpenOptions {
  readonly readonly?: boolean;
  /** Page cache in MiB. */
  readonly cacheMiB?: number;
  /** The queue of this process's writers. */
  readonly turns?: TurnState | undefined;
  /** Somebody else brings the write-ahead log into the store: no commit does. */
  readonly checkpointed?: boolean;
}

/**
 * Opens the store. WAL with `synchronous=FULL`: the library's own default for WAL (NORMAL) loses acknowledged commits
 * at a power cut. Foreign keys are on. Another connection's write is waited for up to 5 s.
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
      `The store ${file} cannot be opened: ${reason}. Nothing was changed. ` +
        (failure?.message ?? 'Check that the disk is there, and that the folder may be written.'),
      undefined,
      { cause },
    );
  }
  if (options.turns) writeInTurns(database, createTakeTurn(options.turns));
  prepareLate(database);
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma(`cache_size = -${(options.cacheMiB ?? defaultCacheMiB) * 1024}`);
  database.pragma('temp_store = MEMORY');
  if (options.checkpointed) database.pragma('wal_autocheckpoint = 0');
  database.pragma('journal_size_limit = 67108864');
  return database;
}
