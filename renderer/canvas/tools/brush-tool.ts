import type { BrushTip } from '../geometry/mask-painting.ts';
import { isPaintTool } from '../tool-kinds.ts';
import type { Point } from '../types.ts';
import type { MaskDesk } from './mask-desk.ts';
import type { ToolHost } from './tool-host.ts';
import type { PointerInput, Tool } from './tool.ts';

/** Image pixels. */
const defaultBrushDiameter = 24;

/**
 * Paints a mask stroke by stroke until it is finished; undo reverts one stroke. Edits the selected mask, else creates
 * one. Ctrl switches between brush and eraser.
 */
export function createBrushTool(host: ToolHost, id: 'brush' | 'eraser', desk: MaskDesk): Tool {
  let last: Point | null = null;
  let pointer: Point | null = null;
  let value: 0 | 1 = 1;

  const tip = (): BrushTip => ({
    diameter: Math.max(1, host.options().brushDiameter ?? defaultBrushDiameter),
    form: host.options().brushForm ?? 'circle',
  });
  const paint = (input: PointerInput): void => {
    const session = desk.session();
    if (session === null || last === null) return;
    session.segment(last, input.image, tip(), value);
    last = input.image;
    host.refresh('active');
  };
  const endStroke = (): void => {
    if (last !== null) desk.session()?.endStroke();
    last = null;
  };
  const undoPoint = (): boolean => last === null && desk.takeBack(host);
  const finish = (): boolean => {
    endStroke();
    return desk.finish(host);
  };

  return {
    id,
    down(input) {
      if (input.button === 2) undoPoint();
      if (input.button !== 0) return;
      const session = desk.begin(host, id === 'eraser');
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
      return desk.cancel(host);
    },
    finish,
    undoPoint,
    redoPoint: () => desk.setAgain(host),
    halfDrawn: desk.halfDrawn,
    resume: (shape) => desk.resume(host, shape),
    fillHoles: () => desk.fillHoles(host),
    place: (box) => desk.placeBox(host, box, id === 'eraser'),
    drawing: () => desk.session() !== null,
    dragging: () => last !== null,
    cursor: () => 'none',
    view: () => ({ ...desk.view(host), brush: pointer === null ? null : { at: pointer, ...tip() } }),
  };
}
