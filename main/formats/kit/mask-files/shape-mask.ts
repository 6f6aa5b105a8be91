import { cornersOf } from '../../../../preload/contract/geometry.ts';
import { polygonsToMask } from '../../../../preload/contract/mask-polygons.ts';
import { ellipseToMask } from '../../../../preload/contract/polygon-raster.ts';
import type { LabeledShape } from '../task-data.ts';

/** Far beyond every image: rasterising counts in steps along an edge, which has to come to an end. */
const farthest = 1_000_000;

function near(points: readonly number[]): number[] {
  return points.map((value) => Math.max(-farthest, Math.min(farthest, value)));
}

export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Shapes with an area, which can be painted. */
export const hasArea = ({ type }: Pick<LabeledShape, 'type'>): boolean =>
  type === 'ellipse' || type === 'mask' || cornersOf({ type, points: [] }) !== null;

/**
 * The pixels of a shape with an area, as a mask within the image; null where none is in it. Rectangles and polygons
 * are rasterised as COCO does.
 */
export function shapeMask(
  { type, points, rotation = 0 }: Pick<LabeledShape, 'type' | 'points' | 'rotation'>,
  { width, height }: ImageSize,
): number[] | null {
  if (type === 'mask') return [...points];
  if (type === 'ellipse') return ellipseToMask(near(points), rotation, width, height);
  const corners = cornersOf({ type, points: near(points), rotation });
  return corners === null ? null : polygonsToMask([near(corners)], width, height);
}
