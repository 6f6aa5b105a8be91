import type { Handle } from '../shapes/behaviour.ts';
import { createKeyPoint } from './key-point.ts';
import { cursorOfHandle, edgeUnder, handledShape, openMenu, removeVertex, type EdgeTarget } from './select-edits.ts';
import { handleGesture, marqueeGesture, pressGesture, type Gesture } from './select-gestures.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, quietTool, type PointerInput, type Tool } from './tool.ts';

/**
 * Hovering highlights the shape that a click would select; Shift or Ctrl adds and removes. Dragging moves the selected
 * shapes, a handle or an edge; dragging on empty ground draws a selection box.
 */
export function createSelectTool(host: ToolHost): Tool {
  let gesture: Gesture | null = null;
  let hoveredHandle: Handle | null = null;
  let hoveredEdge: EdgeTarget | null = null;
  const keyPoint = createKeyPoint(host);

  const press = (input: PointerInput): Gesture | null => {
    const handle = host.selected.handleAt(input.image);
    if (handle !== null) {
      if (handle.kind === 'move') return pressGesture(host, input, { edge: null, canMove: true });
      const handled = handledShape(host);
      if (!input.alt || handle.kind !== 'vertex' || handled === null) return handleGesture(host, input, handle);
      removeVertex(host, handled, handle.index);
      return null;
    }
    const adds = input.shift || input.mod;
    const edge = adds ? null : edgeUnder(host, input.image);
    const target = edge?.shape.clientId ?? host.pick(input.image)?.id ?? null;
    if (target === null) return marqueeGesture(host, input, adds ? host.selection.ids() : []);
    if (adds) host.selection.toggle(target);
    else if (!host.selection.has(target)) host.selection.set([target]);
    const shape = host.scene.getShape(target);
    const canMove = shape !== undefined && !shape.locked && shape.pinned !== true && host.selection.has(target);
    return pressGesture(host, input, { edge, canMove });
  };
  const look = (input: PointerInput): void => {
    const handled = handledShape(host);
    hoveredHandle = host.selected.handleAt(input.image);
    hoveredEdge = hoveredHandle === null ? edgeUnder(host, input.image) : null;
    const isOnHandled = hoveredHandle !== null || hoveredEdge !== null;
    host.setHover((isOnHandled ? handled?.clientId : host.pick(input.image)?.id) ?? null);
    host.refresh('overlay');
  };
  const stop = (): boolean => {
    if (gesture === null) return false;
    gesture.end();
    gesture = null;
    host.refresh('active');
    host.refresh('overlay');
    return true;
  };

  return {
    ...quietTool,
    id: 'select',
    keyPoint,
    down(input) {
      if (gesture !== null) return;
      keyPoint.clear();
      if (input.button === 0) gesture = press(input);
      else if (input.button === 2) openMenu(host, input);
    },
    move(input) {
      if (gesture === null) look(input);
      else gesture = gesture.move(input);
    },
    up(input) {
      if (input.button !== 0) return;
      const held = gesture?.handle ?? null;
      gesture?.up(input);
      stop();
      // The touched point of a skeleton becomes the target of the state keys.
      if (held?.kind === 'vertex' && handledShape(host)?.type === 'skeleton') keyPoint.choose(held.index);
      look(input);
    },
    cancel: stop,
    dragging: () => gesture !== null,
    cursor() {
      if (gesture !== null) return gesture.cursor;
      if (hoveredHandle !== null) return cursorOfHandle(hoveredHandle, host.view().rotation, false);
      if (hoveredEdge !== null) return 'copy';
      return cursorOver(host);
    },
    view: () => ({
      ...emptyToolView,
      drafts: gesture?.drafts ?? [],
      marquee: gesture?.marquee ?? null,
      newVertex: gesture === null ? (hoveredEdge?.at ?? null) : null,
      activeHandle: gesture?.handle ?? keyPoint.current() ?? hoveredHandle,
    }),
  };
}

function cursorOver(host: ToolHost): string {
  const id = host.hover();
  const shape = id === null ? undefined : host.scene.getShape(id);
  if (shape === undefined) return 'default';
  if (shape.locked) return 'not-allowed';
  return shape.pinned === true ? 'pointer' : 'move';
}
