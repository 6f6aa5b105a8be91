import { beforeEach, describe, expect, test } from 'vitest';
import { createAnnotationSetRepository } from '../../main/work/annotations/annotation-set-repository.ts';
import { migrate } from '../../main/db/store/migrate.ts';
import type { Store } from '../../main/db/store.ts';
import { temporaryDatabase } from '../support/new-store.ts';

let database: Store;
beforeEach(() => {
  database = temporaryDatabase();
});

const at = "'2026-11-20T09:30:00.000000Z'";
const states = () => database.query('SELECT state FROM annotation_set ORDER BY id').pluck().all();
const collect = () =>
  createAnnotationSetRepository(database).collectGarbage(() => Promise.resolve(), new AbortController().signal);

test('a hidden set is kept as long as its change, and at most as long as its task', async () => {
  migrate(database);
  const sets = createAnnotationSetRepository(database);
  const insertChange = database.query(
    `INSERT INTO annotation_change (kind, effect, task_id, object_count, detail, created_date, expiry_date)
     VALUES ('clear', 'replace', ?, 1, '', ${at}, ${at})`,
  );
  for (const id of [1, 2]) {
    database.exec(`
      INSERT INTO task (name, segment_size, created_date, updated_date) VALUES ('t', 1, ${at}, ${at});
      INSERT INTO segment (task_id, start_frame, stop_frame) VALUES (${id}, 0, 0);
      INSERT INTO job (task_id, segment_id, created_date, updated_date) VALUES (${id}, ${id}, ${at}, ${at});
    `);
    const setId = sets.base(id);
    database.query('INSERT INTO tag (set_id, frame, label_id, source, group_id) VALUES (?, 0, 1, 0, 0)').run(setId);
    sets.hideLive([id], Number(insertChange.run(id).lastInsertRowid));
  }
  await collect();
  expect(states()).toEqual(['discarded', 'discarded']);
  database.exec('DELETE FROM annotation_change WHERE id = 1');
  await collect();
  expect(states()).toEqual(['discarded']);
  database.exec('DELETE FROM task WHERE id = 2');
  await collect();
  expect(states()).toEqual([]);
  expect(database.query('SELECT count(*) FROM tag').pluck().get()).toBe(0);
});

describe('removal of discarded sets', () => {
  const insertSets = (count: number, shapesOfSet: number, request: string | null = null): void => {
    const insertSet = database.query("INSERT INTO annotation_set (state, request_id) VALUES ('discarded', ?)");
    const insertShape = database.query(
      `INSERT INTO shape (set_id, frame, label_id, type, source, flags, z_order, group_id, rotation, score, points)
       VALUES (?, ?, 1, 0, 0, 0, 0, 0, 0, 1, x'')`,
    );
    const list = database.query('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
    for (let set = 0; set < count; set += 1) {
      const setId = insertSet.run(request).lastInsertRowid;
      for (let frame = 0; frame < shapesOfSet; frame += 1) {
        const id = insertShape.run(setId, frame).lastInsertRowid;
        if (request === null) list.run(setId, frame, id);
      }
    }
  };
  const remove = async (signal = new AbortController().signal, onYield = () => {}): Promise<number> => {
    let pauses = 0;
    await createAnnotationSetRepository(database).collectGarbage(async () => {
      pauses += 1;
      onYield();
    }, signal);
    return pauses;
  };
  const left = () =>
    ['annotation_set', 'shape', 'shape_frame'].map((table) =>
      database.query(`SELECT count(*) FROM ${table}`).pluck().get(),
    );

  test('takes as many steps as the removed rows need, not one for each set or for other shapes', async () => {
    migrate(database);
    insertSets(1, 60_000);
    database.exec("UPDATE annotation_set SET state = 'pending'");
    insertSets(800, 5);
    expect(await remove()).toBeLessThanOrEqual(4);
    expect(left()).toEqual([1, 60_000, 60_000]);
  });

  test('finds the unlisted shapes of interrupted imports in one scan', async () => {
    migrate(database);
    insertSets(1, 60_000);
    database.exec("UPDATE annotation_set SET state = 'pending'");
    insertSets(300, 5, 'import-1');
    expect(await remove()).toBeLessThanOrEqual(2);
    expect(left()).toEqual([1, 60_000, 60_000]);
  });

  test('stops between two steps and continues at the next start', async () => {
    migrate(database);
    insertSets(3, 5000);
    const stop = new AbortController();
    await remove(stop.signal, () => stop.abort());
    expect(left()[1]).toBe(13_000);
    await remove();
    expect(left()).toEqual([0, 0, 0]);
  });
});
