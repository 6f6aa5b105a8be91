import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createServices } from '../../main/composition/services.ts';
import { Store, type Query } from '../../main/db/store.ts';
import { createClock } from '../../main/platform/clock.ts';
import { createSilentLogger } from '../../main/platform/log.ts';
import { outboxSql } from '../../main/webhooks/store/outbox-repository.ts';
import { taskFrom, taskSelect } from '../../main/work/tables/task-table.ts';
import { openNewStore, temporaryStore } from '../support/new-store.ts';
import { sharedWorkers } from '../support/shared-workers.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

/** Remembers the statements that were created. */
class RecordingStore extends Store {
  readonly queries: Pick<Query, 'sql' | 'check'>[] = [];

  override query<Given extends unknown[] | object = unknown[], Row = unknown>(sql: string) {
    const query = super.query<Given, Row>(sql);
    this.queries.push(query);
    return query;
  }
}

async function statementsOfServices() {
  const dataDirectory = sharedFolder();
  mkdirSync(join(dataDirectory, 'db'), { recursive: true });
  const databaseFile = join(dataDirectory, 'db', 'limner.sqlite');
  openNewStore(databaseFile).close();
  const database = new RecordingStore(databaseFile);
  const core = createServices({
    database,
    databaseFile,
    dataDirectory,
    workers: sharedWorkers,
    clock: createClock(),
    log: createSilentLogger(),
    shareDirectory: () => null,
  });
  onTestFinished(async () => {
    await core.stop();
    database.close();
  });
  expect(database.queries.length).toBeGreaterThan(300);
  return database.queries;
}

test('every statement of the services is valid for the store', async () => {
  for (const query of await statementsOfServices()) expect(() => query.check(), query.sql).not.toThrow();
});

/** A parameter in a condition or limit without `+`. Assignments of an UPDATE do not affect its plan. */
const bare = /(?:[=<>]|\b(?:IS|NOT|LIMIT|OFFSET|BETWEEN|AND))\s*(?:\?|[@:][a-z])|json_each\((?:\?|[@:])/i;
const assignments = /\bSET\b(?:(?!\bWHERE\b).)*/gs;

test('no parameter makes SQLite plan a statement again when it is bound', async () => {
  const statements = (await statementsOfServices()).map(({ sql }) => sql.replaceAll(assignments, ''));
  expect(statements.filter((sql) => bare.test(sql))).toEqual([]);
});

test.each([
  [
    "a listed task's own jobs",
    `SELECT ${taskSelect} FROM ${taskFrom}`,
    / job /,
    'SEARCH job USING INDEX job_task (task_id=?)',
  ],
  [
    'retries that are due',
    outboxSql.dueRetry,
    /webhook_message|TEMP/,
    'SEARCH webhook_message USING INDEX webhook_message_due (webhook_id=? AND redelivery=? AND next_attempt_ms<?)',
  ],
  [
    'retries from before the clock was set back',
    outboxSql.retryFromFuture,
    /webhook_message|TEMP/,
    'SEARCH webhook_message USING INDEX webhook_message_attempted (webhook_id=? AND redelivery=? AND attempted_ms>?)',
  ],
  [
    'the next retry',
    outboxSql.nextRetry,
    /webhook_message|TEMP/,
    'SEARCH webhook_message USING INDEX webhook_message_due (webhook_id=? AND redelivery=?)',
  ],
])('reads only %s', (_, sql, table, expected) => {
  const plan = temporaryStore()
    .query<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql.replaceAll('?', '1')}`)
    .all();
  const steps = plan.map(({ detail }) => detail).filter((detail) => table.test(detail));
  expect(new Set(steps)).toEqual(new Set([expected]));
});
