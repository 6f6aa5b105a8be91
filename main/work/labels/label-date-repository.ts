import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LabelOwner } from './label-repository.ts';

/** Dates everything that has the labels of an owner: the project, its tasks and their jobs. */
export function createLabelDates(database: Database, clock: Clock) {
  const project = database.prepare('UPDATE project SET updated_date = ? WHERE id = ?');
  const of = (what: 'id' | 'project_id') => [
    database.prepare(`UPDATE task SET updated_date = ? WHERE ${what} = ?`),
    database.prepare(`UPDATE job SET updated_date = ? WHERE task_id IN (SELECT id FROM task WHERE ${what} = ?)`),
  ];
  const ofTask = of('id');
  const ofProject = [project, ...of('project_id')];
  return ({ kind, id }: LabelOwner): void => {
    const now = clock();
    for (const statement of kind === 'project' ? ofProject : ofTask) statement.run(now, id);
  };
}
