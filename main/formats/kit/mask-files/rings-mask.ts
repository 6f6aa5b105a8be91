import { maskFromRunLengths } from '../../../../preload/contract/mask-runs.ts';
import { polygonsToRunLengths } from '../../../../preload/contract/polygon-raster.ts';
import { areaOfCounts, mergeRunLengths } from '../../../../preload/contract/run-length.ts';
import type { ImageSize } from './shape-mask.ts';

/** A ring without its holes as a mask within the image, rasterised as COCO does; null where no pixel is left. */
export function ringsToMask(
  outer: readonly number[],
  holes: readonly (readonly number[])[],
  { width, height }: ImageSize,
): number[] | null {
  const whole = polygonsToRunLengths([outer], width, height);
  const { counts } = polygonsToRunLengths(holes, width, height);
  // Counts begin with pixels that are not set: with a run more or less in front they say the opposite.
  const outside = counts[0] === 0 ? counts.slice(1) : [0, ...counts];
  const runs = mergeRunLengths([whole, { width, height, counts: outside }], 'intersection');
  return areaOfCounts(runs.counts) === 0 ? null : maskFromRunLengths(runs);
}
