import type { Database } from '../../db/open.ts';
import type { LabelOwner } from '../labels/label-repository.ts';

export type AnnotationCleaner = ReturnType<typeof createAnnotationCleaner>;

/** Removes the annotations that carry a label, before the label goes. Runs inside the caller's transaction. */
export function createAnnotationCleaner(database: Database) {
  const tasks = {
    project: 'SELECT task.id FROM task WHERE task.project_id = ?',
    task: 'SELECT task.id FROM task WHERE task.id = ?',
  };
  const sets = (owner: LabelOwner) =>
    `SELECT s.id FROM annotation_set s JOIN job ON job.id = s.job_id WHERE job.task_id IN (${tasks[owner.kind]})`;

  return {
    removeLabels(owner: LabelOwner, labelIds: readonly number[]): void {
      for (const labelId of labelIds) {
        const found = database
          .prepare(
            `SELECT shape.id, shape.set_id, shape.frame FROM shape_frame f JOIN shape ON shape.id = f.shape_id
             WHERE f.set_id IN (${sets(owner)}) AND shape.label_id = ?`,
          )
          .all(owner.id, labelId) as { id: number; set_id: number; frame: number }[];
        const unlist = database.prepare('DELETE FROM shape_frame WHERE set_id = ? AND frame = ? AND shape_id = ?');
        const remove = database.prepare('DELETE FROM shape WHERE id = ?');
        for (const shape of found) {
          unlist.run(shape.set_id, shape.frame, shape.id);
          remove.run(shape.id);
        }
        for (const table of ['tag', 'track']) {
          database
            .prepare(`DELETE FROM ${table} WHERE set_id IN (${sets(owner)}) AND label_id = ?`)
            .run(owner.id, labelId);
        }
      }
    },
  };
}
