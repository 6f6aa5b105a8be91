import { cornersOf } from '../../../preload/geometry/geometry.ts';
import { pointAt } from '../geometry/point.ts';
import { isDrawn } from '../scene.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import type { ClientId, Point, ShapeRecord } from '../types.ts';
import type { ToolHost } from './tool-host.ts';

/** Screen pixels: maximum distance to snap to a point of another shape. */
const reachPx = 10;

interface SnapTarget {
  readonly at: Point;
  readonly shape: ClientId;
  readonly index: number;
}

/** Points of a shape that others can share; none for masks and ellipses. */
function pointsOf(shape: ShapeRecord): readonly number[] {
  if (shape.type === 'rectangle') return cornersOf(shape) ?? [];
  return behaviourOf(shape).closed !== undefined || shape.type === 'points' ? shape.points : [];
}

/** The nearest point of a visible shape within reach; null if snapping is off or none is near. */
function snapTargetAt(host: ToolHost, at: Point, isOther: (id: ClientId) => boolean = () => true): SnapTarget | null {
  if (!host.appearance().snapping) return null;
  let nearest: SnapTarget | null = null;
  let distance = reachPx / host.view().scale;
  for (const id of host.near(at, distance)) {
    const shape = host.scene.getShape(id);
    if (shape === undefined || !isDrawn(shape) || !isOther(id)) continue;
    const points = pointsOf(shape);
    for (let index = 0; 2 * index < points.length; index += 1) {
      const point = pointAt(points, index);
      const away = Math.hypot(point.x - at.x, point.y - at.y);
      if (away > distance) continue;
      distance = away;
      nearest = { at: point, shape: id, index };
    }
  }
  return nearest;
}

/** The shorter contour between two points of one shape, without its ends. Empty for points of two shapes. */
function contourBetween(host: ToolHost, from: SnapTarget, to: SnapTarget): readonly Point[] {
  const shape = host.scene.getShape(from.shape);
  if (shape === undefined || from.shape !== to.shape || from.index === to.index || shape.type === 'points') return [];
  const points = pointsOf(shape);
  const count = points.length / 2;
  const walk = (step: 1 | -1): Point[] => {
    const passed: Point[] = [];
    for (let at = from.index + step; ; at += step) {
      const index = (at + count) % count;
      if (index === to.index) return passed;
      passed.push(pointAt(points, index));
    }
  };
  const isClosed = shape.type === 'rectangle' || behaviourOf(shape).closed === true;
  if (!isClosed) return walk(to.index > from.index ? 1 : -1);
  const length = (path: readonly Point[]): number =>
    [...path, to.at].reduce(
      ({ sum, last }, point) => ({ sum: sum + Math.hypot(point.x - last.x, point.y - last.y), last: point }),
      { sum: 0, last: from.at },
    ).sum;
  const [onwards, back] = [walk(1), walk(-1)];
  return length(onwards) <= length(back) ? onwards : back;
}

/** Snaps a dragged point of the selection to another shape's point, else returns the pointer position. */
export const snapped = (host: ToolHost, at: Point): Point =>
  snapTargetAt(host, at, (id) => !host.selection.has(id))?.at ?? at;

export function createSnapper(host: ToolHost) {
  let target: SnapTarget | null = null;
  /** Target of the last point, and the number of points then. */
  let last: { readonly target: SnapTarget; readonly count: number } | null = null;
  return {
    target: (): Point | null => target?.at ?? null,
    look(at: Point): Point {
      target = snapTargetAt(host, at);
      return target?.at ?? at;
    },
    leave(at: Point): Point {
      target = null;
      return at;
    },
    /** Points that a click adds: a shared contour, if the path follows one, and the point. */
    take(at: Point, count: number, isLine: boolean): readonly Point[] {
      if (target === null) return [at];
      const path = isLine && last?.count === count ? contourBetween(host, last.target, target) : [];
      last = { target, count: count + path.length + 1 };
      return [...path, target.at];
    },
  };
}
