import type { Request } from '../../../preload/contract/schema/resources.ts';

/** What a request is about; of a backup that was restored and of frames, what became of it. */
export function targetOf({ operation, result_id: result }: Request) {
  const { project_id: project, task_id: task, job_id: job, type, target } = operation;
  if (type === 'create:frames' && result !== null) return { project: null, task: result, job: null };
  if (type !== 'import:backup') return { project, task, job };
  return { project: target === 'project' ? result : null, task: target === 'task' ? result : null, job: null };
}
