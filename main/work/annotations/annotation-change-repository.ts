import type { AnnotationChange } from '../../../preload/contract/schema/annotations.ts';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Store } from '../../db/store.ts';
import { userColumns } from '../../users/accounts/present.ts';

/** Scope of a change: a project (its labels), a task, or one job of a task. */
export interface ChangePlace {
  readonly projectId: number | null;
  readonly taskId: number | null;
  readonly jobId: number | null;
}

export interface NewChange {
  readonly kind: AnnotationChange['kind'];
  readonly effect: AnnotationChange['effect'];
  readonly place: ChangePlace;
  readonly userId: number | null;
  readonly objectCount: number;
  readonly detail: string;
  readonly labels: readonly Label[] | null;
  readonly createdDate: string;
  readonly expiryDate: string;
}

export interface ChangeRow {
  readonly id: number;
  readonly kind: AnnotationChange['kind'];
  readonly effect: AnnotationChange['effect'];
  readonly project_id: number | null;
  readonly task_id: number | null;
  readonly job_id: number | null;
  readonly user_id: number | null;
  readonly object_count: number;
  readonly detail: string;
  readonly labels: string | null;
  readonly labels_gone: number;
  readonly created_date: string;
  readonly expiry_date: string;
}

export type ChangeRepository = ReturnType<typeof createChangeRepository>;

const select = `SELECT c.*, ${userColumns('user', 'user')}
  FROM annotation_change c LEFT JOIN user ON user.id = c.user_id`;
/** SQL condition: the change has sets that an undo shows (or hides), and their jobs still exist. */
const setsOf = (more: string) => `EXISTS (SELECT 1 FROM annotation_set s JOIN job ON job.id = s.job_id
  WHERE s.change_id = c.id AND s.state = CASE c.effect WHEN 'remove' THEN 'live' ELSE 'discarded' END ${more})`;
const open = `c.expiry_date > +:now AND (c.labels IS NOT NULL OR ${setsOf('')}
  OR EXISTS (SELECT 1 FROM replaced_frame WHERE change_id = c.id))`;
const samePlace = 'project_id IS +? AND task_id IS +? AND job_id IS +?';
const newestFirst = 'ORDER BY c.id DESC';

/** Changes of annotations and images that can be undone. */
export function createChangeRepository(database: Store) {
  const insert = database.query(
    `INSERT INTO annotation_change (kind, effect, project_id, task_id, job_id, user_id, object_count, detail, labels,
       created_date, expiry_date) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const one = database.query(`${select} WHERE c.id = +:id AND ${open}`);
  const newest = database.query(
    `SELECT * FROM annotation_change WHERE ${samePlace} AND expiry_date > +? ORDER BY id DESC LIMIT 1`,
  );
  const lists = {
    project: database.query(`${select} WHERE c.project_id = +:id AND ${open} ${newestFirst}`),
    task: database.query(
      `${select} WHERE (c.task_id = +:id OR ${setsOf('AND job.task_id = +:id')}) AND ${open} ${newestFirst}`,
    ),
    job: database.query(
      `${select} WHERE (c.job_id = +:id OR ${setsOf('AND job.id = +:id')}) AND ${open} ${newestFirst}`,
    ),
  };
  const grow = database.query(
    'UPDATE annotation_change SET object_count = object_count + ?, expiry_date = ? WHERE id = +?',
  );
  const remove = database.query('DELETE FROM annotation_change WHERE id = +?');
  const expire = database.query('DELETE FROM annotation_change WHERE expiry_date <= +?');
  const trim = database.query(
    `DELETE FROM annotation_change WHERE project_id IS +:project AND task_id IS +:task AND effect = +:effect AND id NOT IN (
       SELECT id FROM annotation_change WHERE project_id IS +:project AND task_id IS +:task AND effect = +:effect
       ORDER BY id DESC LIMIT +:count)`,
  );
  const unfinishedDeletions = database
    .query<[], number>(
      `SELECT id FROM annotation_change WHERE kind = 'label' AND EXISTS (
         SELECT 1 FROM json_each(annotation_change.labels) gone JOIN label ON label.id = gone.value ->> '$.id')`,
    )
    .pluck();
  const missingLabels = database
    .query(
      `SELECT label_id FROM (
         SELECT shape.label_id FROM shape_frame f JOIN shape ON shape.id = f.shape_id WHERE f.set_id = +:set
         UNION ALL SELECT label_id FROM tag WHERE set_id = +:set
         UNION ALL SELECT label_id FROM track WHERE set_id = +:set)
       WHERE label_id NOT IN (SELECT value FROM json_each(+:known)) LIMIT 1`,
    )
    .pluck();

  return {
    insert: (change: NewChange): number =>
      Number(
        insert.run(
          change.kind,
          change.effect,
          change.place.projectId,
          change.place.taskId,
          change.place.jobId,
          change.userId,
          change.objectCount,
          change.detail,
          change.labels && JSON.stringify(change.labels),
          change.createdDate,
          change.expiryDate,
        ).lastInsertRowid,
      ),
    /** Returns the change if it can still be undone. */
    get: (id: number, now: string) => one.get({ id, now }) as ChangeRow | undefined,
    newest: ({ projectId, taskId, jobId }: ChangePlace, now: string) =>
      newest.get(projectId, taskId, jobId, now) as ChangeRow | undefined,
    /** Changes that can still be undone, newest first. */
    list: (kind: keyof typeof lists, id: number, now: string) => lists[kind].all({ id, now }) as ChangeRow[],
    grow: (id: number, objectCount: number, expiryDate: string) => void grow.run(objectCount, expiryDate, id),
    remove: (id: number) => void remove.run(id),
    /** Changes that hid annotations of labels which still exist. */
    unfinishedDeletions: () => unfinishedDeletions.all(),
    removeExpired: (now: string): boolean => expire.run(now).changes > 0,
    /** Removes all but the newest `count` changes with one effect. True if any were removed. */
    trim: ({ projectId, taskId }: ChangePlace, effect: ChangeRow['effect'], count: number): boolean =>
      trim.run({ project: projectId, task: taskId, effect, count }).changes > 0,
    hasOtherLabels: (setId: number, labelIds: readonly number[]): boolean =>
      missingLabels.get({ set: setId, known: JSON.stringify(labelIds) }) !== undefined,
  };
}
