import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

const shown = 3;
const labelsAlone = 12;

/** Search results of the palette in the active organization: a few per kind, latest first. */
export const foundQuery = (search: string, labelsOnly: boolean) =>
  queryOptions({
    queryKey: ['found', search, labelsOnly],
    queryFn: async ({ signal }) => {
      const query = { search, page_size: String(shown), sort: '-id' };
      if (labelsOnly) {
        const labels = await foundLabels(search, labelsAlone, signal);
        return { tasks: [], jobs: [], projects: [], labels };
      }
      const [tasks, jobs, projects, labels] = await Promise.all([
        call('listTasks', { query, signal }),
        call('listJobs', { query, signal }),
        call('listProjects', { query, signal }),
        foundLabels(search, shown, signal),
      ]);
      const withTasks = jobs.results.map(async (job) => {
        const known = tasks.results.find(({ id }) => id === job.task_id);
        return { ...job, task: known?.name ?? (await taskName(job.task_id, signal)) };
      });
      return { tasks: tasks.results, jobs: await Promise.all(withTasks), projects: projects.results, labels };
    },
    retry: false,
    // Never cached, because names change.
    gcTime: 0,
  });

async function foundLabels(search: string, count: number, signal: AbortSignal) {
  const query = { search, page_size: String(count), sort: '-id' };
  const { results } = await call('listLabels', { query, signal });
  return Promise.all(
    results.map(async ({ id, name, color, project_id: project, task_id: task }) => ({
      id,
      name,
      color,
      project,
      task,
      owner:
        project === undefined
          ? await taskName(task ?? 0, signal)
          : (await call('getProject', { params: { id: project }, signal })).name,
    })),
  );
}

const taskName = async (id: number, signal: AbortSignal): Promise<string> =>
  (await call('getTask', { params: { id }, signal })).name;
