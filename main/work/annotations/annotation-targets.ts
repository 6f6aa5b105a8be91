import { AppError } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRepository, JobSpan } from '../tables/job-repository.ts';
import type { JobRow } from '../tables/job-table.ts';
import { countsInTask, jobFrames } from '../jobs/job-rules.ts';
import type { WorkAccess } from '../work-access.ts';

type Purpose = 'view:annotations' | 'update:annotations' | 'delete:annotations';

/** Owner of annotations: a job, or a task as the sum of its jobs. */
export interface Target {
  readonly name: string;
  readonly taskId: number;
  /** Null for a task. */
  readonly jobId: number | null;
  readonly projectId: number | null;
  readonly organizationId: number | null;
  readonly jobs: readonly JobSpan[];
  readonly firstFrame: number;
  readonly lastFrame: number;
  /** The frames in between, if not all of them belong to it (ground-truth jobs). */
  readonly included: readonly number[] | null;
  /** The medium of a task with a validation pool; null for other tasks. */
  readonly pooledMedia: number | null;
}

export type AnnotationTargets = ReturnType<typeof createAnnotationTargets>;

/** Opens jobs and tasks if the actor may perform the action on their annotations. */
export function createAnnotationTargets(access: WorkAccess, jobs: Pick<JobRepository, 'spansOfTask'>) {
  return {
    job(actor: Actor, id: number, action: Purpose): Target {
      const job = access.job(actor, id, action);
      return {
        name: `job ${id}`,
        taskId: job.task_id,
        jobId: id,
        projectId: job.project_id,
        organizationId: job.organization_id,
        jobs: [job],
        ...boundsOf(job),
      };
    },

    task(actor: Actor, id: number, action: Purpose): Target {
      const task = access.task(actor, id, action);
      if (task.media_id === null || task.size === null) {
        const message = 'The task has no data yet. Upload its images first.';
        throw new AppError('invalid', message, [message]);
      }
      return {
        name: `task ${id}`,
        taskId: id,
        jobId: null,
        projectId: task.project_id,
        organizationId: task.organization_id,
        jobs: jobs.spansOfTask(id).filter(countsInTask),
        firstFrame: 0,
        lastFrame: task.size - 1,
        included: null,
        pooledMedia: task.validation_mode === 'gt_pool' ? task.media_id : null,
      };
    },
  };
}

const boundsOf = (job: JobRow) => ({
  firstFrame: job.start_frame,
  lastFrame: job.stop_frame,
  included: jobFrames(job),
  pooledMedia: job.honeypots_per_job === null ? null : job.media_id,
});
