import type { Point } from '../types.ts';

export interface EdgeHit {
  readonly index: number;
  readonly distance: number;
  readonly at: Point;
}

/** Distance from a point to a segment, and the nearest point on it. */
export function projectOnSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): Point {
  const dx = bx - ax;
  const dy = by - ay;
  const length2 = dx * dx + dy * dy;
  if (length2 === 0) return { x: ax, y: ay };
  const t = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length2));
  return { x: ax + t * dx, y: ay + t * dy };
}

/** The nearest edge of a flat list of coordinates without excluded ones; null for fewer than two points. */
export function nearestEdge(
  points: readonly number[],
  x: number,
  y: number,
  closed: boolean,
  without?: ReadonlySet<number>,
): EdgeHit | null {
  const count = points.length >> 1;
  let best: EdgeHit | null = null;
  const edges = closed ? count : count - 1;
  for (let index = 0; index < edges; index += 1) {
    if (without?.has(index) === true) continue;
    const next = (index + 1) % count;
    const ax = points[index * 2] ?? 0;
    const ay = points[index * 2 + 1] ?? 0;
    const at = projectOnSegment(x, y, ax, ay, points[next * 2] ?? 0, points[next * 2 + 1] ?? 0);
    const distance = Math.hypot(x - at.x, y - at.y);
    if (best === null || distance < best.distance) best = { index, distance, at };
  }
  return best;
}

/** The nearest vertex with its distance; null for an empty list. */
export function nearestVertex(
  points: readonly number[],
  x: number,
  y: number,
): { index: number; distance: number } | null {
  let best: { index: number; distance: number } | null = null;
  for (let index = 0; index * 2 + 1 < points.length; index += 1) {
    const distance = Math.hypot(x - (points[index * 2] ?? 0), y - (points[index * 2 + 1] ?? 0));
    if (best === null || distance < best.distance) best = { index, distance };
  }
  return best;
}
