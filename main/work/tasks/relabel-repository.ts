import type { Store } from '../../db/store.ts';
import { packAttributes, unpackAttributes } from '../annotations/annotation-rows.ts';

export interface Relabelling {
  readonly labels: ReadonlyMap<number, number>;
  readonly attributes: ReadonlyMap<number, number>;
}

export type RelabelRepository = ReturnType<typeof createRelabelRepository>;

/** SQL: sets that the task's jobs show, and its saved predictions. */
const setsOf = (which: string) =>
  `WITH wanted (id) AS (SELECT ?)
   SELECT s.id FROM wanted JOIN job ON job.task_id = wanted.id JOIN annotation_set s ON s.job_id = job.id WHERE (${which})
   UNION ALL SELECT s.id FROM wanted JOIN prediction_set p ON p.task_id = wanted.id
   JOIN annotation_set s ON s.prediction_set_id = p.id`;
const tables = ['shape', 'tag', 'track'] as const;
/** Shapes are found by their frames: an index on their sets would slow down every import. */
const rowsIn = (sets: string) => ({
  shape: `SELECT f.shape_id FROM shape_frame f WHERE f.set_id IN (${sets})`,
  tag: `SELECT id FROM tag WHERE set_id IN (${sets})`,
  track: `SELECT id FROM track WHERE set_id IN (${sets})`,
  tracked_shape: `SELECT t.id FROM tracked_shape t JOIN track ON track.id = t.track_id WHERE track.set_id IN (${sets})`,
});
const shown = rowsIn(setsOf("s.state = 'live'"));
/** Includes the annotations kept for undo. */
const rowsOf = rowsIn(setsOf("s.state = 'live' OR s.change_id IS NOT NULL"));

/** Replaces the labels and attributes of all annotations of a task. Runs inside the caller's transaction. */
export function createRelabelRepository(database: Store) {
  const busy = database.query("SELECT 1 FROM request WHERE task_id = +? AND status IN ('queued', 'started') LIMIT 1");

  const markKept = database.query(
    `UPDATE annotation_change SET labels_gone = 1 WHERE id IN (SELECT s.change_id FROM annotation_set s
       JOIN job ON job.id = s.job_id WHERE job.task_id = +? AND s.change_id IS NOT NULL)`,
  );

  function changeAttributes(table: keyof typeof rowsOf, taskId: number, ids: ReadonlyMap<number, number>): void {
    const rows = database
      .query(`SELECT id, attributes FROM ${table} WHERE attributes IS NOT NULL AND id IN (${rowsOf[table]})`)
      .all(taskId) as { id: number; attributes: string }[];
    const update = database.query(`UPDATE ${table} SET attributes = ? WHERE id = +?`);
    for (const { id, attributes } of rows) {
      const values = unpackAttributes(attributes);
      update.run(
        packAttributes(values.map((value) => ({ ...value, spec_id: ids.get(value.spec_id) ?? value.spec_id }))),
        id,
      );
    }
  }

  return {
    isBusy: (taskId: number): boolean => busy.get(taskId) !== undefined,
    usedLabels(taskId: number): number[] {
      const found = tables.flatMap((table) =>
        database.query(`SELECT DISTINCT label_id FROM ${table} WHERE id IN (${shown[table]})`).pluck().all(taskId),
      );
      return [...new Set(found as number[])];
    },
    change(taskId: number, { labels, attributes }: Relabelling): void {
      for (const table of tables) {
        const update = database.query(
          `UPDATE ${table} SET label_id = ? WHERE label_id = +? AND id IN (${rowsOf[table]})`,
        );
        for (const [from, to] of labels) update.run(to, from, taskId);
      }
      markKept.run(taskId);
      if (attributes.size === 0) return;
      for (const table of [...tables, 'tracked_shape'] as const) changeAttributes(table, taskId, attributes);
    },
  };
}
