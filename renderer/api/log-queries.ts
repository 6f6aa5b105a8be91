import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { LogLevelName } from '../../preload/contract/schema/logs.ts';
import { call } from './client.ts';

const followMs = 2000;

export const logQueries = {
  /** Polled while on screen. */
  lines: (level: LogLevelName, search: string, limit: number) =>
    queryOptions({
      queryKey: ['log', level, search, limit],
      queryFn: ({ signal }) => call('listLog', { query: { level, search, limit }, organization: null, signal }),
      refetchInterval: followMs,
      placeholderData: keepPreviousData,
    }),
  report: () =>
    queryOptions({
      queryKey: ['log', 'report'],
      queryFn: async ({ signal }) => (await call('describeReport', { organization: null, signal })).entries,
    }),
};
