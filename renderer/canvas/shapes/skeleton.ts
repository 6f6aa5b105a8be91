import { mapPoints } from '../geometry/affine.ts';
import { boxOfPoints, growBox } from '../geometry/box.ts';
import { nearestVertex, projectOnSegment } from '../geometry/path.ts';
import { roundCoordinate, shiftPoints } from '../geometry/point.ts';
import type { ElementRecord, Point, ShapeRecord } from '../types.ts';
import type { Handle, ShapeBehaviour, ShapeContext } from './behaviour.ts';
import { traceDots } from './points.ts';

const elementsOf = (shape: ShapeRecord): readonly ElementRecord[] => shape.elements ?? [];

/** Visible points. Outside points are only drawn as marks of the selected skeleton. */
function seenPoints(shape: ShapeRecord): number[] {
  return elementsOf(shape).flatMap((element) => (element.outside ? [] : element.points.slice(0, 2)));
}

function edges(shape: ShapeRecord, context: ShapeContext): [Point, Point][] {
  const at = new Map<number, Point>();
  for (const { outside, labelId, points } of elementsOf(shape)) {
    if (!outside) at.set(labelId, { x: points[0] ?? 0, y: points[1] ?? 0 });
  }
  return (context.label(shape.labelId)?.edges ?? []).flatMap(([from, to]) => {
    const a = at.get(from);
    const b = at.get(to);
    return a === undefined || b === undefined ? [] : [[a, b] satisfies [Point, Point]];
  });
}

export const skeleton: ShapeBehaviour = {
  parts: 'mixed',
  filled: false,
  countsPoints: true,
  area(shape) {
    const { left, top, right, bottom } = boxOfPoints(seenPoints(shape));
    return Math.max(0, right - left) * Math.max(0, bottom - top);
  },
  trace(shape, sink, context) {
    for (const [a, b] of edges(shape, context)) {
      sink.line.moveTo(a.x, a.y);
      sink.line.lineTo(b.x, b.y);
    }
    traceDots(sink.dot, seenPoints(shape), context.pixel);
  },
  hit(shape, point, tolerance, context) {
    const list = seenPoints(shape);
    if ((nearestVertex(list, point.x, point.y)?.distance ?? Infinity) <= tolerance) return 'edge';
    const onEdge = edges(shape, context).some(([a, b]) => {
      const at = projectOnSegment(point.x, point.y, a.x, a.y, b.x, b.y);
      return Math.hypot(point.x - at.x, point.y - at.y) <= tolerance;
    });
    if (onEdge) return 'edge';
    const { left, top, right, bottom } = growBox(boxOfPoints(list), tolerance / 2);
    return point.x >= left && point.x <= right && point.y >= top && point.y <= bottom ? 'inside' : null;
  },
  handles(shape) {
    return elementsOf(shape).map(({ points: [x = 0, y = 0] }, index): Handle => ({
      id: `v${index}`,
      kind: 'vertex',
      x,
      y,
      index,
      degrees: 0,
    }));
  },
  move(shape, dx, dy) {
    const elements = elementsOf(shape).map((element) => ({
      ...element,
      points: shiftPoints(element.points, dx, dy).map(roundCoordinate),
    }));
    return { points: shape.points, elements };
  },
  transform: (shape, matrix) => ({
    points: shape.points,
    elements: elementsOf(shape).map((element) => ({ ...element, points: mapPoints(element.points, matrix) })),
  }),
  wholeHandles: true,
  drag(shape, handle, to) {
    const elements = elementsOf(shape).map((element, index) =>
      index === handle.index
        ? { ...element, outside: false, points: [roundCoordinate(to.x), roundCoordinate(to.y)] }
        : element,
    );
    return { points: shape.points, elements };
  },
};
