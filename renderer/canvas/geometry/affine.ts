import { roundCoordinate } from './point.ts';

/** Six numbers in the order of `setTransform`, CSS `matrix()` and fabric. */
export type Matrix = readonly [number, number, number, number, number, number];

export const mapPoint = ([a, b, c, d, e, f]: Matrix, x: number, y: number): { x: number; y: number } => ({
  x: a * x + c * y + e,
  y: b * x + d * y + f,
});

/** First `inner`, then `outer`. */
export function chained(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d] = outer;
  const { x, y } = mapPoint(outer, inner[4], inner[5]);
  return [
    a * inner[0] + c * inner[1],
    b * inner[0] + d * inner[1],
    a * inner[2] + c * inner[3],
    b * inner[2] + d * inner[3],
    x,
    y,
  ];
}

export function inverted([a, b, c, d, e, f]: Matrix): Matrix {
  const area = a * d - b * c;
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area];
}

/** Maps every pair of a flat list and rounds it to storage precision. */
export function mapPoints(points: readonly number[], matrix: Matrix): number[] {
  const mapped: number[] = [];
  for (let index = 0; index + 1 < points.length; index += 2) {
    const { x, y } = mapPoint(matrix, points[index] ?? 0, points[index + 1] ?? 0);
    mapped.push(roundCoordinate(x), roundCoordinate(y));
  }
  return mapped;
}

/**
 * Scale of a rotated box's axes and the resulting rotation of the first axis (degrees). Ignores skew, which a rotated
 * box gets by non-uniform scaling of a selection, because a box has none.
 */
export function axesAfter([a, b, c, d]: Matrix, degrees: number): { x: number; y: number; degrees: number } {
  const angle = (degrees * Math.PI) / 180;
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  const [alongX, alongY] = [a * cosine + c * sine, b * cosine + d * sine];
  const x = Math.hypot(alongX, alongY);
  return {
    x,
    y: x === 0 ? 0 : Math.abs(a * d - b * c) / x,
    degrees: (Math.atan2(alongY, alongX) * 180) / Math.PI,
  };
}
