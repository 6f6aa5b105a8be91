import type { Store } from '../../db/store.ts';
import {
  indexTargets,
  type AnnotationBatch,
  type TagBatchRow,
  type TargetSet,
  type TrackBatchRow,
} from './annotation-batch.ts';
import { createShapeWriter } from './shape-writer.ts';

/**
 * Transactions between two checkpoints, about 600 pages. At 1,000 pages, an edit in another thread would trigger a
 * checkpoint.
 */
const transactionsPerCheckpoint = 35;

/** Writes the batches of an import to pending sets in short transactions. */
export function createBulkRepository(database: Store, targets: readonly TargetSet[]) {
  const insertTag = database.query(
    'INSERT INTO tag (set_id, frame, label_id, source, group_id, attributes) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertTrack = database.query(
    `INSERT INTO track (set_id, frame, label_id, source, group_id, parent_id, attributes, origin_id, piece_count)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const setOrigin = database.query('UPDATE track SET origin_id = id WHERE id = +?');
  const insertTracked = database.query(
    `INSERT INTO tracked_shape (track_id, frame, type, flags, z_order, rotation, points, attributes)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  let transactions = 0;
  function inTransaction(write: () => void): void {
    database.write(write);
    transactions += 1;
    if (transactions % transactionsPerCheckpoint === 0) database.pragma('wal_checkpoint(PASSIVE)');
  }

  const targetsOf = indexTargets(targets);
  const shapes = createShapeWriter(database, targets, inTransaction);

  function writeTag(row: TagBatchRow): void {
    for (const index of targetsOf.within(row.frame)) {
      const target = targets[index]!;
      const frame = row.frame - (target.frameOffset ?? 0);
      insertTag.run(target.setId, frame, row.labelId, row.source, row.group, row.attributes);
    }
  }

  /** Ids of original tracks by their number in the rows. */
  const origins = new Map<number, number>();

  function writeTrack(row: TrackBatchRow, parentId: number | null = null): void {
    const target = targets[row.target];
    if (!target) return;
    const { labelId, source, group, attributes, origin, pieceCount } = row;
    const originId = origin === undefined ? undefined : origins.get(origin);
    const offset = target.frameOffset ?? 0;
    const values = [target.setId, row.frame - offset, labelId, source, group, parentId, attributes];
    const id = Number(insertTrack.run(...values, originId ?? null, pieceCount ?? null).lastInsertRowid);
    for (const shape of row.shapes) {
      const { type, flags, zOrder, rotation, points } = shape;
      insertTracked.run(id, shape.frame - offset, type, flags, zOrder, rotation, points, shape.attributes);
    }
    for (const element of row.elements) writeTrack(element, id);
    if (origin === undefined || originId !== undefined) return;
    setOrigin.run(id);
    origins.set(origin, id);
  }

  return {
    write(batch: Exclude<AnnotationBatch, { kind: 'end' }>): void {
      if (batch.kind === 'shapes') return shapes.write(batch);
      inTransaction(() => {
        if (batch.kind === 'tags') for (const row of batch.rows) writeTag(row);
        else for (const row of batch.rows) writeTrack(row);
      });
    },
    finish: (): void => shapes.finish(),
  };
}
