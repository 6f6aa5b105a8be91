import type { JobChange, JobRow } from '../tables/job-repository.ts';

export type Status = 'annotation' | 'validation' | 'completed';

export function jobStatus(job: Pick<JobRow, 'stage' | 'state'>): Status {
  if (job.stage === 'annotation') return 'annotation';
  return job.stage === 'acceptance' && job.state === 'completed' ? 'completed' : 'validation';
}

/** Frames of a job that does not have all from its first to its last; null for one that does. */
export function jobFrames({ frames }: Pick<JobRow, 'frames'>): readonly number[] | null {
  // Format: see `job-repository.ts`.
  return frames === null ? null : (JSON.parse(frames) as number[]);
}

/** Status of a task, from its annotation jobs; the caller excludes ground-truth jobs. */
export function taskStatus(jobs: readonly Pick<JobRow, 'stage' | 'state'>[]): Status {
  const statuses = jobs.map(jobStatus);
  if (statuses.length === 0 || statuses.includes('annotation')) return 'annotation';
  return statuses.includes('validation') ? 'validation' : 'completed';
}

/** A new stage starts in state `new`, unless the client sends a state with it. */
export function withStageRule(job: Pick<JobRow, 'stage'>, change: JobChange): JobChange {
  const entersStage = change.stage !== undefined && change.stage !== job.stage;
  return entersStage && change.state === undefined ? { ...change, state: 'new' } : change;
}

/**
 * Frame ranges of the jobs: segments of `size` frames that share `overlap` frames with the next one. Size 0 creates one
 * segment; the overlap is at most half the segment.
 */
export function segmentRanges(
  frameCount: number,
  segmentSize: number,
  overlap: number,
): { start: number; stop: number }[] {
  const size = segmentSize === 0 ? frameCount : Math.min(segmentSize, frameCount);
  const shared = size === frameCount ? 0 : Math.min(overlap, Math.floor(size / 2));
  const ranges: { start: number; stop: number }[] = [];
  for (let start = 0; start < frameCount; start += size - shared) {
    const stop = Math.min(start + size, frameCount) - 1;
    ranges.push({ start, stop });
    if (stop === frameCount - 1) break;
  }
  return ranges;
}
