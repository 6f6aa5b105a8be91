import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';

/** Batches of calls of functions. */
export const batchQueries = {
  list: () => queryOptions({ queryKey: ['batches'], queryFn: ({ signal }) => call('listBatches', { signal }) }),
};
