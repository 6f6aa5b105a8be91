import { columnOf, number, optionalNumber, optionalText, text, type PartOf, type RowOf } from '../../db/columns.ts';
import { columnFields, equalFields, type ListDefinition } from '../../db/filters.ts';
import type { FilterField } from '../../db/json-logic.ts';
import { allJoined, type Joins } from '../../db/joins.ts';
import type { VisibleSources } from '../../users/access/scope.ts';
import { userColumns } from '../../users/accounts/present.ts';
import { storageSelect } from './storage-repository.ts';

export const jobColumns = {
  id: number(),
  task_id: number(),
  /** Copy of the task's value, kept in sync by triggers. */
  project_id: optionalNumber(),
  segment_id: number(),
  /** For a replica, the annotation job that it is merged into. */
  parent_job_id: optionalNumber(),
  type: columnOf<'annotation' | 'ground_truth' | 'consensus_replica'>()(),
  assignee_id: optionalNumber('change', 'event'),
  assignee_updated_date: optionalText('change', 'event'),
  stage: columnOf<'annotation' | 'validation' | 'acceptance'>()('change', 'event'),
  state: columnOf<'new' | 'in progress' | 'completed' | 'rejected'>()('change', 'event'),
  /** Derived from stage and state. */
  status: columnOf<'annotation' | 'validation' | 'completed'>()('event'),
  created_date: text(),
  updated_date: text('event'),
};

export type JobChange = Partial<PartOf<typeof jobColumns, 'change'>>;

/** A job with its segment and the inherited columns of its task and project. */
export interface JobRow extends Omit<RowOf<typeof jobColumns>, 'status'> {
  readonly start_frame: number;
  readonly stop_frame: number;
  /** JSON array of the job's frames; null: all from the first to the last. */
  readonly frames: string | null;
  /** JSON array of frames excluded from validation. */
  readonly disabled_frames: string;
  readonly task_name: string;
  readonly task_owner_id: number | null;
  readonly task_assignee_id: number | null;
  readonly project_name: string | null;
  readonly project_owner_id: number | null;
  readonly project_assignee_id: number | null;
  readonly organization_id: number | null;
  readonly target_storage_id: number | null;
  readonly source_storage_id: number | null;
  readonly target_cloud_storage_id: number | null;
  readonly source_cloud_storage_id: number | null;
  /** The task's own, or its project's. Null if the task has none and no project. */
  readonly bug_tracker: string | null;
  readonly mode: '' | 'annotation' | 'interpolation';
  readonly media_id: number;
  readonly chunk_size: number | null;
  readonly media_kind: 'images' | 'video' | null;
  readonly zip_chunks: number | null;
  /** Null for a task without a validation pool. */
  readonly honeypots_per_job: number | null;
  /** The project's, if the task is in one. */
  readonly guide_id: number | null;
  readonly issue_count: number;
  readonly replica_count: number;
}

const ofTask = 'SELECT job.id AS id FROM task JOIN job ON job.task_id = task.id WHERE task';
const ofProject = 'SELECT job.id AS id FROM project JOIN job ON job.project_id = project.id WHERE project';
/** Queries that find a user's jobs, starting from the user. */
export const jobsOfPeople: VisibleSources = {
  id: 'job.id',
  people: {
    assignee: 'SELECT id FROM job WHERE assignee_id = +?',
    taskOwner: `${ofTask}.owner_id = +?`,
    taskAssignee: `${ofTask}.assignee_id = +?`,
    projectOwner: `${ofProject}.owner_id = +?`,
    projectAssignee: `${ofProject}.assignee_id = +?`,
  },
  ofMembership: 'JOIN task ON task.organization_id = membership.organization_id JOIN job ON job.task_id = task.id',
};

export const jobSelect = `job.*, segment.start_frame, segment.stop_frame, segment.frames, segment.disabled_frames, task.name AS task_name,
  task.owner_id AS task_owner_id, task.assignee_id AS task_assignee_id,
  project.name AS project_name, project.owner_id AS project_owner_id, project.assignee_id AS project_assignee_id,
  task.organization_id, task.target_storage_id, task.source_storage_id, ${storageSelect('task')}, coalesce(nullif(task.bug_tracker, ''), project.bug_tracker) AS bug_tracker, task.mode, task.media_id, media.chunk_size,
  media.kind AS media_kind, media.zip_chunks, media.honeypots_per_job,
  (SELECT guide.id FROM guide WHERE guide.project_id = job.project_id
     OR (job.project_id IS NULL AND guide.task_id = task.id)) AS guide_id,
  (SELECT count(*) FROM issue WHERE issue.job_id = job.id) AS issue_count,
  (SELECT count(*) FROM job replica WHERE replica.parent_job_id = job.id) AS replica_count,
  ${userColumns('assignee', 'assignee')}`;
/** Every job has a segment and a task. As outer joins, SQLite omits them if the query uses none of their columns. */
const joins: Joins = {
  table: 'job',
  outer: {
    segment: 'LEFT JOIN segment ON segment.id = job.segment_id',
    task: 'LEFT JOIN task ON task.id = job.task_id',
    project: 'LEFT JOIN project ON project.id = job.project_id',
    media: 'LEFT JOIN media ON media.id = task.media_id',
    assignee: 'LEFT JOIN user assignee ON assignee.id = job.assignee_id',
  },
};
export const jobFrom = allJoined(joins);

/** Fields of job filters in quality settings, as in CVAT. */
export const jobFilterFields: Readonly<Record<string, FilterField>> = {
  id: { sql: 'job.id', type: 'number' },
  type: { sql: 'job.type', type: 'text' },
  state: { sql: 'job.state', type: 'text' },
  stage: { sql: 'job.stage', type: 'text' },
  assignee: { sql: 'assignee.username', type: 'text' },
  task_id: { sql: 'job.task_id', type: 'number' },
  task_name: { sql: 'task.name', type: 'text' },
};

export const jobList: ListDefinition = {
  select: jobSelect,
  from: jobFrom,
  joins,
  fields: {
    ...equalFields('task', { number: ['organization_id'], text: ['mode'] }),
    ...columnFields('job', { number: ['id'], date: ['updated_date'] }),
    ...equalFields('job', { text: ['stage', 'state', 'type'], number: ['task_id', 'project_id', 'parent_job_id'] }),
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
    dimension: { sql: "'2d'", type: 'text', equality: true },
    media_type: { sql: "'image'", type: 'text', equality: true },
    task_name: { sql: 'task.name', type: 'text', equality: true },
    project_name: { sql: 'project.name', type: 'text', equality: true },
  },
  search: [
    { sql: 'task.name' },
    { sql: 'job.state', values: ['new', 'in progress', 'completed', 'rejected'] },
    { sql: 'job.stage', values: ['annotation', 'validation', 'acceptance'] },
    { key: 'job.project_id', table: 'project', column: 'name' },
    { key: 'job.assignee_id', table: 'user', column: 'username' },
  ],
  textIndex: { table: 'task_text', key: 'job.task_id' },
  sort: '-id',
  totals: {
    all: 'SELECT count(*) AS count FROM job',
    by: { project_id: 'SELECT ifnull(max(job_count), 0) AS count FROM project_total WHERE project_id = +?' },
  },
};
