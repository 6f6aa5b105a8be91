import { isPointInPolygon } from '../../../preload/geometry/geometry.ts';
import { boxOfPoints } from '../geometry/box.ts';
import { nearestEdge } from '../geometry/path.ts';
import { pointAt, roundCoordinate, shiftPoints } from '../geometry/point.ts';
import type { Box, ShapeRecord } from '../types.ts';
import { mappedPoints, shiftedPoints, type Handle, type PathSink, type ShapeBehaviour } from './behaviour.ts';
import { traceList, vertexHandles } from './vertex-path.ts';

/** Vertices: front top left, bottom left, top right, bottom right, then the same of the back. */
const faces: readonly (readonly [number, number, number, number])[] = [
  [0, 2, 3, 1],
  [4, 6, 7, 5],
  [0, 4, 5, 1],
  [2, 6, 7, 3],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
];

/** Parts moved by a middle handle: the vertical edges, then front and back. */
const grips: readonly (readonly number[])[] = [
  [0, 1],
  [2, 3],
  [4, 5],
  [6, 7],
  [0, 1, 2, 3],
  [4, 5, 6, 7],
];

function gripHandles({ points }: ShapeRecord): Handle[] {
  return grips.map((vertices, index) => {
    const places = vertices.map((vertex) => pointAt(points, vertex));
    const [x, y] = [meanOf(places.map((place) => place.x)), meanOf(places.map((place) => place.y))];
    return { id: `m${index}`, kind: 'middle', x, y, index, degrees: 0 };
  });
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

const faceList = (shape: ShapeRecord, face: readonly number[]): number[] =>
  face.flatMap((vertex) => {
    const { x, y } = pointAt(shape.points, vertex);
    return [x, y];
  });

function traceFace(list: readonly number[], sink: PathSink): void {
  traceList(list, sink, 0);
  sink.closePath();
}

/**
 * A cuboid with the front `box`; the back is offset up and right by a quarter of the box and adjusted by its vertices
 * later.
 */
function pointsOfBox(box: Box): number[] {
  const shiftX = (box.right - box.left) / 4;
  const shiftY = -(box.bottom - box.top) / 4;
  const front = [box.left, box.top, box.left, box.bottom, box.right, box.top, box.right, box.bottom];
  return [...front, ...shiftPoints(front, shiftX, shiftY)].map(roundCoordinate);
}

export const cuboid: ShapeBehaviour = {
  parts: 'mixed',
  filled: true,
  pointsOfBox,
  area(shape) {
    const { left, top, right, bottom } = boxOfPoints(shape.points);
    return Math.max(0, right - left) * Math.max(0, bottom - top);
  },
  trace(shape, sink) {
    const [front = [], back = []] = faces;
    traceFace(faceList(shape, front), sink.area);
    traceFace(faceList(shape, back), sink.line);
    for (let vertex = 0; vertex < 4; vertex += 1) {
      const a = pointAt(shape.points, vertex);
      const b = pointAt(shape.points, vertex + 4);
      sink.line.moveTo(a.x, a.y);
      sink.line.lineTo(b.x, b.y);
    }
  },
  hit(shape, point, tolerance) {
    const lists = faces.map((face) => faceList(shape, face));
    const near = lists.some((list) => (nearestEdge(list, point.x, point.y, true)?.distance ?? Infinity) <= tolerance);
    if (near) return 'edge';
    return lists.some((list) => isPointInPolygon(point.x, point.y, list)) ? 'inside' : null;
  },
  handles: (shape) => [...gripHandles(shape), ...vertexHandles(shape.points)],
  move: shiftedPoints,
  transform: mappedPoints,
  upright: true,
  wholeHandles: true,
  drag(shape, handle, to) {
    const list = [...shape.points];
    if (handle.kind === 'middle') {
      for (const vertex of grips[handle.index] ?? []) {
        list[vertex * 2] = roundCoordinate((list[vertex * 2] ?? 0) + to.x - handle.x);
        list[vertex * 2 + 1] = roundCoordinate((list[vertex * 2 + 1] ?? 0) + to.y - handle.y);
      }
      return { points: list };
    }
    const partner = handle.index ^ 1;
    const upright = Math.abs((list[handle.index * 2] ?? 0) - (list[partner * 2] ?? 0)) < 0.01;
    list[handle.index * 2] = roundCoordinate(to.x);
    list[handle.index * 2 + 1] = roundCoordinate(to.y);
    // A vertical edge stays vertical: its other end follows sideways.
    if (upright) list[partner * 2] = roundCoordinate(to.x);
    return { points: list };
  },
};
