import type { Editor } from './editor.ts';
import { chipBox, paintChips } from './layers/label-chips.ts';
import type { ImageLayer } from './layers/image-layer.ts';
import { createMaskPainter } from './layers/mask-painter.ts';
import { paintShapes } from './layers/shape-painter.ts';
import { shapeColor } from './appearance.ts';
import { isDrawn } from './scene.ts';
import type { ShapeRecord, Size, View } from './types.ts';

/** Longest side of a snapshot, pixels. */
const longestSidePx = 4096;

export interface Sheet {
  readonly canvas: OffscreenCanvas;
  readonly context: OffscreenCanvasRenderingContext2D;
  /** Snapshot pixels per image pixel. */
  readonly scale: number;
}

/** The adjusted image without shapes at its own size, limited to `longestSidePx`. */
export async function paintPictureSheet(editor: Editor, image: ImageLayer): Promise<Sheet> {
  const { width, height } = editor.view.image();
  const scale = Math.min(1, longestSidePx / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext('2d');
  if (context === null)
    throw new Error('Cannot create a snapshot: this browser has no offscreen 2D canvas. Use a current browser.');
  context.scale(scale, scale);
  image.paint(context);
  await image.paintDetail(context, scale);
  const { gamma } = editor.appearance();
  if (gamma !== 1) bend(context, canvas, gamma);
  return { canvas, context, scale };
}

/** Applies the DOM filter's effect to the pixels. */
function bend(context: OffscreenCanvasRenderingContext2D, { width, height }: Size, gamma: number): void {
  const picture = context.getImageData(0, 0, width, height);
  const bent = Uint8ClampedArray.from(
    { length: 256 },
    (_, value) => 255 * (value / 255) ** (1 / Math.max(gamma, 0.01)),
  );
  for (let place = 0; place < picture.data.length; place += 1)
    if (place % 4 !== 3) picture.data[place] = bent[picture.data[place] ?? 0] ?? 0;
  context.putImageData(picture, 0, 0);
}

export const drawnShapes = (editor: Editor): ShapeRecord[] => editor.scene.all().filter(isDrawn);

/** PNG of the complete image with its shapes, and with names if all are shown, at the image's size up to the limit. */
export async function takeSnapshot(
  editor: Editor,
  image: ImageLayer,
  textOf: (shape: ShapeRecord) => string,
): Promise<Blob> {
  const { canvas, context, scale } = await paintPictureSheet(editor, image);
  const shapes = drawnShapes(editor);
  const appearance = editor.appearance();
  const view: View = { scale, offsetX: 0, offsetY: 0, rotation: 0 };
  const now = editor.context(view);
  createMaskPainter().paint(
    context,
    shapes.filter(({ type }) => type === 'mask'),
    editor,
    now,
  );
  paintShapes(context, shapes, {
    appearance,
    labels: editor.labels(),
    context: now,
    fillOpacity: appearance.opacity,
    strokePx: appearance.strokePx,
  });
  if (appearance.showLabels === 'all') {
    context.setTransform(1, 0, 0, 1, 0, 0);
    const chips = shapes.map((shape) => ({
      text: textOf(shape),
      color: shapeColor(shape, appearance, editor.labels()),
      box: chipBox(shape, view),
    }));
    paintChips(context, chips, canvas);
  }
  return canvas.convertToBlob({ type: 'image/png' });
}
