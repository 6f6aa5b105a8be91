import { operationQuery } from './query-options.ts';

export const batchQueries = {
  list: () => operationQuery(['batches'], 'listBatches', {}),
};
