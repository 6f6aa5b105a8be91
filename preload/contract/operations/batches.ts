import { z } from 'zod';
import { collection, operation } from '../operation.ts';
import * as batches from '../schema/batches.ts';

const collected = collection('/api/models/batches', batches.batchSchema);
/** Limner extension: runs a function over many frames. Continues after errors and restarts. */
export const batchOperations = {
  listBatches: operation.get('/api/models/batches', 'Batches, newest first', {
    output: z.array(batches.batchSchema),
  }),
  createBatch: collected.create('Annotate frames of tasks and jobs with a function', batches.batchWriteSchema),
  getBatch: collected.get('One batch'),
  updateBatch: collected.update('Pause or continue a batch, or change its priority', batches.batchPatchSchema),
  cancelBatch: operation.post('/api/models/batches/{id}/cancel', 'Cancel a batch and keep its results', {
    status: 200,
    output: batches.batchSchema,
  }),
  undoBatch: operation.post('/api/models/batches/{id}/undo', 'Delete all results of a batch', {
    status: 200,
    output: batches.batchSchema,
  }),
  deleteBatch: collected.delete('Cancel and delete a batch, and keep its results'),
} as const;
