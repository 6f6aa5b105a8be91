import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Store } from '../../db/store.ts';
import { AppError } from '../../platform/errors.ts';
import { atOnce, type Portions } from '../../platform/portions.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { MediaRepository } from '../tables/media-repository.ts';
import type { SavedHow } from './annotation-feed.ts';
import { checkIds } from './annotation-rules.ts';
import type { Target } from './annotation-targets.ts';
import { emptyData, type AnnotationWriter } from './annotation-writer.ts';
import { withPoolCopies } from './pool-copies.ts';
import { jobIdsOf } from './replace-jobs.ts';
import type { SerialisedReads } from './serialised-reads.ts';
import { withSkeletonStarts } from './skeleton-starts.ts';
import type { StagedPortion, StagedSave, StagedSaveRepository } from './staged-save-repository.ts';

/** Passes on the objects of a save in portions, each list in one run, and lets other requests run in between. */
export type PassPortions = (take: (portion: LabeledData) => Promise<void>) => Promise<unknown>;

export interface StagedSaveDependencies {
  readonly database: Store;
  readonly staged: StagedSaveRepository;
  readonly writer: AnnotationWriter;
  readonly serialised: SerialisedReads;
  readonly media: Pick<MediaRepository, 'honeypots'>;
  readonly check: (target: Target, data: LabeledData, era?: number) => void;
  readonly saved: (actor: Actor, target: Target, save: () => void) => void;
  readonly touch: (target: Target) => void;
  /** Removes objects so that the removal can be undone. */
  readonly takeOut: (actor: Actor, target: Target, data: LabeledData) => LabeledData;
  readonly tell: (actor: Actor, target: Target, data: LabeledData, how: SavedHow) => void;
}

const lists = ['tags', 'shapes', 'tracks'] as const;

/** The objects that pass a test, each given alone. */
const filtered = (data: LabeledData, isWanted: (alone: LabeledData) => boolean): LabeledData => {
  const result = emptyData();
  for (const list of lists) {
    const items: object[] = data[list].filter((item) => isWanted({ ...emptyData(), [list]: [item] }));
    Object.assign(result, { [list]: items });
  }
  return result;
};

/**
 * Updates and deletions that are too large for one transaction. Objects keep their ids, so that a pending set cannot
 * hold the new versions. Portions are checked and stored first: a refused save changes nothing. Then each is applied in
 * a short transaction. After a kill, the next start applies the rest.
 */
export function createStagedSaves(dependencies: StagedSaveDependencies) {
  const { database, staged, writer, serialised, media, check, saved, touch, takeOut, tell } = dependencies;

  /** Writes other tables than those of annotations, so that cached answers stay valid. */
  const write = <Result>(work: () => Result): Result =>
    serialised.change([], () => database.syncLater(() => database.write(work)));

  function checkPart({ target, action }: Pick<StagedSave, 'target' | 'action'>, data: LabeledData): void {
    if (action === 'update') check(target, data, serialised.era());
    writer.requirePresent(target.jobs, data);
  }

  function stage({ target, action }: StagedSave, saveId: number, sent: LabeledData): void {
    if (action === 'delete') checkIds(sent, 'present');
    const data = withPoolCopies(target, action === 'delete' ? sent : withSkeletonStarts(sent), action, media);
    checkPart({ target, action }, data);
    write(() => staged.add(saveId, data));
  }

  /** Without objects that were deleted, or whose labels were, after they were staged. */
  function applicable(save: StagedSave, data: LabeledData): LabeledData {
    const isApplicable = (part: LabeledData): boolean => {
      try {
        checkPart(save, part);
        return true;
      } catch (error) {
        if (error instanceof AppError) return false;
        throw error;
      }
    };
    return isApplicable(data) ? data : filtered(data, isApplicable);
  }

  /** @returns the jobs whose annotations changed, and the changed objects */
  function apply(save: StagedSave, portion: StagedPortion): { jobs: Target['jobs']; written: LabeledData } {
    const { actor, action, target } = save;
    const data = applicable(save, portion.data);
    const jobs = writer.concerned(target.jobs, data, action);
    const changed = { ...target, jobs };
    const written = serialised.change(jobIdsOf(changed), () =>
      database.syncLater(() =>
        database.write(() => {
          staged.removePortion(portion.id);
          return action === 'delete' ? takeOut(actor, target, data) : writer.update(target.jobs, data);
        }),
      ),
    );
    tell(actor, changed, written, { action, anyFrame: true });
    return { jobs, written };
  }

  function* applyAll(saveId: number, save: StagedSave, take: (written: LabeledData) => void): Portions<void> {
    const changed = new Set<number>();
    for (let portion = staged.first(saveId); portion; portion = staged.first(saveId)) {
      const { jobs, written } = apply(save, portion);
      for (const { id } of jobs) changed.add(id);
      take(written);
      yield;
    }
    const target = { ...save.target, jobs: save.target.jobs.filter(({ id }) => changed.has(id)) };
    saved(save.actor, target, () => {
      staged.remove(saveId);
      touch(target);
    });
  }

  function* discard(saveId: number): Portions<void> {
    for (let portion = staged.first(saveId); portion; portion = staged.first(saveId)) {
      const { id } = portion;
      write(() => staged.removePortion(id));
      yield;
    }
    write(() => staged.remove(saveId));
  }

  /** Runs a portion when the log of the store has room for it. */
  async function paced(portions: Portions<void>): Promise<void> {
    do await Promise.all([database.ready(), nextTurn()]);
    while (portions.next().done !== true);
  }

  return {
    /**
     * @param take receives the changed objects
     * @param confirm called before the first change; an error discards the save
     */
    async save(
      save: StagedSave,
      pass: PassPortions,
      { take, confirm }: { readonly take: (written: LabeledData) => void; readonly confirm: () => void },
    ): Promise<void> {
      const saveId = write(() => staged.begin(save));
      try {
        await pass(async (portion) => {
          await database.ready();
          stage(save, saveId, portion);
        });
        confirm();
        write(() => staged.complete(saveId));
      } catch (error) {
        // If the store is closed or read-only, the next start discards the save.
        await paced(discard(saveId)).catch(() => undefined);
        throw error;
      }
      await paced(applyAll(saveId, save, take));
    },
    /** Call at the start: applies the saves that an earlier run had received completely, and discards others. */
    recover(): void {
      for (const id of staged.incomplete()) atOnce(discard(id));
      for (const { id, save } of staged.completed()) atOnce(applyAll(id, save, () => undefined));
    },
  };
}
