import { createPathTool } from './path-tool.ts';
import type { Tool, ToolHost } from './tool.ts';

export function createPolygonTool(host: ToolHost): Tool {
  return createPathTool(host, {
    type: 'polygon',
    minimum: 3,
    freehand: true,
    tooFew: 'A polygon needs three points: add the missing ones, or press Escape to drop it.',
    hint: 'Click the corners, or drag to draw freehand.',
  });
}
