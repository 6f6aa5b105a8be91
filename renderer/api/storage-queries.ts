import { queryOptions } from '@tanstack/react-query';
import { asked } from './asked.ts';
import { call } from './client.ts';

const whileMovingMs = 400;

export const storageQueries = {
  /** Volumes are measured for each answer. */
  all: () => asked(['storage'], 'getStorage', { organization: null }),
  /** While a volume moves the service begins anew: an answer that does not come is waited for. */
  move: () =>
    queryOptions({
      queryKey: ['storage', 'move'],
      queryFn: ({ signal }) => call('getVolumeMove', { organization: null, signal }),
      refetchInterval: ({ state }) => (state.data?.running ? whileMovingMs : false),
    }),
};
