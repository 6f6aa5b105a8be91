import { cuboidPointsOfBox } from '../shapes/cuboid.ts';
import { createBoxTool } from './box-tool.ts';
import type { Tool, ToolHost } from './tool.ts';

/** The dragged box is the front; the back is pulled into place by its vertices afterwards. */
export function createCuboidTool(host: ToolHost): Tool {
  return createBoxTool(host, {
    id: 'cuboid',
    type: 'cuboid',
    geometry: (box) => ({ points: cuboidPointsOfBox(box) }),
  });
}
