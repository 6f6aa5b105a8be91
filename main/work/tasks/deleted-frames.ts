import type { z } from 'zod';
import type { dataMetaPatchSchema } from '../../../preload/contract/schema/resources.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import { validationFrames } from '../jobs/job-rules.ts';
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
  /** The ground-truth job of a task with a validation pool. */
  const truthOfPool = (taskId: number): JobRow | undefined =>
    tasks.get(taskId)?.validation_mode === 'gt_pool'
      ? jobs.ofTask(taskId).find(({ type }) => type === 'ground_truth')
      : undefined;

  function replaceDeleted(
    actor: Actor,
    target: FrameRange,
    body: z.output<typeof dataMetaPatchSchema>,
    jobId: number | null,
  ) {
    const wrong = body.deleted_frames?.find((frame) => frame < target.first || frame > target.last);
    if (wrong !== undefined) throw invalidField('deleted_frames', `Frame ${wrong} does not exist here.`);
    if (!body.deleted_frames) return;
    const { taskId } = target;
    const truth = truthOfPool(taskId);
    const numbers = truth ? withPool(target, truth, body.deleted_frames, jobId) : body.deleted_frames;
    changes.run(actor, jobId === null ? { tasks: [taskId] } : { jobs: [jobId] }, () => {
      if (truth && jobId === null && numbers.length === 0) disableFrames(actor, truth, []);
      media.replaceDeletedFrames(target.media.id, target.first, target.last, numbers);
      if (jobId === null) tasks.touch(taskId, clock());
      else jobs.touch(jobId, clock());
    });
  }

  /**
   * Frames of the pool are deleted by the ground-truth job; only an empty list restores all of them. A honeypot stays
   * deleted while its frame of the pool is.
   */
  function withPool(target: FrameRange, truth: JobRow, numbers: readonly number[], jobId: number | null): number[] {
    if (jobId === null) {
      const disabled = new Set(JSON.parse(truth.disabled_frames) as number[]);
      const wanted = new Set(numbers);
      const changed = validationFrames(truth).some((frame) => wanted.has(frame) !== disabled.has(frame));
      if (numbers.length > 0 && changed)
        throw invalidField(
          'deleted_frames',
          'GT frames can only be deleted and restored in the GT job or by the validation layout of the task.',
        );
      if (numbers.length === 0) return [];
    }
    return [...new Set([...numbers, ...disabledHoneypots(target, truth)])];
  }

  function disabledHoneypots({ media: { id }, first, last }: FrameRange, truth: JobRow): number[] {
    const disabled = new Set(JSON.parse(truth.disabled_frames) as number[]);
    return media
      .honeypots(id)
      .filter(({ frame, real_frame: real }) => frame >= first && frame <= last && disabled.has(real))
      .map(({ frame }) => frame);
  }

  /** True for a honeypot whose frame of the pool is disabled. It stays deleted until that is restored. */
  function isDisabledHoneypot(target: FrameRange, number: number): boolean {
    const truth = truthOfPool(target.taskId);
    return truth !== undefined && disabledHoneypots({ ...target, first: number, last: number }, truth).length > 0;
  }

  /**
   * Deleting a frame of the ground truth removes it from the validation, but not from the other jobs. In a validation
   * pool, its honeypots are deleted with it.
   */
  function replaceDisabled(
    actor: Actor,
    row: JobRow,
    { deleted_frames: numbers }: z.output<typeof dataMetaPatchSchema>,
  ) {
    if (!numbers) return;
    const frames = new Set(validationFrames(row));
    const wrong = numbers.find((frame) => !frames.has(frame));
    if (wrong !== undefined) throw invalidField('deleted_frames', `Frame ${wrong} does not exist here.`);
    disableFrames(actor, row, numbers);
  }

  function disableFrames(actor: Actor, row: JobRow, numbers: readonly number[]): void {
    const disabled = new Set(numbers);
    const pool = tasks.get(row.task_id)?.validation_mode === 'gt_pool' ? row : undefined;
    const before = new Set(JSON.parse(jobs.get(row.id)?.disabled_frames ?? '[]') as number[]);
    const isChanged = (frame: number) => disabled.has(frame) !== before.has(frame);
    const honeypots = pool ? media.honeypots(row.media_id).filter(({ real_frame: real }) => isChanged(real)) : [];
    const touched = pool ? jobs.ofTask(row.task_id).filter((job) => hasHoneypot(job, honeypots)) : [];
    const ids = [row.id, ...touched.map(({ id }) => id)];
    changes.run(actor, { jobs: ids }, () => {
      jobs.disableFrames(
        row,
        [...disabled].sort((a, b) => a - b),
      );
      if (pool) {
        for (const frame of validationFrames(pool))
          if (isChanged(frame)) media.setDeleted(row.media_id, frame, disabled.has(frame));
        for (const { frame, real_frame: real } of honeypots) media.setDeleted(row.media_id, frame, disabled.has(real));
      }
      for (const id of ids) jobs.touch(id, clock());
    });
  }

  return { replaceDeleted, replaceDisabled, disableFrames, isDisabledHoneypot };
}

const hasHoneypot = (job: JobRow, honeypots: readonly { readonly frame: number }[]): boolean =>
  job.type !== 'ground_truth' && honeypots.some(({ frame }) => frame >= job.start_frame && frame <= job.stop_frame);
