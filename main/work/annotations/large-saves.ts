import { randomUUID } from 'node:crypto';
import { dirname } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { AppError } from '../../platform/errors.ts';
import { atOnce, inPortions, portionsOf, type Portions } from '../../platform/portions.ts';
import type { Actor } from '../../users/access/actor.ts';
import type { SavedHow } from './annotation-feed.ts';
import { checkIds } from './annotation-rules.ts';
import type { AnnotationSetRepository } from './annotation-set-repository.ts';
import type { Target } from './annotation-targets.ts';
import { emptyData, type AnnotationAction } from './annotation-writer.ts';
import type { ReplacedAnnotations } from './replaced-annotations.ts';
import { headOf, jobIdsOf, withoutIds } from './replace-jobs.ts';
import { createCollector, type WrittenJson } from './serialised-reads.ts';
import { withPoolCopies } from './pool-copies.ts';
import { withSkeletonStarts } from './skeleton-starts.ts';
import { createStagedSaves, type PassPortions, type StagedSaveDependencies } from './staged-saves.ts';

interface Dependencies extends Omit<StagedSaveDependencies, 'tell'> {
  readonly sets: AnnotationSetRepository;
  readonly replaced: ReplacedAnnotations;
  readonly edited: (actor: Actor, kind: 'job' | 'task', id: number) => Target;
  /** Without data, any annotation may have changed. */
  readonly tell: (actor: Actor, target: Target, data: LabeledData | null, how?: SavedHow) => void;
}

export interface LargeSave {
  readonly kind: 'job' | 'task';
  readonly id: number;
  readonly action: AnnotationAction | 'replace';
}

/** A save whose objects are new. */
interface Insertion extends LargeSave {
  readonly action: 'create' | 'replace';
}

const lists = ['tags', 'shapes', 'tracks'] as const;
const maxMemoryBytes = 16 * 1024 * 1024;

/** JSON of the written objects, in the order in which they were sent. */
function createAnswer(folder: string) {
  const collector = createCollector(maxMemoryBytes, folder);
  const begun = new Set<string>();
  const { version, intervals } = emptyData();
  collector.add(`{"version":${version},"intervals":${JSON.stringify(intervals)}`);
  return {
    *add(created: LabeledData): Portions<void> {
      let isFirst = true;
      for (const list of lists)
        for (const some of portionsOf<object>(created[list])) {
          if (!isFirst) yield;
          isFirst = false;
          const items = JSON.stringify(some).slice(1, -1);
          if (begun.has(list)) collector.add(`,${items}`);
          else collector.add(`${begun.size === 0 ? '' : ']'},"${list}":[${items}`);
          begun.add(list);
        }
    },
    end(): WrittenJson {
      if (begun.size > 0) collector.add(']');
      for (const list of lists) if (!begun.has(list)) collector.add(`,"${list}":[]`);
      collector.add('}');
      return collector.end();
    },
    drop: collector.drop,
  };
}

/** Sets by job, created when a job gets its first object. */
function createPending(sets: AnnotationSetRepository, requestId: string) {
  const pending = new Map<number, number>();
  return {
    jobIds: () => new Set(pending.keys()),
    setOf({ id }: { readonly id: number }): number {
      const setId = pending.get(id) ?? sets.createPending(id, requestId);
      pending.set(id, setId);
      return setId;
    },
    publish: (): void => void sets.publish([...pending.values()]),
  };
}

/**
 * Saves that are too large for one transaction. Objects are checked and written in portions to pending sets, which one
 * short transaction publishes. Until then nothing is visible, and the next start discards the sets of a killed process.
 */
