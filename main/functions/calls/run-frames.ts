import type { JobRepository } from '../../work/tables/job-repository.ts';
import type { MediaRepository } from '../../work/tables/media-repository.ts';
import type { FrameRange, FrameService } from '../../work/tasks/frame-service.ts';

interface Dependencies {
  readonly frames: Pick<FrameService, 'frames'>;
  readonly jobs: Pick<JobRepository, 'ofTask'>;
  readonly media: Pick<MediaRepository, 'deletedFrames'>;
}

/** Frames of a task or job that are not deleted. */
export function framesOfRun({ frames, media }: Omit<Dependencies, 'jobs'>, range: FrameRange): number[] {
  const deleted = new Set(media.deletedFrames(range.media.id, range.first, range.last));
  return frames
    .frames(range)
    .map(({ frame }) => frame)
    .filter((frame) => !deleted.has(frame) && (range.included === null || range.included.includes(frame)));
}

/**
 * Frames that a run of a whole task annotates. Those of a validation pool are left out, because the results would become
 * the ground truth that they are compared with. Their honeypots are in jobs and are annotated like all other frames.
 */
export function framesToAnnotate(dependencies: Dependencies, range: FrameRange): number[] {
  const numbers = framesOfRun(dependencies, range);
  if (range.media.honeypots_per_job === null) return numbers;
  const truth = dependencies.jobs.ofTask(range.taskId).find(({ type }) => type === 'ground_truth');
  return numbers.filter((frame) => !truth || frame < truth.start_frame || frame > truth.stop_frame);
}
