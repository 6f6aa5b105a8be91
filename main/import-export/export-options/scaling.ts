import { maskFromBitmap, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import type { ImageSize } from '../../formats/kit/task-data.ts';

/** Scale factors of an image and its objects. */
export interface Scale {
  readonly x: number;
  readonly y: number;
}

/** Size of an image with the longer side limited to `longestSide`. Images are never enlarged. */
export function scaledSize({ width, height }: ImageSize, longestSide: number | undefined): ImageSize {
  const longer = Math.max(width, height);
  if (longestSide === undefined || longer <= longestSide) return { width, height };
  const factor = longestSide / longer;
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

/** Rounds to a thousandth of a pixel, finer than any annotation. */
const rounded = (value: number): number => Math.round(value * 1000) / 1000;

export const scalePoints = (points: readonly number[], { x, y }: Scale): number[] =>
  points.map((value, index) => rounded(value * (index % 2 === 0 ? x : y)));

/** Scales a mask: a pixel is set if the pixel at its center was. Null if none is. */
export function scaleMask(mask: readonly number[], { x, y }: Scale): number[] | null {
  const { left, top, width, height, bitmap } = maskToBitmap(mask);
  const from = { left: Math.floor(left * x), top: Math.floor(top * y) };
  const size = { width: Math.ceil((left + width) * x) - from.left, height: Math.ceil((top + height) * y) - from.top };
  const scaled = new Uint8Array(size.width * size.height);
  for (let row = 0; row < size.height; row += 1) {
    const sourceRow = Math.floor((row + from.top + 0.5) / y) - top;
    if (sourceRow < 0 || sourceRow >= height) continue;
    for (let column = 0; column < size.width; column += 1) {
      const sourceColumn = Math.floor((column + from.left + 0.5) / x) - left;
      if (sourceColumn < 0 || sourceColumn >= width) continue;
      scaled[row * size.width + column] = bitmap[sourceRow * width + sourceColumn] ?? 0;
    }
  }
  return maskFromBitmap(scaled, size.width, size.height, from);
}
