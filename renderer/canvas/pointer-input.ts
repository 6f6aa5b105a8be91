import type { PointerControl, RawPointer } from './pointer-control.ts';
import { createTouchInput } from './touch-input.ts';

/** Two presses within this time and distance are a double click. */
const doubleClickMs = 400;
const doubleClickPx = 6;
/** CSS pixels per line or page of a wheel event. */
const lineHeightPx = 33;
const pageHeightPx = 400;

/** Passes the host's DOM events to the pointer control. Returns the unbind function. */
export function bindPointerInput(root: HTMLElement, pointer: PointerControl, onInput: () => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  const page = root.ownerDocument;
  const window = page.defaultView;
  let press: { timeMs: number; x: number; y: number; button: number; count: number } | null = null;
  let isInside = false;

  const raw = (event: MouseEvent, button: number, clicks = 1): RawPointer => {
    const { left, top } = root.getBoundingClientRect();
    return {
      screen: { x: event.clientX - left, y: event.clientY - top },
      button,
      shift: event.shiftKey,
      mod: event.ctrlKey || event.metaKey,
      alt: event.altKey,
      clicks,
    };
  };
  const countClicks = (event: PointerEvent): number => {
    const isAgain =
      press !== null &&
      press.button === event.button &&
      event.timeStamp - press.timeMs < doubleClickMs &&
      Math.hypot(event.clientX - press.x, event.clientY - press.y) < doubleClickPx;
    const count = isAgain && press !== null ? press.count + 1 : 1;
    press = { timeMs: event.timeStamp, x: event.clientX, y: event.clientY, button: event.button, count };
    return count;
  };
  const on = <Name extends keyof HTMLElementEventMap>(
    name: Name,
    listener: (event: HTMLElementEventMap[Name]) => void,
  ): void =>
    root.addEventListener(
      name,
      (event) => {
        listener(event);
        onInput();
      },
      { signal, passive: false },
    );

  const touch = createTouchInput(
    pointer,
    (event, button) => raw(event, button),
    (event) => countClicks(event),
  );
  const isTouch = ({ pointerType }: PointerEvent): boolean => pointerType === 'touch';

  on('pointerdown', (event) => {
    root.setPointerCapture(event.pointerId);
    if (isTouch(event)) return touch.down(event);
    // Prevents text fields from keeping the focus and the middle button from scrolling.
    if (event.button === 1) event.preventDefault();
    pointer.down(raw(event, event.button, countClicks(event)));
  });
  on('pointermove', (event) => {
    isInside = true;
    if (isTouch(event)) return touch.move(event);
    const coalesced = event.getCoalescedEvents?.() ?? [];
    for (const step of coalesced.length > 1 ? coalesced : [event]) pointer.move(raw(step, -1));
  });
  on('pointerup', (event) =>
    isTouch(event) ? touch.up(event) : pointer.up(raw(event, event.button, press?.count ?? 1)),
  );
  on('pointercancel', (event) => (isTouch(event) ? touch.lost(event) : pointer.lost()));
  on('lostpointercapture', (event) => {
    if (event.buttons !== 0 && !isTouch(event)) pointer.lost();
  });
  on('pointerleave', (event) => {
    isInside = false;
    // A touch pointer leaves on every release.
    if (!isTouch(event)) pointer.leave();
  });
  on('contextmenu', (event) => event.preventDefault());
  on('mousedown', (event) => {
    if (event.button === 1) event.preventDefault();
  });
  on('wheel', (event) => {
    event.preventDefault();
    const unit = event.deltaMode === 1 ? lineHeightPx : event.deltaMode === 2 ? pageHeightPx : 1;
    const pans = event.shiftKey && !event.ctrlKey;
    const deltaX = (pans && event.deltaX === 0 ? event.deltaY : event.deltaX) * unit;
    // Touchpads report a pinch as a wheel with Ctrl and small steps.
    const deltaY = event.deltaY * unit * (event.ctrlKey && Math.abs(event.deltaY) < 40 ? 6 : 1);
    pointer.wheel(raw(event, -1), { deltaX, deltaY: pans ? 0 : deltaY, pans });
  });

  const key = (event: KeyboardEvent, isDown: boolean): void => {
    if (event.code === 'Space' && (!isDown || (isInside && !isTyping(event)))) {
      if (isDown) event.preventDefault();
      pointer.holdSpace(isDown);
    } else if (event.key === 'Alt') {
      // Alt alone would open the window's menu.
      if (isInside) event.preventDefault();
      pointer.holdAlt(isDown);
    } else if (event.key === 'Shift') {
      pointer.repeat(isDown);
    } else {
      return;
    }
    onInput();
  };
  window?.addEventListener('keydown', (event) => key(event, true), { signal });
  window?.addEventListener('keyup', (event) => key(event, false), { signal });
  window?.addEventListener(
    'blur',
    () => {
      pointer.holdSpace(false);
      pointer.holdAlt(false);
      pointer.lost();
      onInput();
    },
    { signal },
  );
  return () => abort.abort();
}

function isTyping(event: KeyboardEvent): boolean {
  const target = event.target;
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
