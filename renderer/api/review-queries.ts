import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** Issues, comments and guides. */
export const reviewQueries = {
  issues: (taskId: number) =>
    queryOptions({
      queryKey: ['issues', 'task', taskId],
      queryFn: ({ signal }) =>
        call('listIssues', {
          query: { task_id: String(taskId), page_size: 'all', sort: 'frame_id,id' },
          organization: null,
          signal,
        }),
    }),
  /** How many issues of a project are open. */
  openOfProject: (projectId: number) =>
    queryOptions({
      queryKey: ['issues', 'project', projectId],
      queryFn: async ({ signal }) => {
        const query = { project_id: String(projectId), resolved: 'false', page_size: '1' };
        return (await call('listIssues', { query, organization: null, signal })).count;
      },
      refetchOnMount: 'always',
    }),
  ofJob: (jobId: number) =>
    queryOptions({
      queryKey: ['issues', 'job', jobId],
      queryFn: ({ signal }) =>
        call('listIssues', {
          query: { job_id: String(jobId), page_size: 'all', sort: 'frame_id,id' },
          organization: null,
          signal,
        }),
    }),
  /** Comments on all issues of some jobs, the oldest first. */
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
  guide: (id: number) =>
    queryOptions({
      queryKey: ['guides', id],
      queryFn: ({ signal }) => call('getGuide', { params: { id }, signal }),
    }),
};
