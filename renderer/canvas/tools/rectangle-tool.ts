import { roundCoordinate } from '../geometry/point.ts';
import { createBoxTool } from './box-tool.ts';
import type { Tool, ToolHost } from './tool.ts';

export function createRectangleTool(host: ToolHost): Tool {
  return createBoxTool(host, {
    id: 'rectangle',
    type: 'rectangle',
    geometry: (box) => ({ points: [box.left, box.top, box.right, box.bottom].map(roundCoordinate) }),
  });
}
