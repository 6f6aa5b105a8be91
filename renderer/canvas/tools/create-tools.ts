import type { ToolId } from '../types.ts';
import { createBrushTool, createMaskDesk } from './brush-tool.ts';
import { createCuboidTool } from './cuboid-tool.ts';
import { createEllipseTool } from './ellipse-tool.ts';
import { createPanTool } from './pan-tool.ts';
import { createPointsTool } from './points-tool.ts';
import { createPolygonTool } from './polygon-tool.ts';
import { createPolylineTool } from './polyline-tool.ts';
import { createPromptTool } from './prompt-tool.ts';
import { createRectangleTool } from './rectangle-tool.ts';
import { createSelectTool } from './select-tool.ts';
import { createSkeletonTool } from './skeleton-tool.ts';
import type { Tool, ToolHost } from './tool.ts';
import { createZoomTool } from './zoom-tool.ts';

export function createTools(hostOf: (id: ToolId) => ToolHost): Readonly<Record<ToolId, Tool>> {
  const desk = createMaskDesk();
  return {
    select: createSelectTool(hostOf('select')),
    pan: createPanTool(hostOf('pan')),
    zoom: createZoomTool(hostOf('zoom')),
    rectangle: createRectangleTool(hostOf('rectangle')),
    ellipse: createEllipseTool(hostOf('ellipse')),
    polygon: createPolygonTool(hostOf('polygon')),
    polyline: createPolylineTool(hostOf('polyline')),
    points: createPointsTool(hostOf('points')),
    cuboid: createCuboidTool(hostOf('cuboid')),
    skeleton: createSkeletonTool(hostOf('skeleton')),
    brush: createBrushTool(hostOf('brush'), 'brush', desk),
    eraser: createBrushTool(hostOf('eraser'), 'eraser', desk),
    prompt: createPromptTool(hostOf('prompt')),
  };
}
