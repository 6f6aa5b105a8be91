import { createUpdate } from '../../db/columns.ts';
import type { SqlFragment } from '../../db/sql.ts';
import type { Store } from '../../db/store.ts';
import { jobColumns, jobFrom, jobSelect, type JobRow } from './job-table.ts';

export type { JobChange, JobRow } from './job-table.ts';

export interface NewJob {
  readonly type?: JobRow['type'];
  readonly assigneeId?: number | null;
  readonly stage?: JobRow['stage'];
  readonly state?: JobRow['state'];
  /** The job's frames in order, if it does not have all from the first to the last. */
  readonly frames?: readonly number[];
  readonly disabledFrames?: readonly number[];
  /** Parent job of a replica, which has the parent's frames. */
  readonly parentId?: number;
}

/** The frames of a job. */
export type JobSpan = Pick<JobRow, 'id' | 'type' | 'start_frame' | 'stop_frame'>;

export type JobRepository = ReturnType<typeof createJobRepository>;

export function createJobRepository(database: Store) {
  const ofTask = database.query(`SELECT ${jobSelect} FROM ${jobFrom} WHERE job.task_id = +? ORDER BY job.id`);
  const spansOfTask = database.query<[number], JobSpan & Pick<JobRow, 'honeypots_per_job'>>(
    `SELECT job.id, job.type, segment.start_frame, segment.stop_frame, media.honeypots_per_job
     FROM job JOIN segment ON segment.id = job.segment_id JOIN task ON task.id = job.task_id
     LEFT JOIN media ON media.id = task.media_id WHERE job.task_id = +? ORDER BY job.id`,
  );
  const amongIds = 'FROM job WHERE id IN (SELECT value FROM json_each(+?))';
  const tasksOf = database.query<[string], number>(`SELECT DISTINCT task_id ${amongIds}`).pluck();
  const countOf = database.query<[string], number>(`SELECT count(*) ${amongIds}`).pluck();
  const steps = database.query("SELECT DISTINCT stage, state FROM job WHERE task_id = +? AND type = 'annotation'");
  const insertSegment = database.query(
    'INSERT INTO segment (task_id, start_frame, stop_frame, frames, disabled_frames) VALUES (?, ?, ?, ?, ?)',
  );
  const insertJob = database.query(
    `INSERT INTO job (task_id, project_id, segment_id, parent_job_id, type, assignee_id, assignee_updated_date, stage, state,
       created_date, updated_date)
     VALUES (?, (SELECT project_id FROM task WHERE id = +?), ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const segmentOf = database.query('SELECT segment_id FROM job WHERE id = +?').pluck();
  // Deleting the segment deletes its job.
  const remove = database.query('DELETE FROM segment WHERE id = +?');
  const disableFrames = database.query('UPDATE segment SET disabled_frames = ? WHERE id = +?');

  const extend = database.query('UPDATE segment SET stop_frame = ? WHERE id = +?');
  // Also tracks that an undo would restore.
  const hasTracks = database
    .query(
      `SELECT EXISTS (SELECT 1 FROM annotation_set JOIN track ON track.set_id = annotation_set.id
         WHERE annotation_set.job_id = +?)`,
    )
    .pluck();

  return {
    get: database.rowReader<JobRow>(`SELECT ${jobSelect} FROM ${jobFrom} WHERE job.id = +?`),
    ofTask: (taskId: number) => ofTask.all(taskId) as JobRow[],
    /** Tasks of the jobs that exist. */
    tasksOf: (ids: readonly number[]) => tasksOf.all(JSON.stringify(ids)),
    /** Number of the jobs that exist. */
    countOf: (ids: readonly number[]) => countOf.get(JSON.stringify(ids)) ?? 0,
    /** Most columns of `ofTask` cost a look-up for each job. */
    spansOfTask: (taskId: number) => spansOfTask.all(taskId),
    /** Ids of the task's jobs for which a condition on `jobFilterFields` is true. */
    matching: (taskId: number, { sql, params }: SqlFragment): number[] =>
      database
        .query(`SELECT job.id FROM ${jobFrom} WHERE job.task_id = +? AND (${sql})`)
        .pluck()
        .all(taskId, ...params) as number[],
    /** Stages and states that occur among the task's annotation jobs, once each. */
    steps: (taskId: number) => steps.all(taskId) as Pick<JobRow, 'stage' | 'state'>[],
    /** Inserts a segment with its job; by default a new annotation job on all its frames. */
    insert(taskId: number, startFrame: number, stopFrame: number, date: string, job: NewJob = {}): number {
      const { type = 'annotation', assigneeId = null, stage = 'annotation', state = 'new' } = job;
      const frames = job.frames === undefined ? null : JSON.stringify(job.frames);
      const disabled = JSON.stringify(job.disabledFrames ?? []);
      const { parentId = null } = job;
      const segmentId =
        parentId === null
          ? insertSegment.run(taskId, startFrame, stopFrame, frames, disabled).lastInsertRowid
          : segmentOf.get(parentId);
      const assignedDate = assigneeId === null ? null : date;
      const values = [taskId, taskId, segmentId, parentId, type, assigneeId, assignedDate, stage, state];
      return Number(insertJob.run(...values, date, date).lastInsertRowid);
    },
    /** Moves the last frame of a segment. */
    extend: (row: Pick<JobRow, 'segment_id'>, stopFrame: number) => void extend.run(stopFrame, row.segment_id),
    hasTracks: (id: number): boolean => hasTracks.get(id) === 1,
    remove: (row: Pick<JobRow, 'segment_id'>) => void remove.run(row.segment_id),
    disableFrames: (row: Pick<JobRow, 'segment_id'>, frames: readonly number[]) =>
      void disableFrames.run(JSON.stringify(frames), row.segment_id),
    ...createUpdate(database, 'job', jobColumns),
  };
}
