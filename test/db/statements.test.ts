import type { Statement } from 'better-sqlite3';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createServices } from '../../main/composition/services.ts';
import { plannedOnce } from '../../main/db/prepare-late.ts';
import { plainCommits } from '../../main/db/store/commits.ts';
import { createClock } from '../../main/platform/clock.ts';
import { createSilentLogger } from '../../main/platform/log.ts';
import { openNewStore } from '../support/new-store.ts';
import { sharedWorkers } from '../support/shared-workers.ts';
import { taskFrom, taskSelect } from '../../main/work/tables/task-table.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

test('every statement of the services is valid for the store', async () => {
  const dataDirectory = sharedFolder();
  mkdirSync(join(dataDirectory, 'db'));
  const databaseFile = join(dataDirectory, 'db', 'limner.sqlite');
  const database = openNewStore(databaseFile);
  const statements: Statement[] = [];
  const prepare: (source: string) => Statement = database.prepare.bind(database);
  Object.assign(database, {
    prepare(source: string) {
      const statement = prepare(source);
      statements.push(statement);
      return statement;
    },
  });
  const core = createServices({
    database,
    commits: plainCommits,
    databaseFile,
    dataDirectory,
    workers: sharedWorkers,
    clock: createClock(),
    log: createSilentLogger(),
    shareDirectory: () => null,
  });
  try {
    expect(statements.length).toBeGreaterThan(300);
    // Reading `reader` prepares the statement.
    for (const statement of statements) expect(() => statement.reader, statement.source).not.toThrow();
  } finally {
    await core.stop();
    database.close();
  }
});

test('no parameter makes SQLite plan a statement again when it is bound', () => {
  expect(
    plannedOnce("SELECT 'a ? b' FROM t WHERE x = ? AND y IN (?, ?2) AND z > @name AND w < :its AND v LIKE ? LIMIT +?"),
  ).toBe("SELECT 'a ? b' FROM t WHERE x = +? AND y IN (+?, +?2) AND z > +@name AND w < +:its AND v LIKE ? LIMIT +?");
});

test("reads only a listed task's own jobs", () => {
  const database = openNewStore(join(sharedFolder(), 'plans.sqlite'));
  const plan = database.prepare(`EXPLAIN QUERY PLAN SELECT ${taskSelect} FROM ${taskFrom}`).all() as {
    detail: string;
  }[];
  const ofJobs = plan.map(({ detail }) => detail).filter((detail) => / job /.test(detail));
  expect(new Set(ofJobs)).toEqual(new Set(['SEARCH job USING INDEX job_task (task_id=?)']));
  database.close();
});
