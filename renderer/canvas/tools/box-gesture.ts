import { boxOfCorners } from '../geometry/box.ts';
import { squareCorner } from '../geometry/point.ts';
import type { Box, Point } from '../types.ts';
import { dragThresholdPx, isFarther, type PointerInput } from './tool.ts';

interface BoxGestureEvents {
  /** Adjusts the pointer's image position before use. */
  place(point: Point): Point;
  started(): void;
  changed(): void;
  finished(box: Box): void;
}

/**
 * A box by dragging or by two clicks: a release at the pressed position leaves the box open until the next click. Shift
 * makes it square.
 */
export function createBoxGesture(events: BoxGestureEvents) {
  let first: Point | null = null;
  let last: Point | null = null;
  let pressedAt: Point | null = null;
  let isSecondPress = false;

  const reset = (): boolean => {
    const was = first !== null;
    first = null;
    last = null;
    pressedAt = null;
    isSecondPress = false;
    return was;
  };
  const update = (input: PointerInput): void => {
    if (first === null) return;
    const to = events.place(input.image);
    last = input.shift ? events.place(squareCorner(first, to)) : to;
    events.changed();
  };
  const box = (): Box | null => (first === null || last === null ? null : boxOfCorners(first, last));

  return {
    /** The current box; null before the first press. */
    box,
    reset,
    held: () => pressedAt !== null,
    down(input: PointerInput) {
      if (input.button !== 0) return;
      pressedAt = input.screen;
      isSecondPress = first !== null;
      if (first !== null) {
        update(input);
        return;
      }
      first = events.place(input.image);
      last = first;
      events.started();
    },
    move: update,
    up(input: PointerInput) {
      if (input.button !== 0 || pressedAt === null) return;
      const dragged = isFarther(pressedAt, input.screen, dragThresholdPx);
      pressedAt = null;
      update(input);
      if (!dragged && !isSecondPress) return;
      const done = box();
      reset();
      if (done !== null) events.finished(done);
    },
  };
}
