import type { Database, Statement } from 'better-sqlite3';
import type { WithWriteLock } from '../platform/write-lock.ts';

/**
 * Serialises all writes through this connection with other threads. Call before statements are prepared.
 *
 * SQLite has one writer at a time and no queue: a writer that finds the store busy sleeps and retries. Next to a thread
 * that writes one short transaction after another, that takes seconds. Measured with an import of 270,000 annotations:
 * an edit took 3.7 s, and the API was blocked during that time. SQLite's own lock still decides.
 */
export function serializeWrites(database: Database, withWriteLock: WithWriteLock): void {
  const prepare = database.prepare.bind(database);
  const transaction = database.transaction.bind(database);
  const serialized =
    <Arguments extends unknown[], Result>(run: (...args: Arguments) => Result) =>
    (...args: Arguments): Result =>
      withWriteLock(() => run(...args));

  function prepareSerialized(source: string): Statement {
    const statement: Statement = prepare(source);
    if (statement.readonly) return statement;
    return Object.assign(statement, {
      run: serialized(statement.run.bind(statement)),
      get: serialized(statement.get.bind(statement)),
      all: serialized(statement.all.bind(statement)),
    });
  }

  function transactionSerialized(write: (...args: unknown[]) => unknown) {
    const made = transaction(write);
    // Plain and deferred transactions may only read; a write inside them waits for the lock on its own.
    return Object.assign((...args: unknown[]) => made(...args), {
      default: made.default,
      deferred: made.deferred,
      immediate: serialized(made.immediate),
      exclusive: serialized(made.exclusive),
    });
  }

  // The library overloads the types of both methods by parameters and rows, which pass through these unchanged.
  Object.assign(database, { prepare: prepareSerialized, transaction: transactionSerialized });
}
