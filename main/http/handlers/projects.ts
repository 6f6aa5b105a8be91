import type { projectOperations } from '../../../preload/contract/operations/work.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler } from '../paging.ts';
import { backupRequest, exportRequest } from './export-request.ts';

export function createProjectHandlers({
  projects,
  datasets,
  backups,
}: Pick<Core, 'projects' | 'datasets' | 'backups'>): HandlersOf<typeof projectOperations> {
  return {
    listProjects: listHandler(projects.list),
    createProject: ({ actor, body }) => projects.create(actor, body),
    getProject: ({ actor, params }) => projects.get(actor, params.id),
    updateProject: ({ actor, params, body }) => projects.update(actor, params.id, body),
    deleteProject: ({ actor, params }) => projects.remove(actor, params.id),
    exportProjectBackup: ({ actor, params, query }) =>
      backups.startExport(actor, { kind: 'project', id: params.id }, backupRequest(query)),
    exportProjectDataset: ({ actor, params, query }) =>
      datasets.startExport(actor, { kind: 'project', id: params.id }, exportRequest(query)),
  };
}
