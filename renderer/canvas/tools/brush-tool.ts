import type { BrushTip } from '../geometry/mask-painting.ts';
import type { ClientId, Point } from '../types.ts';
import { createMaskSession, selectedMask, type MaskSession } from './mask-session.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, type PointerInput, type Tool } from './tool.ts';

/** Image pixels. */
const defaultBrushDiameter = 24;

/** Brush and eraser paint the same mask: changing from one to the other goes on with it. */
interface MaskDesk {
  session: MaskSession | null;
  /** Selected because it was made here just now: the next stroke of the brush begins another one. */
  lastMade: ClientId | null;
}

export const createMaskDesk = (): MaskDesk => ({ session: null, lastMade: null });

/**
 * Paints a mask stroke by stroke until it is finished; one undo takes back one stroke. With a mask selected that mask
 * is edited, otherwise a new one is made. Ctrl paints with the other of brush and eraser.
 */
export function createBrushTool(host: ToolHost, id: 'brush' | 'eraser', desk: MaskDesk): Tool {
  let last: Point | null = null;
  let pointer: Point | null = null;
  let value: 0 | 1 = 1;

  const tip = (): BrushTip => ({
    diameter: Math.max(1, host.options().brushDiameter ?? defaultBrushDiameter),
    form: host.options().brushForm ?? 'circle',
  });
  const begin = (): MaskSession | null => {
    if (desk.session !== null) return desk.session;
    const edited = selectedMask(host, id === 'eraser' ? null : desk.lastMade);
    if (edited === null && id === 'eraser') {
      host.refuse('canvas.refused.nothingToErase');
      return null;
    }
    if (edited === null && host.newShape('mask', { points: [] }) === null) return null;
    desk.session = createMaskSession(host, edited);
    host.drawStarted();
    return desk.session;
  };
  const end = (outcome: 'done' | 'cancelled'): void => {
    desk.session = null;
    last = null;
    host.refresh('active');
    host.drawEnded(outcome);
  };
  const paint = (input: PointerInput): void => {
    if (desk.session === null || last === null) return;
    desk.session.segment(last, input.image, tip(), value);
    last = input.image;
    host.refresh('active');
  };
  const endStroke = (): void => {
    if (last !== null) desk.session?.endStroke();
    last = null;
  };
  const shown = (changed: boolean): boolean => {
    host.refresh('active');
    return changed;
  };
  const undoPoint = (): boolean => {
    if (desk.session === null || last !== null) return false;
    if (desk.session.takeBack()) return shown(true);
    end('cancelled');
    return true;
  };
  const finish = (): boolean => {
    endStroke();
    const change = desk.session?.change() ?? null;
    if (desk.session === null || change === 'refused') return false;
    // Ended first: the command makes the mask the selection, and must not find it still being painted.
    end(change === null ? 'cancelled' : 'done');
    if (change === null) return true;
    const { before, after } = change;
    if (before === null && after !== null) host.create(after);
    else host.commit({ kind: after === null ? 'delete' : 'mask', changes: [change] });
    desk.lastMade = before === null ? change.clientId : null;
    return true;
  };

  return {
    id,
    down(input) {
      if (input.button === 2) undoPoint();
      if (input.button !== 0) return;
      const session = begin();
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
    // Strokes are work: they are kept as a mask, not dropped.
    leave(next) {
      if (next !== 'brush' && next !== 'eraser') finish();
    },
    cancel() {
      if (desk.session === null) return false;
      end('cancelled');
      return true;
    },
    finish,
    undoPoint,
    redoPoint: () => shown(desk.session?.setAgain() ?? false),
    drawing: () => desk.session !== null,
    dragging: () => last !== null,
    cursor: () => 'none',
    view() {
      const { session } = desk;
      return {
        ...emptyToolView,
        brush: pointer === null ? null : { at: pointer, ...tip() },
        painting: session?.view() ?? null,
        hidden: session?.edited === undefined || session.edited === null ? [] : [session.edited.clientId],
        hint: session === null ? 'canvas.hint.paint' : 'canvas.hint.painting',
      };
    },
  };
}
