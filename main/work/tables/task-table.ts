import {
  columnOf,
  number,
  optionalNumber,
  optionalText,
  text,
  toldAs,
  type PartOf,
  type RowOf,
} from '../../db/columns.ts';
import { columnFields, equalFields, type ListDefinition } from '../../db/filters.ts';
import { allJoined, type Joins } from '../../db/joins.ts';
import { lines } from '../../db/search.ts';
import type { ScopeColumns, VisibleSources } from '../../users/access/scope.ts';
import { userColumns } from '../../users/accounts/present.ts';
import { storageSelect } from './storage-repository.ts';

/** The columns of a task and their uses. Everything else about them is derived from here. */
export const taskColumns = {
  id: number(),
  name: text('new', 'change', 'plain', 'event', 'backup'),
  project_id: optionalNumber('new', 'change', 'event'),
  owner_id: optionalNumber('new', 'change', 'event'),
  assignee_id: optionalNumber('new', 'change', 'event'),
  assignee_updated_date: optionalText('change', 'event'),
  bug_tracker: text('new', 'change', 'plain', 'event', 'backup'),
  overlap: optionalNumber('new', 'change', 'event'),
  segment_size: number('new', 'change', 'event'),
  status: columnOf<'annotation' | 'validation' | 'completed'>()('change', 'event'),
  subset: text('new', 'change', 'plain', 'event', 'backup'),
  /** Replicas per annotation job, to be merged into it; 0: none. */
  consensus_replicas: columnOf<number>(0)('new', 'backup'),
  mode: columnOf<'' | 'annotation' | 'interpolation'>()('change', 'event'),
  media_id: toldAs('data_id', optionalNumber('change', 'event')),
  organization_id: optionalNumber('new', 'change', 'event'),
  target_storage_id: optionalNumber('event'),
  source_storage_id: optionalNumber('event'),
  created_date: text(),
  updated_date: text('event'),
};

export type TaskChange = Partial<PartOf<typeof taskColumns, 'change'>>;

export interface TaskRow extends RowOf<typeof taskColumns> {
  readonly project_name: string | null;
  readonly project_owner_id: number | null;
  readonly project_assignee_id: number | null;
  readonly size: number | null;
  readonly chunk_size: number | null;
  readonly image_quality: number | null;
  readonly guide_id: number | null;
  readonly validation_mode: 'gt' | 'gt_pool' | null;
  readonly media_kind: 'images' | 'video' | null;
  readonly cloud_storage_id: number | null;
  readonly target_cloud_storage_id: number | null;
  readonly source_cloud_storage_id: number | null;
  readonly zip_chunks: number | null;
  readonly job_count: number;
  readonly completed_count: number;
  readonly validation_count: number;
  readonly in_progress_count: number;
}

const ofProject = 'SELECT task.id AS id FROM project JOIN task ON task.project_id = project.id WHERE project';
/** Queries that find a user's tasks, starting from the user. */
export const tasksOfPeople: VisibleSources = {
  id: 'task.id',
  people: {
    owner: 'SELECT id FROM task WHERE owner_id = +?',
    assignee: 'SELECT id FROM task WHERE assignee_id = +?',
    projectOwner: `${ofProject}.owner_id = +?`,
    projectAssignee: `${ofProject}.assignee_id = +?`,
  },
  ofMembership: 'JOIN task ON task.organization_id = membership.organization_id',
};

export const taskScope: ScopeColumns = {
  organization: 'task.organization_id',
  people: {
    owner: 'task.owner_id',
    assignee: 'task.assignee_id',
    projectOwner: 'project.owner_id',
    projectAssignee: 'project.assignee_id',
  },
};

// `+`: with the index of stages, each row of a list would scan the jobs of all tasks.
/** Counts no replicas, because their work counts in the job that they are merged into. */
const ownJobs = "SELECT count(*) FROM job WHERE job.task_id = task.id AND type <> 'consensus_replica'";
const hasGroundTruth = "EXISTS (SELECT 1 FROM job WHERE job.task_id = task.id AND job.type = 'ground_truth')";
const validationMode = `CASE WHEN media.honeypots_per_job IS NOT NULL THEN 'gt_pool' WHEN ${hasGroundTruth} THEN 'gt' END`;
export const taskSelect = `task.*, ${storageSelect('task')}, project.name AS project_name, project.owner_id AS project_owner_id,
  project.assignee_id AS project_assignee_id, ${userColumns('owner', 'owner')}, ${userColumns('assignee', 'assignee')},
  media.size, media.chunk_size, media.image_quality, media.kind AS media_kind, media.zip_chunks, media.cloud_storage_id,
  (SELECT guide.id FROM guide WHERE guide.task_id = task.id) AS guide_id,
  ${validationMode} AS validation_mode,
  (${ownJobs}) AS job_count,
  (${ownJobs} AND +stage = 'acceptance' AND +state = 'completed')
    AS completed_count,
  (${ownJobs} AND +stage = 'validation') AS validation_count,
  (${ownJobs} AND +stage = 'annotation' AND +state = 'in progress')
    AS in_progress_count`;
const joins: Joins = {
  table: 'task',
  outer: {
    project: 'LEFT JOIN project ON project.id = task.project_id',
    media: 'LEFT JOIN media ON media.id = task.media_id',
    owner: 'LEFT JOIN user owner ON owner.id = task.owner_id',
    assignee: 'LEFT JOIN user assignee ON assignee.id = task.assignee_id',
  },
};
export const taskFrom = allJoined(joins);
const dimension = "CASE WHEN task.media_id IS NULL THEN '' ELSE '2d' END";

export const taskList: ListDefinition = {
  select: taskSelect,
  from: taskFrom,
  joins,
  fields: {
    ...equalFields('task', { number: ['organization_id', 'project_id'], text: ['name', 'status', 'subset', 'mode'] }),
    ...columnFields('task', { number: ['id'], date: ['updated_date', 'created_date'] }),
    owner: { sql: 'owner.username', type: 'text', equality: true },
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
    dimension: { sql: dimension, type: 'text', equality: true },
    media_type: { sql: "CASE WHEN task.media_id IS NULL THEN '' ELSE 'image' END", type: 'text', equality: true },
    project_name: { sql: 'project.name', type: 'text', equality: true },
    tracker_link: { sql: 'task.bug_tracker', type: 'text', equality: true },
    validation_mode: { sql: validationMode, type: 'text', equality: true },
  },
  search: [
    // Must match the index `task_search`.
    { sql: lines('task.name', 'task.subset', 'task.bug_tracker') },
    { sql: 'task.status', values: ['annotation', 'validation', 'completed'] },
    { sql: 'task.mode', values: ['annotation', 'interpolation'] },
    { sql: dimension, values: ['2d'] },
    { key: 'task.project_id', table: 'project', column: 'name' },
    { key: 'task.owner_id', table: 'user', column: 'username' },
    { key: 'task.assignee_id', table: 'user', column: 'username' },
  ],
  textIndex: { table: 'task_text', key: 'task.id' },
  sort: '-id',
  totals: {
    all: 'SELECT count(*) AS count FROM task',
    by: { project_id: 'SELECT ifnull(max(task_count), 0) AS count FROM project_total WHERE project_id = +?' },
  },
};