export function createLargeSaves(dependencies: Dependencies) {
  const { database, sets, writer, serialised, replaced, media, edited, check, saved, touch, tell } = dependencies;
  const changes = createStagedSaves(dependencies);
  const folder = dirname(database.file);

  function discard(requestId: string): void {
    try {
      sets.discardListed(requestId);
      replaced.removeDiscarded();
    } catch {
      // The store is closed or read-only: the next start discards the sets.
    }
  }

  async function write(actor: Actor, save: Insertion, requestId: string, pass: PassPortions): Promise<WrittenJson> {
    const begun = edited(actor, save.kind, save.id);
    const pending = createPending(sets, requestId);
    const answer = createAnswer(folder);
    function checked(sent: LabeledData): LabeledData {
      if (save.action === 'create') checkIds(sent, 'absent');
      const data = withPoolCopies(begun, withSkeletonStarts(withoutIds(sent)), save.action, media);
      check(begun, data, serialised.era());
      return data;
    }
    /** Nothing is visible before the end, so that a portion may be written in several transactions. */
    async function writePortion(sent: LabeledData): Promise<LabeledData> {
      const writing = writer.createInPortions(begun.jobs, checked(sent), pending.setOf);
      for (;;) {
        await database.ready();
        const step = serialised.change([], () => database.syncLater(() => database.write(() => writing.next())));
        if (step.done === true) return step.value;
        await nextTurn();
      }
    }
    try {
      await pass(async (portion) => inPortions(answer.add(await writePortion(portion))));
      const json = answer.end();
      await database.ready();
      publish(actor, save, { begun, pending });
      return json;
    } catch (error) {
      answer.drop();
      throw error;
    }
  }

  /** The jobs may change while the annotations arrive. */
  function reopen(actor: Actor, { kind, id }: LargeSave, begun: Target): Target {
    const target = edited(actor, kind, id);
    if (jobIdsOf(target).join() === jobIdsOf(begun).join()) return target;
    throw new AppError(
      'conflict',
      `Cannot save: the jobs of ${target.name} were changed while the annotations arrived. Nothing of this save was ` +
        'applied. Save again.',
    );
  }

  function publish(
    actor: Actor,
    save: Insertion,
    { begun, pending }: { readonly begun: Target; readonly pending: ReturnType<typeof createPending> },
  ): void {
    const target = reopen(actor, save, begun);
    const written = pending.jobIds();
    const isReplaced = save.action === 'replace';
    const changed = isReplaced ? target : { ...target, jobs: target.jobs.filter((job) => written.has(job.id)) };
    saved(actor, changed, () => {
      if (isReplaced) replaced.hideLive(headOf('replace', actor, target), jobIdsOf(target));
      pending.publish();
      touch(changed);
    });
    tell(actor, changed, null);
  }

  async function insert(actor: Actor, save: Insertion, pass: PassPortions): Promise<WrittenJson> {
    const requestId = `save:${randomUUID()}`;
    try {
      return await write(actor, save, requestId, pass);
    } catch (error) {
      discard(requestId);
      throw error;
    }
  }

  async function change(actor: Actor, save: LargeSave, action: 'update' | 'delete', pass: PassPortions) {
    const target = edited(actor, save.kind, save.id);
    const answer = createAnswer(folder);
    try {
      const confirm = (): void => void reopen(actor, save, target);
      const take = (written: LabeledData): void => atOnce(answer.add(written));
      await changes.save({ actor, action, target }, pass, { take, confirm });
      return answer.end();
    } catch (error) {
      answer.drop();
      throw error;
    }
  }

  let isStopping = false;
  /** A stop does not wait for a large body: the client can send it again. */
  const untilStop =
    (pass: PassPortions): PassPortions =>
    (take) =>
      pass((portion) => {
        if (!isStopping) return take(portion);
        throw new AppError(
          'unavailable',
          'Cannot save: the service is stopping. Nothing of this save was applied. Save again when it runs.',
        );
      });

  return {
    /** Creates, updates or deletes objects, or replaces all with new ones. Returns the written objects as JSON. */
    saveInPortions(actor: Actor, save: LargeSave, pass: PassPortions): Promise<WrittenJson> {
      const { action } = save;
      if (action === 'update' || action === 'delete') return change(actor, save, action, untilStop(pass));
      return insert(actor, { ...save, action }, untilStop(pass));
    },
    /** Call at the start: applies large changes that were received before the process ended. */
    recover: changes.recover,
    /** Call before the service stops: refuses large saves that are still arriving. */
    refuseLargeSaves: (): void => void (isStopping = true),
  };
}
