import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { jobList } from '../../main/work/tables/job-table.ts';
import { taskList } from '../../main/work/tables/task-table.ts';
import type { ListDefinition } from '../../main/db/filters.ts';
import { listRows } from '../../main/db/list-rows.ts';
import { migrate } from '../../main/db/store/migrate.ts';
import { Store } from '../../main/db/store.ts';
import { sharedFolder } from '../support/temporary-folder.ts';

const texts = [
  'Zebra',
  'cat photos',
  'dog_1',
  'dog%1',
  'größe',
  'GRÖSSE',
  "o'hara",
  'a\\b',
  'say "cheese"',
  'ÅNGSTRÖM',
  '日本語の写真',
  'a',
  '',
];

const database = new Store(join(sharedFolder(), 'limner.sqlite'));
migrate(database);
database.exec(`
  INSERT INTO user (username, password_hash, group_name, date_joined) VALUES ('ada', '!', 'user', ''), ('Bob', '!', 'user', '');
  INSERT INTO project (name, created_date, updated_date) VALUES ('rivers', '', ''), ('Straße', '', '');
`);
fill(0, 2 * texts.length);
// More than the limit for single look-ups.
database.write(() => Array.from({ length: 250 }, (_, index) => insert(`frequent ${index}`, '', '', null)));
afterAll(() => database.close());

function insert(name: string, subset: string, tracker: string, project: number | null): void {
  const { lastInsertRowid: id } = database
    .query(
      `INSERT INTO task (name, subset, bug_tracker, project_id, owner_id, segment_size, created_date, updated_date)
       VALUES (?, ?, ?, ?, ?, 0, '', '')`,
    )
    .run(name, subset, tracker, project, project);
  const segment = 'INSERT INTO segment (task_id, start_frame, stop_frame) VALUES (?, 0, 0)';
  const { lastInsertRowid: segmentId } = database.query(segment).run(id);
  database
    .query("INSERT INTO job (task_id, segment_id, created_date, updated_date) VALUES (?, ?, '', '')")
    .run(id, segmentId);
}

function fill(from: number, to: number): void {
  const text = (index: number) => texts[index % texts.length] ?? '';
  for (let index = from; index < to; index += 1) {
    insert(text(index), text(index * 3 + 1), text(index * 5 + 2), [null, 1, 2][index % 3] ?? null);
  }
}

function withoutIndex({ textIndex, ...definition }: ListDefinition): ListDefinition {
  expect(textIndex).toBeDefined();
  return definition;
}

const piece = fc
  .tuple(
    fc.constantFrom(...texts, 'rivers', 'Straße', 'ada', 'bob', 'annotation', 'frequent 249'),
    fc.nat(12),
    fc.nat(12),
  )
  .map(([text, from, length]) => text.slice(from, from + length));
const word = fc.oneof(
  piece,
  piece.map((text) => text.toUpperCase()),
  piece.map((text) => text.toLowerCase()),
  fc.string({ maxLength: 5 }),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.constantFrom('"', '""zebra', 'zebra"', 'NOT zebra', 'zeb*', 'cat\0photos', 'zebra'.repeat(50), 'name:zebra'),
);
const search = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
const write = fc.oneof(
  fc.tuple(fc.nat(40), piece).map(
    ([id, name]) =>
      () =>
        database.query('UPDATE task SET name = ? WHERE id = ?').run(name, id),
  ),
  fc.tuple(fc.nat(40), piece).map(
    ([id, name]) =>
      () =>
        database.query('UPDATE task SET subset = ?, bug_tracker = ? WHERE id = ?').run(name, name, id),
  ),
  fc.nat(40).map((id) => () => database.query('DELETE FROM task WHERE id = ?').run(id)),
  piece.map((name) => () => insert(name, '', '', 1)),
);

test('finds the same with and without the text index, for any text and any search', () => {
  fc.assert(
    fc.property(fc.option(write), search, fc.constantFrom('all' as const, 1, 3), (change, words, pageSize) => {
      change?.();
      for (const list of [taskList, jobList]) {
        const request = { page: 1, pageSize, search: words, equals: {} };
        expect(listRows(database, list, request)).toEqual(listRows(database, withoutIndex(list), request));
      }
    }),
    { numRuns: 400 },
  );
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
});
