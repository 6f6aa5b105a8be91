import type { z } from 'zod';
import type { dataMetaPatchSchema, JobFrame, jobFramePatchSchema } from '../../../preload/contract/schema/resources.ts';
import { invalidField } from '../../platform/errors.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { JobRow } from '../tables/job-table.ts';
import type { WorkServiceDependencies } from '../work-dependencies.ts';
import type { FrameChecks } from './frame-checks.ts';
import type { FrameRange } from './frame-meta.ts';
import type { FramePreparation } from './frame-preparation.ts';
import { awaitsImages, type FrameRow, isUnread } from '../tables/media-repository.ts';

export type FramePatch = z.output<typeof jobFramePatchSchema>;

interface Dependencies extends Pick<WorkServiceDependencies, 'media' | 'jobs' | 'changes' | 'clock'> {
  readonly checks: FrameChecks;
  readonly preparation: FramePreparation;
  readonly frame: (target: FrameRange, number: number) => FrameRow;
  readonly disabledOf: (jobId: number) => readonly number[];
  readonly isDisabledHoneypot: (target: FrameRange, number: number) => boolean;
  readonly replaceDisabled: (actor: Actor, row: JobRow, body: z.output<typeof dataMetaPatchSchema>) => void;
}

interface JobFramePlace {
  readonly target: FrameRange;
  readonly id: number;
  readonly number: number;
}

/** One frame of a job. The work does not depend on the number of frames. */
export function createJobFrames({
  media,
  preparation,
  jobs,
  changes,
  clock,
  checks,
  frame,
  disabledOf,
  isDisabledHoneypot,
  replaceDisabled,
}: Dependencies) {
  async function described(target: FrameRange, id: number, number: number): Promise<JobFrame> {
    await preparation.frame(target.media.id, frame(target, number));
    const row = frame(target, number);
    const { name, width, height, problem } = row;
    const isUnsent = awaitsImages(target.media) && isUnread(row);
    const deleted = media.deletedFrames(target.media.id, number, number).length > 0 || disabledOf(id).includes(number);
    const limner_state = (await checks.check(target, [[row]])).get(number);
    return {
      frame: number,
      name,
      width,
      height,
      deleted,
      ...(isUnsent ? { limner_state: 'unsent' as const } : limner_state && { limner_state }),
      ...(problem ? { problem } : {}),
    };
  }

  return {
    /** Checks the file of an image used in place. */
    described,
    update(actor: Actor, { target, id, number }: JobFramePlace, { deleted }: FramePatch): Promise<JobFrame> {
      const { problem } = frame(target, number);
      if (problem && !deleted) throw invalidField('deleted', `Cannot restore frame ${number}. ${problem}`);
      const row = jobs.get(id);
      if (row?.type === 'ground_truth') {
        const others = disabledOf(id).filter((one) => one !== number);
        replaceDisabled(actor, row, { deleted_frames: deleted ? [...others, number] : others });
      } else {
        // The text does not name honeypots, because annotators must not recognize them.
        if (!deleted && isDisabledHoneypot(target, number))
          throw invalidField(
            'deleted',
            `Cannot restore frame ${number}. Its image is excluded from the task. Ask the owner of the task to restore it.`,
          );
        changes.run(actor, { jobs: [id] }, () => {
          media.setDeleted(target.media.id, number, deleted);
          jobs.touch(id, clock());
        });
      }
      return described(target, id, number);
    },
  };
}
