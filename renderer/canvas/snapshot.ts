import type { Editor } from './editor.ts';
import type { ImageLayer } from './layers/image-layer.ts';
import { createMaskPainter } from './layers/mask-painter.ts';
import { paintShapes } from './layers/shape-painter.ts';
import { isDrawn } from './scene.ts';

/** Longest side of a snapshot, pixels. */
const longestSidePx = 4096;

/** The whole image with its shapes, at the image's size as far as that is sensible. PNG. */
export async function takeSnapshot(editor: Editor, image: ImageLayer): Promise<Blob> {
  const { width, height } = editor.view.image();
  const scale = Math.min(1, longestSidePx / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser has no 2D canvas off screen, which pictures of the canvas need.');
  context.scale(scale, scale);
  image.paint(context);
  const shapes = editor.scene.all().filter(isDrawn);
  const appearance = editor.appearance();
  const now = editor.context({ ...editor.view.get(), scale });
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
  return canvas.convertToBlob({ type: 'image/png' });
}
