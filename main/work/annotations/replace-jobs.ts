import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationTargets, Target } from './annotation-targets.ts';
import type { AnnotationWriter } from './annotation-writer.ts';
import type { ChangeHead, ReplacedAnnotations } from './replaced-annotations.ts';

export const jobIdsOf = ({ jobs }: Target) => jobs.map(({ id }) => id);

export const headOf = (kind: ChangeHead['kind'], actor: Actor, { taskId, jobId }: Target): ChangeHead => ({
  kind,
  place: { projectId: null, taskId, jobId },
  userId: actor.userId,
});

export function withoutIds(data: LabeledData): LabeledData {
  const strip = <Item extends object>(item: Item): Item => ({ ...item, id: undefined });
  return { ...data, tags: data.tags.map(strip), shapes: data.shapes.map(strip), tracks: data.tracks.map(strip) };
}

interface Dependencies {
  readonly targets: AnnotationTargets;
  readonly replaced: ReplacedAnnotations;
  readonly writer: AnnotationWriter;
  readonly check: (target: Target, data: LabeledData) => void;
  readonly saved: (actor: Actor, target: Target, save: () => void, how: { readonly onlyDates: boolean }) => void;
  readonly touch: (target: Target) => void;
  readonly tell: (actor: Actor, target: Target) => void;
}

export interface JobPart {
  readonly jobId: number;
  readonly data: LabeledData;
}

/**
 * Replaces the annotations of jobs of a task: in all jobs, or in none.
 * @param also changes the jobs in the same transaction
 */
export const createReplaceJobs =
  ({ targets, replaced, writer, check, saved, touch, tell }: Dependencies) =>
  (
    actor: Actor,
    { taskId, jobId }: Pick<Target, 'taskId' | 'jobId'>,
    parts: readonly JobPart[],
    also: () => void,
  ): void => {
    const each = parts.map((part) => ({
      target: targets.job(actor, part.jobId, 'update:annotations'),
      data: withoutIds(part.data),
    }));
    for (const { target, data } of each) check(target, data);
    const whole = targets.task(actor, taskId, 'update:annotations');
    const all: Target = { ...whole, jobId, jobs: each.flatMap(({ target }) => target.jobs) };
    const save = (): void => {
      replaced.hideLive(headOf('replace', actor, all), jobIdsOf(all));
      for (const { target, data } of each) writer.create(target.jobs, data);
      touch(all);
      also();
    };
    saved(actor, all, save, { onlyDates: false });
    tell(actor, all);
  };
