import BetterSqlite3 from 'better-sqlite3';
import { AppError, storageFailure } from '../platform/errors.ts';
import { createWriteLock, type WithWriteLock, type WriteLockState } from '../platform/write-lock.ts';
import type { LogSync } from './log-sync.ts';

/** Receives the rows of each executed statement, for example to count the cost of a request. */
export interface StatementCounter {
  /** @param blobBytes size of the blobs in the rows read, such as points */
  count(rowsRead: number, rowsWritten: number, blobBytes: number): void;
}

export interface StoreOptions {
  readonly readonly?: boolean;
  /** Page cache. Small by default: jobs read the store once, in order, and several jobs run at once. */
  readonly cacheMiB?: number;
  /** Serialises writes with other threads, in the order of their arrival. */
  readonly turns?: WriteLockState;
  /** True if another thread checkpoints the write-ahead log, so that commits need not. */
  readonly checkpointed?: boolean;
  /**
   * `commit`: a commit is on the disk when it returns. `checkpoint`: a power cut may lose the last commits, in order.
   * Default: `commit`.
   */
  readonly sync?: 'commit' | 'checkpoint';
  /** Syncs the commits of {@link Store.syncLater}. */
  readonly logSync?: LogSync;
  /** Maximum wait for a write of another program. Default: 5 s. */
  readonly busyMs?: number;
  /** Off by default: then statements are not counted. */
  readonly counter?: StatementCounter | undefined;
}

type Parameters = unknown[] | object;
type Listed<Given extends Parameters> = Given extends unknown[] ? Given : [Given];

interface Connection {
  readonly database: BetterSqlite3.Database;
  readonly withWriteLock: WithWriteLock;
  readonly counter: StatementCounter | undefined;
  writes: number;
}

/** Opened with {@link Store.query}. */
export class Query<Values extends unknown[] = unknown[], Row = unknown> {
  readonly sql: string;
  readonly #connection: Connection;
  #prepared: BetterSqlite3.Statement<Values, Row> | undefined;
  #isReading = false;
  #rows: 'objects' | 'arrays' | 'values' = 'objects';

  constructor(connection: Connection, sql: string) {
    this.#connection = connection;
    this.sql = sql;
  }

  run(...values: Values): BetterSqlite3.RunResult {
    const statement = this.#statement();
    const result = this.#serialized(() => statement.run(...values));
    this.#connection.counter?.count(0, result.changes, 0);
    return result;
  }

  /** The first row. */
  get(...values: Values): Row | undefined {
    const statement = this.#statement();
    const row = this.#serialized(() => statement.get(...values));
    this.#count(row === undefined ? [] : [row]);
    return row;
  }

  all(...values: Values): Row[] {
    const statement = this.#statement();
    const rows = this.#serialized(() => statement.all(...values));
    this.#count(rows);
    return rows;
  }

  /** Rows one by one. The store runs no other statement until the last row is taken, or the iterator is closed. */
  iterate(...values: Values): IterableIterator<Row> {
    const statement = this.#statement();
    if (!this.#isReading) this.#connection.writes += 1;
    const rows = statement.iterate(...values);
    return this.#connection.counter ? this.#counted(rows) : rows;
  }

  /** Returns the first column of rows instead of an object. */
  pluck(): this {
    return this.#as('values');
  }

  /** Returns rows as arrays of their columns. */
  raw(): this {
    return this.#as('arrays');
  }

  /** @throws if the SQL is not valid for the store */
  check(): void {
    this.#statement();
  }

  #as(rows: 'arrays' | 'values'): this {
    this.#rows = rows;
    this.#prepared = undefined;
    return this;
  }

