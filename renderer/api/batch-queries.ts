import { asked } from './asked.ts';

/** Batches of calls of functions. */
export const batchQueries = {
  list: () => asked(['batches'], 'listBatches', {}),
};
