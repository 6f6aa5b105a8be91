import { z } from 'zod';
import {
  annotationSourceSchema,
  shapeTypeSchema,
  type AttributeValue,
  type LabeledData,
  type Shape,
  type SubShape,
  type SubTrack,
  type Tag,
  type Track,
} from '../../preload/contract/schema/annotations.ts';
import type { Label } from '../../preload/contract/schema/labels.ts';
import { AppError } from '../platform/errors.ts';
import { eachInPortions, type Portions } from '../platform/portions.ts';

const finite = z.number();
const frame = z.int().nonnegative();
const attributes = z
  .record(z.string(), z.string())
  .transform((values) => Object.fromEntries(Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1))));
const labelled = { label: z.string(), group: z.int().nonnegative().nullable(), source: annotationSourceSchema };
const geometry = {
  type: shapeTypeSchema,
  points: z.array(finite),
  occluded: z.boolean(),
  outside: z.boolean(),
  z_order: z.int(),
  rotation: z.number().min(0).max(360),
};
const score = z.number().min(0).max(1);
const element = z.strictObject({ ...labelled, ...geometry, score, attributes });
const keyframe = z.strictObject({ frame, ...geometry, attributes });
const part = { frame, ...labelled, attributes, shapes: z.array(keyframe) };

/**
 * An annotation in a repository. Like the API's format, but with names instead of ids, which are meaningless elsewhere.
 * Coordinates in image pixels.
 */
export const gitObjectSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('tag'), frame, ...labelled, attributes }),
  z.strictObject({
    kind: z.literal('shape'),
    frame,
    ...labelled,
    ...geometry,
    score,
    attributes,
    elements: z.array(element),
  }),
  z.strictObject({ kind: z.literal('track'), ...part, elements: z.array(z.strictObject(part)) }),
]);
export type GitObject = z.output<typeof gitObjectSchema>;
type Part = z.output<typeof element> | GitObject;

/** Equal objects have equal texts, because the schema fixes the order of keys. */
export const textOf = (object: GitObject): string => JSON.stringify(gitObjectSchema.parse(object));
export const objectOf = (text: string): GitObject => JSON.parse(text) as GitObject;

export interface StoredObject {
  readonly id: number;
  readonly kind: GitObject['kind'];
  readonly text: string;
}

export function* objectsOf({ tags, shapes, tracks }: LabeledData, names: LabelNames): Portions<StoredObject[]> {
  const objects: StoredObject[] = [];
  const add = (object: GitObject, { id = 0 }: { readonly id?: number | undefined }): void =>
    void objects.push({ id, kind: object.kind, text: textOf(object) });
  yield* eachInPortions(tags, (tag) =>
    add({ kind: 'tag', frame: tag.frame, ...labelOf(tag, names), ...named(tag, names) }, tag),
  );
  yield* eachInPortions(shapes, (shape) => {
    const elements = shape.elements.map((one) => elementOf(one, names));
    add({ kind: 'shape', frame: shape.frame, ...elementOf(shape, names), elements }, shape);
  });
  for (const track of tracks) {
    const elements = track.elements.map((one) => partOf(one, names));
    add({ kind: 'track', ...partOf(track, names), elements }, track);
    // A track may have thousands of keyframes.
    yield;
  }
  return objects;
}

type Labelled = Pick<Tag, 'label_id' | 'group' | 'source'>;
const labelOf = ({ label_id, group, source }: Labelled, names: LabelNames) => ({
  label: names.nameOf(label_id),
  group,
  source,
});
const named = ({ attributes: values }: { readonly attributes: readonly AttributeValue[] }, names: LabelNames) => ({
  attributes: Object.fromEntries(values.map(({ spec_id, value }) => [names.attributeOf(spec_id), value])),
});
const geometryOf = ({
  type,
  points,
  occluded,
  outside,
  z_order,
  rotation,
}: Omit<SubTrack['shapes'][number], 'id'>) => ({
  type,
  points,
  occluded,
  outside,
  z_order,
  rotation,
});
const elementOf = (shape: SubShape, names: LabelNames) => ({
  ...labelOf(shape, names),
  ...geometryOf(shape),
  score: shape.score,
  ...named(shape, names),
});
const partOf = (track: SubTrack, names: LabelNames) => ({
  frame: track.frame,
  ...labelOf(track, names),
  ...named(track, names),
  shapes: track.shapes.map((shape) => ({ frame: shape.frame, ...geometryOf(shape), ...named(shape, names) })),
});

/**
 * Converts repository objects to annotations for a save. @throws AppError 409 for labels and attributes that the task
 * lacks
 */
