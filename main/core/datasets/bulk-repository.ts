import type { Database } from '../../db/open.ts';
import {
  integerColumn,
  realColumn,
  type AnnotationBatch,
  type ShapeBatch,
  type TagBatchRow,
  type TrackBatchRow,
} from './annotation-batch.ts';

/** A pending set, and the frames of its job. */
export interface TargetSet {
  readonly setId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
  /**
   * Less than a frame's number by this much is what is stored. An import of several tasks, or of jobs that overlap,
   * gives each of them frames of its own, one after another; the store counts the frames of each task from 0.
   */
  readonly frameOffset?: number;
}

/** Rows in one transaction: about a millisecond of write lock, so that edits elsewhere never wait for an import. */
const rowsPerTransaction = 500;
const listedPerTransaction = 4000;

/** Growing columns of (set, frame, shape) for the directory that is written last, in order. */
function createDirectory() {
  let frames = new Int32Array(1 << 16);
  let sets = new Int32Array(1 << 16);
  let ids = new Float64Array(1 << 16);
  let count = 0;
  const grow = () => {
    const larger = <Column extends Int32Array | Float64Array>(column: Column, copy: Column): Column => {
      copy.set(column);
      return copy;
    };
    frames = larger(frames, new Int32Array(frames.length * 2));
    sets = larger(sets, new Int32Array(sets.length * 2));
    ids = larger(ids, new Float64Array(ids.length * 2));
  };
  return {
    add(setIndex: number, frame: number, id: number): void {
      if (count === frames.length) grow();
      sets[count] = setIndex;
      frames[count] = frame;
      ids[count] = id;
      count += 1;
    },
    /**
     * Entries by frame and id: ids grow with the row, and the sets of a task's jobs follow each other with the frames.
     * One number a row (frame, row) sorts much faster than a comparison function: frames stay below 2²¹.
     */
    *sorted(): Generator<[setIndex: number, frame: number, id: number]> {
      const keys = new Float64Array(count);
      for (let row = 0; row < count; row += 1) keys[row] = (frames[row] ?? 0) * 2 ** 32 + row;
      keys.sort();
      for (const key of keys) {
        const row = key % 2 ** 32;
        yield [sets[row] ?? 0, frames[row] ?? 0, ids[row] ?? 0];
      }
    },
    size: () => count,
  };
}

/** Writes the batches of an import into pending sets, in short transactions. */
export function createBulkRepository(database: Database, targets: readonly TargetSet[]) {
  const insertShape = database.prepare(
    `INSERT INTO shape (set_id, frame, label_id, type, source, flags, z_order, group_id, rotation, score, area,
       parent_id, points, attributes) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertTag = database.prepare(
    'INSERT INTO tag (set_id, frame, label_id, source, group_id, attributes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertTrack = database.prepare(
    'INSERT INTO track (set_id, frame, label_id, source, group_id, parent_id, attributes) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const insertTracked = database.prepare(
    `INSERT INTO tracked_shape (track_id, frame, type, flags, z_order, rotation, points, attributes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const list = database.prepare('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const directory = createDirectory();
  const parentIds = new Map<string, number>();

  function inTransaction(write: () => void): void {
    begin.run();
    try {
      write();
      commit.run();
    } catch (error) {
      if (database.inTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  function writeShape(batch: ShapeBatch, row: number): void {
    const { integers, reals, capacity, offsets, points, attributes, parents } = batch;
    const integer = (column: number) => integers[column * capacity + row] ?? 0;
    const real = (column: number) => reals[column * capacity + row] ?? 0;
    const frame = integer(integerColumn.frame);
    const area = real(realColumn.area);
    const parent = parents[row] ?? -1;
    targets.forEach((target, index) => {
      if (frame < target.firstFrame || frame > target.lastFrame) return;
      const { lastInsertRowid } = insertShape.run(
        target.setId,
        frame - (target.frameOffset ?? 0),
        integer(integerColumn.label),
        integer(integerColumn.type),
        integer(integerColumn.source),
        integer(integerColumn.flags),
        integer(integerColumn.zOrder),
        integer(integerColumn.group),
        real(realColumn.rotation),
        real(realColumn.score),
        Number.isNaN(area) ? null : area,
        parent < 0 ? null : (parentIds.get(`${index} ${parent}`) ?? null),
        points.subarray(offsets[row], offsets[row + 1]),
        attributes[row] ?? null,
      );
      const id = Number(lastInsertRowid);
      if (parents[row + 1] === row) parentIds.set(`${index} ${row}`, id);
      directory.add(index, frame, id);
    });
  }

  function writeShapes(batch: ShapeBatch): void {
    parentIds.clear();
    for (let first = 0; first < batch.count; first += rowsPerTransaction) {
      const last = Math.min(first + rowsPerTransaction, batch.count);
      inTransaction(() => {
        for (let row = first; row < last; row += 1) writeShape(batch, row);
      });
    }
  }

  const holds = (target: TargetSet, frame: number) => frame >= target.firstFrame && frame <= target.lastFrame;

  function writeTag(row: TagBatchRow): void {
    for (const target of targets) {
      if (!holds(target, row.frame)) continue;
      const frame = row.frame - (target.frameOffset ?? 0);
      insertTag.run(target.setId, frame, row.labelId, row.source, row.group, row.attributes);
    }
  }

  function writeTrack(row: TrackBatchRow, target: TargetSet, parentId: number | null): void {
    const { labelId, source, group, attributes } = row;
    const offset = target.frameOffset ?? 0;
    const frame = row.frame - offset;
    const id = Number(
      insertTrack.run(target.setId, frame, labelId, source, group, parentId, attributes).lastInsertRowid,
    );
    for (const shape of row.shapes) {
      const { type, flags, zOrder, rotation, points } = shape;
      insertTracked.run(id, shape.frame - offset, type, flags, zOrder, rotation, points, shape.attributes);
    }
    for (const element of row.elements) writeTrack(element, target, id);
  }

  return {
    write(batch: Exclude<AnnotationBatch, { kind: 'end' }>): void {
      if (batch.kind === 'shapes') return writeShapes(batch);
      inTransaction(() => {
        if (batch.kind === 'tags') for (const row of batch.rows) writeTag(row);
        else {
          for (const row of batch.rows) {
            const target = targets[row.target];
            if (target) writeTrack(row, target, null);
          }
        }
      });
    },
    /** The directory last, in order: three times faster than an index that is kept while rows arrive at random. */
    finish(): { shapes: number } {
      let entries: [number, number, number][] = [];
      const write = () =>
        inTransaction(() => {
          for (const [index, frame, id] of entries) {
            const target = targets[index];
            list.run(target?.setId, frame - (target?.frameOffset ?? 0), id);
          }
        });
      for (const entry of directory.sorted()) {
        if (entries.push(entry) < listedPerTransaction) continue;
        write();
        entries = [];
      }
      if (entries.length > 0) write();
      return { shapes: directory.size() };
    },
  };
}
