import { mergeOverlap } from '../../../preload/contract/overlap-merge.ts';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { JobRow } from '../jobs/job-repository.ts';

/** A task's annotations from those of its jobs: objects that two jobs share in their overlap become one. */
export function mergeJobs(jobs: readonly JobRow[], read: (job: JobRow) => LabeledData): LabeledData {
  const [first, ...rest] = jobs.toSorted((a, b) => a.start_frame - b.start_frame);
  if (!first) return { version: 0, tags: [], shapes: [], tracks: [], intervals: [] };
  let merged = read(first);
  let stop = first.stop_frame;
  for (const job of rest) {
    const options = { startFrame: job.start_frame, frameCount: Math.max(0, stop - job.start_frame + 1) };
    const { tags, shapes, tracks } = mergeOverlap(merged, read(job), options);
    merged = { ...merged, tags, shapes, tracks };
    stop = Math.max(stop, job.stop_frame);
  }
  return merged;
}
