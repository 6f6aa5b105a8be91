import { uniteBoxes } from '../geometry/box.ts';
import { clampShift } from '../geometry/point.ts';
import type { ShapeRecord, Size } from '../types.ts';
import { behaviourOf, boundsOf, withGeometry } from './shape-behaviours.ts';

/** Shapes moved by the same way, as far as all of them stay inside the image. */
export function moveTogether(shapes: readonly ShapeRecord[], dx: number, dy: number, image: Size): ShapeRecord[] {
  if (shapes.length === 0) return [];
  const bounds = shapes.map((shape) => boundsOf(shape)).reduce(uniteBoxes);
  const shift = clampShift(bounds, dx, dy, image);
  return shapes.map((shape) => withGeometry(shape, behaviourOf(shape).move(shape, shift.x, shift.y)));
}
