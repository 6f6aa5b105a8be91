import type { Store } from '../../db/store.ts';
import { partitionPoint } from '../../../preload/geometry/frame-spans.ts';
import { indexTargets, integerColumn, realColumn, type ShapeBatch, type TargetSet } from './annotation-batch.ts';
import { releaseBatch, sortedBatches } from './batch-channel.ts';
import { createShapeDirectory, startOrder } from './shape-directory.ts';
import { createShapeRowRepository, type NewShapeRow } from './shape-row-repository.ts';

/** Rows per transaction, about two milliseconds, which is the longest delay for an edit in another thread. */
const rowsPerTransaction = 1000;
const listedPerTransaction = 4000;

/** Writes the shapes of an import in groups sorted by frame. */
export function createShapeWriter(
  database: Store,
  targets: readonly TargetSet[],
  inTransaction: (write: () => void) => void,
) {
  const targetsOf = indexTargets(targets);
  let directory = createShapeDirectory();
  const rows = createShapeRowRepository(database, ({ target, frame, id }) => directory.add(target, frame, id));
  let waiting: ShapeBatch[] = [];
  /** Ids of skeletons whose elements follow, by target and row. */
  const parentIds = new Map<number, number>();

  function rowOf(index: number, batch: ShapeBatch, row: number, parentId: number | null): NewShapeRow {
    const target = targets[index]!;
    const { integers, reals, capacity, offsets, points, attributes } = batch;
    const area = reals[realColumn.area * capacity + row] ?? 0;
    return {
      target: index,
      setId: target.setId,
      frame: (integers[integerColumn.frame * capacity + row] ?? 0) - (target.frameOffset ?? 0),
      labelId: integers[integerColumn.label * capacity + row] ?? 0,
      type: integers[integerColumn.type * capacity + row] ?? 0,
      source: integers[integerColumn.source * capacity + row] ?? 0,
      flags: integers[integerColumn.flags * capacity + row] ?? 0,
      zOrder: integers[integerColumn.zOrder * capacity + row] ?? 0,
      groupId: integers[integerColumn.group * capacity + row] ?? 0,
      rotation: reals[realColumn.rotation * capacity + row] ?? 0,
      score: reals[realColumn.score * capacity + row] ?? 0,
      area: Number.isNaN(area) ? null : area,
      parentId,
      points: points.subarray(offsets[row], offsets[row + 1]),
      attributes: attributes[row] ?? null,
    };
  }

  function insertInto(index: number, batch: ShapeBatch, row: number, number: number): void {
    const { parents } = batch;
    const parent = parents[row] ?? -1;
    const keyOf = (rowNumber: number): number => rowNumber * targets.length + index;
    const parentId = parent < 0 ? null : (parentIds.get(keyOf(number - row + parent)) ?? null);
    rows.add(rowOf(index, batch, row, parentId));
    if (parents[row + 1] === row) parentIds.set(keyOf(number), rows.flush());
  }

  /** Writes rows of the batches by number, in order of frames. Each batch has `capacity` numbers. */
  function writeRows(batches: readonly ShapeBatch[], capacity: number, numbers: Uint32Array): void {
    const batchOf = (number: number) => batches[Math.floor(number / capacity)]!;
    const frameAt = (at: number): number => {
      const number = numbers[at]!;
      return batchOf(number).integers[integerColumn.frame * capacity + (number % capacity)] ?? 0;
    };
    const [first, last] = [frameAt(0), frameAt(numbers.length - 1)];
    for (const index of targetsOf.within(first, last)) {
      const target = targets[index]!;
      const start = partitionPoint(numbers.length, (at) => frameAt(at) < target.firstFrame);
      for (let at = start; at < numbers.length && frameAt(at) <= target.lastFrame; at += 1) {
        const number = numbers[at]!;
        insertInto(index, batchOf(number), number % capacity, number);
      }
    }
    rows.flush();
  }

  function serializeWrites(batches: readonly ShapeBatch[], numbers: Uint32Array): void {
    for (let first = 0; first < numbers.length; first += rowsPerTransaction) {
      const some = numbers.subarray(first, first + rowsPerTransaction);
      // All batches have the same capacity, so a row's number determines its batch.
      inTransaction(() => writeRows(batches, batches[0]?.capacity ?? 1, some));
    }
    parentIds.clear();
    for (const batch of batches) releaseBatch(batch);
  }

  /** Writes the pending shapes sorted by frame. Skeletons precede their elements. */
  function writeWaiting(): void {
    const batches = waiting;
    waiting = [];
    const order = startOrder(batches.reduce((sum, { count }) => sum + count, 0));
    for (const [index, { count, integers, capacity }] of batches.entries()) {
      const frames = integers.subarray(integerColumn.frame * capacity);
      for (let row = 0; row < count; row += 1) order.add(frames[row] ?? 0, index * capacity + row);
    }
    serializeWrites(batches, order.byFrame());
  }

  /** Writes the directory entries in order: updating an index in random order takes three times as long. */
  function writeDirectory(): void {
    let sets: { readonly setId: number; readonly values: number[] }[] = [];
    let [listed, count] = [-1, 0];
    const write = (): void => {
      if (count > 0) inTransaction(() => rows.list(sets));
      [sets, listed, count] = [[], -1, 0];
    };
    directory.inOrder((index, frame, id) => {
      if (count === listedPerTransaction) write();
      if (index !== listed) sets.push({ setId: targets[index]!.setId, values: [] });
      listed = index;
      count += 1;
      sets.at(-1)!.values.push(frame, id);
    });
    write();
    directory = createShapeDirectory();
  }

  /** True while all shapes arrived in frame order. */
  let areInOrder = true;
  let reachedFrame = 0;
  function follows({ count, integers, capacity }: ShapeBatch): boolean {
    const frames = integers.subarray(integerColumn.frame * capacity);
    for (let row = 0; row < count; row += 1) {
      const frame = frames[row] ?? 0;
      if (frame < reachedFrame) return false;
      reachedFrame = frame;
    }
    return true;
  }

  return {
    /** Writes directly while a file is in frame order. After the first step back, groups are sorted. */
    write(batch: ShapeBatch): void {
      areInOrder &&= follows(batch);
      if (areInOrder) {
        serializeWrites(
          [batch],
          Uint32Array.from({ length: batch.count }, (_, row) => row),
        );
        if (directory.size() >= listedPerTransaction) writeDirectory();
      } else if (waiting.push(batch) === sortedBatches) writeWaiting();
    },
    finish(): void {
      writeWaiting();
      writeDirectory();
    },
  };
}
