import { maskFromBitmap, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import type { Box, Point, Size } from '../types.ts';
import { boxOfPoints, emptyBox, isEmptyBox, uniteBoxes } from './box.ts';
import { fillHoles, stretchesOfLine } from './mask-algebra.ts';
import { projectOnSegment } from './path.ts';
import { pointAt } from './point.ts';

export interface BrushTip {
  /** Image pixels. */
  readonly diameter: number;
  readonly form: 'circle' | 'square';
}

export interface PaintPatch extends Omit<Cutting, 'pixels'> {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}

/**
 * Bitmap of the image being painted. A stroke is a chain of segments between `begin` and `end`; each segment returns
 * the box of touched pixels.
 */
export function createMaskPainting(size: Size) {
  const width = Math.max(1, Math.round(size.width));
  const height = Math.max(1, Math.round(size.height));
  const bits = new Uint8Array(width * height);
  let extent: Box = emptyBox;
  let stroke: { before: Uint8Array; box: Box } | null = null;

  const clip = (box: Box): Box => ({
    left: Math.max(0, Math.floor(box.left)),
    top: Math.max(0, Math.floor(box.top)),
    right: Math.min(width, Math.ceil(box.right)),
    bottom: Math.min(height, Math.ceil(box.bottom)),
  });
  /** Records a part of a stroke; the extent grows if it sets pixels. */
  const touched = (box: Box, sets: boolean): Box => {
    if (sets) extent = uniteBoxes(extent, box);
    if (stroke !== null) stroke.box = uniteBoxes(stroke.box, box);
    return box;
  };
  const put = (pixels: Uint8Array, place: Omit<Cutting, 'pixels'>): void => {
    for (let row = 0; row < place.height; row += 1) {
      const from = pixels.subarray(row * place.width, (row + 1) * place.width);
      bits.set(from, (place.top + row) * width + place.left);
    }
  };

  return {
    width,
    height,
    bits,
    /** Box of everything painted, right and bottom exclusive; may be larger than the set pixels. */
    extent: () => extent,
    beginStroke() {
      stroke = { before: bits.slice(), box: emptyBox };
    },
    segment(from: Point, to: Point, tip: BrushTip, value: 0 | 1): Box {
      const reach = Math.max(tip.diameter, 1) / 2;
      const box = clip({
        left: Math.min(from.x, to.x) - reach,
        top: Math.min(from.y, to.y) - reach,
        right: Math.max(from.x, to.x) + reach,
        bottom: Math.max(from.y, to.y) + reach,
      });
      if (isEmptyBox(box)) return box;
      fillSegment(bits, width, box, from, to, reach, tip.form, value);
      return touched(box, value === 1);
    },
    /** Sets all pixels whose centre is inside a polygon, given as a flat list. */
    polygon(points: readonly number[], value: 0 | 1): Box {
      const box = clip(boxOfPoints(points));
      if (isEmptyBox(box)) return box;
      const corners = Array.from({ length: points.length >> 1 }, (_, index) => pointAt(points, index));
      for (let y = box.top; y < box.bottom; y += 1) {
        for (const [from, to] of stretchesOfLine(corners, y)) {
          bits.fill(value, y * width + Math.max(from, box.left), y * width + Math.min(to, box.right));
        }
      }
      return touched(box, value === 1);
    },
    fillHoles(): Box {
      if (isEmptyBox(extent)) return extent;
      const area = cut(bits, width, extent);
      fillHoles(area.pixels, area.width, area.height);
      put(area.pixels, area);
      return touched(extent, false);
    },
    /** Null if the stroke changed nothing. */
    endStroke(): PaintPatch | null {
      const done = stroke;
      stroke = null;
      if (done === null || isEmptyBox(done.box)) return null;
      const before = cut(done.before, width, done.box);
      const after = cut(bits, width, done.box);
      if (before.pixels.every((value, index) => value === after.pixels[index])) return null;
      return { ...before, before: before.pixels, after: after.pixels };
    },
    restore(patch: PaintPatch, which: 'before' | 'after'): Box {
      put(patch[which], patch);
      const { left, top } = patch;
      return { left, top, right: left + patch.width, bottom: top + patch.height };
    },
    load(points: readonly number[]): Box {
      const mask = maskToBitmap(points);
      const box = clip({ ...mask, right: mask.left + mask.width, bottom: mask.top + mask.height });
      if (isEmptyBox(box)) return box;
      for (let y = box.top; y < box.bottom; y += 1) {
        const from = (y - mask.top) * mask.width - mask.left;
        bits.set(mask.bitmap.subarray(from + box.left, from + box.right), y * width + box.left);
      }
      return touched(box, true);
    },
    clear(): Box {
      bits.fill(0);
      return touched(extent, false);
    },
    isEmpty: () => isEmptyBox(extent) || !bits.includes(1),
    /** Points of a mask shape; null if no pixel is set. */
    toPoints(): number[] | null {
      if (isEmptyBox(extent)) return null;
      const area = cut(bits, width, extent);
      return maskFromBitmap(area.pixels, area.width, area.height, area);
    },
  };
}

export type MaskPainting = ReturnType<typeof createMaskPainting>;

/** Sets pixels whose centre is within reach of the segment; a square tip moves without rotation. */
function fillSegment(
  bits: Uint8Array,
  width: number,
  box: Box,
  from: Point,
  to: Point,
  reach: number,
  form: BrushTip['form'],
  value: 0 | 1,
): void {
  // Half a diagonal, so that a tip of one pixel always marks the pixel under it.
  const limit = Math.max(reach, Math.SQRT1_2) ** 2;
  for (let y = box.top; y < box.bottom; y += 1) {
    for (let x = box.left; x < box.right; x += 1) {
      const near = projectOnSegment(x + 0.5, y + 0.5, from.x, from.y, to.x, to.y);
      const dx = Math.abs(x + 0.5 - near.x);
      const dy = Math.abs(y + 0.5 - near.y);
      if (form === 'square' ? dx <= reach && dy <= reach : dx * dx + dy * dy <= limit) bits[y * width + x] = value;
    }
  }
}

interface Cutting {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

function cut(bits: Uint8Array, rowLength: number, box: Box): Cutting {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row += 1) {
    const start = (box.top + row) * rowLength + box.left;
    pixels.set(bits.subarray(start, start + width), row * width);
  }
  return { left: box.left, top: box.top, width, height, pixels };
}
