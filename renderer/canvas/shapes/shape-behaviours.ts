import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { emptyBox, uniteBoxes } from '../geometry/box.ts';
import { clampShift, shiftInside } from '../geometry/point.ts';
import type { Box, ShapeRecord, ShapeType, Size } from '../types.ts';
import type { Geometry, ShapeBehaviour } from './behaviour.ts';
import { cuboid } from './cuboid.ts';
import { ellipse } from './ellipse.ts';
import { mask } from './mask.ts';
import { points } from './points.ts';
import { rectangle } from './rectangle.ts';
import { skeleton } from './skeleton.ts';
import { vertexPath } from './vertex-path.ts';

const behaviours: Readonly<Record<ShapeType, ShapeBehaviour>> = {
  rectangle,
  ellipse,
  polygon: vertexPath(true),
  polyline: vertexPath(false),
  points,
  cuboid,
  mask,
  skeleton,
};

/** Bounds including rotation; an empty box without points. */
export const boundsOf = (shape: ShapeRecord): Box => boundingBox(shape) ?? emptyBox;

export const behaviourOf = (shape: { readonly type: ShapeType }): ShapeBehaviour => behaviours[shape.type];

export function withGeometry(shape: ShapeRecord, geometry: Geometry): ShapeRecord {
  return {
    ...shape,
    points: geometry.points,
    rotation: geometry.rotation ?? shape.rotation,
    ...(geometry.elements === undefined ? {} : { elements: geometry.elements }),
  };
}

/** Moves shapes together as far as all stay inside the image. */
export function moveTogether(shapes: readonly ShapeRecord[], dx: number, dy: number, image: Size): ShapeRecord[] {
  if (shapes.length === 0) return [];
  const bounds = shapes.map((shape) => boundsOf(shape)).reduce(uniteBoxes);
  const shift = clampShift(bounds, dx, dy, image);
  return shapes.map((shape) => withGeometry(shape, behaviourOf(shape).move(shape, shift.x, shift.y)));
}

/** Moves shapes together by the shortest shift that brings all into the image, unless they are larger. */
export function movedInside(shapes: readonly ShapeRecord[], image: Size): readonly ShapeRecord[] {
  if (shapes.length === 0) return shapes;
  const { x, y } = shiftInside(shapes.map((shape) => boundsOf(shape)).reduce(uniteBoxes), image);
  if (x === 0 && y === 0) return shapes;
  return shapes.map((shape) => withGeometry(shape, behaviourOf(shape).move(shape, x, y)));
}
