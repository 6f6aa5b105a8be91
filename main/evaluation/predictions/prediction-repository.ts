import type { PredictionSet } from '../../../preload/contract/schema/predictions.ts';
import type { Store } from '../../db/store.ts';

export interface PredictionSetRow extends Omit<PredictionSet, 'owner' | 'object_count'> {
  readonly owner_id: number | null;
}

export type NewPredictionSet = Pick<PredictionSetRow, 'task_id' | 'name' | 'source' | 'detail' | 'format' | 'owner_id'>;

export type PredictionRepository = ReturnType<typeof createPredictionRepository>;

export function createPredictionRepository(database: Store) {
  const one = database.query('SELECT * FROM prediction_set WHERE id = +?');
  const ofTask = database.query('SELECT * FROM prediction_set WHERE task_id = +? ORDER BY id DESC');
  const insert = database.query(
    `INSERT INTO prediction_set (task_id, name, source, detail, format, state, owner_id, created_date, updated_date)
     VALUES (@task_id, @name, @source, @detail, @format, @state, @owner_id, @date, @date)`,
  );
  const update = database.query('UPDATE prediction_set SET name = ?, state = ?, updated_date = ? WHERE id = +?');
  const remove = database.query('DELETE FROM prediction_set WHERE id = +?');
  return {
    get: (id: number) => one.get(id) as PredictionSetRow | undefined,
    ofTask: (taskId: number) => ofTask.all(taskId) as PredictionSetRow[],
    insert: (row: NewPredictionSet, state: PredictionSetRow['state'], date: string): number =>
      Number(insert.run({ ...row, state, date }).lastInsertRowid),
    update: ({ id, name, state }: Pick<PredictionSetRow, 'id' | 'name' | 'state'>, date: string): void =>
      void update.run(name, state, date, id),
    /** Its content is deleted in the background. */
    remove: (id: number): void => void remove.run(id),
  };
}
