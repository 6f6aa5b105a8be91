import { cornersOf, isPointInPolygon } from '../../../preload/geometry/geometry.ts';
import { axesAfter, mapPoint } from '../geometry/affine.ts';
import { boxCentre, boxHeight, boxWidth } from '../geometry/box.ts';
import { nearestEdge } from '../geometry/path.ts';
import { normaliseDegrees } from '../geometry/point.ts';
import type { Box, ShapeRecord } from '../types.ts';
import { shiftedPoints, type ShapeBehaviour } from './behaviour.ts';
import { boxHandles, resizeBox, rotationTowards } from './resize-box.ts';

interface BoxShape {
  /** The box before rotation. */
  boxOf(points: readonly number[]): Box;
  pointsOf(box: Box): number[];
  readonly share: number;
}

/** A shape inside a box that is resized by its sides and rotated about its centre. */
export function boxShape({ boxOf, pointsOf, share }: BoxShape): ShapeBehaviour {
  const corners = (shape: ShapeRecord): readonly number[] => cornersOf(shape) ?? [];
  return {
    parts: 'area',
    filled: true,
    pointsOfBox: pointsOf,
    area({ points }) {
      const box = boxOf(points);
      return share * boxWidth(box) * boxHeight(box);
    },
    trace(shape, { area }) {
      const [x = 0, y = 0, ...others] = corners(shape);
      area.moveTo(x, y);
      for (let index = 0; index < others.length; index += 2) area.lineTo(others[index] ?? 0, others[index + 1] ?? 0);
      area.closePath();
    },
    hit(shape, point, tolerance) {
      const outline = corners(shape);
      if ((nearestEdge(outline, point.x, point.y, true)?.distance ?? Infinity) <= tolerance) return 'edge';
      return isPointInPolygon(point.x, point.y, outline) ? 'inside' : null;
    },
    handles: (shape, context) => boxHandles(boxOf(shape.points), shape.rotation, context),
    move: shiftedPoints,
    frame: ({ points }) => boxOf(points),
    transform({ points, rotation }, matrix) {
      const box = boxOf(points);
      const centre = boxCentre(box);
      const { x, y } = mapPoint(matrix, centre.x, centre.y);
      const axes = axesAfter(matrix, rotation);
      const halfWidth = (axes.x * boxWidth(box)) / 2;
      const halfHeight = (axes.y * boxHeight(box)) / 2;
      return {
        points: pointsOf({ left: x - halfWidth, top: y - halfHeight, right: x + halfWidth, bottom: y + halfHeight }),
        rotation: normaliseDegrees(Math.round(axes.degrees * 10) / 10),
      };
    },
    drag(shape, handle, to, { constrain }) {
      const box = boxOf(shape.points);
      if (handle.kind === 'rotate') return { points: shape.points, rotation: rotationTowards(box, to, constrain) };
      return { points: pointsOf(resizeBox(box, shape.rotation, handle.id, to, constrain)) };
    },
  };
}
