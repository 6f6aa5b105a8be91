import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { organizationContext } from './organization-context.ts';

export interface AnalyticsWish {
  readonly from: string;
  readonly to: string;
  readonly project?: number | undefined;
  readonly person?: number | undefined;
}

export const analyticsQueries = {
  /** What the service can do: cheap, for the navigation. */
  plugins: () =>
    queryOptions({ queryKey: ['plugins'], queryFn: ({ signal }) => call('plugins', { signal }), staleTime: 60_000 }),
  state: () =>
    queryOptions({
      queryKey: ['analytics', 'state'],
      queryFn: ({ signal }) => call('getAnalytics', { signal }),
      refetchOnMount: 'always',
    }),
  report: ({ from, to, project, person }: AnalyticsWish) =>
    queryOptions({
      queryKey: ['analytics', 'report', from, to, project, person],
      queryFn: ({ signal }) =>
        call('getAnalyticsReport', {
          query: {
            from,
            to,
            time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
            project_id: project,
            user_id: person,
          },
          organization: organizationContext(),
          signal,
        }),
      placeholderData: (previous) => previous,
      refetchOnMount: 'always',
      retry: false,
    }),
};
