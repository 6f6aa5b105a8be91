import { expect, test } from 'vitest';
import type { StatementCounter, Store } from '../../../main/db/store.ts';
import { migrate } from '../../../main/db/store/migrate.ts';
import { createBatchBuilder, shapeFields } from '../../../main/import-export/bulk-writer/batch-builder.ts';
import { createBulkRepository } from '../../../main/import-export/bulk-writer/bulk-repository.ts';
import { temporaryDatabase } from '../../support/new-store.ts';

function createStore(counter?: StatementCounter): Store {
  const database = temporaryDatabase({ counter });
  migrate(database);
  database.pragma('foreign_keys = OFF');
  return database;
}

const setId = 7;
const box = { type: 'rectangle', points: [1, 2, 3, 4], z_order: 0, occluded: false } as const;

/**
 * Frames with one shape each, in the order of the file. A frame number that ends in 5 has a skeleton with an element.
 */
function importFrames(database: Store, frames: readonly number[]): void {
  const targets = [{ setId, firstFrame: 0, lastFrame: 100_000 }];
  const bulk = createBulkRepository(database, targets);
  const builder = createBatchBuilder((batch) => {
    if (batch.kind !== 'end') bulk.write(batch);
  });
  for (const [labelId, frame] of frames.entries()) {
    const fields = shapeFields(box, { frame, labelId, attributes: null });
    builder.addShape(fields, frame % 10 === 5 ? [{ ...fields, zOrder: 1 }] : []);
  }
  builder.end();
  bulk.finish();
}

const upwards = Array.from({ length: 9000 }, (_, index) => Math.floor(index / 3));

test.each([
  ['in the order of the frames', upwards],
  ['backwards', upwards.toReversed()],
  ['in order, and once more from the first frame', [...upwards, ...upwards]],
  ['in order but for the last', [...upwards, 0]],
])('an import of shapes %s lists each once, on its frame, with its elements', (_order, frames) => {
  const database = createStore();
  importFrames(database, frames);
  const listed = database
    .query(
      `SELECT shape.frame, shape.label_id, parent.label_id AS parent FROM shape_frame
         JOIN shape ON shape.id = shape_frame.shape_id AND shape.frame = shape_frame.frame
         LEFT JOIN shape AS parent ON parent.id = shape.parent_id
       WHERE shape_frame.set_id = ? ORDER BY shape_frame.frame, shape_frame.shape_id`,
    )
    .all(setId);
  const expected = frames
    .map((frame, label_id) => ({ frame, label_id }))
    .toSorted((a, b) => a.frame - b.frame || a.label_id - b.label_id)
    .flatMap(({ frame, label_id }) => [
      { frame, label_id, parent: null },
      ...(frame % 10 === 5 ? [{ frame, label_id, parent: label_id }] : []),
    ]);
  expect(listed).toEqual(expected);
});

/** Statements of an import of seven shapes on each frame, into jobs of equal size. */
function importIntoJobs(jobs: number) {
  const frames = 500;
  const work = { statements: 0 };
  const database = createStore({ count: () => void (work.statements += 1) });
  const before = work.statements;
  const size = frames / jobs;
  const targets = Array.from({ length: jobs }, (_, job) => ({
    setId: 1 + job,
    firstFrame: job * size,
    lastFrame: (job + 1) * size - 1,
  }));
  const bulk = createBulkRepository(database, targets);
  const builder = createBatchBuilder((batch) => {
    if (batch.kind !== 'end') bulk.write(batch);
  });
  for (let labelId = 0; labelId < 7; labelId += 1)
    for (let frame = 0; frame < frames; frame += 1)
      builder.addShape(shapeFields(box, { frame, labelId, attributes: null }), []);
  builder.end();
  bulk.finish();
  const statements = work.statements - before;
  const misplaced = database
    .query(
      `SELECT count(*) FROM shape LEFT JOIN shape_frame f ON f.shape_id = shape.id AND f.set_id = shape.set_id
       WHERE shape.set_id <> 1 + shape.frame / CAST(? AS INTEGER) OR f.frame IS NOT shape.frame`,
    )
    .pluck()
    .get(size);
  expect(misplaced).toBe(0);
  expect(database.query('SELECT count(*) FROM shape_frame').pluck().get()).toBe(7 * frames);
  return statements;
}

test('an import into many jobs writes and lists their shapes in shared statements', () => {
  expect(importIntoJobs(500)).toBeLessThan(1.3 * importIntoJobs(1));
});
