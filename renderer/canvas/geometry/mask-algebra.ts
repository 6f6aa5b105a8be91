import { maskBox, maskFromBitmap, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import type { Point } from '../types.ts';
import { intersectBoxes, isEmptyBox } from './box.ts';

/**
 * Subtracts a mask. Returns the same list if they do not touch, null if nothing remains. The box shrinks to the rest.
 */
export function withoutMask(points: readonly number[], taken: readonly number[]): readonly number[] | null {
  const own = maskBox(points);
  const other = maskBox(taken);
  const shared = intersectBoxes(own, other);
  if (isEmptyBox(shared)) return points;
  const { left, top, right, bottom } = shared;
  const mask = maskToBitmap(points);
  const { bitmap } = maskToBitmap(taken);
  let isTouched = false;
  for (let y = top; y <= bottom; y += 1) {
    for (let x = left; x <= right; x += 1) {
      const at = (y - own.top) * own.width + x - own.left;
      if (mask.bitmap[at] !== 1 || bitmap[(y - other.top) * other.width + x - other.left] !== 1) continue;
      mask.bitmap[at] = 0;
      isTouched = true;
    }
  }
  return isTouched ? maskFromBitmap(mask.bitmap, mask.width, mask.height, mask) : points;
}

/** Sets pixels that cannot be reached from the border without crossing a set pixel. Returns their number. */
export function fillHoles(bitmap: Uint8Array, width: number, height: number): number {
  const outside = new Uint8Array(bitmap.length);
  const waiting: number[] = [];
  const visit = (at: number): void => {
    if (bitmap[at] === 1 || outside[at] === 1) return;
    outside[at] = 1;
    waiting.push(at);
  };
  for (let x = 0; x < width; x += 1) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y += 1) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const x = at % width;
    if (x > 0) visit(at - 1);
    if (x < width - 1) visit(at + 1);
    if (at >= width) visit(at - width);
    if (at + width < bitmap.length) visit(at + width);
  }
  let filled = 0;
  for (let at = 0; at < bitmap.length; at += 1) {
    if (bitmap[at] === 1 || outside[at] === 1) continue;
    bitmap[at] = 1;
    filled += 1;
  }
  return filled;
}

export function withoutHoles(points: readonly number[]): readonly number[] {
  const mask = maskToBitmap(points);
  if (fillHoles(mask.bitmap, mask.width, mask.height) === 0) return points;
  return maskFromBitmap(mask.bitmap, mask.width, mask.height, mask) ?? points;
}

/** Ranges of a pixel row that are inside a polygon (even-odd) at the row's centre, as [from, to) pairs. */
export function stretchesOfLine(polygon: readonly Point[], y: number): [number, number][] {
  const crossings: number[] = [];
  polygon.forEach((a, index) => {
    const b = polygon[(index + 1) % polygon.length] ?? a;
    const middle = y + 0.5;
    if (a.y <= middle === b.y <= middle) return;
    crossings.push(a.x + ((middle - a.y) / (b.y - a.y)) * (b.x - a.x));
  });
  crossings.sort((a, b) => a - b);
  const stretches: [number, number][] = [];
  for (let index = 0; index + 1 < crossings.length; index += 2) {
    // A pixel belongs to the polygon if its centre does.
    stretches.push([Math.ceil((crossings[index] ?? 0) - 0.5), Math.ceil((crossings[index + 1] ?? 0) - 0.5)]);
  }
  return stretches;
}
