import { z } from 'zod';
import { collection, operation } from '../operation.ts';
import * as batches from '../schema/batches.ts';

const collected = collection('/api/models/batches', batches.batchSchema);
/** Limner extension: runs a function over many frames. Continues after errors and restarts. */
export const batchOperations = {
  listBatches: operation.get('/api/models/batches', 'Batches of calls, the newest first', {
    output: z.array(batches.batchSchema),
  }),
  createBatch: collected.create('Annotate frames of tasks and jobs by a function', batches.batchWriteSchema),
  getBatch: collected.get('One batch'),
  updateBatch: collected.update('Pause a batch, let it go on, or change its priority', batches.batchPatchSchema),
  cancelBatch: operation.post('/api/models/batches/{id}/cancel', 'End a batch; what it has made stays', {
    status: 200,
    output: batches.batchSchema,
  }),
  undoBatch: operation.post('/api/models/batches/{id}/undo', 'Delete what a batch has made, wherever that is', {
    status: 200,
    output: batches.batchSchema,
  }),
  deleteBatch: collected.delete('End a batch and forget it; what it has made stays'),
} as const;
