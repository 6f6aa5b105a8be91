import { emptyBox, uniteBoxes } from '../geometry/box.ts';
import { createMaskPainting, type BrushTip, type MaskPainting, type PaintPatch } from '../geometry/mask-painting.ts';
import type { Box, ClientId, Point, ShapeRecord } from '../types.ts';
import { emptyToolView, type PaintingView, type PointerInput, type Tool, type ToolHost } from './tool.ts';

/** Image pixels. */
export const defaultBrushDiameter = 24;

/** A mask being painted: the one selected when the first stroke began, or a new one. */
interface Session {
  readonly painting: MaskPainting;
  readonly edited: ShapeRecord | null;
  readonly done: PaintPatch[];
  readonly undone: PaintPatch[];
}

/**
 * Paints a mask stroke by stroke until it is finished; one undo takes back one stroke. With a mask selected that mask
 * is edited, otherwise a new one is made. Ctrl paints with the other of brush and eraser.
 */
export function createBrushTool(host: ToolHost, id: 'brush' | 'eraser'): Tool {
  let session: Session | null = null;
  let last: Point | null = null;
  let pointer: Point | null = null;
  let value: 0 | 1 = 1;
  let dirty: Box = emptyBox;
  /** Selected because it was made here just now: the next stroke begins another one. */
  let lastMade: ClientId | null = null;

  const tip = (): BrushTip => ({
    diameter: Math.max(1, host.options().brushDiameter ?? defaultBrushDiameter),
    form: host.options().brushForm ?? 'circle',
  });
  const mark = (box: Box): void => {
    dirty = uniteBoxes(dirty, box);
    host.refresh('active');
  };
  const begin = (): Session | null => {
    if (session !== null) return session;
    const edited = selectedMask(host, lastMade);
    if (edited === null && id === 'eraser') {
      host.refuse('Nothing to erase: select a mask first, or paint one with the brush.');
      return null;
    }
    if (edited === null && host.newShape('mask', { points: [] }) === null) return null;
    session = { painting: createMaskPainting(host.imageSize()), edited, done: [], undone: [] };
    if (edited !== null) mark(session.painting.load(edited.points));
    host.drawStarted();
    return session;
  };
  const end = (outcome: 'done' | 'cancelled'): void => {
    session = null;
    last = null;
    dirty = emptyBox;
    host.refresh('active');
    host.drawEnded(outcome);
  };
  const paint = (input: PointerInput): void => {
    if (session === null || last === null) return;
    mark(session.painting.segment(last, input.image, tip(), value));
    last = input.image;
  };
  const endStroke = (): void => {
    if (session === null || last === null) return;
    last = null;
    const patch = session.painting.endStroke();
    if (patch === null) return;
    session.done.push(patch);
    session.undone.length = 0;
  };
  const step = (from: PaintPatch[], to: PaintPatch[], which: 'before' | 'after'): boolean => {
    const patch = from.pop();
    if (patch === undefined || session === null) return false;
    to.push(patch);
    mark(session.painting.restore(patch, which));
    return true;
  };
  const undoPoint = (): boolean => {
    if (session === null || last !== null) return false;
    if (session.done.length > 0) return step(session.done, session.undone, 'before');
    end('cancelled');
    return true;
  };
  const painting = (): PaintingView | null => {
    if (session === null) return null;
    const labelId = session.edited?.labelId ?? host.options().labelId ?? -1;
    return { painting: session.painting, labelId, dirty: () => dirty, taken: () => void (dirty = emptyBox) };
  };

  return {
    id,
    down(input) {
      if (input.button === 2) undoPoint();
      if (input.button !== 0) return;
      const now = begin();
      if (now === null) return;
      value = (id === 'eraser') === input.mod ? 1 : 0;
      now.painting.beginStroke();
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
    cancel() {
      if (session === null) return false;
      end('cancelled');
      return true;
    },
    finish() {
      endStroke();
      if (session === null) return false;
      const { edited, done } = session;
      const points = session.painting.toPoints();
      // Ended first: the command makes the mask the selection, and must not find it still being painted.
      end(done.length > 0 ? 'done' : 'cancelled');
      if (done.length > 0) lastMade = commitMask(host, edited, points);
      return true;
    },
    undoPoint,
    redoPoint: () => session !== null && step(session.undone, session.done, 'after'),
    drawing: () => session !== null,
    dragging: () => last !== null,
    cursor: () => 'none',
    view: () => ({
      ...emptyToolView,
      brush: pointer === null ? null : { at: pointer, ...tip() },
      painting: painting(),
      hidden: session === null || session.edited === null ? [] : [session.edited.clientId],
      hint: session === null ? 'Paint the object.' : 'Enter: done. Ctrl: brush or eraser. Right click: take back.',
    }),
  };
}

function selectedMask(host: ToolHost, except: ClientId | null): ShapeRecord | null {
  const [only, ...others] = host.selection.ids();
  const shape = only === undefined || only === except || others.length > 0 ? undefined : host.scene.getShape(only);
  return shape?.type === 'mask' && !shape.locked && !shape.hidden ? shape : null;
}

/** The id of a mask that was made, null where one was changed. */
function commitMask(host: ToolHost, edited: ShapeRecord | null, points: readonly number[] | null): ClientId | null {
  if (edited !== null) {
    const after = points === null ? null : { ...edited, points };
    const kind = after === null ? 'delete' : 'mask';
    host.commit({ kind, changes: [{ clientId: edited.clientId, before: edited, after }] });
    return null;
  }
  const shape = points === null ? null : host.newShape('mask', { points });
  if (shape === null) return null;
  host.commit({ kind: 'create', changes: [{ clientId: shape.clientId, before: null, after: shape }] });
  return shape.clientId;
}