export function* annotationsOf(
  objects: Iterable<{ readonly object: GitObject; readonly id?: number | undefined }>,
  names: LabelNames,
): Portions<LabeledData> {
  const data: LabeledData = { version: 0, tags: [], shapes: [], tracks: [], intervals: [] };
  yield* eachInPortions(objects, ({ object, id }) => {
    const own = id === undefined ? {} : { id };
    const label = names.find(object.label);
    if (object.kind === 'tag') data.tags.push({ ...own, frame: object.frame, ...storedLabel(object, label) });
    else if (object.kind === 'shape') data.shapes.push({ ...own, ...storedShape(object, label) });
    else data.tracks.push({ ...own, ...storedTrack(object, label) });
  });
  names.requireFound();
  return data;
}

const values = (given: Readonly<Record<string, string>>, label: NamedLabel): AttributeValue[] =>
  Object.entries(given).map(([name, value]) => ({ spec_id: label.attribute(name), value }));
const storedLabel = ({ group, source, attributes: given }: Part, label: NamedLabel) => ({
  label_id: label.id,
  group,
  source,
  attributes: values(given, label),
});
const storedElement = (shape: z.output<typeof element>, at: number, label: NamedLabel): SubShape => ({
  frame: at,
  ...storedLabel(shape, label),
  ...geometryOf({ ...shape, frame: at, attributes: [] }),
  score: shape.score,
});
function storedShape(shape: GitObject & { kind: 'shape' }, label: NamedLabel): Shape {
  const elements = shape.elements.map((one) => storedElement(one, shape.frame, label.part(one.label)));
  return { ...storedElement(shape, shape.frame, label), elements };
}
const storedPart = (track: Omit<GitObject & { kind: 'track' }, 'kind' | 'elements'>, label: NamedLabel): SubTrack => ({
  frame: track.frame,
  label_id: label.id,
  group: track.group,
  source: track.source,
  attributes: values(track.attributes, label),
  shapes: track.shapes.map((shape) => ({
    frame: shape.frame,
    ...geometryOf({ ...shape, attributes: [] }),
    attributes: values(shape.attributes, label),
  })),
});
const storedTrack = (track: GitObject & { kind: 'track' }, label: NamedLabel): Track => ({
  ...storedPart(track, label),
  elements: track.elements.map((one) => storedPart(one, label.part(one.label))),
});

export type LabelNames = ReturnType<typeof createLabelNames>;

/** A label of the task by name. Missing names are collected for one error message. */
export interface NamedLabel {
  readonly id: number;
  attribute(name: string): number;
  part(name: string): NamedLabel;
}

const shownNames = 10;

/**
 * Label and attribute names of a task by id, and ids by name.
 * @param otherEnd where annotations with unknown labels come from, for the error message
 */
export function createLabelNames(labels: readonly Label[], otherEnd = 'repository') {
  const labelNames = new Map<number, string>();
  const attributeNames = new Map<number, string>();
  for (const label of labels.flatMap((one) => [one, ...one.sublabels])) {
    labelNames.set(label.id, label.name);
    for (const { id, name } of label.attributes) attributeNames.set(id, name);
  }
  const missing = new Set<string>();
  const lacks = (what: string): number => {
    missing.add(what);
    return 0;
  };

  function known(label: Pick<Label, 'id' | 'name' | 'attributes'>, parts: Label['sublabels']): NamedLabel {
    return {
      id: label.id,
      attribute: (name) =>
        label.attributes.find((one) => one.name === name)?.id ?? lacks(`attribute "${name}" of "${label.name}"`),
      part(name) {
        const found = parts.find((one) => one.name === name);
        return found ? known(found, []) : unknown(`point "${name}" of "${label.name}"`);
      },
    };
  }
  const unknown = (what: string): NamedLabel => ({ id: lacks(what), attribute: () => 0, part: () => unknown(what) });
  const byName = new Map(labels.map((label) => [label.name, known(label, label.sublabels)]));

  return {
    nameOf: (id: number): string => labelNames.get(id) ?? '',
    attributeOf: (id: number): string => attributeNames.get(id) ?? '',
    find: (name: string): NamedLabel => byName.get(name) ?? unknown(`label "${name}"`),
    /** @throws AppError 409 if a requested name does not exist */
    requireFound(): void {
      if (missing.size === 0) return;
      const list = [...missing].slice(0, shownNames).join(', ');
      const rest = missing.size > shownNames ? ` and ${missing.size - shownNames} more` : '';
      const message = `The ${otherEnd} has annotations with labels that this task lacks: ${list}${rest}. Nothing was changed. Add the missing labels, then try again.`;
      throw new AppError('conflict', message);
    },
  };
}
