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
} from '../../../preload/contract/schema/annotations.ts';
import type { LabelNames, NamedLabel } from './label-names.ts';

const finite = z.number();
const frame = z.int().nonnegative();
/** By name, in the order of the names. */
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
 * An annotation as it stands in a repository: like the service writes it, but with names in the place of numbers, which
 * mean nothing elsewhere. Coordinates in image pixels.
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

/** Equal objects have equal texts: the schema decides on the order of what is in them. */
export const textOf = (object: GitObject): string => JSON.stringify(gitObjectSchema.parse(object));
export const objectOf = (text: string): GitObject => JSON.parse(text) as GitObject;

export interface StoredObject {
  readonly id: number;
  readonly kind: GitObject['kind'];
  readonly text: string;
}

/** The annotations of a task as objects of a repository. */
export function objectsOf({ tags, shapes, tracks }: LabeledData, names: LabelNames): StoredObject[] {
  const made = (object: GitObject, { id = 0 }: { readonly id?: number | undefined }): StoredObject => ({
    id,
    kind: object.kind,
    text: textOf(object),
  });
  return [
    ...tags.map((tag) => made({ kind: 'tag', frame: tag.frame, ...labelOf(tag, names), ...named(tag, names) }, tag)),
    ...shapes.map((shape) => {
      const elements = shape.elements.map((one) => elementOf(one, names));
      return made({ kind: 'shape', frame: shape.frame, ...elementOf(shape, names), elements }, shape);
    }),
    ...tracks.map((track) => {
      const elements = track.elements.map((one) => partOf(one, names));
      return made({ kind: 'track', ...partOf(track, names), elements }, track);
    }),
  ];
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

/** The other way, for a save. @throws AppError 409 for labels and attributes that the task does not have */
export function annotationsOf(
  objects: readonly { readonly object: GitObject; readonly id?: number | undefined }[],
  names: LabelNames,
): LabeledData {
  const data: LabeledData = { version: 0, tags: [], shapes: [], tracks: [], intervals: [] };
  for (const { object, id } of objects) {
    const own = id === undefined ? {} : { id };
    const label = names.find(object.label);
    if (object.kind === 'tag') data.tags.push({ ...own, frame: object.frame, ...storedLabel(object, label) });
    else if (object.kind === 'shape') data.shapes.push({ ...own, ...storedShape(object, label) });
    else data.tracks.push({ ...own, ...storedTrack(object, label) });
  }
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
