import { randomBytes } from 'node:crypto';
import type { Label } from '../../preload/contract/schema/labels.ts';
import { AppError } from '../platform/errors.ts';
import { eachInPortions, yieldingNull, type Portions } from '../platform/portions.ts';
import type { Actor } from '../users/access/actor.ts';
import type { AnnotationDigests } from '../work/annotations/annotation-digest-repository.ts';
import type { ChangedAnnotations } from '../work/annotations/annotation-reading.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import { labelOwner, type LabelRepository } from '../work/tables/label-repository.ts';
import type { MediaRepository } from '../work/tables/media-repository.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import type { TaskFacts } from './annotation-files.ts';
import { objectsOf, createLabelNames, type StoredObject } from './annotation-objects.ts';
import { objectKey, type BindingRepository } from './binding-repository.ts';
import type { Difference, State } from './merge.ts';
import { editsOf, saveEdits, type Own } from './object-edits.ts';

/** Limit of a comparison, because all objects are in memory. */
export const maxObjects = 300_000;

export const newUid = (): string => randomBytes(8).toString('hex');

/** The whole task, or what changed in it. */
export interface OwnOf extends Own {
  readonly digests: AnnotationDigests;
}

/** Annotations that changed since known digests, not named yet. */
export interface ChangedObjects extends Omit<ChangedAnnotations, 'data'> {
  readonly found: readonly StoredObject[];
}

/** Edits that turn one state of a task into another. */
interface Plan {
  readonly steps: Difference;
  readonly save: () => Own['ids'];
}

export type TaskObjects = ReturnType<typeof createTaskObjects>;

export function createTaskObjects(dependencies: {
  readonly annotations: AnnotationService;
  readonly bindings: BindingRepository;
  readonly labels: LabelRepository;
  readonly media: MediaRepository;
}) {
  const { annotations, bindings, labels, media } = dependencies;
  const labelsOf = (task: TaskRow): Label[] => labels.list(labelOwner(task.project_id, task.id));

  /** @param known states of the repository; an annotation without uid gets that of an equal object */
  function* read(actor: Actor, task: TaskRow, ...known: readonly State[]): Portions<OwnOf> {
    const { data, digests } = yield* annotations.readChangesOfTask(actor, task.id, null);
    const found = yield* objectsOf(data, createLabelNames(labelsOf(task)));
    if (found.length > maxObjects) throw tooMany('task', found.length);
    const names = yield* bindings.known(task.id);
    const own = yield* named(found, ({ kind, id }) => names.get(objectKey(kind, id)), known);
    return { ...own, digests };
  }

  /** Reads the whole task frame by frame, with new uids; null where other requests may run. */
  function* readFramewise(actor: Actor, task: TaskRow): Generator<Own | null, AnnotationDigests> {
    const names = createLabelNames(labelsOf(task));
    const uidOf = ({ kind, id }: StoredObject) => bindings.uidOf(task.id, kind, id);
    const reading = annotations.readTaskFramewise(actor, task.id);
    let isEnded = false;
    try {
      for (;;) {
        const step = reading.next();
        isEnded = step.done === true;
        if (step.done === true) return step.value;
        if (step.value === null) yield null;
        else {
          const found = yield* yieldingNull(objectsOf(step.value, names));
          yield yield* yieldingNull(named(found, uidOf, []));
        }
      }
    } finally {
      if (!isEnded) reading.return(undefined as never);
    }
  }

  function* count(actor: Actor, task: TaskRow): Portions<number> {
    let total = 0;
    for (const data of annotations.readTaskFramewise(actor, task.id)) {
      if (data) total += data.tags.length + data.shapes.length + data.tracks.length;
      yield;
    }
    return total;
  }

  function* readChanges(actor: Actor, task: TaskRow, since: AnnotationDigests): Portions<ChangedObjects> {
    const { data, ...changes } = yield* annotations.readChangesOfTask(actor, task.id, since);
    const found = yield* objectsOf(data, createLabelNames(labelsOf(task)));
    if (found.length > maxObjects) throw tooMany('task', found.length);
    return { ...changes, found };
  }

  function* remember(taskId: number, ids: ReadonlyMap<string, Pick<StoredObject, 'kind' | 'id'>>): Portions<void> {
    yield* bindings.remember(taskId, yield* uidsOf(ids));
  }

  return {
    facts(task: TaskRow): TaskFacts {
      const { media_id: mediaId } = task;
      return {
        name: task.name,
        size: task.size ?? 0,
        labels: labelsOf(task),
        frameName: (frame) => (mediaId === null ? undefined : media.frame(mediaId, frame)?.name),
      };
    },
    read,
    readFramewise,
    count,
    readChanges,
    /** @param theirs the objects of the repository on the same frames */
    nameChanges: (taskId: number, found: readonly StoredObject[], theirs: State): Portions<Own> =>
      named(found, ({ kind, id }) => bindings.uidOf(taskId, kind, id), [theirs]),
    *rememberChanges(taskId: number, { ids }: Own): Portions<void> {
      yield* bindings.add(taskId, yield* uidsOf(ids));
    },
    remember: (taskId: number, { ids }: Pick<Own, 'ids'>): Portions<void> => remember(taskId, ids),
    /** Changes with every change of the task's objects, so that work in portions can detect one. */
    moment: (actor: Actor, task: TaskRow): string =>
      `${annotations.latestChange(actor, task.id)} ${JSON.stringify(labelsOf(task))}`,

    /**
     * Plans the edits from one state to another, with the checks, notifications and undo of a user's edits. Everything
     * is validated here; only `save` changes data. It returns the ids to remember.
     */
    *plan(actor: Actor, task: TaskRow, own: Own, target: State): Portions<Plan> {
      const edits = yield* editsOf(own, target, createLabelNames(labelsOf(task)));
      const save = () =>
        saveEdits(own, target, edits, (action, data) => annotations.changeTask(actor, task.id, action, data));
      return { steps: edits.steps, save };
    },
  };
}

