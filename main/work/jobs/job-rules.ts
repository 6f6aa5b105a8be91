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

/** Frames of a ground-truth job: its selected ones, or those of a validation pool. */
export const validationFrames = (job: Pick<JobRow, 'frames' | 'start_frame' | 'stop_frame'>): number[] => [
  ...(jobFrames(job) ?? Array.from({ length: job.stop_frame - job.start_frame + 1 }, (_, at) => job.start_frame + at)),
];

/**
 * True if annotations of the job are annotations of its task. The ground truth is not part of what it is compared with,
 * but no other job has the frames of a validation pool.
 */
export const countsInTask = ({
  type,
  honeypots_per_job: honeypots,
}: Pick<JobRow, 'type' | 'honeypots_per_job'>): boolean =>
  type === 'annotation' || (type === 'ground_truth' && honeypots !== null);

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

export interface AddedRanges {
  /** New last frame of the last segment; its old one if it does not grow. */
  readonly lastStop: number;
  /** Ranges of new jobs. */
  readonly ranges: { start: number; stop: number }[];
}

/**
 * Frame ranges for frames that are added behind the last segment. A segment that may grow is filled first; new segments
 * share `overlap` frames with the one before, as in {@link segmentRanges}.
 */
export function addedRanges(
  last: { readonly start: number; readonly stop: number; readonly mayGrow: boolean },
  frameCount: number,
  segmentSize: number,
  overlap: number,
): AddedRanges {
  const size = segmentSize === 0 ? frameCount : segmentSize;
  const shared = Math.min(overlap, Math.floor(size / 2));
  const lastStop = last.mayGrow ? Math.max(last.stop, Math.min(last.start + size, frameCount) - 1) : last.stop;
  const ranges: { start: number; stop: number }[] = [];
  for (let next = lastStop + 1; next < frameCount; next = (ranges.at(-1)?.stop ?? next) + 1) {
    const start = Math.max(0, next - shared);
    ranges.push({ start, stop: Math.min(start + size, frameCount) - 1 });
  }
  return { lastStop, ranges };
}
