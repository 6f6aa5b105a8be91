import { isPointInPolygon, rotatedRectangleToPolygon } from '../../../preload/contract/geometry.ts';
import { boxHeight, boxOfCorners, boxWidth } from '../geometry/box.ts';
import { roundCoordinate, shiftPoints } from '../geometry/point.ts';
import { nearestEdge } from '../geometry/path.ts';
import type { Box, ShapeRecord } from '../types.ts';
import type { ShapeBehaviour } from './behaviour.ts';
import { boxHandles, resizeBox, rotationTowards } from './resize-box.ts';

/** The box before rotation. */
function rectangleBox(shape: ShapeRecord): Box {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
  return boxOfCorners({ x: x1, y: y1 }, { x: x2, y: y2 });
}

const pointsOfBox = (box: Box): number[] => [box.left, box.top, box.right, box.bottom].map(roundCoordinate);

export const rectangle: ShapeBehaviour = {
  parts: 'area',
  filled: true,
  rotates: true,
  area: (shape) => boxWidth(rectangleBox(shape)) * boxHeight(rectangleBox(shape)),
  trace(shape, sink) {
    const outline = rotatedRectangleToPolygon(shape.points, shape.rotation);
    sink.area.moveTo(outline[0] ?? 0, outline[1] ?? 0);
    for (let index = 2; index < 8; index += 2) sink.area.lineTo(outline[index] ?? 0, outline[index + 1] ?? 0);
    sink.area.closePath();
  },
  hit(shape, point, tolerance) {
    const outline = rotatedRectangleToPolygon(shape.points, shape.rotation);
    if ((nearestEdge(outline, point.x, point.y, true)?.distance ?? Infinity) <= tolerance) return 'edge';
    return isPointInPolygon(point.x, point.y, outline) ? 'inside' : null;
  },
  handles: (shape, context) => boxHandles(rectangleBox(shape), shape.rotation, context),
  move: (shape, dx, dy) => ({ points: shiftPoints(shape.points, dx, dy).map(roundCoordinate) }),
  drag(shape, handle, to, { constrain }) {
    const box = rectangleBox(shape);
    if (handle.kind === 'rotate') return { points: shape.points, rotation: rotationTowards(box, to, constrain) };
    return { points: pointsOfBox(resizeBox(box, shape.rotation, handle.id, to, constrain)) };
  },
};
