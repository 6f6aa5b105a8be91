import { boxOfCorners } from '../geometry/box.ts';
import { roundCoordinate } from '../geometry/point.ts';
import { boxShape } from './box-shape.ts';

export const rectangle = boxShape({
  boxOf: ([x1 = 0, y1 = 0, x2 = 0, y2 = 0]) => boxOfCorners({ x: x1, y: y1 }, { x: x2, y: y2 }),
  pointsOf: (box) => [box.left, box.top, box.right, box.bottom].map(roundCoordinate),
  share: 1,
});
