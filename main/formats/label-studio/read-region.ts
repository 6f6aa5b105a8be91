import { maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import { brief, faultOf, isFiniteNumber, isRecord, RecordError } from '../kit/records.ts';
import { readPairs } from '../kit/extra-fields.ts';
import { maxMaskPixels } from '../kit/mask-files/read-image.ts';
import { normalRotation } from '../kit/corner-box.ts';
import { pixelsOf, withoutNoise } from '../kit/short-decimals.ts';
import type { ImageSize, LabeledShape } from '../kit/task-data.ts';
import { sharesProblem } from '../kit/units.ts';
import { decodeBrush } from './brush-rle.ts';
import { boxOfPercent } from './rotated-box.ts';

export type JsonObject = Readonly<Record<string, unknown>>;
type Outline = Pick<LabeledShape, 'type' | 'points' | 'rotation'>;

/** Members of a value that hold labels, by geometry. */
const labelKeys: Readonly<Record<string, string>> = {
  rectanglelabels: 'rectangle',
  ellipselabels: 'ellipse',
  polygonlabels: 'polygon',
  keypointlabels: 'keypoint',
  brushlabels: 'brush',
};

const geometries = new Set(['rectangle', 'ellipse', 'polygon', 'keypoint', 'brush']);

/** Geometry of a value, by its type or its members; undefined if it has none. */
export function geometryOf(type: unknown, value: JsonObject): string | undefined {
  const name = typeof type === 'string' ? type.toLowerCase() : '';
  const plain = labelKeys[name] ?? name.replace(/labels$/, '');
  if (geometries.has(plain)) return plain;
  if (name !== '' && name !== 'labels') return undefined;
  const key = Object.keys(labelKeys).find((one) => one in value);
  return key === undefined ? undefined : labelKeys[key];
}

export function labelsOf(value: JsonObject): string[] {
  for (const key of [...Object.keys(labelKeys), 'labels']) {
    const list = value[key];
    if (Array.isArray(list)) return list.filter((one): one is string => typeof one === 'string');
    if (typeof list === 'string') return [list];
  }
  return [];
}

function numberAt(value: JsonObject, name: string, fallback?: number): number {
  const number = value[name] ?? fallback;
  if (isFiniteNumber(number)) return number;
  throw new RecordError(`value.${name}`, `must be a number, but is ${brief(number)}`);
}

function rectangle(value: JsonObject, size: ImageSize): Outline {
  const box = {
    x: numberAt(value, 'x'),
    y: numberAt(value, 'y'),
    width: numberAt(value, 'width'),
    height: numberAt(value, 'height'),
    rotation: normalRotation(numberAt(value, 'rotation', 0)),
  };
  if (box.width < 0 || box.height < 0)
    throw new RecordError('value', `has a negative size, ${box.width} × ${box.height}`);
  return { type: 'rectangle', ...boxOfPercent(box, size) };
}

function ellipse(value: JsonObject, { width, height }: ImageSize): Outline {
  const rotation = normalRotation(numberAt(value, 'rotation', 0));
  const x = pixelsOf(numberAt(value, 'x'), width, 100);
  const y = pixelsOf(numberAt(value, 'y'), height, 100);
  const right = x + pixelsOf(numberAt(value, 'radiusX'), width, 100);
  const top = y - pixelsOf(numberAt(value, 'radiusY'), height, 100);
  const points = [x, y, right, top].map(withoutNoise);
  return { type: 'ellipse', points, rotation: rotation === 0 ? undefined : rotation };
}

function polygon(value: JsonObject, { width, height }: ImageSize): Outline {
  const pairs = readPairs(value['points'], 'value.points');
  requireShares(pairs, 'value.points');
  const points = pairs.map((one, index) => pixelsOf(one, index % 2 === 0 ? width : height, 100));
  return { type: value['closed'] === false ? 'polyline' : 'polygon', points };
}

function brush(value: JsonObject, { width, height }: ImageSize): Outline {
  const { format, rle } = value;
  if (format !== undefined && format !== 'rle')
    throw new RecordError('value.format', `must be "rle", but is ${brief(format)}`);
  if (!Array.isArray(rle) || !rle.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255))
    throw new RecordError('value.rle', 'must be a list of bytes');
  if (width * height > maxMaskPixels)
    throw new RecordError('original_width', `an image of ${width} × ${height} pixels is too large for a mask`);
  try {
    const points = maskFromBitmap(decodeBrush(Uint8Array.from(rle as number[]), { width, height }), width, height);
    if (points) return { type: 'mask', points };
  } catch (error) {
    throw new RecordError('value.rle', faultOf(error));
  }
  throw new RecordError('value.rle', 'has no pixel');
}

const shareMembers = ['x', 'y', 'width', 'height', 'radiusX', 'radiusY'];

function requireShares(values: readonly unknown[], at: string): void {
  const problem = sharesProblem(values.filter(isFiniteNumber), 100);
  if (problem !== undefined) throw new RecordError(at, problem);
}

/** Outline of a region in pixels. Throws `RecordError` with the path of the error. */
export function outlineOf(geometry: string, value: JsonObject, size: ImageSize): Outline {
  if (geometry !== 'brush')
    requireShares(
      shareMembers.map((name) => value[name]),
      'value',
    );
  switch (geometry) {
    case 'rectangle':
      return rectangle(value, size);
    case 'ellipse':
      return ellipse(value, size);
    case 'polygon':
      return polygon(value, size);
    case 'keypoint':
      return {
        type: 'points',
        points: [pixelsOf(numberAt(value, 'x'), size.width, 100), pixelsOf(numberAt(value, 'y'), size.height, 100)],
      };
    default:
      return brush(value, size);
  }
}

/**
 * The size that percentages refer to: the frame's, or the one in the region. Throws `RecordError` if neither is known.
 */
export function sizeOf(region: JsonObject, frame: ImageSize, isBrush: boolean): ImageSize {
  const { original_width: width, original_height: height } = region;
  const isSide = (side: unknown): side is number => Number.isInteger(side) && Number(side) > 0;
  const stated = isSide(width) && isSide(height) ? { width, height } : undefined;
  const known = frame.width > 0 && frame.height > 0 ? frame : undefined;
  const size = isBrush ? (stated ?? known) : (known ?? stated);
  if (size) return size;
  throw new RecordError(
    'original_width',
    'the size of the image is not known, but all coordinates are percentages of it',
  );
}

export function asObject(value: unknown, at: string): JsonObject {
  if (isRecord(value)) return value;
  throw new RecordError(at, `must be an object, but is ${brief(value)}`);
}

export function valueOf(result: JsonObject): JsonObject {
  return isRecord(result['value']) ? result['value'] : {};
}
