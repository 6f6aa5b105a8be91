import { distanceToSegment } from '../../../preload/geometry/geometry.ts';
import { hasHoles, joinedRings, ringsOfPolygon } from './keyhole.ts';
import { pointAt } from './point.ts';

/**
 * Simplifies a path (Ramer–Douglas–Peucker) within `tolerance`, image pixels. A closed path keeps at least three
 * points, an open one its ends; otherwise returns the same list.
 */
export function simplified(points: readonly number[], tolerance: number, closed: boolean): readonly number[] {
  if (closed && hasHoles(points)) {
    const [outline = [], ...holes] = ringsOfPolygon(points).map((ring) => simplified(ring, tolerance, true));
    return joinedRings(outline, holes) ?? points;
  }
  const count = points.length >> 1;
  if (count <= (closed ? 3 : 2)) return points;
  const at = (index: number) => pointAt(points, index % count);
  /** Farthest point from the line between two points, with its distance. */
  const farthest = (from: number, to: number): { index: number; distance: number } => {
    const [a, b] = [at(from), at(to)];
    let best = { index: -1, distance: -1 };
    for (let index = from + 1; index < to; index += 1) {
      const { x, y } = at(index);
      const distance = distanceToSegment(x, y, a.x, a.y, b.x, b.y);
      if (distance > best.distance) best = { index, distance };
    }
    return best;
  };
  // A ring is two paths: to the point farthest from the first one, and back.
  const turn = closed ? farthest(0, count).index : count - 1;
  const kept = new Set([0, turn]);
  const waiting: [number, number][] = closed
    ? [
        [0, turn],
        [turn, count],
      ]
    : [[0, turn]];
  for (let span = waiting.pop(); span !== undefined; span = waiting.pop()) {
    const { index, distance } = farthest(...span);
    if (distance <= tolerance) continue;
    kept.add(index);
    waiting.push([span[0], index], [index, span[1]]);
  }
  if (closed && kept.size < 3) return points;
  return [...kept].toSorted((a, b) => a - b).flatMap((index) => [at(index).x, at(index).y]);
}
