import { boxOfPoints as contractBoxOfPoints } from '../../../preload/geometry/geometry.ts';
import type { Box, Point } from '../types.ts';

export const emptyBox: Box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };

export const isEmptyBox = (box: Box): boolean => !(box.left <= box.right && box.top <= box.bottom);

export const boxWidth = (box: Box): number => box.right - box.left;

export const boxHeight = (box: Box): number => box.bottom - box.top;

export const boxCentre = (box: Box): Point => ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 });

export function boxOfCorners(a: Point, b: Point): Box {
  return {
    left: Math.min(a.x, b.x),
    top: Math.min(a.y, b.y),
    right: Math.max(a.x, b.x),
    bottom: Math.max(a.y, b.y),
  };
}

/** Bounds of a flat list of coordinates; an empty box for an empty list. */
export const boxOfPoints = (points: readonly number[]): Box => contractBoxOfPoints(points) ?? emptyBox;

export function uniteBoxes(a: Box, b: Box): Box {
  return {
    left: Math.min(a.left, b.left),
    top: Math.min(a.top, b.top),
    right: Math.max(a.right, b.right),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

export function intersectBoxes(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

export function growBox(box: Box, by: number): Box {
  return { left: box.left - by, top: box.top - by, right: box.right + by, bottom: box.bottom + by };
}

export const boxesTouch = (a: Box, b: Box): boolean =>
  a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;

export const boxContainsBox = (outer: Box, inner: Box): boolean =>
  outer.left <= inner.left && outer.top <= inner.top && outer.right >= inner.right && outer.bottom >= inner.bottom;

export const boxCorners = (box: Box): readonly [Point, Point, Point, Point] => [
  { x: box.left, y: box.top },
  { x: box.right, y: box.top },
  { x: box.right, y: box.bottom },
  { x: box.left, y: box.bottom },
];
