import type { Point } from '../types.ts';
import type { ToolHost } from './tool-host.ts';
import { quietTool, type Tool } from './tool.ts';

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