  #statement(): BetterSqlite3.Statement<Values, Row> {
    if (this.#prepared) return this.#prepared;
    // The library's conditional type of parameters is that of `Listed`.
    const statement = this.#connection.database.prepare(this.sql) as BetterSqlite3.Statement<Values, Row>;
    if (this.#rows === 'values') statement.pluck();
    if (this.#rows === 'arrays') statement.raw();
    this.#isReading = statement.readonly;
    return (this.#prepared = statement);
  }

  #serialized<Result>(work: () => Result): Result {
    if (this.#isReading) return work();
    this.#connection.writes += 1;
    return this.#connection.withWriteLock(work);
  }

  #count(rows: readonly Row[]): void {
    const { counter } = this.#connection;
    if (counter && this.#isReading) counter.count(rows.length, 0, blobBytesOf(rows));
    else counter?.count(0, rows.length, 0);
  }

  *#counted(rows: IterableIterator<Row>): Generator<Row> {
    let read = 0;
    let blobBytes = 0;
    try {
      for (const row of rows) {
        read += 1;
        blobBytes += blobBytesOf([row]);
        yield row;
      }
    } finally {
      if (this.#isReading) this.#connection.counter?.count(read, 0, blobBytes);
      else this.#connection.counter?.count(0, read, 0);
    }
  }
}

function blobBytesOf(rows: readonly unknown[]): number {
  let bytes = 0;
  for (const row of rows)
    for (const value of row instanceof Uint8Array ? [row] : Object.values(row ?? {}))
      if (value instanceof Uint8Array) bytes += value.byteLength;
  return bytes;
}

/**
 * A connection to an SQLite file in WAL mode, with foreign keys. `docs/architecture/store.md` explains its measures.
 * @throws AppError if the file cannot be opened
 */
export class Store {
  readonly file: string;
  readonly #connection: Connection;
  readonly #logSync: LogSync | undefined;
  readonly #afterCommit: (() => void)[] = [];
  readonly #transaction: BetterSqlite3.Transaction<(work: () => unknown) => unknown>;

  constructor(file: string, options: StoreOptions = {}) {
    const { turns, counter } = options;
    const database = connect(file, options);
    this.file = file;
    this.#logSync = options.logSync;
    this.#connection = {
      database,
      withWriteLock: turns ? createWriteLock(turns) : (work) => work(),
      counter,
      writes: 0,
    };
    // Shared, because the library creates five functions for each transaction function.
    this.#transaction = database.transaction((work: () => unknown) => work());
  }

  /**
   * A statement, which is prepared on its first use. The SQL runs unchanged. Types: its parameters, in order or by
   * name, and its rows.
   */
  query<Given extends Parameters = unknown[], Row = unknown>(sql: string): Query<Listed<Given>, Row> {
    return new Query(this.#connection, sql);
  }

  /** Reads rows by id. Inside a transaction, the latest row is read once until the next write. */
  rowReader<Row>(sql: string): (id: number) => Row | undefined {
    const one = this.query<[number], Row>(sql);
    let latest: { readonly id: number; readonly writes: number; readonly row: Row | undefined } | undefined;
    return (id) => {
      if (!this.isInTransaction) return one.get(id);
      const { writes } = this.#connection;
      if (latest?.id !== id || latest.writes !== writes) latest = { id, writes, row: one.get(id) };
      return latest.row;
    };
  }

  /**
   * Runs `work` in a transaction that takes the write lock. It is committed when `work` returns, and rolled back if
   * `work` throws. Inside another transaction it becomes a part of that one, and is rolled back alone.
   */
  write<Result>(work: () => Result): Result {
    const mark = this.#afterCommit.length;
    let result: Result;
    // Other connections may have written since the last transaction.
    if (!this.isInTransaction) this.#connection.writes += 1;
    try {
      // The transaction returns the result of its work.
      result = this.#connection.withWriteLock(() => this.#transaction.immediate(work)) as Result;
    } catch (error) {
      this.#afterCommit.length = mark;
      this.#connection.writes += 1;
      throw error;
    }
    if (!this.isInTransaction) for (const then of this.#afterCommit.splice(0)) then();
    return result;
  }

  /** Runs `work` after the commit of the current transaction. A rollback discards it. */
  afterCommit(work: () => void): void {
    if (!this.isInTransaction) throw new Error('There is no transaction whose commit could be awaited.');
    this.#afterCommit.push(work);
  }

  /**
   * Runs `work`, whose commits are not synced one by one: they are visible at once, and on the disk when `onDisk`
   * resolves.
   */
  syncLater<Result>(work: () => Result): Result {
    const { database } = this.#connection;
    if (!this.#logSync || database.inTransaction) return work();
    // `exec` creates no statement object that must be collected.
    database.exec('PRAGMA synchronous = NORMAL');
    try {
      return work();
    } finally {
      this.#logSync.committed();
      database.exec('PRAGMA synchronous = FULL');
    }
  }

  /**
   * Resolves when all commits so far are on the disk. Concurrent callers share one sync.
   * @throws AppError if the disk failed: which commits are on the disk is unknown until the next start checks
   */
  onDisk(): Promise<void> {
    return this.#logSync?.onDisk() ?? Promise.resolve();
  }

  /** Await before a possible write: resolves when writers are not held. Undefined if they are not. */
  ready(): Promise<unknown> | undefined {
    return this.#logSync?.ready();
  }

  /** Runs `work` while no other thread writes. */
  holdWrites<Result>(work: () => Result): Result {
    return this.#connection.withWriteLock(work);
  }

  /** All reads until {@link endSnapshot} see the store as of now. */
  beginSnapshot(): void {
    this.exec('BEGIN');
    // The first read fixes the snapshot.
    this.query('SELECT count(*) FROM sqlite_schema').get();
  }

  endSnapshot(): void {
    this.#connection.database.exec('COMMIT');
  }

  /** A second connection that sees the store as of now, until it is closed. Changes of this one go on. */
  snapshot(): Store {
    const store = new Store(this.file, { readonly: true, counter: this.#connection.counter });
    store.beginSnapshot();
    return store;
  }

  /** Runs statements without parameters, for example a schema. */
  exec(sql: string): void {
    this.#connection.writes += 1;
    this.#connection.database.exec(sql);
  }

  /** Rows of a PRAGMA; with `simple`, its first value. */
  pragma(sql: string, options: { readonly simple?: boolean } = {}): unknown {
    return this.#connection.database.pragma(sql, options);
  }

  get isInTransaction(): boolean {
    return this.#connection.database.inTransaction;
  }

  close(): void {
    this.#connection.database.close();
  }
}

function connect(file: string, options: StoreOptions): BetterSqlite3.Database {
  const { readonly = false, cacheMiB = 4, checkpointed = false, sync = 'commit', busyMs } = options;
  try {
    const database = new BetterSqlite3(file, { readonly, timeout: 5000 });
    if (!readonly) database.pragma('journal_mode = WAL');
    database.pragma(`synchronous = ${sync === 'commit' ? 'FULL' : 'NORMAL'}`);
    database.pragma('foreign_keys = ON');
    database.pragma(`cache_size = -${cacheMiB * 1024}`);
    database.pragma('temp_store = MEMORY');
    if (checkpointed) database.pragma('wal_autocheckpoint = 0');
    database.pragma('journal_size_limit = 67108864');
    if (busyMs !== undefined) database.pragma(`busy_timeout = ${busyMs}`);
    return database;
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
}
