import { labelTakes } from '../../../preload/contract/label-fit.ts';
import type { ShapeType } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import { typeOf } from '../../db/annotation-codes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LabelOwner } from '../tables/label-repository.ts';

export type LabelUses = ReturnType<typeof createLabelUses>;

export interface LabelUse {
  readonly type: ShapeType | 'tag';
  readonly name: string;
  readonly count: number;
}

export type UsePlace = { readonly kind: 'project' | 'task'; readonly id: number };

/** Counts the annotations of a label, checked before the label changes to a type that may not fit them. */
export function createLabelUses(database: Store) {
  const setsOf = (place: UsePlace): string => `SELECT s.id FROM annotation_set s JOIN job ON job.id = s.job_id
    JOIN task ON task.id = job.task_id WHERE s.state = 'live' AND task.${place.kind === 'task' ? 'id' : 'project_id'} = +?`;

  function uses(place: UsePlace, labelId: number): LabelUse[] {
    const sets = setsOf(place);
    const typed = (what: string, sql: string) =>
      (database.query(sql).all(place.id, labelId) as { type: number; count: number }[]).map(({ type, count }) => ({
        type: typeOf(type),
        name: `${typeOf(type)}${what}`,
        count,
      }));
    const tags = database
      .query(`SELECT count(*) FROM tag WHERE set_id IN (${sets}) AND label_id = +?`)
      .pluck()
      .get(place.id, labelId) as number;
    return [
      ...typed(
        '',
        `SELECT shape.type, count(*) AS count FROM shape_frame f JOIN shape ON shape.id = f.shape_id
         WHERE f.set_id IN (${sets}) AND shape.label_id = +? GROUP BY shape.type`,
      ),
      ...typed(
        ' track',
        `SELECT t.type, count(DISTINCT track.id) AS count FROM track JOIN tracked_shape t ON t.track_id = track.id
         WHERE track.set_id IN (${sets}) AND track.label_id = +? AND track.piece_count IS NULL GROUP BY t.type`,
      ),
      { type: 'tag', name: 'tag', count: tags },
    ];
  }

  return {
    /** Annotations that a label of the type could not have. */
    misfits: (place: UsePlace, labelId: number, type: string): LabelUse[] =>
      uses(place, labelId).filter((use) => use.count > 0 && !labelTakes(type, use.type)),
  };
}

/** For example `2 rectangle, 1 tag`. */
export const listUses = (uses: readonly LabelUse[]): string =>
  uses.map(({ name, count }) => `${count} ${name}`).join(', ');

/** Updates the dates of everything that uses the labels of an owner: the project, its tasks and their jobs. */
export function createLabelDates(database: Store, clock: Clock) {
  const project = database.query('UPDATE project SET updated_date = ? WHERE id = +?');
  const of = (what: 'id' | 'project_id') => [
    database.query(`UPDATE task SET updated_date = ? WHERE ${what} = +?`),
    database.query(`UPDATE job SET updated_date = ? WHERE task_id IN (SELECT id FROM task WHERE ${what} = +?)`),
  ];
  const ofTask = of('id');
  const ofProject = [project, ...of('project_id')];
  return ({ kind, id }: LabelOwner): void => {
    const now = clock();
    for (const statement of kind === 'project' ? ofProject : ofTask) statement.run(now, id);
  };
}
