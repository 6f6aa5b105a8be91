import { rm } from 'node:fs/promises';
import type { RequestRunner } from '../../background-requests/request-queue.ts';
import type { BucketClient } from '../../buckets/bucket-client.ts';

/** Part of the parameters of an export whose file belongs in a bucket. */
export interface BucketTarget {
  readonly cloudStorageId?: number;
  /** The target storage of the task or project decides. */
  readonly usesDefault?: true;
}

/**
 * Writes the file of an export to the bucket that its request names. The request then has no result to download, which
 * clients expect.
 */
export const withBucketTarget =
  (runner: RequestRunner, clientOf: (storageId: number) => BucketClient): RequestRunner =>
  async (request, run) => {
    const { cloudStorageId } = JSON.parse(request.parameters) as BucketTarget;
    const { resultFile, resultName, ...result } = await runner(request, run);
    if (resultFile === undefined) return result;
    if (cloudStorageId === undefined) return { ...result, resultFile, ...(resultName ? { resultName } : {}) };
    const key = resultName ?? 'dataset.zip';
    try {
      run.progress(0.99, 'Writing to the bucket');
      const client = clientOf(cloudStorageId);
      await client.write(key, resultFile, run.signal);
      return { ...result, message: `Written to ${key} in the bucket ${client.connection.name}.` };
    } finally {
      await rm(resultFile, { force: true });
    }
  };
