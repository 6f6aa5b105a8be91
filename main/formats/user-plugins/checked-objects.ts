import { shapeTypes, type AnnotationSource, type ShapeType } from '../../../preload/contract/annotation-names.ts';
import { ShapeError } from '../kit/frame-guard.ts';
import type { Attribute, FileLabel, LabeledShape, Tag, Track, TrackedShape } from '../kit/task-data.ts';

type Fields = Readonly<Record<string, unknown>>;

const sources: ReadonlySet<unknown> = new Set<AnnotationSource>(['auto', 'semi-auto', 'manual', 'file', 'consensus']);
const maxText = 4096;
const maxList = 100_000;

function fields(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new ShapeError(`${what} is not an object`);
}

function list(value: unknown, what: string): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new ShapeError(`${what} is not a list`);
  if (value.length > maxList) throw new ShapeError(`${what} has more than ${maxList} entries`);
  return value;
}

function text(value: unknown, what: string): string {
  if (typeof value !== 'string') throw new ShapeError(`${what} is not a string`);
  if (value.length > maxText) throw new ShapeError(`${what} is longer than ${maxText} characters`);
  return value;
}

function whole(value: unknown, what: string, otherwise?: number): number {
  if (value === undefined && otherwise !== undefined) return otherwise;
  if (!Number.isSafeInteger(value)) throw new ShapeError(`${what} is not a whole number`);
  return value as number;
}

function finite(value: unknown, what: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(`${what} is not a finite number`);
  return value;
}

const attributes = (value: unknown): readonly Attribute[] =>
  list(value, 'attributes').map((one) => {
    const { name, value } = fields(one, 'an attribute');
    return { name: text(name, "an attribute's name"), value: text(value, "an attribute's value") };
  });

function points(value: unknown): readonly number[] {
  if (!Array.isArray(value) || !value.every((number) => typeof number === 'number')) {
    throw new ShapeError('points are not a list of numbers');
  }
  return value as number[];
}

function shapeType(value: unknown): ShapeType {
  if (!shapeTypes.some((type) => type === value))
    throw new ShapeError(`unknown shape type "${String(value).slice(0, 40)}"`);
  return value as ShapeType;
}

function source(value: unknown): { source?: AnnotationSource } {
  if (value === undefined) return {};
  if (!sources.has(value)) throw new ShapeError(`unknown source "${String(value).slice(0, 40)}"`);
  return { source: value as AnnotationSource };
}

const rotation = (value: unknown): { rotation?: number } =>
  value === undefined ? {} : { rotation: finite(value, 'rotation') };

/** Rebuilds a plug-in's shape from its known fields. Throws `ShapeError`. */
export function checkedShape(value: unknown, isElement = false): LabeledShape {
  const shape = fields(value, 'a shape');
  const elements = isElement ? [] : list(shape['elements'], 'elements');
  return {
    type: shapeType(shape['type']),
    frame: whole(shape['frame'], 'frame'),
    label: text(shape['label'], 'label'),
    points: points(shape['points'] ?? []),
    occluded: shape['occluded'] === true,
    attributes: attributes(shape['attributes']),
    group: whole(shape['group'], 'group', 0),
    z_order: whole(shape['z_order'], 'z_order', 0),
    outside: shape['outside'] === true || undefined,
    ...rotation(shape['rotation']),
    ...source(shape['source']),
    score: shape['score'] === undefined ? undefined : finite(shape['score'], 'score'),
    elements: elements.length > 0 ? elements.map((element) => checkedShape(element, true)) : undefined,
  };
}

export function checkedTag(value: unknown): Tag {
  const tag = fields(value, 'a tag');
  return {
    frame: whole(tag['frame'], 'frame'),
    label: text(tag['label'], 'label'),
    attributes: attributes(tag['attributes']),
    group: whole(tag['group'], 'group', 0),
    ...source(tag['source']),
  };
}

function trackedShape(value: unknown): TrackedShape {
  const shape = fields(value, 'a shape of a track');
  return {
    type: shapeType(shape['type']),
    points: points(shape['points'] ?? []),
    occluded: shape['occluded'] === true,
    frame: whole(shape['frame'], 'frame'),
    attributes: attributes(shape['attributes']),
    outside: shape['outside'] === true,
    keyframe: shape['keyframe'] !== false,
    z_order: whole(shape['z_order'], 'z_order', 0),
    ...rotation(shape['rotation']),
  };
}

export function checkedTrack(value: unknown, isElement = false): Track {
  const track = fields(value, 'a track');
  const elements = isElement ? [] : list(track['elements'], 'elements');
  return {
    label: text(track['label'], 'label'),
    group: whole(track['group'], 'group', 0),
    shapes: list(track['shapes'], 'shapes').map(trackedShape),
    attributes: attributes(track['attributes']),
    ...source(track['source']),
    elements: elements.length > 0 ? elements.map((element) => checkedTrack(element, true)) : undefined,
  };
}

/** Only name and color of a plug-in's label are used. */
export function checkedLabel(value: unknown): FileLabel {
  const label = fields(value, 'a label');
  const color = label['color'];
  return {
    name: text(label['name'], 'name'),
    color: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : undefined,
  };
}
