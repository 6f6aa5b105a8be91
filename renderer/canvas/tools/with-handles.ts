import type { Handle } from '../shapes/behaviour.ts';
import { cursorOfHandle } from './select-edits.ts';
import { handleGesture, type Gesture } from './select-gestures.ts';
import type { ToolHost } from './tool-host.ts';
import { dragThresholdPx, interrupt, isFarther, type PointerInput, type Tool } from './tool.ts';

/**
 * Drawing tool that can also edit the selected shape: a drag that starts on a handle moves it. Everything else draws,
 * even a click on a handle, because shapes share corners.
 */
export function withHandles(tool: Tool, host: ToolHost): Tool {
  let pressed: { readonly from: PointerInput; readonly handle: Handle } | null = null;
  let gesture: Gesture | null = null;
  let hovered: Handle | null = null;

  const handleAt = (input: PointerInput): Handle | null => {
    const handle = tool.drawing() ? null : host.selected.handleAt(input.image);
    return handle?.kind === 'move' ? null : handle;
  };
  const stop = (): boolean => {
    const wasHeld = pressed !== null;
    gesture?.end();
    [pressed, gesture] = [null, null];
    if (wasHeld) host.refresh('active');
    return wasHeld;
  };

  return {
    ...tool,
    down(input) {
      const handle = input.button === 0 && pressed === null ? handleAt(input) : null;
      if (handle !== null) pressed = { from: input, handle };
      else if (pressed === null) tool.down(input);
    },
    move(input) {
      if (pressed === null) {
        hovered = handleAt(input);
        tool.move(input);
        return;
      }
      if (gesture === null && isFarther(pressed.from.screen, input.screen, dragThresholdPx))
        gesture = handleGesture(host, pressed.from, pressed.handle);
      gesture = gesture?.move(input) ?? null;
    },
    up(input) {
      if (pressed === null || input.button !== 0) return tool.up(input);
      const { from } = pressed;
      if (gesture === null) {
        stop();
        tool.down(from);
        tool.up(input);
        return;
      }
      gesture.up(input);
      stop();
    },
    interrupt() {
      if (!stop()) interrupt(tool);
    },
    leave(next) {
      stop();
      hovered = null;
      if (tool.leave === undefined) tool.cancel();
      else tool.leave(next);
    },
    cancel: () => stop() || tool.cancel(),
    dragging: () => gesture !== null || tool.dragging(),
    cursor: () =>
      gesture?.cursor ??
      (hovered === null || tool.drawing() ? tool.cursor() : cursorOfHandle(hovered, host.view().rotation, false)),
    view() {
      const view = tool.view();
      const activeHandle = gesture?.handle ?? (tool.drawing() ? null : hovered);
      return { ...view, drafts: gesture?.drafts ?? view.drafts, activeHandle };
    },
  };
}
