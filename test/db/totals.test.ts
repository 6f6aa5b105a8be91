import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../main/db/store/migrate.ts';
import type { Query, Store } from '../../main/db/store.ts';
import { temporaryDatabase } from '../support/new-store.ts';

let database: Store;
beforeEach(() => {
  database = temporaryDatabase();
  prepared.clear();
});

/** Preparing a statement takes longer than running it. */
const prepared = new Map<string, Query>();
function query(sql: string): Query {
  const known = prepared.get(sql) ?? database.query(sql);
  prepared.set(sql, known);
  return known;
}
const all = (sql: string) => query(sql).all();

function expectKept(): void {
  expect(all('SELECT * FROM project_total ORDER BY 1')).toEqual(
    all(`SELECT project.id AS project_id, count(task.id) AS task_count, count(task.media_id) AS media_count,
           (SELECT count(*) FROM job JOIN task own ON own.id = job.task_id WHERE own.project_id = project.id) AS job_count
         FROM project LEFT JOIN task ON task.project_id = project.id GROUP BY project.id ORDER BY project.id`),
  );
  expect(all('SELECT * FROM project_subset ORDER BY 1, 2')).toEqual(
    all(`SELECT project_id, subset, count(*) AS task_count FROM task WHERE project_id IS NOT NULL AND subset <> ''
         GROUP BY 1, 2 ORDER BY 1, 2`),
  );
  expect(all('SELECT id, project_id FROM job ORDER BY id')).toEqual(
    all('SELECT job.id, task.project_id FROM job JOIN task ON task.id = job.task_id ORDER BY job.id'),
  );
  expect(
    all(`SELECT task.id FROM task JOIN project ON project.id = task.project_id
         WHERE task.organization_id IS NOT project.organization_id`),
  ).toEqual([]);
  expect(database.pragma('foreign_key_check')).toEqual([]);
}

const media = `INSERT INTO media (id, kind, size, chunk_size, image_quality, start_frame, stop_frame, frame_filter,
    sorting_method, storage, created_date)
  VALUES (1, 'images', 1, 1, 70, 0, 0, '', 'lexicographical', 'local', '')`;
const organization =
  "INSERT INTO organization (id, slug, name, created_date, updated_date) VALUES (1, 'o', 'o', '', '')";
const project = "INSERT INTO project (name, organization_id, created_date, updated_date) VALUES ('p', ?, '', '')";
const task = `INSERT INTO task (name, project_id, subset, media_id, organization_id, segment_size, created_date, updated_date)
  VALUES ('t', ?, ?, ?, (SELECT organization_id FROM project WHERE id = ?), 0, '', '')`;

const id = fc.integer({ min: 1, max: 5 });
const subset = fc.constantFrom('', 'train', 'test');
const mediaId = fc.constantFrom(null, 1);
type Change = readonly [sql: string, ...values: readonly (string | number | null)[]];
const ifThere = (table: string, key: number | null) =>
  key !== null && query(`SELECT 1 FROM ${table} WHERE id = ?`).get(key) ? key : null;

const change = fc.oneof<fc.Arbitrary<() => Change[]>[]>(
  fc.constantFrom(null, 1).map((inside) => () => [[project, ifThere('organization', inside)]]),
  fc.tuple(id, subset, mediaId).map(([key, name, data]) => () => [
    [task, ifThere('project', key), name, data, ifThere('project', key)],
  ]),
  id.map((key) => () => {
    if (ifThere('task', key) === null) return [];
    return [
      ['INSERT INTO segment (task_id, start_frame, stop_frame) VALUES (?, 0, 0)', key],
      [
        `INSERT INTO job (task_id, segment_id, created_date, updated_date)
         VALUES (?, (SELECT max(id) FROM segment), '', '')`,
        key,
      ],
    ];
  }),
  fc.tuple(id, id).map(([key, to]) => () => [
    ['UPDATE task SET project_id = ? WHERE id = ?', ifThere('project', to), key],
  ]),
  fc.tuple(id, subset).map(([key, name]) => () => [['UPDATE task SET subset = ? WHERE id = ?', name, key]]),
  fc.tuple(id, mediaId).map(([key, data]) => () => [['UPDATE task SET media_id = ? WHERE id = ?', data, key]]),
  fc.tuple(id, subset).map(([to, name]) => () => [
    ['UPDATE task SET project_id = ?, subset = ?', ifThere('project', to), name],
  ]),
  id.map((key) => () => [['DELETE FROM segment WHERE id = ?', key]]),
  id.map((key) => () => [['DELETE FROM job WHERE id = ?', key]]),
  id.map((key) => () => [['DELETE FROM task WHERE id = ?', key]]),
  id.map((key) => () => [['DELETE FROM project WHERE id = ?', key]]),
  fc.constant(() => [['DELETE FROM organization']]),
);

function apply(make: () => Change[]): void {
  for (const [sql, ...values] of make()) query(sql).run(...values);
}

/** Clears the store between worlds, because opening one is slow. */
function clear(): void {
  for (const table of ['job', 'segment', 'task', 'project', 'organization', 'media', 'sqlite_sequence']) {
    database.exec(`DELETE FROM ${table}`);
  }
  database.exec(`${media}; ${organization}`);
}

describe('stored totals of projects', () => {
  test('equal counted ones after any changes', () => {
    migrate(database);
    fc.assert(
      fc.property(fc.array(change, { minLength: 5, maxLength: 40 }), (changes) => {
        database.write(() => {
          clear();
          for (const make of changes) {
            apply(make);
            expectKept();
          }
        });
      }),
      { numRuns: 150 },
    );
  });

  test('a task is in the organization of its project, even if it is written for another one', () => {
    migrate(database);
    clear();
    for (const inside of [1, null]) database.query(project).run(inside);
    const written = (projectId: number | null, place: number | null) =>
      database
        .query(
          `INSERT INTO task (name, project_id, organization_id, segment_size, created_date, updated_date)
           VALUES ('t', ?, ?, 0, '', '')`,
        )
        .run(projectId, place);
    written(1, null);
    written(2, 1);
    written(null, 1);
    written(null, null);
    written(null, 1);
    database.exec('UPDATE task SET project_id = 2 WHERE id = 5');
    expect(all('SELECT id, organization_id AS place FROM task')).toEqual([
      { id: 1, place: 1 },
      { id: 2, place: null },
      { id: 3, place: 1 },
      { id: 4, place: null },
      { id: 5, place: null },
    ]);
    expectKept();
  });

  test('stays right for a job that is written with the project of another task', () => {
    migrate(database);
    clear();
    for (const inside of [null, null]) database.query(project).run(inside);
    for (const key of [1, 2]) database.query(task).run(key, '', null, key);
    database.exec(`
      INSERT INTO segment (task_id, start_frame, stop_frame) VALUES (1, 0, 0);
      INSERT INTO job (task_id, segment_id, project_id, created_date, updated_date) VALUES (1, 1, 2, '', '');
    `);
    expect(all('SELECT project_id, job_count FROM project_total')).toEqual([
      { project_id: 1, job_count: 1 },
      { project_id: 2, job_count: 0 },
    ]);
    expectKept();
  });
});
