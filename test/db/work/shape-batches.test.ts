import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ShapeRow } from '../../../main/work/annotations/annotation-rows.ts';
import { integerColumn, realColumn } from '../../../main/import-export/bulk-writer/annotation-batch.ts';
import { createDatasetRepository } from '../../../main/import-export/bulk-writer/dataset-repository.ts';
import type { StoredShapeBatch } from '../../../main/import-export/bulk-writer/stored-shape-batch.ts';
import type { Store } from '../../../main/db/store.ts';
import { temporaryStore } from '../../support/new-store.ts';

function createStore(): Store {
  const database = temporaryStore();
  database.pragma('foreign_keys = OFF');
  return database;
}

interface Row {
  readonly frame: number;
  readonly points: Uint8Array;
  readonly area: number | null;
  readonly attributes: string | null;
  readonly isElement: boolean;
}

/** Fills a new job, one annotation set after another. */
function fill(database: Store, sets: readonly (readonly Row[])[]): number {
  const jobId = Number(database.query('SELECT coalesce(max(job_id), 0) + 1 FROM annotation_set').pluck().get());
  const insertSet = database.query("INSERT INTO annotation_set (job_id, state) VALUES (?, 'live')");
  const insert = database.query(
    `INSERT INTO shape (set_id, frame, label_id, type, source, flags, z_order, group_id, rotation, score, area,
       parent_id, points, attributes) VALUES (?, ?, ?, 1, 2, 3, ?, 5, 6.5, 0.25, ?, ?, ?, ?)`,
  );
  const list = database.query('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
  database.write(() => {
    for (const rows of sets) {
      const setId = Number(insertSet.run(jobId).lastInsertRowid);
      for (const [index, { frame, points, area, attributes, isElement }] of rows.entries()) {
        const parent = isElement ? index : null;
        const { lastInsertRowid } = insert.run(setId, frame, index, -index, area, parent, points, attributes);
        list.run(setId, frame, lastInsertRowid);
      }
    }
  });
  return jobId;
}

const orNull = (value = Number.NaN): number | null => (Number.isNaN(value) ? null : value);

function* rowsOf(batches: Iterable<StoredShapeBatch>) {
  for (const { count, capacity, integers, reals, ids, parents, offsets, points, attributes } of batches) {
    expect(count).toBeLessThanOrEqual(capacity);
    const integer = (column: keyof typeof integerColumn, row: number) =>
      integers[integerColumn[column] * capacity + row];
    for (let row = 0; row < count; row += 1) {
      yield {
        id: ids[row],
        frame: integer('frame', row),
        label_id: integer('label', row),
        type: integer('type', row),
        source: integer('source', row),
        flags: integer('flags', row),
        z_order: integer('zOrder', row),
        group_id: integer('group', row),
        rotation: reals[realColumn.rotation * capacity + row],
        score: reals[realColumn.score * capacity + row],
        area: orNull(reals[realColumn.area * capacity + row]),
        parent_id: orNull(parents[row]),
        points: Buffer.from(points.subarray(offsets[row], offsets[row + 1])).toString('hex'),
        attributes: attributes[row],
      };
    }
  }
}

/** Compares the batches with the rows of one sorted query. Within a frame, older sets come first. */
function compare(database: Store, jobId: number): number {
  const rows = database.query(`SELECT shape.* FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id
    JOIN shape ON shape.id = f.shape_id WHERE s.job_id = ? AND s.state = 'live' ORDER BY f.frame, f.set_id, f.shape_id`);
  const expected = (rows.all(jobId) as ShapeRow[]).map(({ set_id: _set, points, ...row }) => ({
    ...row,
    points: Buffer.from(points).toString('hex'),
  }));
  expect([...rowsOf(createDatasetRepository(database).shapeBatches(jobId))]).toEqual(expected);
  return expected.length;
}

const row: fc.Arbitrary<Row> = fc.record({
  frame: fc.nat(5),
  points: fc.oneof(fc.uint8Array({ maxLength: 12 }), fc.constant(Uint8Array.of(0, 0, 255, 128, 0))),
  area: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  attributes: fc.option(fc.string()),
  isElement: fc.boolean(),
});

test('batches contain every row of a job in the order of the rows, for any number of sets', () => {
  const database = createStore();
  fc.assert(
    fc.property(fc.array(fc.array(row, { maxLength: 12 }), { maxLength: 4 }), (sets) => {
      compare(database, fill(database, sets));
    }),
    { numRuns: 200 },
  );
});

test('batches continue after the previous one, within a frame too', () => {
  const database = createStore();
  const rows = (count: number, framesEach: number): Row[] =>
    Array.from({ length: count }, (_, index) => ({
      frame: Math.floor(index / framesEach),
      points: Uint8Array.of(index & 255, 0, index >> 8),
      area: null,
      attributes: null,
      isElement: false,
    }));
  expect(compare(database, fill(database, [rows(2500, 7000)]))).toBe(2500);
  expect(compare(database, fill(database, [rows(1000, 3)]))).toBe(1000);
  expect(compare(database, fill(database, [rows(2300, 1), rows(1500, 2)]))).toBe(3800);
});

test('long shapes give small batches', () => {
  const database = createStore();
  const rows = Array.from({ length: 12 }, (_, index): Row => {
    const points = new Uint8Array(index === 4 ? 3_000_000 : 400_000).fill(index);
    return { frame: index, points, area: null, attributes: null, isElement: false };
  });
  const jobId = fill(database, [rows]);
  expect(compare(database, jobId)).toBe(12);
  const sizes = Array.from(createDatasetRepository(database).shapeBatches(jobId), ({ points }) => points.length);
  expect(sizes.filter((size) => size > 1_048_576)).toEqual([3_000_000]);
});
