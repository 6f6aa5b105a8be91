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
