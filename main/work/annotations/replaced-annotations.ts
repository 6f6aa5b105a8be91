import type { Label } from '../../../preload/contract/schema/labels.ts';
import { isoAfter, type Clock } from '../../platform/clock.ts';
import type { ChangePlace, ChangeRepository, ChangeRow, NewChange } from './annotation-change-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';

export type ReplacedAnnotations = ReturnType<typeof createReplacedAnnotations>;

const idsOf = (rows: readonly { readonly id: number }[]): number[] => rows.map(({ id }) => id);

export interface ChangeHead {
  readonly kind: NewChange['kind'];
  readonly place: ChangePlace;
  readonly userId: number | null;
  readonly detail?: string;
  readonly labels?: readonly Label[];
}

export interface TakenOut {
  /** The change; null if undo is disabled. */
  readonly id: number | null;
  /** Returns the hidden set that receives the job's removed objects. */
  readonly hiddenOf: (jobId: number) => number;
  /** Call when objects are removed, with their number. */
  readonly end: (objectCount: number) => void;
  /** Shows the removed objects again, and forgets the change. */
  readonly cancel: () => void;
}

/** Undoable changes per task and effect; older ones expire. Limited because each may hold as much data as the task. */
const keptOf: Readonly<Record<ChangeRow['effect'], number>> = { replace: 10, remove: 10, add: 100 };
/** Consecutive deletions of one user within this time are one change. */
const togetherMs = 10 * 60 * 1000;
const dayMs = 24 * 3600 * 1000;

/** Milliseconds during which a change can be undone: a day, or LIMNER_UNDO_HOURS. 0 disables undo. */
function undoMs(hours: string | undefined): number {
  const stated = Number(hours ?? Number.NaN);
  return hours !== undefined && hours.trim() !== '' && stated >= 0 ? stated * 3600 * 1000 : dayMs;
}

/**
 * Hides annotations instead of deleting them, so that the change can be undone for a while. All methods run inside the
 * caller's transaction.
 */
export function createReplacedAnnotations({
  changes,
  sets,
  clock,
  keptMs = undoMs(process.env['LIMNER_UNDO_HOURS']),
  onDiscarded,
}: {
  readonly changes: ChangeRepository;
  readonly sets: AnnotationSetRepository;
  readonly clock: Clock;
  readonly keptMs?: number;
  /** Called when hidden annotations expire; their rows are deleted in the background. */
  readonly onDiscarded: () => void;
}) {
  /** Null if undo is disabled. */
  function insert(head: ChangeHead, effect: ChangeRow['effect'], objectCount: number): number | null {
    if (keptMs === 0) {
      onDiscarded();
      return null;
    }
    const { kind, place, userId, detail = '', labels = null } = head;
    const now = clock();
    const dates = { createdDate: now, expiryDate: isoAfter(now, keptMs) };
    const id = changes.insert({ kind, effect, place, userId, objectCount, detail, labels, ...dates });
    if (changes.trim(place, effect, keptOf[effect])) onDiscarded();
    return id;
  }

  /** The earlier change that this deletion extends; undefined if it is a separate change. */
  function goesOn({ kind, place, userId }: ChangeHead): ChangeRow | undefined {
    if (kind !== 'delete' || keptMs === 0) return undefined;
    const now = clock();
    const last = changes.newest(place, now);
    const isSame = last?.kind === kind && last.user_id === userId;
    return isSame && Date.parse(now) - Date.parse(last.created_date) < togetherMs ? last : undefined;
  }

  function cancel(id: number): void {
    sets.show(idsOf(sets.ofChange(id, 'discarded')), null);
    changes.remove(id);
  }

  return {
    /** False if removed annotations are not kept. */
    isOn: keptMs > 0,
    /** Call at the start: shows the annotations of labels whose deletion did not end. */
    cancelUnfinished: (): void => changes.unfinishedDeletions().forEach(cancel),
    countLive: (jobIds: readonly number[]): number => sets.countObjects(sets.liveOf(jobIds)),
    /**
     * Hides all annotations that the jobs show. Each job gets a hidden set, even an empty one, so that an undo restores
     * the exact state.
     * @returns the change; null if undo is disabled
     */
    hideLive(head: ChangeHead, jobIds: readonly number[]): number | null {
      const id = insert(head, 'replace', sets.countObjects(sets.liveOf(jobIds)));
      sets.bases(jobIds);
      sets.hideLive(jobIds, id);
      return id;
    },
    /** Hides sets. An undo shows them again, next to the annotations that exist by then. */
    hide(head: ChangeHead, setIds: readonly number[]): number | null {
      const id = insert(head, 'add', sets.countObjects(setIds));
      sets.hide(setIds, id);
      return id;
    },
    /** Shows sets. An undo hides them again. */
    show(head: ChangeHead, setIds: readonly number[]): number | null {
      const id = insert(head, 'remove', sets.countObjects(setIds));
      sets.show(setIds, id);
      return id;
    },
    takeOut(head: ChangeHead): TakenOut {
      const earlier = goesOn(head);
      const id = earlier?.id ?? insert(head, 'add', 0);
      const hidden = new Map<number, number>();
      return {
        id,
        hiddenOf(jobId) {
          const setId = hidden.get(jobId) ?? sets.hiddenOf(jobId, id);
          hidden.set(jobId, setId);
          return setId;
        },
        end(objectCount) {
          if (id !== null) changes.grow(id, objectCount, isoAfter(clock(), keptMs));
        },
        cancel(): void {
          if (id !== null) cancel(id);
        },
      };
    },
    /** Deletes the rows of discarded sets, in the background. */
    removeDiscarded: onDiscarded,
    removeExpired(): void {
      if (changes.removeExpired(clock())) onDiscarded();
    },
  };
}
