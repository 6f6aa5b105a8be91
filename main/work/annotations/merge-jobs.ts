import { mergeOverlap, type MergeableObjects } from '../../../preload/geometry/overlap-merge.ts';
import type { JobRow } from '../tables/job-table.ts';

export type JobSpan = Pick<JobRow, 'start_frame' | 'stop_frame'>;

/**
 * Merges the annotations of jobs into those of their task. Objects that two jobs share in their overlap become one. A
 * track that the next job does not continue ends with its job. `uniteCut` is for exports: see `MergeOverlapOptions`.
 */
export function mergeJobs<Job extends JobSpan>(
  jobs: readonly Job[],
  read: (job: Job) => MergeableObjects,
  { uniteCut = false }: { readonly uniteCut?: boolean } = {},
): MergeableObjects {
  const [first, ...rest] = jobs.toSorted((a, b) => a.start_frame - b.start_frame);
  if (!first) return { tags: [], shapes: [], tracks: [] };
  let merged = read(first);
  let stop = first.stop_frame;
  for (const job of rest) {
    const frameCount = Math.max(0, stop - job.start_frame + 1);
    merged = mergeOverlap(merged, read(job), { startFrame: job.start_frame, frameCount, uniteCut });
    stop = Math.max(stop, job.stop_frame);
  }
  return merged;
}
