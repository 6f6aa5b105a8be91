import type { MessagePort } from 'node:worker_threads';
import { createTakeTurn } from '../../platform/turns.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { breakChannel, receiveBatches } from './batch-channel.ts';
import { createBulkRepository, type TargetSet } from './bulk-repository.ts';
import { withWorkerContext, type WorkerPaths } from './worker-context.ts';

export interface WriteJob extends WorkerPaths {
  readonly targets: readonly TargetSet[];
  readonly port: MessagePort;
  readonly state: Int32Array;
}

/** Writes what the parser sends into pending sets. */
export function writeAnnotations(job: WriteJob, run: JobRun): Promise<{ shapes: number }> {
  // The many rows of one turn are written without asking for it again for each.
  const takeTurn = run.turns ? createTakeTurn(run.turns) : <Result>(write: () => Result) => write();
  return withWorkerContext(job, undefined, (context) => {
    const bulk = createBulkRepository(context.database, job.targets, takeTurn);
    try {
      for (const batch of receiveBatches(job.port, job.state, run.checkCancelled)) bulk.write(batch);
      return bulk.finish();
    } catch (error) {
      breakChannel(job.state);
      throw error;
    } finally {
      job.port.close();
    }
  });
}
