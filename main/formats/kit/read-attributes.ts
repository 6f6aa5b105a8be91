import { annotationSources, type AnnotationSource } from '../../../preload/contract/annotation-names.ts';
import { isKeyframe } from './skeletons.ts';
import type { Attribute, LabeledShape } from './task-data.ts';
import { brief, RecordError, isRecord } from './records.ts';

/** The `attributes` object of an annotation: fields of the shape that CVAT writes into it, and the label's own. */
export interface ReadAttributes {
  readonly own: readonly Attribute[];
  /** Names of attributes whose values are lists or objects. */
  readonly unusable: readonly string[];
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
  unusable: [],
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

function toBoolean(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : undefined;
  if (text === undefined) throw new RecordError(`attributes.${name}`, `must be true or false, but is ${brief(value)}`);
  if (truths.has(text)) return true;
  if (falsehoods.has(text)) return false;
  throw new RecordError(`attributes.${name}`, `must be true or false, but is ${brief(value)}`);
}

function toNumber(name: string, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw new RecordError(`attributes.${name}`, `must be a number, but is ${brief(value)}`);
}

function toInteger(name: string, value: unknown): number {
  const number = toNumber(name, value);
  if (!Number.isSafeInteger(number))
    throw new RecordError(`attributes.${name}`, `must be a whole number, but is ${brief(value)}`);
  return number;
}

function toSource(value: unknown): AnnotationSource {
  return annotationSources.find((source) => source === value) ?? 'file';
}

/** Names of the fields that stand among the attributes: attributes of these names have no place there. */
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

/** Sources that a shape would lose: one from a file is told to be from a file again. */
export const tellingSources: ReadonlySet<unknown> = new Set<AnnotationSource>(['auto', 'semi-auto', 'consensus']);

/** The fields of a shape that are not the usual ones, for {@link readAttributes} of a format that has a flag for `occluded`. */
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

/** Throws `RecordError` for a value that its field cannot have. Null values are taken as missing. */
export function readAttributes(attributes: unknown): ReadAttributes {
  if (attributes === undefined || attributes === null) return noAttributes;
  if (!isRecord(attributes)) throw new RecordError('attributes', `must be an object, but is ${brief(attributes)}`);
  const own: Attribute[] = [];
  const unusable: string[] = [];
  const read: { -readonly [Field in keyof ReadAttributes]: ReadAttributes[Field] } = { ...noAttributes, own, unusable };
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) continue;
    if (name === 'occluded') read.occluded = toBoolean(name, value);
    else if (name === 'outside') read.outside = toBoolean(name, value);
    else if (name === 'rotation') read.rotation = toNumber(name, value);
    else if (name === 'z_order') read.zOrder = toInteger(name, value);
    else if (name === 'track_id') read.trackId = toInteger(name, value);
    else if (name === 'keyframe') read.keyframe = toBoolean(name, value);
    else if (name === 'source') read.source = toSource(value);
    else if (typeof value === 'object') unusable.push(name);
    else own.push({ name, value: String(value) });
  }
  return read;
}
