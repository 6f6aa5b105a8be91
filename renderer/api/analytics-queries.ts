import { refetchOnMount, operationQuery, keepsPrevious } from './query-options.ts';
import { organizationContext } from './organization-context.ts';

export interface AnalyticsWish {
  readonly from: string;
  readonly to: string;
  readonly project?: number | undefined;
  readonly person?: number | undefined;
}

export const analyticsQueries = {
  plugins: () => operationQuery(['plugins'], 'plugins', {}, { staleTime: 60_000 }),
  state: () => operationQuery(['analytics', 'state'], 'getAnalytics', {}, refetchOnMount),
  report: ({ from, to, project, person }: AnalyticsWish) =>
    operationQuery(
      ['analytics', 'report', from, to, project, person],
      'getAnalyticsReport',
      {
        query: {
          from,
          to,
          time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
          project_id: project,
          user_id: person,
        },
        organization: organizationContext(),
      },
      { ...keepsPrevious, ...refetchOnMount, retry: false },
    ),
};
