import { z } from 'zod';
import { operation } from '../operation.ts';
import * as batches from '../schema/batches.ts';

/** Limner's own: a function over many frames, which goes on whatever ends in the middle. */
export const batchOperations = {
  listBatches: operation.get('/api/models/batches', 'Batches of calls, the newest first', {
    output: z.array(batches.batchSchema),
  }),
  createBatch: operation.post('/api/models/batches', 'Annotate frames of tasks and jobs by a function', {
    body: batches.batchWriteSchema,
    output: batches.batchSchema,
  }),
  getBatch: operation.get('/api/models/batches/{id}', 'One batch', { output: batches.batchSchema }),
  updateBatch: operation.patch('/api/models/batches/{id}', 'Pause a batch, let it go on, or change its priority', {
    body: batches.batchPatchSchema,
    output: batches.batchSchema,
  }),
  cancelBatch: operation.post('/api/models/batches/{id}/cancel', 'End a batch; what it has made stays', {
    status: 200,
    output: batches.batchSchema,
  }),
  undoBatch: operation.post('/api/models/batches/{id}/undo', 'Delete what a batch has made, wherever that is', {
    status: 200,
    output: batches.batchSchema,
  }),
  deleteBatch: operation.delete('/api/models/batches/{id}', 'End a batch and forget it; what it has made stays', {}),
} as const;
