import { columnOf, number, optionalNumber, optionalText, text, type PartOf, type RowOf } from '../../db/columns.ts';
import { columnFields, equalFields, type ListDefinition } from '../../db/filters.ts';
import { allJoined, type Joins } from '../../db/joins.ts';
import type { ScopeColumns } from '../../users/access/scope.ts';
import { userColumns } from '../../users/accounts/present.ts';
import { storageSelect } from './storage-repository.ts';

export const projectColumns = {
  id: number(),
  name: text('new', 'change', 'plain', 'event', 'backup'),
  owner_id: optionalNumber('new', 'change', 'event'),
  assignee_id: optionalNumber('new', 'change', 'event'),
  assignee_updated_date: optionalText('change', 'event'),
  bug_tracker: text('new', 'change', 'plain', 'event', 'backup'),
  status: columnOf<'annotation' | 'validation' | 'completed'>()('event'),
  organization_id: optionalNumber('new', 'change', 'event'),
  target_storage_id: optionalNumber('event'),
  source_storage_id: optionalNumber('event'),
  created_date: text(),
  updated_date: text('event'),
};

export type ProjectChange = Partial<PartOf<typeof projectColumns, 'change'>>;

export interface ProjectRow extends RowOf<typeof projectColumns> {
  readonly guide_id: number | null;
  readonly target_cloud_storage_id: number | null;
  readonly source_cloud_storage_id: number | null;
  readonly task_count: number;
  readonly has_media: number;
  /** JSON array of the tasks' subsets. */
  readonly subsets: string;
}

export const projectScope: ScopeColumns = {
  organization: 'project.organization_id',
  people: { owner: 'project.owner_id', assignee: 'project.assignee_id' },
};

export const projectSelect = `project.*, ${storageSelect('project')}, ${userColumns('owner', 'owner')}, ${userColumns('assignee', 'assignee')},
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
export const projectFrom = allJoined(joins);

export const projectList: ListDefinition = {
  select: projectSelect,
  from: projectFrom,
  joins,
  fields: {
    ...equalFields('project', { number: ['organization_id'], text: ['name', 'status'] }),
    ...columnFields('project', { number: ['id'], date: ['updated_date', 'created_date'] }),
    owner: { sql: 'owner.username', type: 'text', equality: true },
    assignee: { sql: 'assignee.username', type: 'text', equality: true },
  },
  search: ['name', 'owner', 'assignee', 'status'],
  sort: '-id',
  totals: { all: 'SELECT count(*) AS count FROM project', by: {} },
};
