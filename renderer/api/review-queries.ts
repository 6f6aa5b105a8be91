import { queryOptions } from '@tanstack/react-query';
import { operationQuery } from './query-options.ts';
import { call } from './client.ts';

const byFrame = { page_size: 'all', sort: 'frame_id,id' } as const;

export const reviewQueries = {
  issues: (taskId: number) =>
    operationQuery(['issues', 'task', taskId], 'listIssues', {
      query: { task_id: String(taskId), ...byFrame },
      organization: null,
    }),
  openOfProject: (projectId: number) =>
    queryOptions({
      queryKey: ['issues', 'project', projectId],
      queryFn: async ({ signal }) => {
        const query = { project_id: String(projectId), resolved: 'false', page_size: '1' };
        return (await call('listIssues', { query, organization: null, signal })).count;
      },
      refetchOnMount: 'always',
    }),
  pageOfProject: (projectId: number, isOpen: boolean, page: number) =>
    queryOptions({
      queryKey: ['issues', 'project', projectId, isOpen, page],
      async queryFn({ signal }) {
        const query = {
          project_id: String(projectId),
          ...(isOpen ? { resolved: 'false' } : {}),
          page: String(page),
          page_size: '20',
        };
        const { count, results } = await call('listIssues', { query, organization: null, signal });
        const among = (name: string, ids: readonly number[]) => ({
          query: { filter: JSON.stringify({ in: [{ var: name }, ids] }), page_size: 'all', sort: 'id' },
          organization: null,
          signal,
        });
        const [comments, jobs] = await Promise.all([
          call('listComments', among('issue_id', [...new Set(results.map(({ id }) => id))])),
          call('listJobs', among('id', [...new Set(results.map(({ job }) => job))])),
        ]);
        return { count, results, comments: comments.results, jobs: new Map(jobs.results.map((job) => [job.id, job])) };
      },
      placeholderData: (previous) => previous,
      refetchOnMount: 'always',
    }),
  ofJob: (jobId: number) =>
    operationQuery(['issues', 'job', jobId], 'listIssues', {
      query: { job_id: String(jobId), ...byFrame },
      organization: null,
    }),
  comments: (jobIds: readonly number[]) =>
    queryOptions({
      queryKey: ['issues', 'comments', jobIds],
      queryFn: async ({ signal }) => {
        const pages = await Promise.all(
          jobIds.map((id) =>
            call('listComments', {
              query: { job_id: String(id), page_size: 'all', sort: 'id' },
              organization: null,
              signal,
            }),
          ),
        );
        return pages.flatMap((page) => page.results);
      },
      placeholderData: (previous) => previous,
    }),
  guide: (id: number) => operationQuery(['guides', id], 'getGuide', { params: { id } }),
};
