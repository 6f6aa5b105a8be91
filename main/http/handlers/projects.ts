import type { projectOperations } from '../../../preload/contract/operations/work.ts';
import type { Core } from '../../core/core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';
import { exportRequest } from './export-request.ts';

export function createProjectHandlers({
  projects,
  datasets,
}: Pick<Core, 'projects' | 'datasets'>): HandlersOf<typeof projectOperations> {
  return {
    listProjects: listHandler(projects.list),
    createProject: ({ actor, body }) => projects.create(actor, body),
    getProject: ({ actor, params }) => projects.get(actor, params.id),
    updateProject: ({ actor, params, body }) => projects.update(actor, params.id, body),
    deleteProject: ({ actor, params }) => projects.remove(actor, params.id),
    exportProjectDataset: ({ actor, params, query }) =>
      datasets.startExport(actor, { kind: 'project', id: params.id }, exportRequest(query)),
  };
}
