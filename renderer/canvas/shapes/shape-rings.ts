import { cornersOf } from '../../../preload/geometry/geometry.ts';
import { maskToBitmap, maskBox, maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import { maskToPolygons, polygonsToMask } from '../../../preload/geometry/mask-polygons.ts';
import { behaviourOf, boundsOf } from './shape-behaviours.ts';
import type { Box, ShapeRecord, ShapeType, Size } from '../types.ts';
import { boxCentre, boxHeight, boxWidth, emptyBox, uniteBoxes } from '../geometry/box.ts';
import { rotatePoint, roundCoordinate } from '../geometry/point.ts';

export const areaTypes = ['polygon', 'mask', 'rectangle', 'ellipse'] as const satisfies readonly ShapeType[];
export type AreaType = (typeof areaTypes)[number];

export const isArea = ({ type }: { readonly type: ShapeType }): boolean => areaTypes.some((one) => one === type);

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

/** Outlines of an area: one per connected part of a mask, with its holes joined by bridges. */
export function ringsOf(shape: ShapeRecord): number[][] {
  if (shape.type === 'mask') return maskToPolygons(shape.points);
  if (shape.type === 'ellipse') return [ellipseRing(shape)];
  return [(cornersOf(shape) ?? shape.points).map(roundCoordinate)];
}

/**
 * Converts an area to another type: one polygon per connected part of a mask, else one shape. Boxes and ellipses keep
 * their rotation; all other shapes convert to their bounds. Empty if nothing remains, as for a polygon that covers no
 * pixel centre.
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

/** Union of the masks' pixels; null without masks. */
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
