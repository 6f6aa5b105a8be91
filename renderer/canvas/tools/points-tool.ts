import { createPathTool } from './path-tool.ts';
import type { Tool, ToolHost } from './tool.ts';

export function createPointsTool(host: ToolHost): Tool {
  return createPathTool(host, {
    type: 'points',
    minimum: 1,
    freehand: false,
    tooFew: 'Set at least one point.',
    hint: 'Click each point, Enter when all are set.',
  });
}
