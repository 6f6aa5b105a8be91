import type { LabeledData, LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';

/** Expected content of the store: each object as text, by its kind and id (`shapes 17`). */
export type Model = ReadonlyMap<string, string>;

export type Kind = 'tags' | 'shapes' | 'tracks';
export type ShapeInput = NonNullable<LabeledDataInput['shapes']>[number];
export type TagInput = NonNullable<LabeledDataInput['tags']>[number];
export type TrackInput = NonNullable<LabeledDataInput['tracks']>[number];

const ofShape = (shape: ShapeInput): unknown => [
  shape.type,
  shape.frame,
  shape.label_id,
  shape.points ?? [],
  shape.occluded ?? false,
  shape.z_order ?? 0,
  shape.rotation ?? 0,
  shape.group ?? 0,
  (shape.elements ?? []).map((element) => [element.label_id, element.points, element.occluded ?? false]),
];
const ofTag = (tag: TagInput): unknown => [tag.frame, tag.label_id, tag.group ?? 0];
const ofTrack = (track: TrackInput): unknown => [
  track.label_id,
  track.group ?? 0,
  track.shapes.map((shape) => [shape.frame, shape.type, shape.points, shape.outside ?? false, shape.occluded ?? false]),
];

/** Content of every object of a request or an answer, with its id if it has one. */
export function contents(data: LabeledDataInput): { kind: Kind; id: number | undefined; content: string }[] {
  const entry = (kind: Kind, id: number | undefined, content: unknown) => ({
    kind,
    id,
    content: JSON.stringify(content),
  });
  return [
    ...(data.tags ?? []).map((tag) => entry('tags', tag.id, ofTag(tag))),
    ...(data.shapes ?? []).map((shape) => entry('shapes', shape.id, ofShape(shape))),
    ...(data.tracks ?? []).map((track) => entry('tracks', track.id, ofTrack(track))),
  ];
}

export const keyOf = (kind: Kind, id: number | undefined): string => `${kind} ${id}`;

export function modelOf(data: LabeledData): Map<string, string> {
  return new Map(contents(data).map(({ kind, id, content }) => [keyOf(kind, id), content]));
}

export interface Edit {
  readonly method: 'PATCH' | 'PUT' | 'DELETE';
  readonly action?: 'create' | 'update' | 'delete';
  readonly target: 'tasks' | 'jobs';
  readonly id: number;
  readonly body?: LabeledDataInput;
  /** New content of existing objects; null means deleted. */
  readonly changes: ReadonlyMap<string, string | null>;
  readonly added: readonly { readonly kind: Kind; readonly content: string }[];
}

/** The model after an edit; `answer` contains the ids of added objects. */
export function applied(model: Model, edit: Edit, answer: LabeledData | undefined): Map<string, string> {
  const next = new Map(model);
  for (const [key, content] of edit.changes) {
    if (content === null) next.delete(key);
    else next.set(key, content);
  }
  if (edit.added.length > 0) for (const [key, content] of modelOf(answer ?? emptyData)) next.set(key, content);
  return next;
}

const emptyData: LabeledData = { version: 0, tags: [], shapes: [], tracks: [], intervals: [] };

export interface Verdict {
  readonly lost: readonly string[];
  readonly unanswered: 'none' | 'there' | 'missing' | 'half';
}

/** Compares the store with all answered edits and the one edit that may or may not have arrived. */
export function judge(model: Model, actual: Model, unanswered: Edit | null): Verdict {
  const changes = unanswered?.changes ?? new Map<string, string | null>();
  const lost: string[] = [];
  for (const [key, content] of model) {
    if (!changes.has(key) && actual.get(key) !== content) lost.push(`${key}: ${content} became ${actual.get(key)}`);
  }
  const extra = [...actual].filter(([key]) => !model.has(key));
  if (!unanswered) {
    for (const [key, content] of extra) lost.push(`${key}: ${content} was never sent, or was deleted`);
    return { lost, unanswered: 'none' };
  }
  const isAsBefore = [...changes.keys()].every((key) => actual.get(key) === model.get(key)) && extra.length === 0;
  const isAsAfter =
    [...changes].every(([key, content]) => (actual.get(key) ?? null) === content) &&
    sameContents(
      extra,
      unanswered.added.map(({ kind, content }) => `${kind} ${content}`),
    );
  return { lost, unanswered: isAsAfter ? 'there' : isAsBefore ? 'missing' : 'half' };
}

function sameContents(extra: readonly (readonly [string, string])[], added: readonly string[]): boolean {
  const found = extra.map(([key, content]) => `${key.slice(0, key.indexOf(' '))} ${content}`).sort();
  const expected = added.toSorted();
  return found.length === expected.length && found.every((content, index) => content === expected[index]);
}
