import { userColumns } from '../../people/users/present.ts';
import type { ListDefinition } from '../../db/filters.ts';
import { allJoined, type Joins } from '../../db/joins.ts';
import type { Database } from '../../db/open.ts';
import { createStorageKeeper, type StorageColumns } from '../storages/storage-repository.ts';
import { lines } from '../../db/search.ts';
import type { VisibleSources } from '../../people/access/few-visible.ts';

const ofProject = 'SELECT task.id AS id FROM project JOIN task ON task.project_id = project.id WHERE project';
/** How the tasks that concern a user are found from the user. */
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

export interface TaskRow extends StorageColumns {
  readonly id: number;
  readonly name: string;
  readonly project_id: number | null;
  readonly project_name: string | null;
  readonly project_owner_id: number | null;
  readonly project_assignee_id: number | null;
  readonly owner_id: number | null;
  readonly assignee_id: number | null;
  readonly assignee_updated_date: string | null;
  readonly bug_tracker: string;
  readonly overlap: number | null;
  readonly segment_size: number;
  readonly status: 'annotation' | 'validation' | 'completed';
  readonly subset: string;
  readonly mode: '' | 'annotation' | 'interpolation';
  readonly media_id: number | null;
  readonly organization_id: number | null;
  readonly created_date: string;
  readonly updated_date: string;
  readonly size: number | null;
  readonly chunk_size: number | null;
  readonly image_quality: number | null;
  readonly guide_id: number | null;
  readonly has_ground_truth: number;
  readonly media_kind: 'images' | 'video' | null;
  readonly job_count: number;
  readonly completed_count: number;
  readonly validation_count: number;
}

const hasGroundTruth = "EXISTS (SELECT 1 FROM job WHERE job.task_id = task.id AND job.type = 'ground_truth')";
const select = `task.*, project.name AS project_name, project.owner_id AS project_owner_id,
  project.assignee_id AS project_assignee_id, ${userColumns('owner', 'owner')}, ${userColumns('assignee', 'assignee')},
  media.size, media.chunk_size, media.image_quality, media.kind AS media_kind,
  (SELECT guide.id FROM guide WHERE guide.task_id = task.id) AS guide_id,
  ${hasGroundTruth} AS has_ground_truth,
  (SELECT count(*) FROM job WHERE job.task_id = task.id) AS job_count,
  (SELECT count(*) FROM job WHERE job.task_id = task.id AND stage = 'acceptance' AND state = 'completed')
    AS completed_count,
  (SELECT count(*) FROM job WHERE job.task_id = task.id AND stage <> 'annotation'
    AND NOT (stage = 'acceptance' AND state = 'completed')) AS validation_count`;
const joins: Joins = {
  table: 'task',
  outer: {
    project: 'LEFT JOIN project ON project.id = task.project_id',
    media: 'LEFT JOIN media ON media.id = task.media_id',
    owner: 'LEFT JOIN user owner ON owner.id = task.owner_id',
    assignee: 'LEFT JOIN user assignee ON assignee.id = task.assignee_id',
  },
};
const from = allJoined(joins);
const dimension = "CASE WHEN task.media_id IS NULL THEN '' ELSE '2d' END";

export const taskList: ListDefinition = {
  select,
  from,
  joins,
  fields: {
    organization_id: { sql: 'task.organization_id', type: 'number', equality: true },
    id: { sql: 'task.id', type: 'number' },
    name: { sql: 'task.name', type: 'text', equality: true },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
    status: { sql: 'task.status', type: 'text', equality: true },
    subset: { sql: 'task.subset', type: 'text', equality: true },
    mode: { sql: 'task.mode', type: 'text', equality: true },
    dimension: { sql: dimension, type: 'text', equality: true },
    media_type: { sql: "CASE WHEN task.media_id IS NULL THEN '' ELSE 'image' END", type: 'text', equality: true },
    project_id: { sql: 'task.project_id', type: 'number', equality: true },
    project_name: { sql: 'project.name', type: 'text', equality: true },
    tracker_link: { sql: 'task.bug_tracker', type: 'text', equality: true },
    validation_mode: { sql: `CASE WHEN ${hasGroundTruth} THEN 'gt' END`, type: 'text', equality: true },
    updated_date: { sql: 'task.updated_date', type: 'date' },
    created_date: { sql: 'task.created_date', type: 'date' },
  },
  search: [
    // as the index `task_search` has them
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
    by: { project_id: 'SELECT ifnull(max(task_count), 0) AS count FROM project_total WHERE project_id = ?' },
  },
};

export type TaskRepository = ReturnType<typeof createTaskRepository>;

/** Columns that a change may set. Names come from here, never from input. */
const changeable = [
  'name',
  'project_id',
  'owner_id',
  'assignee_id',
  'assignee_updated_date',
  'bug_tracker',
  'subset',
  'organization_id',
  'status',
  'mode',
  'media_id',
  'overlap',
  'segment_size',
] as const;
export type TaskChange = Partial<Pick<TaskRow, (typeof changeable)[number]>>;

export function createTaskRepository(database: Database) {
  // `+?`: this SQLite plans a join anew whenever a bare parameter is bound, 20 times the time of running it.
  const one = database.prepare(`SELECT ${select} FROM ${from} WHERE task.id = +?`);
  const insert = database.prepare(
    `INSERT INTO task (id, name, project_id, owner_id, assignee_id, bug_tracker, overlap, segment_size, subset,
       organization_id, created_date, updated_date)
     VALUES (@id, @name, @project_id, @owner_id, @assignee_id, @bug_tracker, @overlap, @segment_size, @subset,
       @organization_id, @date, @date)`,
  );
  const touch = database.prepare('UPDATE task SET updated_date = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM task WHERE id = ?');
  const ofProject = database.prepare('SELECT id FROM task WHERE project_id = ? ORDER BY id');
  const setters = new Map(
    changeable.map((column) => [column, database.prepare(`UPDATE task SET ${column} = ? WHERE id = ?`)]),
  );

  return {
    get: (id: number) => one.get(id) as TaskRow | undefined,
    idsOfProject: (projectId: number) => (ofProject.all(projectId) as { id: number }[]).map((row) => row.id),
    /** With the `id` that was given out before, or a new one. */
    insert: (task: Record<string, unknown>) => Number(insert.run({ id: null, ...task }).lastInsertRowid),
    update(id: number, change: TaskChange, date: string): void {
      for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
      touch.run(date, id);
    },
    keepStorages: createStorageKeeper(database, 'task'),
    touch: (id: number, date: string) => void touch.run(date, id),
    remove: (id: number) => void remove.run(id),
  };
}
