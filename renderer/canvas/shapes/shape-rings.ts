import { cornersOf } from '../../../preload/contract/geometry.ts';
import { maskToBitmap, maskBox, maskFromBitmap } from '../../../preload/contract/mask-runs.ts';
import { maskToPolygons, polygonsToMask } from '../../../preload/contract/mask-polygons.ts';
import { behaviourOf, boundsOf } from './shape-behaviours.ts';
import type { Box, ShapeRecord, ShapeType, Size } from '../types.ts';
import { boxCentre, boxHeight, boxWidth, emptyBox, uniteBoxes } from '../geometry/box.ts';
import { rotatePoint, roundCoordinate } from '../geometry/point.ts';

/** Types that are an area and become each other. */
export const areaTypes = ['polygon', 'mask', 'rectangle', 'ellipse'] as const satisfies readonly ShapeType[];
export type AreaType = (typeof areaTypes)[number];

export const isArea = ({ type }: { readonly type: ShapeType }): boolean => areaTypes.some((one) => one === type);

/** Corners of the polygon that an ellipse becomes. */
const ellipseCorners = 48;

function ellipseRing(shape: ShapeRecord): number[] {
  const box = behaviourOf(shape).frame?.(shape) ?? boundsOf(shape);
  const centre = boxCentre(box);
  return Array.from({ length: ellipseCorners }, (_, index) => (index * 2 * Math.PI) / ellipseCorners).flatMap(
    (angle) => {
      const at = {
        x: centre.x + (boxWidth(box) / 2) * Math.cos(angle),
        y: centre.y + (boxHeight(box) / 2) * Math.sin(angle),
      };
      const { x, y } = rotatePoint(at, centre, shape.rotation);
      return [roundCoordinate(x), roundCoordinate(y)];
    },
  );
}

/** Outlines of an area: one for each part of a mask, its holes joined to it by a bridge. */
export function ringsOf(shape: ShapeRecord): number[][] {
  if (shape.type === 'mask') return maskToPolygons(shape.points);
  if (shape.type === 'ellipse') return [ellipseRing(shape)];
  return [(cornersOf(shape) ?? shape.points).map(roundCoordinate)];
}

/**
 * What an area is as another type: a polygon for each part of a mask, else one shape. A box or an ellipse keeps its
 * turn as the other of them; of all other shapes they are the bounds. Empty where nothing is left, as of a polygon
 * between the middles of the pixels.
 */
export function asType(
  shape: ShapeRecord,
  type: AreaType,
  image: Size,
): { points: readonly number[]; rotation: number }[] {
  if (type === shape.type) return [{ points: shape.points, rotation: shape.rotation }];
  const still = (points: readonly number[]) => ({ points, rotation: 0 });
  if (type === 'polygon') return ringsOf(shape).map(still);
  if (type === 'mask') {
    const mask = polygonsToMask(ringsOf(shape), image.width, image.height);
    return mask === null ? [] : [still(mask)];
  }
  const turned = behaviourOf(shape).frame?.(shape);
  const isTurned = turned !== undefined && (shape.type === 'rectangle' || shape.type === 'ellipse');
  const points = behaviourOf({ type }).pointsOfBox?.(isTurned ? turned : boundsOf(shape)) ?? [];
  return [{ points: points.map(roundCoordinate), rotation: isTurned ? shape.rotation : 0 }];
}

/** The pixels of any of the masks; null without any. */
export function unitedMask(masks: readonly (readonly number[])[]): number[] | null {
  const bounds = masks.map((points): Box => maskBox(points)).reduce(uniteBoxes, emptyBox);
  const { left, top } = bounds;
  const [width, height] = [boxWidth(bounds) + 1, boxHeight(bounds) + 1];
  if (!(width > 0 && height > 0)) return null;
  const bits = new Uint8Array(width * height);
  for (const points of masks) {
    const mask = maskToBitmap(points);
    mask.bitmap.forEach((bit, index) => {
      if (bit !== 1) return;
      const x = mask.left - left + (index % mask.width);
      const y = mask.top - top + Math.floor(index / mask.width);
      bits[y * width + x] = 1;
    });
  }
  return maskFromBitmap(bits, width, height, { left, top });
}
