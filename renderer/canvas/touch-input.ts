import type { PointerControl, RawPointer } from './pointer-control.ts';
import type { Point } from './types.ts';

/** After this time or distance, a first finger is not part of a pinch. */
const pinchWaitMs = 80;
const pinchWaitPx = 4;

type RawOf = (event: PointerEvent, button: number) => RawPointer;

/**
 * Touch input: one finger is the pointer, two move and zoom the view. The first press is delayed, so that a pinch
 * neither draws nor sets a point.
 */
export function createTouchInput(pointer: PointerControl, raw: RawOf, clicksOf: (event: PointerEvent) => number) {
  const fingers = new Map<number, Point>();
  /** Press of the first finger, while it may become a pinch. */
  let waiting: { readonly press: RawPointer; readonly timer: ReturnType<typeof setTimeout> } | null = null;
  /** Nothing is drawn until all fingers are lifted. */
  let isPinch = false;

  const settle = (): void => {
    if (waiting === null) return;
    clearTimeout(waiting.timer);
    const { press } = waiting;
    waiting = null;
    // A finger does not hover, so a move finds the shape under it before the press.
    pointer.move({ ...press, button: -1 });
    pointer.down(press);
  };
  const drop = (): void => {
    if (waiting !== null) clearTimeout(waiting.timer);
    waiting = null;
  };
  const spread = (): { readonly middle: Point; readonly distance: number } => {
    const [a = { x: 0, y: 0 }, b = a] = [...fingers.values()];
    return {
      middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
      distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)),
    };
  };

  return {
    down(event: PointerEvent): void {
      const press = { ...raw(event, 0), clicks: clicksOf(event) };
      fingers.set(event.pointerId, press.screen);
      if (fingers.size === 1) {
        isPinch = false;
        waiting = { press, timer: setTimeout(settle, pinchWaitMs) };
        return;
      }
      if (waiting === null && !isPinch) pointer.lost();
      drop();
      isPinch = true;
    },
    move(event: PointerEvent): void {
      const now = raw(event, -1);
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      if (isPinch) {
        const from = spread();
        fingers.set(event.pointerId, now.screen);
        const to = spread();
        if (fingers.size === 2) pointer.pinch(from.middle, to.middle, to.distance / from.distance);
        return;
      }
      if (waiting !== null) {
        const { x, y } = waiting.press.screen;
        if (Math.hypot(now.screen.x - x, now.screen.y - y) < pinchWaitPx) return;
        settle();
      }
      fingers.set(event.pointerId, now.screen);
      pointer.move(now);
    },
    up(event: PointerEvent): void {
      fingers.delete(event.pointerId);
      if (isPinch) return;
      settle();
      pointer.up({ ...raw(event, 0), clicks: 1 });
    },
    lost(event: PointerEvent): void {
      fingers.delete(event.pointerId);
      drop();
      if (!isPinch) pointer.lost();
    },
  };
}
