import { cornersOf } from '../../../../preload/geometry/geometry.ts';
import { polygonsToMask } from '../../../../preload/geometry/mask-polygons.ts';
import { maskFromRunLengths } from '../../../../preload/geometry/mask-runs.ts';
import { ellipseToMask, polygonsToRunLengths } from '../../../../preload/geometry/polygon-raster.ts';
import { areaOfCounts, mergeRunLengths, type RunLengths } from '../../../../preload/geometry/run-length.ts';
import type { ImageSize, LabeledShape } from '../task-data.ts';

/** Far beyond every image. Rasterizing steps along the edges, so it needs a limit. */
const farthest = 1_000_000;

function near(points: readonly number[]): number[] {
  return points.map((value) => Math.max(-farthest, Math.min(farthest, value)));
}

/** True for shape types with an area, which can be painted. */
export const hasArea = ({ type }: Pick<LabeledShape, 'type'>): boolean =>
  type === 'ellipse' || type === 'mask' || cornersOf({ type, points: [] }) !== null;

/**
 * Pixels of a shape as a mask within the image; null if it has none there. Rectangles and polygons are rasterized as in
 * COCO.
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

const joined = (runs: RunLengths, other: RunLengths, how: 'union' | 'intersection'): RunLengths =>
  mergeRunLengths([runs, other], how);

/** Counts start with unset pixels, so adding or removing a leading run inverts the mask. */
const inverted = ({ counts, ...size }: RunLengths): RunLengths => ({
  ...size,
  counts: counts[0] === 0 ? counts.slice(1) : [0, ...counts],
});

const maskOrNull = (runs: RunLengths): number[] | null =>
  areaOfCounts(runs.counts) === 0 ? null : maskFromRunLengths(runs);

/** A ring without its holes as a mask within the image, rasterized as in COCO; null if no pixel remains. */
export function ringsToMask(
  outer: readonly number[],
  holes: readonly (readonly number[])[],
  { width, height }: ImageSize,
): number[] | null {
  const whole = polygonsToRunLengths([outer], width, height);
  const outside = inverted(polygonsToRunLengths(holes, width, height));
  return maskOrNull(joined(whole, outside, 'intersection'));
}

/** Pixels in an odd number of rings as a mask within the image; null if no pixel remains. */
export function evenOddMask(rings: readonly (readonly number[])[], { width, height }: ImageSize): number[] | null {
  const [first, ...others] = rings.map((ring) => polygonsToRunLengths([near(ring)], width, height));
  if (!first) return null;
  const inOne = (runs: RunLengths, ring: RunLengths): RunLengths =>
    joined(joined(runs, ring, 'union'), inverted(joined(runs, ring, 'intersection')), 'intersection');
  return maskOrNull(others.reduce(inOne, first));
}
