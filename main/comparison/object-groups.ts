import { boundingBox, boxOfPoints, uniteBoxes, type Box } from '../../preload/geometry/geometry.ts';
import type { ComparedObject } from './compared-object.ts';

/** Groups of objects; an object without a group is a group of one. */
export function groupsOf(objects: readonly ComparedObject[]): (readonly ComparedObject[])[] {
  return [...Map.groupBy(objects, (object) => (object.group === 0 ? object : object.group)).values()];
}

export const noBox: Box = { left: 0, top: 0, right: 0, bottom: 0 };

/** Bounding box as in CVAT: rectangles and ellipses without their rotation. Null for tags. */
export function boxOfObject({ type, points, elements }: ComparedObject): Box | null {
  switch (type) {
    case 'tag':
      return null;
    case 'skeleton':
      return boxOfPoints(elements.flatMap((element) => (element === null ? [] : [element.x, element.y])));
    case 'mask':
    case 'ellipse':
      return boundingBox({ type, points });
    default:
      return boxOfPoints(points);
  }
}

export const groupBoxes = (objects: readonly ComparedObject[]): [ComparedObject, Box][] =>
  groupsOf(objects).flatMap((group) => {
    const box = uniteBoxes(group.map(boxOfObject)) ?? noBox;
    return group.map((object): [ComparedObject, Box] => [object, box]);
  });

export const areaOfBox = ({ left, top, right, bottom }: Box): number => (right - left) * (bottom - top);

export const meanBox = (first: Box, second: Box): Box => ({
  left: (first.left + second.left) / 2,
  top: (first.top + second.top) / 2,
  right: (first.right + second.right) / 2,
  bottom: (first.bottom + second.bottom) / 2,
});
