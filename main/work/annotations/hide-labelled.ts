import { atOnce, type Portions } from '../../platform/portions.ts';
import type { LabelOwner } from '../tables/label-repository.ts';
import type { LabelHiding, LabelRemoval } from '../labels/label-service.ts';
import { everythingOf, type AnnotationFeed } from './annotation-feed.ts';
import type { LabelledRepository } from './labelled-repository.ts';
import type { ReplacedAnnotations, TakenOut } from './replaced-annotations.ts';

interface Dependencies {
  readonly replaced: Pick<ReplacedAnnotations, 'takeOut' | 'isOn'>;
  readonly labelled: LabelledRepository;
  readonly news: Pick<AnnotationFeed, 'changed' | 'latestOf'>;
}

/** Hides annotations whose labels are deleted, as a change that can be undone together with the labels. */
export function createHideLabelled({ replaced, labelled, news }: Dependencies): LabelHiding {
  function begin(owner: LabelOwner, ids: readonly number[], { labels, userId }: LabelRemoval) {
    const labelIds = new Set(ids);
    const changedJobs = new Set<number>();
    /** Jobs and prediction sets without objects of the labels; of jobs, the number of their latest change then. */
    const emptied = { jobs: new Map<number, number>(), predictions: new Set<number>() };
    let change: TakenOut | undefined;

    const takenOut = (): TakenOut =>
      (change ??= replaced.takeOut({
        kind: 'label',
        place: {
          projectId: owner.kind === 'project' ? owner.id : null,
          taskId: owner.kind === 'task' ? owner.id : null,
          jobId: null,
        },
        userId,
        detail: labels.map(({ name }) => name).join(', '),
        labels,
      }));

    function* hide(jobId: number, state: 'live' | 'pending'): Portions<void> {
      const target = (): number => {
        changedJobs.add(jobId);
        return takenOut().hiddenOf(jobId);
      };
      for (const setId of labelled.setsOfJob(jobId, state)) {
        yield* labelled.take(setId, { labelIds, target, taken: (count) => takenOut().end(count) });
      }
    }

    const tell = (): void => news.changed({ userId, window: null }, everythingOf(changedJobs));

    /** Skips jobs that were not changed since they were emptied. */
    function* walk(): Portions<void> {
      for (const jobId of labelled.jobs(owner)) {
        const latest = news.latestOf([jobId]);
        if (emptied.jobs.get(jobId) === latest) continue;
        yield* hide(jobId, 'live');
        emptied.jobs.set(jobId, latest);
      }
      // Not saved for undo, because predictions can be imported again.
      for (const setId of labelled.predictionSets(owner)) {
        if (emptied.predictions.has(setId)) continue;
        yield* labelled.take(setId, { labelIds, target: () => null, taken: () => undefined });
        emptied.predictions.add(setId);
      }
    }

    return {
      walk,
      cancel(): void {
        change?.cancel();
        tell();
      },
      finish(): void {
        atOnce(walk());
        for (const jobId of labelled.jobs(owner)) atOnce(hide(jobId, 'pending'));
        takenOut().end(0);
        labelled.noteGone(owner);
        tell();
      },
    };
  }

  const keyOf = ({ kind, id }: LabelOwner, labelIds: readonly number[]): string =>
    `${kind} ${id} ${labelIds.toSorted((a, b) => a - b).join()}`;
  const prepared = new Map<string, ReturnType<typeof begin>>();

  return {
    hide(owner, labelIds, removal) {
      (prepared.get(keyOf(owner, labelIds)) ?? begin(owner, labelIds, removal)).finish();
    },
    prepare(owner, labelIds, removal) {
      const key = keyOf(owner, labelIds);
      // Without undo, a deletion that fails at its end could not bring the annotations back.
      if (!replaced.isOn || prepared.has(key)) return { portions: function* none() {}, end: () => undefined };
      const work = begin(owner, labelIds, removal);
      return {
        *portions() {
          prepared.set(key, work);
          // The first walk empties the jobs; the second one those that were changed while it ran.
          for (let round = 0; round < 2; round += 1) yield* work.walk();
        },
        end(isDeleted) {
          prepared.delete(key);
          if (!isDeleted) work.cancel();
        },
      };
    },
  };
}
