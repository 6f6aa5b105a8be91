import { rotatePoint as rotateCoordinates } from '../../../preload/geometry/geometry.ts';
import type { Box, Point, Size } from '../types.ts';

/** Rotates `point` about `centre`, clockwise on screen (y grows down). */
export function rotatePoint(point: Point, centre: Point, degrees: number): Point {
  if (degrees === 0) return point;
  const [x, y] = rotateCoordinates(point.x, point.y, centre.x, centre.y, degrees);
  return { x, y };
}

/** 0 ≤ result < 360 */
export const normaliseDegrees = (degrees: number): number => ((degrees % 360) + 360) % 360;

/** Direction from `centre` to `point`: 0 is up, 90 is right. */
export const bearing = (centre: Point, point: Point): number =>
  normaliseDegrees((Math.atan2(point.x - centre.x, centre.y - point.y) * 180) / Math.PI);

export function clampPoint(point: Point, size: Size): Point {
  return { x: Math.min(Math.max(point.x, 0), size.width), y: Math.min(Math.max(point.y, 0), size.height) };
}

/** The shift nearest to (dx, dy) that keeps `box` inside the image; a box outside the image is not limited. */
export function clampShift(box: Box, dx: number, dy: number, size: Size): Point {
  return { x: clampAxis(box.left, box.right, dx, size.width), y: clampAxis(box.top, box.bottom, dy, size.height) };
}

function clampAxis(low: number, high: number, shift: number, limit: number): number {
  if (low < 0 || high > limit) return shift;
  return Math.min(Math.max(shift, -low), limit - high);
}

/** The shortest shift of `box` into the image; a larger box starts at the image's edge. */
export function shiftInside({ left, top, right, bottom }: Box, { width, height }: Size): Point {
  const along = (low: number, high: number, limit: number): number =>
    low < 0 || high - low > limit ? -low : Math.min(0, Math.floor((limit - high) * 100) / 100);
  return { x: along(left, right, width), y: along(top, bottom, height) };
}

/** Snaps `to` to the nearest of eight directions from `from`. */
export function snapToEighth(from: Point, to: Point): Point {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const step = Math.PI / 4;
  const angle = Math.round(Math.atan2(dy, dx) / step) * step;
  const length = dx * Math.cos(angle) + dy * Math.sin(angle);
  return { x: from.x + length * Math.cos(angle), y: from.y + length * Math.sin(angle) };
}

/** Moves `to` so that both points span a square with the longer side. */
export function squareCorner(from: Point, to: Point): Point {
  const side = Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y));
  return { x: from.x + side * sign(to.x - from.x), y: from.y + side * sign(to.y - from.y) };
}

const sign = (value: number): number => (value < 0 ? -1 : 1);

export function pointAt(points: readonly number[], index: number): Point {
  return { x: points[index * 2] ?? 0, y: points[index * 2 + 1] ?? 0 };
}

export function withPoint(points: readonly number[], index: number, point: Point): number[] {
  const result = [...points];
  result[index * 2] = point.x;
  result[index * 2 + 1] = point.y;
  return result;
}

export function shiftPoints(points: readonly number[], dx: number, dy: number): number[] {
  return points.map((value, index) => value + (index % 2 === 0 ? dx : dy));
}

/** Hundredths of a pixel exceed the precision of a pointer; rounding shrinks the stored rows. */
export const roundCoordinate = (value: number): number => Math.round(value * 100) / 100;
