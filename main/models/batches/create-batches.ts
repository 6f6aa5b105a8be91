import type { Database } from '../../db/open.ts';
import type { Logger } from '../../platform/log.ts';
import { requester } from '../../people/users/requester.ts';
import type { NativeModels } from '../native/native-service.ts';
import { createBatchQueue } from './batch-queue.ts';
import { createBatchPredictions, type PredictionParts } from './batch-predictions.ts';
import { createBatchRepository } from './batch-repository.ts';
import { runBatch } from './batch-run.ts';
import { createBatchService, type BatchServiceDependencies } from './batch-service.ts';

/** Batches: what they are in the store, which of them run, and what may be asked of them. */
export function createBatches(
  dependencies: Omit<BatchServiceDependencies, 'batches' | 'queue' | 'predictions'> & {
    readonly predictions: PredictionParts;
    readonly database: Database;
    readonly log: Logger;
    readonly native: Pick<NativeModels, 'isThere' | 'waitsFor'>;
  },
) {
  const batches = createBatchRepository(dependencies.database);
  const predictions = createBatchPredictions(dependencies.predictions, batches, dependencies.clock);
  const run = { ...dependencies, batches, predictions };
  const queue = createBatchQueue({
    ...run,
    run: (batch, how) => runBatch(run, batch, how),
    finish: predictions.finish,
    takesPlace: (batch) => !dependencies.native.isThere(batch.function_id),
    actorOf: (batch) => requester(dependencies.users, batch),
  });
  return { queue, service: createBatchService({ ...run, queue }) };
}
