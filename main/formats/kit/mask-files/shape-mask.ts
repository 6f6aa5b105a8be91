import { cornersOf } from '../../../../preload/contract/geometry.ts';
import { maskBox } from '../../../../preload/contract/mask-runs.ts';
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

/** Calls `visit` with each stretch of set pixels that lies in the image: row, first column, column behind the last. */
export function visitMask(
  mask: readonly number[],
  { width, height }: ImageSize,
  visit: (row: number, start: number, end: number) => void,
): void {
  const box = maskBox(mask);
  let position = 0;
  for (let index = 0; index < mask.length - 4; index += 1) {
    let start = position;
    position += mask[index] ?? 0;
    if (index % 2 === 0) continue;
    while (start < position) {
      const line = Math.floor(start / box.width);
      const stop = Math.min(position, (line + 1) * box.width);
      const row = line + box.top;
      const from = Math.max(0, start - line * box.width + box.left);
      const to = Math.min(width, stop - line * box.width + box.left);
      if (row >= 0 && row < height && from < to) visit(row, from, to);
      start = stop;
    }
  }
}
