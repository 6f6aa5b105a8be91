import { readNumber } from './short-decimals.ts';
import { annotationSources, type AnnotationSource } from '../../../preload/contract/annotation-names.ts';
import { isKeyframe } from './skeletons.ts';
import type { Attribute, LabeledShape } from './task-data.ts';
import { brief, isRecord } from './records.ts';

/** The `attributes` object of an annotation: CVAT's fields of the shape, and the attributes of the label. */
export interface ReadAttributes {
  readonly own: readonly Attribute[];
  readonly problems: readonly string[];
  readonly occluded: boolean;
  readonly outside: boolean;
  readonly rotation: number;
  readonly zOrder: number;
  readonly trackId: number | undefined;
  readonly keyframe: boolean | undefined;
  readonly source: AnnotationSource | undefined;
}

export const noAttributes: ReadAttributes = {
  own: [],
  problems: [],
  occluded: false,
  outside: false,
  rotation: 0,
  zOrder: 0,
  trackId: undefined,
  keyframe: undefined,
  source: undefined,
};

const truths = new Set(['true', '1', 'yes', 'y', 't', 'on']);
const falsehoods = new Set(['false', '0', 'no', 'n', 'f', 'off', '']);

/** Parses a boolean in the spellings of files; undefined for anything else. */
export function truthOf(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : 'none';
  if (truths.has(text)) return true;
  return falsehoods.has(text) ? false : undefined;
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? readNumber(value.trim()) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function integerOf(value: unknown): number | undefined {
  const number = numberOf(value);
  return Number.isSafeInteger(number) ? number : undefined;
}

const sourceOf = (value: unknown): AnnotationSource => annotationSources.find((source) => source === value) ?? 'file';

/** Names of fields among the attributes. Attributes with these names cannot be exported. */
export const fieldNames: ReadonlySet<string> = new Set([
  'rotation',
  'track_id',
  'keyframe',
  'outside',
  'z_order',
  'score',
  'occluded',
  'source',
]);

/** Sources that have to be written to survive: shapes from a file get the source "file" on import. */
export const tellingSources: ReadonlySet<unknown> = new Set<AnnotationSource>(['auto', 'semi-auto', 'consensus']);

/** Shape fields with unusual values, for {@link readAttributes} of a format that has a flag for `occluded`. */
export function fieldAttributes(shape: LabeledShape): Attribute[] {
  const { rotation = 0, track_id: trackId, z_order: zOrder, score, outside, source, type } = shape;
  const field = (name: string, value: unknown): Attribute => ({ name, value: String(value) });
  return [
    ...(rotation === 0 || type !== 'rectangle' ? [] : [field('rotation', rotation)]),
    ...(trackId === undefined || type === 'mask'
      ? []
      : [field('track_id', trackId), field('keyframe', isKeyframe(shape))]),
    ...(zOrder === 0 ? [] : [field('z_order', zOrder)]),
    ...(score === undefined || score === 1 ? [] : [field('score', score)]),
    ...(outside === true ? [field('outside', true)] : []),
    ...(tellingSources.has(source) ? [field('source', source)] : []),
  ];
}

/** Null counts as missing. Invalid field values are dropped and listed in `problems`. */
export function readAttributes(attributes: unknown): ReadAttributes {
  if (attributes === undefined || attributes === null) return noAttributes;
  if (!isRecord(attributes))
    return { ...noAttributes, problems: [`Its attributes must be an object, but are ${brief(attributes)}.`] };
  const own: Attribute[] = [];
  const problems: string[] = [];
  const read: { -readonly [Field in keyof ReadAttributes]: ReadAttributes[Field] } = { ...noAttributes, own, problems };
  const usable = <Value>(name: string, value: unknown, found: Value | undefined, kind: string): found is Value => {
    if (found === undefined) problems.push(`The attribute "${name}" must be ${kind}, but is ${brief(value)}.`);
    return found !== undefined;
  };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) continue;
    if (name === 'occluded' || name === 'outside' || name === 'keyframe') {
      const truth = truthOf(value);
      if (usable(name, value, truth, 'true or false')) read[name] = truth;
    } else if (name === 'rotation') {
      const rotation = numberOf(value);
      if (usable(name, value, rotation, 'a number')) read.rotation = rotation;
    } else if (name === 'z_order' || name === 'track_id') {
      const number = integerOf(value);
      if (usable(name, value, number, 'a whole number')) read[name === 'z_order' ? 'zOrder' : 'trackId'] = number;
    } else if (name === 'source') read.source = sourceOf(value);
    else if (typeof value === 'object') problems.push(`The value of attribute "${name}" is a list or an object.`);
    else own.push({ name, value: String(value) });
  }
  return read;
}
