import { ellipsePointsOfBox } from '../shapes/ellipse.ts';
import { createBoxTool } from './box-tool.ts';
import type { Tool, ToolHost } from './tool.ts';

/** The ellipse touches the sides of the dragged box; Shift makes a circle. */
export function createEllipseTool(host: ToolHost): Tool {
  return createBoxTool(host, {
    id: 'ellipse',
    type: 'ellipse',
    geometry: (box) => ({ points: ellipsePointsOfBox(box) }),
  });
}
