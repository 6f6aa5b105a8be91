import { rotatePoint, roundCoordinate } from '../geometry/point.ts';
import type { ShapeBehaviour } from './behaviour.ts';
import { boxShape } from './box-shape.ts';

/** Points of an ellipse: centre x, centre y, right x, top y. */
function axes([x = 0, y = 0, right = 0, top = 0]: readonly number[]) {
  return { x, y, radiusX: Math.abs(right - x), radiusY: Math.abs(y - top) };
}

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

export const ellipse: ShapeBehaviour = {
  ...boxShape({
    boxOf(points) {
      const { x, y, radiusX, radiusY } = axes(points);
      return { left: x - radiusX, top: y - radiusY, right: x + radiusX, bottom: y + radiusY };
    },
    pointsOf: ({ left, top, right, bottom }) =>
      [(left + right) / 2, (top + bottom) / 2, right, top].map(roundCoordinate),
    share: Math.PI / 4,
  }),
  rasterVertices: () => 8,
  trace(shape, sink) {
    const { x, y, radiusX, radiusY } = axes(shape.points);
    const turn = radians(shape.rotation);
    sink.area.moveTo(x + radiusX * Math.cos(turn), y + radiusX * Math.sin(turn));
    sink.area.ellipse(x, y, radiusX, radiusY, turn, 0, Math.PI * 2);
    sink.area.closePath();
  },
  hit(shape, point, tolerance) {
    const { x, y, radiusX, radiusY } = axes(shape.points);
    const local = rotatePoint(point, { x, y }, -shape.rotation);
    const within = (growth: number): boolean => {
      const a = radiusX + growth;
      const b = radiusY + growth;
      return a > 0 && b > 0 && ((local.x - x) / a) ** 2 + ((local.y - y) / b) ** 2 <= 1;
    };
    if (!within(tolerance)) return null;
    return within(-tolerance) ? 'inside' : 'edge';
  },
};
