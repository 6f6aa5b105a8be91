import { createPathTool } from './path-tool.ts';
import type { Tool, ToolHost } from './tool.ts';

export function createPolylineTool(host: ToolHost): Tool {
  return createPathTool(host, {
    type: 'polyline',
    minimum: 2,
    freehand: true,
    tooFew: 'A line needs two points: add another, or press Escape to drop it.',
    hint: 'Click along the line, or drag to draw freehand.',
  });
}
