import type { taskOperations } from '../../../preload/contract/operations/work.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';
import { listHandler, listRequest, pageOf } from '../paging.ts';
import { backupRequest, exportRequest } from './export-request.ts';

const noState = { message: '', progress: 0 };

export function createTaskHandlers({
  tasks,
  jobs,
  frames,
  datasets,
  backups,
  groundTruth,
  requests,
}: Pick<Core, 'tasks' | 'jobs' | 'frames' | 'datasets' | 'backups' | 'groundTruth' | 'requests'>): HandlersOf<
  typeof taskOperations
> {
  return {
    listTasks: listHandler(tasks.list),
    createTask: ({ actor, body }) => tasks.create(actor, body),
    getTask: ({ actor, params }) => tasks.get(actor, params.id),
    updateTask: ({ actor, params, body }) => tasks.update(actor, params.id, body),
    deleteTask: ({ actor, params }) => tasks.remove(actor, params.id),
    listTaskJobs({ actor, params, query, request }) {
      tasks.get(actor, params.id);
      const wanted = listRequest(query);
      const equals = { ...wanted.equals, task_id: String(params.id) };
      return pageOf(request.url, wanted, jobs.list(actor, { ...wanted, equals }));
    },
    getTaskStatus({ actor, params }) {
      const task = tasks.get(actor, params.id);
      return requests.dataState(params.id) ?? { ...noState, state: task.data === null ? 'Unknown' : 'Finished' };
    },
    getTaskValidationLayout: ({ actor, params }) => groundTruth.taskLayout(actor, params.id),
    updateTaskValidationLayout: ({ actor, params, body }) => groundTruth.updateTaskLayout(actor, params.id, body),
    getTaskMeta: ({ actor, params }) => frames.taskMeta(actor, params.id),
    updateTaskMeta: ({ actor, params, body }) => frames.updateTaskMeta(actor, params.id, body),
    exportTaskBackup: ({ actor, params, query }) =>
      backups.startExport(actor, { kind: 'task', id: params.id }, backupRequest(query)),
    exportTaskDataset: ({ actor, params, query }) =>
      datasets.startExport(actor, { kind: 'task', id: params.id }, exportRequest(query)),
  };
}
