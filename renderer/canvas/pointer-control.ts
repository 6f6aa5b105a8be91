import type { Emitter } from './emitter.ts';
import type { ToolControl } from './tool-control.ts';
import { setsPoints } from './tool-kinds.ts';
import { interrupt, type PointerInput } from './tools/tool.ts';
import type { Appearance, ClientId, EngineEvents, Point } from './types.ts';
import type { ViewControl } from './view-control.ts';

/** A pointer event of the host: screen pixels only. */
export type RawPointer = Omit<PointerInput, 'image'>;

interface PointerControlParts {
  readonly tools: ToolControl;
  readonly view: ViewControl;
  readonly events: Emitter<EngineEvents>;
  readonly setHover: (id: ClientId | null) => void;
  readonly looks: () => Pick<Appearance, 'wheelScrolls'>;
  readonly refresh: (layer: 'overlay') => void;
}

/** Zoom factor of one wheel notch (100 units). */
const zoomOfNotch = 1.2;

/** Routes the host's events to the tool. Panning with middle button, Space or Alt has priority over every tool. */
export function createPointerControl(parts: PointerControlParts) {
  const { tools, view, events, setHover, looks, refresh } = parts;
  let last: PointerInput | null = null;
  let panFrom: Point | null = null;
  let panButton = -1;
  let isSpaceHeld = false;
  let isAltHeld = false;
  /** Position of the keyboard cursor, image coordinates; null while the pointer is used. */
  let keyAt: Point | null = null;

  const withImage = (raw: RawPointer): PointerInput => ({ ...raw, image: view.toImage(raw.screen) });
  const altPans = (): boolean => isAltHeld && setsPoints(tools.current().id) && tools.current().drawing();
  const pans = (raw: RawPointer): boolean =>
    raw.button === 1 || (raw.button === 0 && !tools.current().dragging() && (isSpaceHeld || altPans()));
  const remember = (raw: RawPointer): PointerInput => {
    isAltHeld = raw.alt;
    last = withImage(raw);
    events.emit('cursor', last.image);
    refresh('overlay');
    return last;
  };

  const byKeys = (at: Point, button: number): RawPointer => {
    const limit = view.image();
    keyAt = { x: Math.min(limit.width, Math.max(0, at.x)), y: Math.min(limit.height, Math.max(0, at.y)) };
    view.reveal({ left: keyAt.x, top: keyAt.y, right: keyAt.x, bottom: keyAt.y });
    return { screen: view.toScreen(keyAt), button, shift: false, mod: false, alt: false, clicks: 1 };
  };

  return {
    /** Moves the keyboard cursor by image pixels, initially from the centre of the visible part. */
    moveByKeys(deltaX: number, deltaY: number) {
      const { width, height } = view.host();
      const middle = view.toImage({ x: width / 2, y: height / 2 });
      const from = keyAt ?? { x: Math.round(middle.x), y: Math.round(middle.y) };
      tools.current().move(remember(byKeys({ x: from.x + deltaX, y: from.y + deltaY }, -1)));
    },
    pressByKeys() {
      if (keyAt === null) return;
      tools.current().down(remember(byKeys(keyAt, 0)));
      tools.current().up(remember(byKeys(keyAt, 0)));
    },
    isLedByKeys: () => keyAt !== null && setsPoints(tools.current().id),
    down(raw: RawPointer) {
      keyAt = null;
      const input = remember(raw);
      if (panFrom !== null) return;
      if (pans(raw)) {
        panFrom = raw.screen;
        panButton = raw.button;
      } else if (raw.button === 0 || raw.button === 2) {
        tools.current().down(input);
      }
    },
    move(raw: RawPointer) {
      keyAt = null;
      if (panFrom !== null) {
        view.panBy(raw.screen.x - panFrom.x, raw.screen.y - panFrom.y);
        panFrom = raw.screen;
        remember(raw);
        return;
      }
      tools.current().move(remember(raw));
    },
    up(raw: RawPointer) {
      const input = remember(raw);
      if (panFrom === null) tools.current().up(input);
      else if (raw.button === panButton) panFrom = null;
    },
    leave() {
      if (panFrom !== null || tools.current().dragging()) return;
      last = null;
      setHover(null);
      events.emit('cursor', null);
      refresh('overlay');
    },
    /** The system cancelled the pointer (touch, alert): acts like Escape. */
    lost() {
      panFrom = null;
      if (tools.current().dragging()) interrupt(tools.current());
    },
    wheel(
      raw: RawPointer,
      { deltaX, deltaY, pans: isPan }: { readonly deltaX: number; readonly deltaY: number; readonly pans: boolean },
    ) {
      if (isPan || (looks().wheelScrolls && !raw.mod)) view.panBy(-deltaX, -deltaY);
      else view.zoomBy(zoomOfNotch ** (-deltaY / 100), raw.screen);
      remember(raw);
    },
    /** Two fingers: their midpoint moves while their distance changes. */
    pinch(from: Point, to: Point, factor: number) {
      view.panBy(to.x - from.x, to.y - from.y);
      view.zoomBy(factor, to);
    },
    holdSpace(isHeld: boolean) {
      isSpaceHeld = isHeld;
      refresh('overlay');
    },
    holdAlt(isHeld: boolean) {
      isAltHeld = isHeld;
      refresh('overlay');
    },
    /** Pointer position, image coordinates; null outside the host. */
    at: () => last?.image ?? null,
    screen: () => last?.screen ?? null,
    /** Repeats the last move after Shift changed or the view moved under the pointer. */
    repeat(shift: boolean) {
      if (last === null || panFrom !== null) return;
      tools.current().move(remember({ ...last, shift, button: -1 }));
    },
    panning: () => panFrom !== null,
    cursor(): string {
      if (panFrom !== null) return 'grabbing';
      if (isSpaceHeld || altPans()) return 'grab';
      return tools.current().cursor();
    },
  };
}

export type PointerControl = ReturnType<typeof createPointerControl>;
