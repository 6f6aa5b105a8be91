import { boxHeight, boxWidth } from '../geometry/box.ts';
import { imageBoxToScreen } from '../geometry/view-transform.ts';
import type { Box, Point } from '../types.ts';
import { createBoxGesture } from './box-gesture.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, quietTool, type Tool } from './tool.ts';

/** Screen pixels; a smaller region counts as a click. */
const smallestRegionPx = 5;

/** Dragging a region fits it into the view; Alt+click zooms out. Then the previous tool is restored. */
export function createZoomTool(host: ToolHost): Tool {
  const finished = (box: Box): void => {
    const shown = imageBoxToScreen(host.view(), box);
    if (boxWidth(shown) < smallestRegionPx || boxHeight(shown) < smallestRegionPx) return;
    host.zoomTo(box);
    host.backToPreviousTool();
  };
  const refresh = (): void => host.refresh('overlay');
  const gesture = createBoxGesture({ place: (point) => point, started: refresh, changed: refresh, finished });
  return {
    ...quietTool,
    id: 'zoom',
    down(input) {
      if (input.button === 0 && input.alt) host.zoomBy(0.5, input.screen);
      else gesture.down(input);
    },
    move: gesture.move,
    up: gesture.up,
    cancel() {
      refresh();
      return gesture.reset();
    },
    dragging: gesture.held,
    cursor: () => 'zoom-in',
    view() {
      const box = gesture.box();
      const marquee = box === null ? null : imageBoxToScreen(host.view(), box);
      return { ...emptyToolView, marquee, hint: 'canvas.hint.zoom' };
    },
  };
}

export function createPanTool(host: ToolHost): Tool {
  let last: Point | null = null;
  return {
    ...quietTool,
    id: 'pan',
    down(input) {
      if (input.button === 0) last = input.screen;
    },
    move(input) {
      if (last === null) return;
      host.panBy(input.screen.x - last.x, input.screen.y - last.y);
      last = input.screen;
    },
    up() {
      last = null;
    },
    dragging: () => last !== null,
    cursor: () => (last === null ? 'grab' : 'grabbing'),
  };
}
