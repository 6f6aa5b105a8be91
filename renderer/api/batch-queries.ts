import { asked } from './asked.ts';

export const batchQueries = {
  list: () => asked(['batches'], 'listBatches', {}),
};
