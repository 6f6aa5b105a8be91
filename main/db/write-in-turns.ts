import type { Database, Statement } from 'better-sqlite3';
import type { TakeTurn } from '../platform/turns.ts';

/**
 * Serialises all writes through this connection with other threads. Call before statements are prepared.
 *
 * SQLite has one writer at a time and no queue: a writer that finds the store busy sleeps and retries. Next to a thread
 * that writes one short transaction after another, that takes seconds. Measured with an import of 270,000 annotations:
 * an edit took 3.7 s, and the API was blocked during that time. SQLite's own lock still decides.
 */
export function writeInTurns(database: Database, takeTurn: TakeTurn): void {
  const prepare = database.prepare.bind(database);
  const transaction = database.transaction.bind(database);
  const inTurn =
    <Arguments extends unknown[], Result>(run: (...args: Arguments) => Result) =>
    (...args: Arguments): Result =>
      takeTurn(() => run(...args));

  function prepareInTurn(source: string): Statement {
    const statement: Statement = prepare(source);
    if (statement.readonly) return statement;
    return Object.assign(statement, {
      run: inTurn(statement.run.bind(statement)),
      get: inTurn(statement.get.bind(statement)),
      all: inTurn(statement.all.bind(statement)),
    });
  }

  function transactionInTurn(write: (...args: unknown[]) => unknown) {
    const made = transaction(write);
    // Plain and deferred transactions may only read; a write inside them waits for the lock on its own.
    return Object.assign((...args: unknown[]) => made(...args), {
      default: made.default,
      deferred: made.deferred,
      immediate: inTurn(made.immediate),
      exclusive: inTurn(made.exclusive),
    });
  }

  // The library overloads the types of both methods by parameters and rows, which pass through these unchanged.
  Object.assign(database, { prepare: prepareInTurn, transaction: transactionInTurn });
}
