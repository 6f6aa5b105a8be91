import { cornersOf, rotatePoint } from '../../preload/geometry/geometry.ts';
import { maskToRunLengths } from '../../preload/geometry/mask-runs.ts';
import { ellipseToMask, polygonsToRunLengths } from '../../preload/geometry/polygon-raster.ts';
import { mergeRunLengths, type RunLengths } from '../../preload/geometry/run-length.ts';
import type { ShapeType } from '../../preload/contract/schema/annotations.ts';
import type { ImageSize } from './compared-object.ts';

interface Outline {
  readonly type: ShapeType;
  readonly points: readonly number[];
  readonly rotation?: number;
}

const ellipseCorners = 720;

/** A polygon around a rotated ellipse, as Datumaro draws it for CVAT's quality reports. */
function ellipseRing([x = 0, y = 0, right = 0, top = 0]: readonly number[], rotation: number): number[] {
  return Array.from({ length: ellipseCorners }, (_, index) => {
    const angle = (2 * Math.PI * index) / ellipseCorners;
    return rotatePoint(x + (right - x) * Math.cos(angle), y + (y - top) * Math.sin(angle), x, y, rotation);
  }).flat();
}

/**
 * Pixels of a shape with an area; rings as COCO rasterizes them.
 * @param ellipses drawn as by CVAT's exporters, or as in its quality reports
 */
export function rasterOf(
  { type, points, rotation = 0 }: Outline,
  { width, height }: ImageSize,
  ellipses: 'export' | 'quality',
): RunLengths {
  const isExported = type === 'ellipse' && ellipses === 'export';
  const mask = isExported ? ellipseToMask(points, rotation, width, height) : type === 'mask' ? points : undefined;
  if (mask === null) return emptyRaster({ width, height });
  if (mask) return maskToRunLengths(mask, width, height);
  const ring = type === 'ellipse' ? ellipseRing(points, rotation) : (cornersOf({ type, points, rotation }) ?? points);
  return polygonsToRunLengths([ring], width, height);
}

const emptyRaster = ({ width, height }: ImageSize): RunLengths => ({ width, height, counts: [width * height] });

/** Pixels of each object that no later one covers. */
export function visibleRasters<Item>(
  fromLowest: readonly Item[],
  size: ImageSize,
  raster: (item: Item) => RunLengths,
): Map<Item, RunLengths> {
  const visible = new Map<Item, RunLengths>();
  let above = emptyRaster(size);
  for (const item of fromLowest.toReversed()) {
    const own = raster(item);
    visible.set(item, mergeRunLengths([own, above], 'difference'));
    above = mergeRunLengths([above, own]);
  }
  return visible;
}
