import type { Label } from '../../../preload/contract/schema/labels.ts';
import { isoAfter, type Clock } from '../../platform/clock.ts';
import type { ChangePlace, ChangeRepository, ChangeRow, NewChange } from './annotation-change-repository.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';

export type ChangeKeeper = ReturnType<typeof createChangeKeeper>;

/** Who changes what, and how. */
export interface ChangeHead {
  readonly kind: NewChange['kind'];
  readonly place: ChangePlace;
  readonly userId: number | null;
  readonly detail?: string;
  /** Labels that go with their annotations. */
  readonly labels?: readonly Label[];
}

/** Annotations that leave their jobs one by one, or are about to. */
export interface TakenOut {
  /** The hidden set that takes what the job loses. */
  readonly hiddenOf: (jobId: number) => number;
  /** Once everything is out. */
  readonly end: (objectCount: number) => void;
}

/** Newer changes of a task with the same effect end the time of older ones: each may hold as much as the task. */
const keptOf: Readonly<Record<ChangeRow['effect'], number>> = { replace: 10, remove: 10, add: 100 };
/** Deletions that one person makes after one another are one change. */
const togetherMs = 10 * 60 * 1000;
const dayMs = 24 * 3600 * 1000;

/** How long a change can be taken back: a day, or what LIMNER_TAKE_BACK_HOURS says. 0: not at all. */
function takeBackMs(hours: string | undefined): number {
  const stated = Number(hours ?? Number.NaN);
  return hours !== undefined && hours.trim() !== '' && stated >= 0 ? stated * 3600 * 1000 : dayMs;
}

/**
 * Hides annotations instead of removing them, so that the change can be taken back for a while. All of it runs inside
 * the caller's transaction.
 */
export function createChangeKeeper({
  changes,
  sets,
  clock,
  keptMs = takeBackMs(process.env['LIMNER_TAKE_BACK_HOURS']),
  onDiscarded,
}: {
  readonly changes: ChangeRepository;
  readonly sets: AnnotationSetRepository;
  readonly clock: Clock;
  readonly keptMs?: number;
  /** Called when hidden annotations are kept no longer: their rows go in the background. */
  readonly onDiscarded: () => void;
}) {
  /** Null where nothing is kept. */
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

  /** The change that a deletion goes on with; undefined where it is one of its own. */
  function goesOn({ kind, place, userId }: ChangeHead): ChangeRow | undefined {
    if (kind !== 'delete' || keptMs === 0) return undefined;
    const now = clock();
    const last = changes.newest(place, now);
    const isSame = last?.kind === kind && last.user_id === userId;
    return isSame && Date.parse(now) - Date.parse(last.created_date) < togetherMs ? last : undefined;
  }

  return {
    countLive: (jobIds: readonly number[]): number => sets.countObjects(jobIds.flatMap(sets.live)),
    /**
     * Hides what the jobs show. Each has a hidden set then, if an empty one: taken back, the job is as it was.
     * @returns the change, null where nothing is kept
     */
    hideLive(head: ChangeHead, jobIds: readonly number[]): number | null {
      const id = insert(head, 'replace', sets.countObjects(jobIds.flatMap(sets.live)));
      for (const jobId of jobIds) {
        sets.base(jobId);
        sets.hideLive(jobId, id);
      }
      return id;
    },
    /** Hides sets of which taking back shows them again, beside what is there then. */
    hide(head: ChangeHead, setIds: readonly number[]): number | null {
      const id = insert(head, 'add', sets.countObjects(setIds));
      for (const setId of setIds) sets.hide(setId, id);
      return id;
    },
    /** Shows sets of which taking back hides them again. */
    show(head: ChangeHead, setIds: readonly number[]): number | null {
      const id = insert(head, 'remove', sets.countObjects(setIds));
      for (const setId of setIds) sets.show(setId, id);
      return id;
    },
    takeOut(head: ChangeHead): TakenOut {
      const earlier = goesOn(head);
      const id = earlier?.id ?? insert(head, 'add', 0);
      const hidden = new Map<number, number>();
      return {
        hiddenOf(jobId) {
          const setId = hidden.get(jobId) ?? sets.hiddenOf(jobId, id);
          hidden.set(jobId, setId);
          return setId;
        },
        end(objectCount) {
          if (id !== null) changes.grow(id, objectCount, isoAfter(clock(), keptMs));
        },
      };
    },
    removeExpired(): void {
      if (changes.removeExpired(clock())) onDiscarded();
    },
  };
}
