import type { PredictionSet } from '../../../preload/contract/schema/predictions.ts';
import { typeCode } from '../../db/annotation-codes.ts';
import type { Store } from '../../db/store.ts';
import type { JobRow } from '../../work/tables/job-table.ts';

export interface PredictionSetRow extends Omit<PredictionSet, 'owner' | 'object_count' | 'offered'> {
  readonly offered: 0 | 1;
  readonly owner_id: number | null;
}

export type NewPredictionSet = Pick<
  PredictionSetRow,
  'task_id' | 'name' | 'source' | 'detail' | 'format' | 'owner_id'
> &
  Partial<Pick<PredictionSetRow, 'offered'>>;

type JobFrames = Pick<JobRow, 'id' | 'start_frame' | 'stop_frame'>;

export type PredictionRepository = ReturnType<typeof createPredictionRepository>;

/**
 * An annotation is the object of a suggestion if label and shape are equal; a skeleton, if its elements are too. The text
 * of a value, as `[7,"red"]`, occurs in stored attributes only as this value, because JSON escapes quotes within others.
 */
const applicableSql = `
  WITH own AS MATERIALIZED (
    SELECT shape.* FROM annotation_set s JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
    WHERE s.job_id = +:job AND s.state = 'live' AND f.frame BETWEEN +:first AND +:last)
  SELECT DISTINCT suggested.id, suggested.frame
  FROM shape_frame f CROSS JOIN shape suggested ON suggested.id = f.shape_id
  JOIN own ON own.frame = suggested.frame AND own.label_id = suggested.label_id AND own.type = suggested.type
    AND own.points = suggested.points AND own.rotation = suggested.rotation
  WHERE f.set_id = +:set AND f.frame BETWEEN +:first AND +:last
    AND suggested.parent_id IS NULL AND own.parent_id IS NULL
    AND EXISTS (
      SELECT 1 FROM json_each(suggested.attributes) pair WHERE instr(coalesce(own.attributes, ''), pair.value) = 0)
    AND (suggested.type <> ${typeCode('skeleton')} OR NOT EXISTS (
      SELECT part.label_id, part.points FROM shape_frame g CROSS JOIN shape part ON part.id = g.shape_id
      WHERE g.set_id = +:set AND g.frame = suggested.frame AND part.parent_id = suggested.id
      EXCEPT SELECT label_id, points FROM own twin WHERE twin.parent_id = own.id))
  ORDER BY suggested.frame, suggested.id`;

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
  const applicable = database.query(applicableSql);
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
    /** Shapes of a set that suggest other attributes for annotations of a job, which are unchanged since. */
    applicable: (set: number, { id: job, start_frame: first, stop_frame: last }: JobFrames) =>
      applicable.all({ set, job, first, last }) as { readonly id: number; readonly frame: number }[],
    insert: (row: NewPredictionSet, state: PredictionSetRow['state'], date: string): number =>
      Number(insert.run({ offered: 0, ...row, state, date }).lastInsertRowid),
    update: ({ id, name, state }: Pick<PredictionSetRow, 'id' | 'name' | 'state'>, date: string): void =>
      void update.run(name, state, date, id),
    /** Its content is deleted in the background. */
    remove: (id: number): void => void remove.run(id),
  };
}
