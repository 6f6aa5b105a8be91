import type { Database, Statement } from 'better-sqlite3';
import type { TakeTurn } from '../platform/turns.ts';

/**
 * Makes everything that writes through this connection wait for its turn. Call before statements are prepared.
 *
 * SQLite has one writer at a time and no queue: who finds the store busy sleeps and tries again, and beside a thread
 * that writes one short transaction after another that takes seconds (measured with an import of 270,000 annotations:
 * an edit took 3.7 s, and the whole API stood still meanwhile). SQLite's own lock still decides.
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
    // Plain and deferred ones may only read; a write within them takes its turn by itself.
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
