import { polygonsToMask, maskToPolygons } from '../../../../../preload/geometry/mask-polygons.ts';
import { maskFromBitmap } from '../../../../../preload/geometry/mask-runs.ts';
import type { Size } from '../../../../canvas/types.ts';
import type { ModelState } from './model-state.ts';

export interface Outline {
  readonly type: 'polygon' | 'mask' | 'rectangle';
  readonly points: readonly number[];
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const numbersOf = (value: unknown): number[] => (Array.isArray(value) ? value.flat(Infinity).map(Number) : []);

function maskOfRows(rows: readonly unknown[], size: Size): Outline[] {
  const width = Array.isArray(rows[0]) ? rows[0].length : 0;
  if (width === 0) return [];
  if (width > size.width || rows.length > size.height) {
    throw new Error(`the mask has ${width} × ${rows.length} pixels, the image ${size.width} × ${size.height}`);
  }
  const points = maskFromBitmap(numbersOf(rows), width, rows.length);
  return points === null ? [] : [{ type: 'mask', points }];
}

function outlineOf(shape: unknown): Outline[] {
  if (!isPlainObject(shape)) return [];
  const points = numbersOf(shape['points']);
  const { type } = shape;
  if (type !== 'polygon' && type !== 'mask' && type !== 'rectangle') return [];
  return points.length >= 4 && points.every(Number.isFinite) ? [{ type, points }] : [];
}

/**
 * Parses an interactor's answer: a bitmap (`mask`), shapes (`shapes`), or a plain list of points. Throws with the
 * reason for anything else.
 */
export function readInteraction(answer: unknown, size: Size): Outline[] {
  if (Array.isArray(answer)) {
    const points = numbersOf(answer);
    return points.length >= 6 && points.every(Number.isFinite) ? [{ type: 'polygon', points }] : [];
  }
  if (!isPlainObject(answer)) throw new Error('it is neither an object nor a list');
  if (Array.isArray(answer['shapes']) && answer['shapes'].length > 0) {
    return (answer['shapes'] as unknown[]).flatMap(outlineOf);
  }
  if (Array.isArray(answer['mask'])) return maskOfRows(answer['mask'] as unknown[], size);
  if (Array.isArray(answer['points'])) return readInteraction(answer['points'], size);
  if ('blob' in answer) {
    throw new Error('it holds features, and the function has no decoder: limner model decoder FUNCTION FILE.onnx');
  }
  if (Array.isArray(answer['shapes'])) return [];
  throw new Error('it has neither shapes nor a mask');
}

/** Smaller parts, in pixels, are noise of the model. */
const smallestPart = 12;

const boxPolygon = ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]: readonly number[]): number[] => [x1, y1, x2, y1, x2, y2, x1, y2];

export function inForm(outlines: readonly Outline[], form: ModelState['takeAs'], size: Size): Outline[] {
  const polygons = outlines.flatMap(({ type, points }) => {
    if (type === 'polygon') return [[...points]];
    if (type === 'rectangle') return [boxPolygon(points)];
    const parts = maskToPolygons(points, { minimumArea: smallestPart });
    return parts.length > 0 ? parts : maskToPolygons(points);
  });
  if (form === 'polygon') return polygons.map((points) => ({ type: 'polygon', points }));
  const [only] = outlines;
  if (outlines.length === 1 && only?.type === 'mask') return [only];
  const points = polygonsToMask(polygons, size.width, size.height);
  return points === null ? [] : [{ type: 'mask', points }];
}
