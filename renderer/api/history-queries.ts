import { infiniteQueryOptions } from '@tanstack/react-query';
import type { HistoryKind } from '../../preload/contract/schema/history.ts';
import { call } from './client.ts';

export interface HistoryOf {
  readonly project_id?: number;
  readonly task_id?: number;
  readonly kind?: HistoryKind;
  readonly search?: string;
}

export const historyQueries = {
  of: (given: HistoryOf) =>
    infiniteQueryOptions({
      queryKey: ['history', given],
      queryFn: ({ pageParam, signal }) =>
        call('listHistory', {
          query: { ...given, ...(pageParam === null ? {} : { before: pageParam }) },
          organization: null,
          signal,
        }),
      initialPageParam: null as number | null,
      getNextPageParam: ({ results, more }) => (more ? (results.at(-1)?.id ?? null) : null),
    }),
};