/** Gives each object its uid. @param uidOf the known one */
function* named(
  found: readonly StoredObject[],
  uidOf: (object: StoredObject) => string | undefined,
  known: readonly State[],
): Portions<Own> {
  const names = new Map<StoredObject, string>();
  const taken = new Set<string>();
  yield* eachInPortions(found, (object) => {
    const uid = uidOf(object);
    if (uid === undefined) return;
    names.set(object, uid);
    taken.add(uid);
  });
  const equals = new Map<string, string[]>();
  for (const state of known) {
    yield* eachInPortions(state, ([uid, text]) => {
      if (taken.has(uid)) return;
      const uids = equals.get(text);
      if (uids) uids.push(uid);
      else equals.set(text, [uid]);
    });
  }
  const ids = new Map<string, StoredObject>();
  const state = new Map<string, string>();
  const nameOf = (object: StoredObject): string => {
    const given = names.get(object);
    if (given !== undefined && !ids.has(given)) return given;
    return equals.get(object.text)?.find((uid) => !ids.has(uid)) ?? newUid();
  };
  yield* eachInPortions(found, (object) => {
    const uid = nameOf(object);
    ids.set(uid, object);
    state.set(uid, object.text);
  });
  return { ids, state };
}

/** Uids by the key of the annotation. */
function* uidsOf(ids: ReadonlyMap<string, Pick<StoredObject, 'kind' | 'id'>>): Portions<Map<string, string>> {
  const uids = new Map<string, string>();
  yield* eachInPortions(ids, ([uid, { kind, id }]) => void uids.set(objectKey(kind, id), uid));
  return uids;
}

export function tooMany(what: 'task' | 'project', count: number): AppError {
  const message = `This ${what} has ${count.toLocaleString('en')} annotations. Limner compares at most ${maxObjects.toLocaleString('en')} with a Git repository; more can only be pushed from a task without changes in the repository. Nothing was changed. Back the ${what} up instead.`;
  return new AppError('too-large', message);
}
