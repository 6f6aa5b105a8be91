import { randomUUID } from 'node:crypto';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import type { AnnotationTargets, Target } from './annotation-targets.ts';
import type { ChangeHead, ReplacedAnnotations } from './replaced-annotations.ts';
import type { SerialisedReads } from './serialised-reads.ts';

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
  readonly database: Store;
  readonly targets: AnnotationTargets;
  readonly replaced: ReplacedAnnotations;
  readonly sets: AnnotationSetRepository;
  readonly serialised: SerialisedReads;
  readonly saved: (actor: Actor, target: Target, save: () => void, how: { readonly onlyDates: boolean }) => void;
  readonly touch: (target: Target) => void;
  readonly tell: (actor: Actor, target: Target) => void;
}

/**
 * Creates pending sets, which another thread fills with checked annotations, and which then replace the annotations of
 * jobs of a task: in all jobs, or in none. The next start discards the sets of a killed process.
 */
export const createReplaceJobs =
  ({ database, targets, replaced, sets, serialised, saved, touch, tell }: Dependencies) =>
  (jobIds: readonly number[]) => {
    const requestId = `replace:${randomUUID()}`;
    const setIds = serialised.change([], () =>
      database.syncLater(() => database.write(() => sets.createPendingOf(jobIds, requestId))),
    );
    return {
      /** By the index of the job. */
      setIds,
      /** @param also changes the jobs in the same transaction */
      publish(actor: Actor, { taskId, jobId }: Pick<Target, 'taskId' | 'jobId'>, also: () => void): void {
        const each = jobIds.map((id) => targets.job(actor, id, 'update:annotations'));
        const whole = targets.task(actor, taskId, 'update:annotations');
        const all: Target = { ...whole, jobId, jobs: each.flatMap(({ jobs }) => jobs) };
        const save = (): void => {
          replaced.hideLive(headOf('replace', actor, all), jobIdsOf(all));
          sets.publish(setIds);
          touch(all);
          also();
        };
        saved(actor, all, save, { onlyDates: false });
        tell(actor, all);
      },
      discard(): void {
        try {
          sets.discardListed(requestId);
          replaced.removeDiscarded();
        } catch {
          // The store is closed or read-only: the next start discards the sets.
        }
      },
    };
  };
