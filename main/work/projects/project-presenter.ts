import type { Project } from '../../../preload/contract/schema/resources.ts';
import { valuesFor } from '../../db/columns.ts';
import { presentUser } from '../../users/accounts/present.ts';
import { presentStorage } from '../tables/storage-repository.ts';
import { projectColumns, type ProjectRow } from '../tables/project-table.ts';

export function presentProject(row: ProjectRow, baseUrl: string): Project {
  return {
    url: `${baseUrl}/api/projects/${row.id}`,
    id: row.id,
    ...valuesFor(projectColumns, 'plain', row),
    owner: presentUser(row, 'owner', baseUrl),
    assignee: presentUser(row, 'assignee', baseUrl),
    guide_id: row.guide_id,
    task_subsets: JSON.parse(row.subsets) as string[],
    created_date: row.created_date,
    updated_date: row.updated_date,
    status: row.status,
    dimension: row.has_media === 1 ? '2d' : null,
    organization: row.organization_id,
    organization_id: row.organization_id,
    target_storage: presentStorage(row, 'target'),
    source_storage: presentStorage(row, 'source'),
    tasks: { count: row.task_count, url: `${baseUrl}/api/tasks?project_id=${row.id}` },
    labels: { url: `${baseUrl}/api/labels?project_id=${row.id}` },
    assignee_updated_date: row.assignee_updated_date,
  };
}
