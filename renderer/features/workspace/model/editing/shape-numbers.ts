import type { ShapeRecord, ShapeType, Size } from '../../../../canvas/types.ts';
import { behaviourOf, boundsOf, withGeometry } from '../../../../canvas/shapes/shape-behaviours.ts';
import { normaliseDegrees } from '../../../../canvas/geometry/point.ts';

/** Reason for rejected numbers: a key below `editing.numbers` with its values. */
export interface NumberProblem {
  readonly key: 'notNumber' | 'noSize' | 'outside' | 'badLine' | 'tooFew' | 'otherCount';
  readonly values?: Readonly<Record<string, number>>;
}

type Numbers<Value> = { readonly value: Value } | { readonly problem: NumberProblem };

/** Unrotated box of a rectangle or ellipse in image pixels; degrees clockwise. */
export interface BoxNumbers {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
}

/** Minimum number of points; a cuboid has exactly eight. */
const fewestPoints: Partial<Record<ShapeType, number>> = { polygon: 3, polyline: 2, points: 1, cuboid: 8 };

export const hasVertices = ({ type }: ShapeRecord): boolean => fewestPoints[type] !== undefined;

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Null if the type is no box. */
export function boxNumbers(shape: ShapeRecord): BoxNumbers | null {
  const { frame, pointsOfBox } = behaviourOf(shape);
  if (frame === undefined || pointsOfBox === undefined) return null;
  const { left, top, right, bottom } = frame(shape);
  const [x, y, width, height] = [left, top, right - left, bottom - top].map(rounded);
  return { x: x ?? 0, y: y ?? 0, width: width ?? 0, height: height ?? 0, rotation: shape.rotation };
}

/** `limits` is the image that must contain the shape, with a tolerance of 0.01 pixel; null disables the check. */
function within(shape: ShapeRecord, limits: Size | null): Numbers<ShapeRecord> {
  if (limits === null) return { value: shape };
  const { left, top, right, bottom } = boundsOf(shape);
  const fits = left >= -0.01 && top >= -0.01 && right <= limits.width + 0.01 && bottom <= limits.height + 0.01;
  return fits ? { value: shape } : { problem: { key: 'outside', values: { ...limits } } };
}

export function withBoxNumbers(shape: ShapeRecord, numbers: BoxNumbers, limits: Size | null): Numbers<ShapeRecord> {
  const { x, y, width, height, rotation } = numbers;
  if (![x, y, width, height, rotation].every(Number.isFinite)) return { problem: { key: 'notNumber' } };
  if (width <= 0 || height <= 0) return { problem: { key: 'noSize' } };
  const points = behaviourOf(shape).pointsOfBox?.({ left: x, top: y, right: x + width, bottom: y + height });
  if (points === undefined) return { value: shape };
  return within(withGeometry(shape, { points: points.map(rounded), rotation: normaliseDegrees(rotation) }), limits);
}

/** One point per line: `x, y`. */
export const vertexText = ({ points }: ShapeRecord): string =>
  Array.from({ length: points.length >> 1 }, (_, index) => `${points[index * 2]}, ${points[index * 2 + 1]}`).join('\n');

/** Parses `vertexText`; ignores empty lines. */
export function withVertexText(shape: ShapeRecord, text: string, limits: Size | null): Numbers<ShapeRecord> {
  const points: number[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const found = line.trim().split(/\s*[,;\s]\s*/);
    const pair = found.map(Number);
    if (pair.length !== 2 || found.includes('') || !pair.every(Number.isFinite))
      return { problem: { key: 'badLine', values: { line: index + 1 } } };
    points.push(...pair.map(rounded));
  }
  const fewest = fewestPoints[shape.type] ?? 1;
  if (shape.type === 'cuboid' && points.length !== 16) return { problem: { key: 'otherCount' } };
  if (points.length < fewest * 2) return { problem: { key: 'tooFew', values: { count: fewest } } };
  return within({ ...shape, points }, limits);
}
