import type { Editor } from '../editor.ts';
import type { Box, ClientId, View } from '../types.ts';
import { createMaskPainter } from './mask-painter.ts';
import { createMovingCanvas, type Paint } from './moving-canvas.ts';
import { shapesIn } from './vector-painting.ts';

/** Layer 3: one bitmap per mask, above the shapes. The canvas exists only while there are masks. */
export function createMaskLayer(host: HTMLElement, editor: Editor) {
  const canvas = createMovingCanvas(host, 'masks');
  const painter = createMaskPainter();
  let isUsed = false;

  const paint =
    (view: View, hidden: ReadonlySet<ClientId>): Paint =>
    (context, region) => {
      const masks = shapesIn(editor, region, hidden).filter(({ type }) => type === 'mask');
      painter.paint(context, masks, editor, editor.context(view));
    };
  const draw = (view: View, hidden: ReadonlySet<ClientId>): void => {
    isUsed = editor.scene.all().some((record) => record.kind === 'shape' && record.type === 'mask');
    canvas.show(isUsed);
    if (isUsed) canvas.draw(view, paint(view, hidden));
  };
  return {
    resize: canvas.resize,
    follow: (view: View) => !isUsed || canvas.follow(view),
    draw,
    clear() {
      isUsed = false;
      canvas.show(false);
    },
    /** `view` is that of the last drawing. */
    drawPart(box: Box, paddingPx: number, view: View, hidden: ReadonlySet<ClientId>) {
      if (isUsed) canvas.drawPart(box, paddingPx, paint(view, hidden));
      else draw(view, hidden);
    },
    remove: canvas.remove,
  };
}
