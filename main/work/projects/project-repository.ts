import { userColumns } from '../../people/users/present.ts';
import type { ListDefinition } from '../../db/filters.ts';
import { allJoined, type Joins } from '../../db/joins.ts';
import type { Database } from '../../db/open.ts';
import { createStorageKeeper, type StorageColumns } from '../storages/storage-repository.ts';

export interface ProjectRow extends StorageColumns {
  readonly id: number;
  readonly name: string;
  readonly owner_id: number | null;
  readonly assignee_id: number | null;
  readonly assignee_updated_date: string | null;
  readonly bug_tracker: string;
  readonly status: 'annotation' | 'validation' | 'completed';
  readonly organization_id: number | null;
  readonly created_date: string;
  readonly updated_date: string;
  readonly guide_id: number | null;
  readonly task_count: number;
  readonly has_media: number;
  /** JSON array of the tasks' subsets. */
  readonly subsets: string;
}

const select = `project.*, ${userColumns('owner', 'owner')}, ${userColumns('assignee', 'assignee')},
  (SELECT guide.id FROM guide WHERE guide.project_id = project.id) AS guide_id,
  project_total.task_count, project_total.media_count > 0 AS has_media,
  (SELECT json_group_array(subset ORDER BY subset) FROM project_subset
     WHERE project_subset.project_id = project.id) AS subsets`;
const joins: Joins = {
  table: 'project',
  outer: {
    project_total: 'LEFT JOIN project_total ON project_total.project_id = project.id',
    owner: 'LEFT JOIN user owner ON owner.id = project.owner_id',
    assignee: 'LEFT JOIN user assignee ON assignee.id = project.assignee_id',
  },
};
const from = allJoined(joins);

export const projectList: ListDefinition = {
  select,
  from,
  joins,
  fields: {
    organization_id: { sql: 'project.organization_id', type: 'number', equality: true },
    id: { sql: 'project.id', type: 'number' },
    name: { sql: 'project.name', type: 'text', equality: true },
    owner: { sql: 'owner.username', type: 'text', equality: true },
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
    status: { sql: 'project.status', type: 'text', equality: true },
    updated_date: { sql: 'project.updated_date', type: 'date' },
    created_date: { sql: 'project.created_date', type: 'date' },
  },
  search: ['name', 'owner', 'assignee', 'status'],
  sort: '-id',
  totals: { all: 'SELECT count(*) AS count FROM project', by: {} },
};

export type ProjectRepository = ReturnType<typeof createProjectRepository>;

const changeable = [
  'name',
  'owner_id',
  'assignee_id',
  'assignee_updated_date',
  'bug_tracker',
  'organization_id',
] as const;
export type ProjectChange = Partial<Pick<ProjectRow, (typeof changeable)[number]>>;

export function createProjectRepository(database: Database) {
  // `+?`: this SQLite plans a join anew whenever a bare parameter is bound, 20 times the time of running it.
  const one = database.prepare(`SELECT ${select} FROM ${from} WHERE project.id = +?`);
  const insert = database.prepare(
    `INSERT INTO project (id, name, owner_id, assignee_id, bug_tracker, organization_id, created_date, updated_date)
     VALUES (@id, @name, @owner_id, @assignee_id, @bug_tracker, @organization_id, @date, @date)`,
  );
  const touch = database.prepare('UPDATE project SET updated_date = ? WHERE id = ?');
  const remove = database.prepare('DELETE FROM project WHERE id = ?');
  const setters = new Map(
    changeable.map((column) => [column, database.prepare(`UPDATE project SET ${column} = ? WHERE id = ?`)]),
  );
  return {
    get: (id: number) => one.get(id) as ProjectRow | undefined,
    /** With the `id` that was given out before, or a new one. */
    insert: (project: Record<string, unknown>) => Number(insert.run({ id: null, ...project }).lastInsertRowid),
    update(id: number, change: ProjectChange, date: string): void {
      for (const column of changeable) if (column in change) setters.get(column)?.run(change[column], id);
      touch.run(date, id);
    },
    keepStorages: createStorageKeeper(database, 'project'),
    touch: (id: number, date: string) => void touch.run(date, id),
    remove: (id: number) => void remove.run(id),
  };
}
