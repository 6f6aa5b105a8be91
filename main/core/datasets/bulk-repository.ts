import type { Database } from '../../db/open.ts';
import type { TakeTurn } from '../../platform/turns.ts';
import type { AnnotationBatch, TagBatchRow, TrackBatchRow } from './annotation-batch.ts';
import { createShapeWriter } from './shape-writer.ts';
import { holdsFrame, type TargetSet } from './target-set.ts';

export type { TargetSet } from './target-set.ts';

/** Transactions between two checkpoints: some 600 pages. From 1,000 on, an edit elsewhere would do the checkpoint. */
const transactionsPerCheckpoint = 35;

/** Writes the batches of an import into pending sets, in short transactions. */
export function createBulkRepository(database: Database, targets: readonly TargetSet[], takeTurn: TakeTurn) {
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
  // Nothing of this is shown before the store's main connection publishes it, and that commit, with
  // synchronous=FULL, brings everything before it to the disk as well.
  database.pragma('synchronous = NORMAL');
  // A checkpoint within a commit would keep other writers waiting for the disk.
  database.pragma('wal_autocheckpoint = 0');
  let transactions = 0;
  function inTransaction(write: () => void): void {
    takeTurn(database.transaction(write).immediate);
    transactions += 1;
    if (transactions % transactionsPerCheckpoint === 0) database.pragma('wal_checkpoint(PASSIVE)');
  }

  const shapes = createShapeWriter(database, targets, inTransaction);

  function writeTag(row: TagBatchRow): void {
    for (const target of targets) {
      if (!holdsFrame(target, row.frame)) continue;
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
      if (batch.kind === 'shapes') return shapes.write(batch);
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
    finish: (): { shapes: number } => shapes.finish(),
  };
}
