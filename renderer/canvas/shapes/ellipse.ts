import { rotatePoint, roundCoordinate } from '../geometry/point.ts';
import type { Box, ShapeRecord } from '../types.ts';
import type { ShapeBehaviour } from './behaviour.ts';
import { boxHandles, resizeBox, rotationTowards } from './resize-box.ts';

/** Points of an ellipse: centre x, centre y, right x, top y. */
function axes(shape: ShapeRecord): { x: number; y: number; radiusX: number; radiusY: number } {
  const [x = 0, y = 0, right = 0, top = 0] = shape.points;
  return { x, y, radiusX: Math.abs(right - x), radiusY: Math.abs(y - top) };
}

function ellipseBox(shape: ShapeRecord): Box {
  const { x, y, radiusX, radiusY } = axes(shape);
  return { left: x - radiusX, top: y - radiusY, right: x + radiusX, bottom: y + radiusY };
}

/** The ellipse that touches the four sides of a box. */
export function ellipsePointsOfBox(box: Box): number[] {
  return [(box.left + box.right) / 2, (box.top + box.bottom) / 2, box.right, box.top].map(roundCoordinate);
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export const ellipse: ShapeBehaviour = {
  parts: 'area',
  filled: true,
  rotates: true,
  area(shape) {
    const { radiusX, radiusY } = axes(shape);
    return Math.PI * radiusX * radiusY;
  },
  trace(shape, sink) {
    const { x, y, radiusX, radiusY } = axes(shape);
    const turn = radians(shape.rotation);
    sink.area.moveTo(x + radiusX * Math.cos(turn), y + radiusX * Math.sin(turn));
    sink.area.ellipse(x, y, radiusX, radiusY, turn, 0, Math.PI * 2);
    sink.area.closePath();
  },
  hit(shape, point, tolerance) {
    const { x, y, radiusX, radiusY } = axes(shape);
    const local = rotatePoint(point, { x, y }, -shape.rotation);
    const within = (growth: number): boolean => {
      const a = radiusX + growth;
      const b = radiusY + growth;
      return a > 0 && b > 0 && ((local.x - x) / a) ** 2 + ((local.y - y) / b) ** 2 <= 1;
    };
    if (!within(tolerance)) return null;
    return within(-tolerance) ? 'inside' : 'edge';
  },
  handles: (shape, context) => boxHandles(ellipseBox(shape), shape.rotation, context),
  move(shape, dx, dy) {
    return { points: shape.points.map((value, index) => roundCoordinate(value + (index % 2 === 0 ? dx : dy))) };
  },
  drag(shape, handle, to, { constrain }) {
    const box = ellipseBox(shape);
    if (handle.kind === 'rotate') return { points: shape.points, rotation: rotationTowards(box, to, constrain) };
    return { points: ellipsePointsOfBox(resizeBox(box, shape.rotation, handle.id, to, constrain)) };
  },
};
