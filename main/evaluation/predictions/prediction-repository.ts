import type { PredictionSet } from '../../../preload/contract/schema/predictions.ts';
import type { Store } from '../../db/store.ts';

export interface PredictionSetRow extends Omit<PredictionSet, 'owner' | 'object_count' | 'offered'> {
  readonly offered: 0 | 1;
  readonly owner_id: number | null;
}

export type NewPredictionSet = Pick<
  PredictionSetRow,
  'task_id' | 'name' | 'source' | 'detail' | 'format' | 'owner_id'
> &
  Partial<Pick<PredictionSetRow, 'offered'>>;

export type PredictionRepository = ReturnType<typeof createPredictionRepository>;

export function createPredictionRepository(database: Store) {
  const one = database.query('SELECT * FROM prediction_set WHERE id = +?');
  const ofTask = database.query('SELECT * FROM prediction_set WHERE task_id = +? ORDER BY id DESC');
  const offered = database.query('SELECT * FROM prediction_set WHERE task_id = +? AND offered = 1 ORDER BY id');
  const countByFrame = database.query(
    `SELECT frame, count(*) AS count FROM (
       SELECT f.frame FROM shape_frame f CROSS JOIN shape ON shape.id = f.shape_id
       WHERE f.set_id = +:set AND f.frame BETWEEN +:first AND +:last AND shape.parent_id IS NULL
       UNION ALL SELECT frame FROM tag WHERE set_id = +:set AND frame BETWEEN +:first AND +:last)
     GROUP BY frame`,
  );
  const insert = database.query(
    `INSERT INTO prediction_set (task_id, name, source, detail, format, offered, state, owner_id, created_date, updated_date)
     VALUES (@task_id, @name, @source, @detail, @format, @offered, @state, @owner_id, @date, @date)`,
  );
  const update = database.query('UPDATE prediction_set SET name = ?, state = ?, updated_date = ? WHERE id = +?');
  const remove = database.query('DELETE FROM prediction_set WHERE id = +?');
  return {
    get: (id: number) => one.get(id) as PredictionSetRow | undefined,
    ofTask: (taskId: number) => ofTask.all(taskId) as PredictionSetRow[],
    /** Sets whose objects annotators see as suggestions, oldest first. */
    offered: (taskId: number) => offered.all(taskId) as PredictionSetRow[],
    /** Shapes and tags of an annotation set by frame, both ends included; a skeleton counts as one. */
    countByFrame: (set: number, first: number, last: number) =>
      countByFrame.all({ set, first, last }) as { readonly frame: number; readonly count: number }[],
    insert: (row: NewPredictionSet, state: PredictionSetRow['state'], date: string): number =>
      Number(insert.run({ offered: 0, ...row, state, date }).lastInsertRowid),
    update: ({ id, name, state }: Pick<PredictionSetRow, 'id' | 'name' | 'state'>, date: string): void =>
      void update.run(name, state, date, id),
    /** Its content is deleted in the background. */
    remove: (id: number): void => void remove.run(id),
  };
}
