import { isPointInPolygon, shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { pointAt, roundCoordinate, snapToEighth, withPoint } from '../geometry/point.ts';
import { bridgesOf, hasHoles, ringsOfPolygon, withoutRingPoint } from '../geometry/keyhole.ts';
import { nearestEdge, type EdgeHit } from '../geometry/path.ts';
import type { Point, ShapeRecord } from '../types.ts';
import {
  mappedPoints,
  shiftedPoints,
  type Geometry,
  type Handle,
  type PathSink,
  type ShapeBehaviour,
} from './behaviour.ts';

/** Shorter edges have no middle handle, screen pixels. */
const middleHandleFromPx = 48;

const rounded = (point: Point): Point => ({ x: roundCoordinate(point.x), y: roundCoordinate(point.y) });

/** Draws a flat list without points closer than `skip` to the previous one. */
export function traceList(points: readonly number[], sink: PathSink, skip: number): void {
  const count = points.length >> 1;
  let lastX = Infinity;
  let lastY = Infinity;
  for (let step = 0; step < count; step += 1) {
    const index = step * 2;
    const x = points[index] ?? 0;
    const y = points[index + 1] ?? 0;
    if (step === 0) sink.moveTo(x, y);
    else if (step < count - 1 && Math.abs(x - lastX) < skip && Math.abs(y - lastY) < skip) continue;
    else sink.lineTo(x, y);
    lastX = x;
    lastY = y;
  }
}

export function vertexHandles(points: readonly number[]): Handle[] {
  const handles: Handle[] = [];
  for (let index = 0; index * 2 + 1 < points.length; index += 1) {
    handles.push({ id: `v${index}`, kind: 'vertex', ...pointAt(points, index), index, degrees: 0 });
  }
  return handles;
}

function middleHandles(points: readonly number[], closed: boolean, pixel: number): Handle[] {
  const count = points.length >> 1;
  const handles: Handle[] = [];
  const bridges = closed ? bridgesOf(points) : null;
  for (let index = 0; index < (closed ? count : count - 1); index += 1) {
    if (bridges?.has(index) === true) continue;
    const a = pointAt(points, index);
    const b = pointAt(points, (index + 1) % count);
    if (Math.hypot(a.x - b.x, a.y - b.y) / pixel < middleHandleFromPx) continue;
    handles.push({ id: `m${index}`, kind: 'middle', x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, index, degrees: 0 });
  }
  return handles;
}

export function insertAt(points: readonly number[], edge: number, at: Point): number[] {
  const place = (edge + 1) * 2;
  const { x, y } = rounded(at);
  return [...points.slice(0, place), x, y, ...points.slice(place)];
}

/** Moves one vertex; constrained, it snaps to one of eight directions from the previous vertex. */
export function dragVertex(points: readonly number[], index: number, to: Point, constrain: boolean): number[] {
  const count = points.length >> 1;
  const before = pointAt(points, (index - 1 + count) % count);
  return withPoint(points, index, rounded(constrain && count > 1 ? snapToEighth(before, to) : to));
}

/** A bridge's start occurs twice in the ring, so both points move. */
function movedTwins(before: readonly number[], after: readonly number[], index: number): number[] {
  const [from, to] = [pointAt(before, index), pointAt(after, index)];
  const isTwin = (at: number): boolean => before[at - (at % 2)] === from.x && before[at - (at % 2) + 1] === from.y;
  return after.map((value, at) => (isTwin(at) ? (at % 2 === 0 ? to.x : to.y) : value));
}

/** The edge nearest to a point, without the bridges to holes. */
export const nearestPathEdge = (points: readonly number[], { x, y }: Point, closed: boolean): EdgeHit | null =>
  nearestEdge(points, x, y, closed, closed ? bridgesOf(points) : undefined);

/** Polygon (closed) and polyline (open): the same vertices, edges and handles. */
export function vertexPath(closed: boolean): ShapeBehaviour {
  const minimum = closed ? 3 : 2;
  return {
    parts: closed ? 'area' : 'line',
    countsPoints: true,
    filled: closed,
    closed,
    rasterVertices: ({ points }) => points.length / 2,
    area: (shape) => (closed ? shoelaceArea(shape.points) : 0),
    trace(shape, sink, { pixel }) {
      if (!closed) {
        traceList(shape.points, sink.line, pixel / 2);
        return;
      }
      // Without the bridges to holes, which are no edges of the object.
      for (const ring of ringsOfPolygon(shape.points)) {
        traceList(ring, sink.area, pixel / 2);
        sink.area.closePath();
      }
    },
    hit(shape, point, tolerance) {
      if ((nearestPathEdge(shape.points, point, closed)?.distance ?? Infinity) <= tolerance) return 'edge';
      return closed && isPointInPolygon(point.x, point.y, shape.points) ? 'inside' : null;
    },
    handles: (shape, { pixel }) => [...middleHandles(shape.points, closed, pixel), ...vertexHandles(shape.points)],
    move: shiftedPoints,
    transform: mappedPoints,
    wholeHandles: true,
    drag(shape, handle, to, { constrain }) {
      if (handle.kind === 'middle') return { points: insertAt(shape.points, handle.index, to) };
      const points = dragVertex(shape.points, handle.index, to, constrain);
      return { points: closed && hasHoles(shape.points) ? movedTwins(shape.points, points, handle.index) : points };
    },
    removeVertex(shape, index) {
      if (!closed || !hasHoles(shape.points)) return withoutVertex(shape, index, minimum);
      const points = withoutRingPoint(shape.points, index);
      return points === null ? null : { points };
    },
  };
}

export function withoutVertex(shape: ShapeRecord, index: number, minimum: number): Geometry | null {
  if (shape.points.length / 2 <= minimum) return null;
  return { points: shape.points.filter((_, place) => place >> 1 !== index) };
}

/** Rotates the ring so that it begins with another vertex. */
export const beginningWith = (points: readonly number[], index: number): number[] => [
  ...points.slice(index * 2),
  ...points.slice(0, index * 2),
];

/** Reverses the path; a closed one keeps its first vertex. */
export function turnedRound(points: readonly number[], closed: boolean): number[] {
  const count = points.length / 2;
  return Array.from({ length: count }, (_, place) => {
    const { x, y } = pointAt(points, closed ? (count - place) % count : count - 1 - place);
    return [x, y];
  }).flat();
}
