import { removeSnapshot, takeSnapshot } from './snapshot.ts';
import { writeBackup, type WriteJob, type WrittenBackup } from './write-backup.ts';
import type { JobRun } from '../platform/worker-job.ts';

/** Backs up a data directory that is not in use; the caller holds its lock. */
export async function backUpAtRest(
  job: Omit<WriteJob, 'from'>,
  run: Pick<JobRun, 'progress' | 'checkCancelled'>,
): Promise<WrittenBackup> {
  const { root } = job;
  try {
    await takeSnapshot({ root, keepsFiles: false }, run);
    return await writeBackup({ ...job, from: 'place' }, run);
  } finally {
    await removeSnapshot(root);
  }
}
