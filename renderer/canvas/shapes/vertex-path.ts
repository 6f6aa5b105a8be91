import { isPointInPolygon, shoelaceArea } from '../../../preload/contract/geometry.ts';
import { pointAt, roundCoordinate, snapToEighth, withPoint } from '../geometry/point.ts';
import { nearestEdge } from '../geometry/path.ts';
import type { Point, ShapeRecord } from '../types.ts';
import {
  mappedPoints,
  shiftedPoints,
  type Geometry,
  type Handle,
  type PathSink,
  type ShapeBehaviour,
} from './behaviour.ts';

/** Edges shorter than this on screen get no middle handle, screen pixels. */
const middleHandleFromPx = 48;

const rounded = (point: Point): Point => ({ x: roundCoordinate(point.x), y: roundCoordinate(point.y) });

/** Draws a flat list, leaving out points that are nearer than `skip` to the one before. */
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
  for (let index = 0; index < (closed ? count : count - 1); index += 1) {
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

/** Moves one vertex; constrained it stays in line with the vertex before it. */
export function dragVertex(points: readonly number[], index: number, to: Point, constrain: boolean): number[] {
  const count = points.length >> 1;
  const before = pointAt(points, (index - 1 + count) % count);
  return withPoint(points, index, rounded(constrain && count > 1 ? snapToEighth(before, to) : to));
}

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
      const target = closed ? sink.area : sink.line;
      traceList(shape.points, target, pixel / 2);
      if (closed) target.closePath();
    },
    hit(shape, point, tolerance) {
      if ((nearestEdge(shape.points, point.x, point.y, closed)?.distance ?? Infinity) <= tolerance) return 'edge';
      return closed && isPointInPolygon(point.x, point.y, shape.points) ? 'inside' : null;
    },
    handles: (shape, { pixel }) => [...middleHandles(shape.points, closed, pixel), ...vertexHandles(shape.points)],
    move: shiftedPoints,
    transform: mappedPoints,
    wholeHandles: true,
    drag(shape, handle, to, { constrain }) {
      if (handle.kind === 'middle') return { points: insertAt(shape.points, handle.index, to) };
      return { points: dragVertex(shape.points, handle.index, to, constrain) };
    },
    removeVertex: (shape, index) => withoutVertex(shape, index, minimum),
  };
}

export function withoutVertex(shape: ShapeRecord, index: number, minimum: number): Geometry | null {
  if (shape.points.length / 2 <= minimum) return null;
  return { points: shape.points.filter((_, place) => place >> 1 !== index) };
}
