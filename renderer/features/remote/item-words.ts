import type { RemoteItem, RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import type { TextFunction } from '../../i18n/index.ts';

export const itemName = (t: TextFunction, { kind, id, name }: Pick<RemoteItem, 'kind' | 'id' | 'name'>): string =>
  kind === 'job' ? t('remote.job', { id }) : name;

/** For example `4 jobs` or `frames 0 – 2499`. */
export function itemFacts(t: TextFunction, item: RemoteItem): string {
  const { kind, child_count: count, start_frame: first, stop_frame: last } = item;
  if (kind === 'project') return t('remote.tasks', { count: count ?? 0 });
  if (kind === 'task') return t('remote.jobs', { count: count ?? 0 });
  return first === null || last === null ? '' : t('tasks.frames', { first, last });
}

/** Checked-out jobs of a project, task or job of the server. */
export const linksOf = ({ kind, id }: RemoteItem, jobs: readonly RemoteJob[]): readonly RemoteJob[] =>
  jobs.filter((job) => {
    if (kind === 'project') return job.remote_project_id === id;
    return (kind === 'task' ? job.remote_task_id : job.remote_job_id) === id;
  });
