import type { Store } from '../../db/store.ts';
import type { LabelOwner } from '../labels/label-repository.ts';

export type LabelledRepository = ReturnType<typeof createLabelledRepository>;

/** Removes the annotations of a label before the label is deleted. Runs inside the caller's transaction. */
export function createLabelledRepository(database: Store) {
  const tasks = {
    project: 'SELECT task.id FROM task WHERE task.project_id = +?',
    task: 'SELECT task.id FROM task WHERE task.id = +?',
  };
  const sets = (owner: LabelOwner) =>
    `SELECT s.id FROM annotation_set s JOIN job ON job.id = s.job_id
     WHERE job.task_id IN (${tasks[owner.kind]}) AND s.state IN ('live', 'pending')`;

  /** Predictions with a deleted label are not saved for undo, because they can be imported again. */
  function removePredictions(owner: LabelOwner, labelId: number): void {
    const from = `SELECT s.id FROM prediction_set p JOIN annotation_set s ON s.prediction_set_id = p.id
      WHERE p.task_id IN (${tasks[owner.kind]})`;
    const shapes = `SELECT f.shape_id FROM shape_frame f JOIN shape ON shape.id = f.shape_id
      WHERE f.set_id IN (${from}) AND shape.label_id = +?`;
    const ids = database.query(shapes).pluck().all(owner.id, labelId) as number[];
    const unlist = database.query(
      'DELETE FROM shape_frame WHERE (set_id, frame, shape_id) IN (SELECT set_id, frame, id FROM shape WHERE id = +?)',
    );
    const remove = database.query('DELETE FROM shape WHERE id = +?');
    for (const id of ids) {
      unlist.run(id);
      remove.run(id);
    }
    for (const table of ['tag', 'track'])
      database.query(`DELETE FROM ${table} WHERE set_id IN (${from}) AND label_id = +?`).run(owner.id, labelId);
  }

  return {
    /**
     * Removes the annotations from the sets that the jobs show.
     * @param hiddenOf returns the hidden set that receives a job's removed objects
     * @returns the number of objects
     */
    hide(owner: LabelOwner, labelIds: readonly number[], hiddenOf: (jobId: number) => number): number {
      const rows = <Row>(sql: string, labelId: number) => database.query(sql).all(owner.id, labelId) as Row[];
      const unlist = database.query('DELETE FROM shape_frame WHERE set_id = +? AND frame = +? AND shape_id = +?');
      const list = database.query('INSERT INTO shape_frame (set_id, frame, shape_id) VALUES (?, ?, ?)');
      const move = (table: 'shape' | 'tag' | 'track') => database.query(`UPDATE ${table} SET set_id = ? WHERE id = +?`);
      const moveShape = move('shape');
      let count = 0;
      for (const labelId of labelIds) {
        const shapes = rows<{ id: number; set_id: number; job_id: number; frame: number; parent_id: number | null }>(
          `SELECT shape.id, shape.set_id, s.job_id, shape.frame, shape.parent_id FROM annotation_set s
           JOIN shape_frame f ON f.set_id = s.id JOIN shape ON shape.id = f.shape_id
           WHERE s.id IN (${sets(owner)}) AND shape.label_id = +?`,
          labelId,
        );
        for (const { id, set_id: setId, job_id: jobId, frame, parent_id: parent } of shapes) {
          const hidden = hiddenOf(jobId);
          unlist.run(setId, frame, id);
          moveShape.run(hidden, id);
          list.run(hidden, frame, id);
          if (parent === null) count += 1;
        }
        for (const table of ['tag', 'track'] as const) {
          const parent = table === 'track' ? 'parent_id' : 'NULL';
          const moveOne = move(table);
          const found = rows<{ id: number; job_id: number; parent_id: number | null }>(
            `SELECT ${table}.id, s.job_id, ${parent} AS parent_id FROM annotation_set s
             JOIN ${table} ON ${table}.set_id = s.id WHERE s.id IN (${sets(owner)}) AND ${table}.label_id = +?`,
            labelId,
          );
          for (const { id, job_id: jobId, parent_id: parentId } of found) {
            moveOne.run(hiddenOf(jobId), id);
            if (parentId === null) count += 1;
          }
        }
      }
      for (const labelId of labelIds) removePredictions(owner, labelId);
      database
        .query(
          `UPDATE annotation_change SET labels_gone = 1 WHERE id IN (SELECT s.change_id FROM annotation_set s
             JOIN job ON job.id = s.job_id WHERE s.change_id IS NOT NULL AND job.task_id IN (${tasks[owner.kind]}))`,
        )
        .run(owner.id);
      return count;
    },
  };
}
