import { isEmptyBox } from '../geometry/box.ts';
import type { MaskPainting } from '../geometry/mask-painting.ts';
import type { PaintingView } from '../tools/tool.ts';
import { packedColor } from './mask-painter.ts';

/** The mask being painted: a bitmap of the image's size; each stroke copies only the touched part. */
export function createPaintingPreview() {
  let shown: { painting: MaskPainting; color: string; bitmap: OffscreenCanvas } | null = null;

  const bitmapFor = (painting: MaskPainting, color: string): OffscreenCanvas => {
    if (shown?.painting === painting && shown.color === color) return shown.bitmap;
    const bitmap = new OffscreenCanvas(painting.width, painting.height);
    shown = { painting, color, bitmap };
    copy(painting, color, bitmap, { left: 0, top: 0, right: painting.width, bottom: painting.height });
    return bitmap;
  };

  return {
    paint(target: CanvasRenderingContext2D, view: PaintingView, color: string, opacity: number, pixel: number) {
      const { painting } = view;
      const bitmap = bitmapFor(painting, color);
      const dirty = view.dirty();
      if (!isEmptyBox(dirty)) copy(painting, color, bitmap, dirty);
      view.taken();
      target.save();
      target.globalAlpha = opacity;
      target.imageSmoothingEnabled = pixel > 1;
      target.drawImage(bitmap, 0, 0);
      target.restore();
    },
  };
}

function copy(
  { bits, width: rowLength }: MaskPainting,
  color: string,
  bitmap: OffscreenCanvas,
  box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number },
): void {
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  const context = bitmap.getContext('2d');
  if (context === null || width <= 0 || height <= 0) return;
  const data = context.createImageData(width, height);
  const pixels = new Uint32Array(data.data.buffer);
  const opaque = packedColor(color);
  for (let row = 0; row < height; row += 1) {
    const start = (box.top + row) * rowLength + box.left;
    for (let column = 0; column < width; column += 1) {
      if (bits[start + column] === 1) pixels[row * width + column] = opaque;
    }
  }
  context.putImageData(data, box.left, box.top);
}
