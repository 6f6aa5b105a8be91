import type { Database } from '../../db/open.ts';
import { integerColumn, realColumn, type ShapeBatch } from './annotation-batch.ts';
import { sortedBatches } from './batch-channel.ts';
import { createShapeDirectory, startOrder } from './shape-directory.ts';
import { holdsFrame, type TargetSet } from './target-set.ts';

/** Rows in one transaction: some two milliseconds, which an edit elsewhere waits for at most. */
const rowsPerTransaction = 500;
const listedPerTransaction = 2000;

/** Writes the shapes of an import, lot by lot in the order of their frames. */
export function createShapeWriter(
  database: Database,
  targets: readonly TargetSet[],
  inTransaction: (write: () => void) => void,
) {
  const insertShape = database.prepare(
    `INSERT INTO shape (set_id, frame, label_id, type, source, flags, z_order, group_id, rotation, score, area,
       parent_id, points, attributes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = database.prepare('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
  const directory = createShapeDirectory();
  let waiting: ShapeBatch[] = [];
  /** Ids of skeletons whose elements follow, by target and row. */
  const parentIds = new Map<number, number>();

  function insertInto(target: TargetSet, index: number, batch: ShapeBatch, row: number, number: number): void {
    const { integers, reals, capacity, offsets, points, attributes, parents } = batch;
    const frame = integers[integerColumn.frame * capacity + row] ?? 0;
    const area = reals[realColumn.area * capacity + row] ?? 0;
    const parent = parents[row] ?? -1;
    const { lastInsertRowid } = insertShape.run(
      target.setId,
      frame - (target.frameOffset ?? 0),
      integers[integerColumn.label * capacity + row],
      integers[integerColumn.type * capacity + row],
      integers[integerColumn.source * capacity + row],
      integers[integerColumn.flags * capacity + row],
      integers[integerColumn.zOrder * capacity + row],
      integers[integerColumn.group * capacity + row],
      reals[realColumn.rotation * capacity + row],
      reals[realColumn.score * capacity + row],
      Number.isNaN(area) ? null : area,
      parent < 0 ? null : (parentIds.get((number - row + parent) * targets.length + index) ?? null),
      points.subarray(offsets[row], offsets[row + 1]),
      attributes[row] ?? null,
    );
    const id = Number(lastInsertRowid);
    if (parents[row + 1] === row) parentIds.set(number * targets.length + index, id);
    directory.add(index, frame, id);
  }

  function writeRow(batch: ShapeBatch, row: number, number: number): void {
    const frame = batch.integers[integerColumn.frame * batch.capacity + row] ?? 0;
    for (let index = 0; index < targets.length; index += 1) {
      const target = targets[index];
      if (target && holdsFrame(target, frame)) insertInto(target, index, batch, row, number);
    }
  }

  /** Writes the shapes that wait, in the order of their frames; skeletons come before their elements. */
  function writeWaiting(): void {
    const batches = waiting;
    waiting = [];
    // All batches have the same capacity: a row's number tells its batch.
    const capacity = batches[0]?.capacity ?? 1;
    const order = startOrder(batches.reduce((sum, { count }) => sum + count, 0));
    for (const [index, { count, integers }] of batches.entries()) {
      const frames = integers.subarray(integerColumn.frame * capacity);
      for (let row = 0; row < count; row += 1) order.add(frames[row] ?? 0, index * capacity + row);
    }
    const numbers = order.byFrame();
    for (let first = 0; first < numbers.length; first += rowsPerTransaction) {
      inTransaction(() => {
        for (const number of numbers.subarray(first, first + rowsPerTransaction)) {
          const batch = batches[Math.floor(number / capacity)];
          if (batch) writeRow(batch, number % capacity, number);
        }
      });
    }
    parentIds.clear();
  }

  return {
    write(batch: ShapeBatch): void {
      if (waiting.push(batch) === sortedBatches) writeWaiting();
    },
    /** The directory last, in order: three times faster than an index that is kept while rows arrive at random. */
    finish(): { shapes: number } {
      writeWaiting();
      let entries: (readonly [setId: number, frame: number, id: number])[] = [];
      const write = () =>
        inTransaction(() => {
          for (const [setId, frame, id] of entries) list.run(setId, frame, id);
          entries = [];
        });
      directory.inOrder((index, frame, id) => {
        const target = targets[index];
        if (target) entries.push([target.setId, frame - (target.frameOffset ?? 0), id]);
        if (entries.length >= listedPerTransaction) write();
      });
      if (entries.length > 0) write();
      return { shapes: directory.size() };
    },
  };
}
