import type { Size } from '../types.ts';

/** Cost of a step without any edge. */
export const highestCost = 255;
/** Smaller differences, of 255, are camera noise. */
const leastContrast = 4;

/**
 * Cost of each corner between pixels: 1 on a strong edge, `highestCost` in even areas. Uses corners because edges run
 * between pixels. The channel with the largest change counts: red beside green of equal brightness is an edge too.
 * @param rgba pixels, four bytes each
 * @returns rows of `width + 1` corners, one more than there are rows of pixels
 */
export function edgeCosts(rgba: Uint8ClampedArray, size: Size): Uint16Array {
  const strengths = edgeStrengths(rgba, size);
  let sum = 0;
  for (let at = 0; at < strengths.length; at += 1) sum += strengths[at] ?? 0;
  const usual = Math.max(leastContrast, sum / strengths.length);
  const costs = new Uint16Array(strengths.length);
  for (let at = 0; at < costs.length; at += 1) {
    const relative = (strengths[at] ?? 0) / usual;
    costs[at] = 1.5 + (highestCost - 1) / (1 + relative * relative);
  }
  return costs;
}

/** Gradient at each corner over two pixels on either side, smoothed along the edge with the kernel 1 3 3 1. */
function edgeStrengths(rgba: Uint8ClampedArray, { width, height }: Size): Float32Array {
  const columns = width + 1;
  const strengths = new Float32Array(columns * (height + 1));
  /** One channel with two pixels of padding on every side that repeat the border. */
  const stride = width + 4;
  const plane = new Uint8Array(stride * (height + 4));
  for (let colour = 0; colour < 3; colour += 1) {
    for (let y = 0; y < height + 4; y += 1) {
      const row = Math.min(height - 1, Math.max(0, y - 2)) * width;
      for (let x = 0; x < stride; x += 1) {
        plane[y * stride + x] = rgba[4 * (row + Math.min(width - 1, Math.max(0, x - 2))) + colour] ?? 0;
      }
    }
    addStrengths(strengths, plane, columns, stride);
  }
  for (let at = 0; at < strengths.length; at += 1) strengths[at] = Math.sqrt(strengths[at] ?? 0);
  return strengths;
}

/** Squared gradient of one channel, if greater than the stored value. */
function addStrengths(strengths: Float32Array, plane: Uint8Array, columns: number, stride: number): void {
  const rows = strengths.length / columns;
  /** Per row of pixels: horizontal change and brightness. */
  const change = new Int32Array(plane.length);
  const bright = new Int32Array(plane.length);
  for (let at = 0; at + 3 < plane.length; at += 1) {
    const [a, b, c, d] = [plane[at] ?? 0, plane[at + 1] ?? 0, plane[at + 2] ?? 0, plane[at + 3] ?? 0];
    change[at] = c + d - a - b;
    bright[at] = a + 3 * (b + c) + d;
  }
  for (let y = 0; y < rows; y += 1) {
    for (let x = 0; x < columns; x += 1) {
      const r0 = y * stride + x;
      const [r1, r2, r3] = [r0 + stride, r0 + 2 * stride, r0 + 3 * stride];
      const gx = (change[r0] ?? 0) + 3 * ((change[r1] ?? 0) + (change[r2] ?? 0)) + (change[r3] ?? 0);
      const gy = (bright[r2] ?? 0) + (bright[r3] ?? 0) - (bright[r0] ?? 0) - (bright[r1] ?? 0);
      const strength = (gx * gx + gy * gy) / 1024;
      const at = y * columns + x;
      if (strength > (strengths[at] ?? 0)) strengths[at] = strength;
    }
  }
}
