import type { BrushTip } from '../geometry/mask-painting.ts';
import { isPaintTool } from '../tool-kinds.ts';
import type { Point } from '../types.ts';
import type { MaskController } from './mask-controller.ts';
import type { ToolHost } from './tool-host.ts';
import type { PointerInput, Tool } from './tool.ts';

/** Image pixels. */
const defaultBrushDiameter = 24;

/**
 * Paints a mask stroke by stroke until it is finished; undo reverts one stroke. Edits the selected mask, else creates
 * one. Ctrl switches between brush and eraser.
 */
export function createBrushTool(host: ToolHost, id: 'brush' | 'eraser', controller: MaskController): Tool {
  let last: Point | null = null;
  let pointer: Point | null = null;
  let value: 0 | 1 = 1;

  const tip = (): BrushTip => ({
    diameter: Math.max(1, host.options().brushDiameter ?? defaultBrushDiameter),
    form: host.options().brushForm ?? 'circle',
  });
  const paint = (input: PointerInput): void => {
    const session = controller.session();
    if (session === null || last === null) return;
    session.segment(last, input.image, tip(), value);
    last = input.image;
    host.refresh('active');
  };
  const endStroke = (): void => {
    if (last !== null) controller.session()?.endStroke();
    last = null;
  };
  const undoPoint = (): boolean => last === null && controller.takeBack(host);
  const finish = (): boolean => {
    endStroke();
    return controller.finish(host);
  };

  return {
    id,
    down(input) {
      if (input.button === 2) undoPoint();
      if (input.button !== 0) return;
      const session = controller.begin(host, id === 'eraser');
      if (session === null) return;
      value = (id === 'eraser') === input.mod ? 1 : 0;
      session.beginStroke();
      last = input.image;
      paint(input);
    },
    move(input) {
      pointer = input.image;
      paint(input);
      host.refresh('overlay');
    },
    up(input) {
      if (input.button === 0) endStroke();
    },
    interrupt: endStroke,
    // Strokes are saved as a mask rather than discarded.
    leave(next) {
      if (next !== null && isPaintTool(next)) return;
      finish();
    },
    cancel() {
      last = null;
      return controller.cancel(host);
    },
    finish,
    undoPoint,
    redoPoint: () => controller.setAgain(host),
    draft: controller.draft,
    resume: (shape) => controller.resume(host, shape),
    fillHoles: () => controller.fillHoles(host),
    place: (box) => controller.placeBox(host, box, id === 'eraser'),
    drawing: () => controller.session() !== null,
    dragging: () => last !== null,
    cursor: () => 'none',
    view: () => ({ ...controller.view(host), brush: pointer === null ? null : { at: pointer, ...tip() } }),
  };
}
