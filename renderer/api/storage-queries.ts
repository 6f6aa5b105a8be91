import { queryOptions } from '@tanstack/react-query';
import { operationQuery } from './query-options.ts';
import { call } from './client.ts';

const whileMovingMs = 400;

export const storageQueries = {
  /** Volumes are measured for each response. */
  all: () => operationQuery(['storage'], 'getStorage', { organization: null }),
  /** The service restarts while a volume moves, so a missing response is retried. */
  move: () =>
    queryOptions({
      queryKey: ['storage', 'move'],
      queryFn: ({ signal }) => call('getVolumeMove', { organization: null, signal }),
      refetchInterval: ({ state }) => (state.data?.running ? whileMovingMs : false),
    }),
};
