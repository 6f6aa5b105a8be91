import type { z } from 'zod';
import type { dataMetaPatchSchema } from '../../../preload/contract/schema/resources.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import type { FrameRange } from './frame-meta.ts';

/** Changes which frames of a task or job are deleted. */
export function createDeletedFrames({
  media,
  tasks,
  jobs,
  changes,
  clock,
}: Pick<WorkServiceDependencies, 'media' | 'tasks' | 'jobs' | 'changes' | 'clock'>) {
  function replaceDeleted(
    actor: Actor,
    target: FrameRange,
    body: z.output<typeof dataMetaPatchSchema>,
    jobId: number | null,
  ) {
    const wrong = body.deleted_frames?.find((frame) => frame < target.first || frame > target.last);
    if (wrong !== undefined) throw invalidField('deleted_frames', `Frame ${wrong} does not exist here.`);
    if (!body.deleted_frames) return;
    const numbers = body.deleted_frames;
    const { taskId } = target;
    changes.run(actor, jobId === null ? { tasks: [taskId] } : { jobs: [jobId] }, () => {
      media.replaceDeletedFrames(target.media.id, target.first, target.last, numbers);
      if (jobId === null) tasks.touch(taskId, clock());
      else jobs.touch(jobId, clock());
    });
  }

  /** Deleting a frame of the ground truth removes it from the validation, but not from the other jobs. */
  function replaceDisabled(
    actor: Actor,
    target: FrameRange,
    row: JobRow,
    { deleted_frames: numbers }: z.output<typeof dataMetaPatchSchema>,
  ) {
    if (!numbers) return;
    const wrong = numbers.find((frame) => target.included?.includes(frame) !== true);
    if (wrong !== undefined) throw invalidField('deleted_frames', `Frame ${wrong} does not exist here.`);
    changes.run(actor, { jobs: [row.id] }, () => {
      jobs.disableFrames(
        row,
        numbers.toSorted((a, b) => a - b),
      );
      jobs.touch(row.id, clock());
    });
  }

  return { replaceDeleted, replaceDisabled };
}
