import { colorChannels, shapeColor } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import type { DecodedMask } from '../geometry/mask.ts';
import type { ShapeContext } from '../shapes/behaviour.ts';
import type { ShapeRecord, View } from '../types.ts';
import type { PaintStyle } from './shape-painter.ts';

type Target = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Masks without an outline need more opacity to be visible at settings that suit outlined shapes. */
const restingMaskOpacity = (opacity: number): number => Math.min(1, Math.max(0.32, opacity));
export const selectedMaskOpacity = (opacity: number): number => Math.min(1, Math.max(0.5, opacity));
/** Masks with pixels. */
export const paintedMasks = (shapes: readonly ShapeRecord[]): ShapeRecord[] =>
  shapes.filter(({ type, points }) => type === 'mask' && points.length > 4);

/** Larger selections move as a bitmap while panning instead of being redrawn at each step. */
export const mostDrawnPerStep = 60;

export function selectedStyle(editor: Editor, view?: View): PaintStyle {
  const appearance = editor.appearance();
  return {
    appearance,
    labels: editor.labels(),
    context: editor.context(view),
    fillOpacity: appearance.selectedOpacity,
    strokePx: appearance.strokePx + 0.5,
    maskOutlines: true,
  };
}

/** Creates one bitmap per mask and colour; it lives as long as the mask's points. */
export function createMaskPainter() {
  const bitmaps = new WeakMap<readonly number[], { color: string; bitmap: OffscreenCanvas }>();

  const bitmapOf = (shape: ShapeRecord, color: string, mask: DecodedMask): OffscreenCanvas => {
    const known = bitmaps.get(shape.points);
    if (known?.color === color) return known.bitmap;
    const bitmap = renderMask(mask, color);
    bitmaps.set(shape.points, { color, bitmap });
    return bitmap;
  };

  return {
    /** Image coordinates. `opacity` overrides that of unselected masks. */
    paint(
      target: Target,
      masks: readonly ShapeRecord[],
      look: Pick<Editor, 'appearance' | 'labels'>,
      context: ShapeContext,
      opacity: number = restingMaskOpacity(look.appearance().opacity),
    ) {
      if (masks.length === 0) return;
      target.save();
      target.globalAlpha = opacity;
      target.imageSmoothingEnabled = context.pixel > 1;
      for (const shape of masks) {
        const mask = context.mask(shape.points);
        if (mask.width < 1 || mask.height < 1) continue;
        const color = shapeColor(shape, look.appearance(), look.labels());
        target.drawImage(bitmapOf(shape, color, mask), mask.left, mask.top);
      }
      target.restore();
    },
  };
}

function renderMask({ bits, width, height }: DecodedMask, color: string): OffscreenCanvas {
  const bitmap = new OffscreenCanvas(width, height);
  const context = bitmap.getContext('2d');
  if (context === null)
    throw new Error('Cannot draw masks: this browser has no offscreen 2D canvas. Use a current browser.');
  const data = context.createImageData(width, height);
  const pixels = new Uint32Array(data.data.buffer);
  const opaque = packedColor(color);
  for (let place = 0; place < bits.length; place += 1) if (bits[place] === 1) pixels[place] = opaque;
  context.putImageData(data, 0, 0);
  return bitmap;
}

/** Opaque, in the byte order of ImageData on little-endian machines, the only ones that Chromium supports. */
export function packedColor(color: string): number {
  const [red, green, blue] = colorChannels(color);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
