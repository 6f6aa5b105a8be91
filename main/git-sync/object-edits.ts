import type { LabeledData } from '../../preload/contract/schema/annotations.ts';
import { eachInPortions, type Portions } from '../platform/portions.ts';
import { annotationsOf, objectOf, type LabelNames, type StoredObject } from './annotation-objects.ts';
import { difference, type Difference, type State } from './merge.ts';

/** Objects of a task by uid, with their ids. */
export interface Own {
  readonly state: State;
  readonly ids: ReadonlyMap<string, StoredObject>;
}

/** Changes that turn one state of annotations into another, as the API takes them. */
export interface ObjectEdits {
  readonly steps: Difference;
  readonly removals: LabeledData;
  readonly updates: LabeledData;
  readonly creations: LabeledData;
  /** Uids in the order of each of these. */
  readonly gone: readonly string[];
  readonly kept: readonly string[];
  readonly made: readonly string[];
}

/** @throws AppError 409 for labels and attributes that are missing */
export function* editsOf(own: Own, target: State, names: LabelNames): Portions<ObjectEdits> {
  const steps = yield* difference(own.state, target);
  const wanted = (uid: string) => ({ object: objectOf(target.get(uid) ?? ''), id: own.ids.get(uid)?.id });
  const [kept, replaced]: [string[], string[]] = [[], []];
  yield* eachInPortions(steps.changed, (uid) => {
    const isKept = sameKind(own.state.get(uid) ?? '', target.get(uid) ?? '');
    (isKept ? kept : replaced).push(uid);
  });
  const made = [...replaced, ...steps.added];
  const gone = [...steps.removed, ...replaced];
  const updates = yield* annotationsOf(mapped(kept, wanted), names);
  const creations = yield* annotationsOf(
    mapped(made, (uid) => ({ object: wanted(uid).object })),
    names,
  );
  const removals = yield* annotationsOf(
    mapped(gone, (uid) => ({ object: objectOf(own.state.get(uid) ?? ''), id: own.ids.get(uid)?.id })),
    names,
  );
  return { steps, removals, updates, creations, gone, kept, made };
}

/** Saves edits, with the checks, notifications and undo of a user's. Returns the ids afterwards. */
export function saveEdits(
  own: Own,
  target: State,
  { gone, kept, made, removals, updates, creations }: ObjectEdits,
  change: (action: 'create' | 'update' | 'delete', data: LabeledData) => LabeledData,
): Own['ids'] {
  const ids = new Map(own.ids);
  for (const uid of gone) ids.delete(uid);
  if (gone.length > 0) change('delete', removals);
  if (kept.length > 0) change('update', updates);
  if (made.length > 0)
    for (const [uid, id] of idsOf(made, target, change('create', creations)))
      ids.set(uid, { id, ...kindAndText(target, uid) });
  return ids;
}

function* mapped<Item, Result>(items: readonly Item[], use: (item: Item) => Result): Generator<Result> {
  for (const item of items) yield use(item);
}

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

/** Saved objects are returned in the order of the input, for each kind separately. */
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
