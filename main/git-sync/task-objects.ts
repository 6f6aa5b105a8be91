import { randomBytes } from 'node:crypto';
import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import type { Label } from '../../preload/contract/schema/labels.ts';
import { AppError } from '../platform/errors.ts';
import type { Actor } from '../users/access/actor.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import { labelOwner, type LabelRepository } from '../work/labels/label-repository.ts';
import type { MediaRepository } from '../work/tasks/media-repository.ts';
import type { TaskRow } from '../work/tables/task-table.ts';
import type { TaskFacts } from './annotation-files.ts';
import { annotationsOf, objectOf, objectsOf, createLabelNames, type StoredObject } from './annotation-objects.ts';
import { objectKey, type BindingRepository } from './binding-repository.ts';
import { difference, type Difference, type State } from './merge.ts';

/** Limit, because all objects are in memory and are processed synchronously. */
export const maxObjects = 300_000;

export const newUid = (): string => randomBytes(8).toString('hex');

export interface Own {
  readonly state: State;
  readonly ids: ReadonlyMap<string, StoredObject>;
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
  function read(actor: Actor, task: TaskRow, ...known: readonly State[]): Own {
    const found = objectsOf(annotations.readTask(actor, task.id), createLabelNames(labelsOf(task)));
    if (found.length > maxObjects) throw tooMany('task', found.length);
    const names = bindings.known(task.id);
    const taken = new Set(found.flatMap(({ kind, id }) => names.get(objectKey(kind, id)) ?? []));
    const equals = new Map<string, string[]>();
    for (const state of known)
      for (const [uid, text] of state) if (!taken.has(uid)) equals.set(text, [...(equals.get(text) ?? []), uid]);
    const ids = new Map<string, StoredObject>();
    const nameOf = (object: StoredObject): string => {
      const given = names.get(objectKey(object.kind, object.id));
      if (given !== undefined && !ids.has(given)) return given;
      return equals.get(object.text)?.find((uid) => !ids.has(uid)) ?? newUid();
    };
    for (const object of found) ids.set(nameOf(object), object);
    return { ids, state: new Map([...ids].map(([uid, { text }]) => [uid, text])) };
  }

  const remember = (taskId: number, ids: ReadonlyMap<string, Pick<StoredObject, 'kind' | 'id'>>): void =>
    bindings.remember(taskId, new Map([...ids].map(([uid, { kind, id }]) => [objectKey(kind, id), uid])));

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
    remember: (taskId: number, { ids }: Own): void => remember(taskId, ids),

    /**
     * Plans the edits from one state to another, with the checks, notifications and undo of a user's edits. Everything
     * is validated here; only `save` changes data.
     */
    plan(actor: Actor, task: TaskRow, own: Own, target: State): { steps: Difference; save: () => void } {
      const steps = difference(own.state, target);
      const names = createLabelNames(labelsOf(task));
      const wanted = (uid: string) => ({ object: objectOf(target.get(uid) ?? ''), id: own.ids.get(uid)?.id });
      const isSameKind = (uid: string): boolean => sameKind(own.state.get(uid) ?? '', target.get(uid) ?? '');
      const updates = annotationsOf(steps.changed.filter(isSameKind).map(wanted), names);
      const made = [...steps.changed.filter((uid) => !isSameKind(uid)), ...steps.added];
      const creations = annotationsOf(
        made.map((uid) => ({ object: wanted(uid).object })),
        names,
      );
      const gone = [...steps.removed, ...steps.changed.filter((uid) => !isSameKind(uid))];
      const removals = annotationsOf(
        gone.map((uid) => ({ object: objectOf(own.state.get(uid) ?? ''), id: own.ids.get(uid)?.id })),
        names,
      );
      function save(): void {
        const ids = new Map(own.ids);
        for (const uid of gone) ids.delete(uid);
        if (gone.length > 0) annotations.changeTask(actor, task.id, 'delete', removals);
        if (countOf(updates) > 0) annotations.changeTask(actor, task.id, 'update', updates);
        if (made.length > 0) {
          const answer = annotations.changeTask(actor, task.id, 'create', creations);
          for (const [uid, id] of idsOf(made, target, answer)) ids.set(uid, { id, ...kindAndText(target, uid) });
        }
        remember(task.id, ids);
      }
      return { steps, save };
    },
  };
}

const countOf = ({ tags, shapes, tracks }: LabeledData): number => tags.length + shapes.length + tracks.length;
const kindAndText = (state: State, uid: string) => {
  const text = state.get(uid) ?? '';
  return { kind: objectOf(text).kind, text };
};

/** True if an update can turn one into the other; the type of a shape never changes. */
function sameKind(a: string, b: string): boolean {
  const [from, to] = [objectOf(a), objectOf(b)];
  if (from.kind !== to.kind) return false;
  const typeOf = (object: typeof from): string => (object.kind === 'shape' ? object.type : object.kind);
  // The frame of a shape and a label with points cannot change either.
  return typeOf(from) === typeOf(to) && from.frame === to.frame && from.label === to.label;
}

/** Created objects are returned in the order of the input, for each kind separately. */
function* idsOf(uids: readonly string[], state: State, answer: LabeledData): Generator<[string, number]> {
  const queues = { tag: [...answer.tags], shape: [...answer.shapes], track: [...answer.tracks] };
  const next = { tag: 0, shape: 0, track: 0 };
  for (const uid of uids) {
    const { kind } = kindAndText(state, uid);
    const id = queues[kind][next[kind]]?.id;
    next[kind] += 1;
    if (id !== undefined) yield [uid, id];
  }
}

export function tooMany(what: 'task' | 'project', count: number): AppError {
  const message = `This ${what} has ${count.toLocaleString('en')} annotations. The limit for a Git repository is ${maxObjects.toLocaleString('en')}; for more, back the ${what} up. Nothing was changed.`;
  return new AppError('too-large', message);
}
