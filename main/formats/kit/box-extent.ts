import { RecordError } from './records.ts';

/** Number of decimals in the text of a number. Numbers with an exponent count as full precision. */
function decimalsOf(value: number): number {
  const text = String(value);
  if (text.includes('e')) return 17;
  const dot = text.indexOf('.');
  return dot < 0 ? 0 : text.length - dot - 1;
}

const mostDecimals = 17;

function roundedTo(value: number, a: number, b: number): number {
  return Number(value.toFixed(Math.min(mostDecimals, Math.max(decimalsOf(a), decimalsOf(b))))) + 0;
}

/** Difference of two coordinates in decimal arithmetic: 0.3 − 0.1 is 0.2. */
function extentOf(from: number, to: number): number {
  return roundedTo(to - from, from, to);
}

/** Inverse of {@link extentOf}: the coordinate where an extent ends. */
function endOf(from: number, extent: number): number {
  return roundedTo(from + extent, from, extent);
}

/** x, y, width and height of a box from two corners in any order. */
export function boxExtent(points: readonly number[]): readonly [x: number, y: number, w: number, h: number] {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const left = Math.min(x1, x2);
  const top = Math.min(y1, y2);
  return [left, top, extentOf(left, Math.max(x1, x2)), extentOf(top, Math.max(y1, y2))];
}

/** Two corners of a box that is stated by x, y, width and height. Throws `RecordError`. */
export function extentBox(extent: readonly number[], at: string): number[] {
  const points = boxFromExtent(extent);
  if (typeof points === 'string') throw new RecordError(at, points);
  return points;
}

export function boxFromExtent([x = Number.NaN, y = Number.NaN, w = Number.NaN, h = Number.NaN]: readonly number[]):
  | number[]
  | string {
  if (![x, y, w, h].every(Number.isFinite)) return 'x, y, width and height must be numbers';
  if (w < 0 || h < 0) return 'the width or height is negative';
  const points = [x, y, endOf(x, w), endOf(y, h)];
  return points.every(Number.isFinite) ? points : 'a number is too large';
}
