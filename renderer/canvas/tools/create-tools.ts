import { behaviourOf } from '../shapes/shape-behaviours.ts';
import { showsHandles, toolIds, toolKinds } from '../tool-kinds.ts';
import type { ToolId } from '../types.ts';
import { createBoxTool } from './box-tool.ts';
import { createBrushTool } from './brush-tool.ts';
import { createHoleTool, createSliceTool } from './cut-tools.ts';
import { createMaskController } from './mask-controller.ts';
import { createMaskPolygonTool } from './mask-polygon-tool.ts';
import { createPathTool } from './path-tool.ts';
import { createPromptTool } from './prompt-tool.ts';
import { createRectangleTool } from './rectangle-tool.ts';
import { withRedrawing } from './redraw-part.ts';
import { createScissorsTool } from './scissors-tool.ts';
import { createSelectTool } from './select-tool.ts';
import { createSkeletonTool } from './skeleton-tool.ts';
import type { ToolHost } from './tool-host.ts';
import type { Tool } from './tool.ts';
import { createPanTool, createZoomTool } from './view-tools.ts';
import { withHandles } from './with-handles.ts';

export function createTools(hostOf: (id: ToolId) => ToolHost): Readonly<Record<ToolId, Tool>> {
  const controller = createMaskController();
  const special: Partial<Record<ToolId, (host: ToolHost) => Tool>> = {
    select: (host) => withRedrawing(host, createSelectTool(host)),
    pan: createPanTool,
    zoom: createZoomTool,
    rectangle: (host) => createRectangleTool(host, 'rectangle'),
    ellipse: (host) => createRectangleTool(host, 'ellipse'),
    polygon: (host) => createPathTool(host, 'polygon'),
    scissors: createScissorsTool,
    polyline: (host) => createPathTool(host, 'polyline'),
    points: (host) => createPathTool(host, 'points'),
    skeleton: createSkeletonTool,
    brush: (host) => createBrushTool(host, 'brush', controller),
    eraser: (host) => createBrushTool(host, 'eraser', controller),
    maskPlus: (host) => createMaskPolygonTool(host, 'maskPlus', controller),
    maskMinus: (host) => createMaskPolygonTool(host, 'maskMinus', controller),
    slice: createSliceTool,
    hole: createHoleTool,
    prompt: createPromptTool,
  };
  /** The default: tools that draw their shape from a box. */
  const make = (id: ToolId): Tool => {
    const { draws: type = 'rectangle' } = toolKinds[id];
    const fromBox = (host: ToolHost): Tool =>
      createBoxTool(host, {
        id,
        type,
        geometry: (box) => ({ points: behaviourOf({ type }).pointsOfBox?.(box) ?? [] }),
      });
    const host = hostOf(id);
    const tool = (special[id] ?? fromBox)(host);
    return showsHandles(id) ? withHandles(tool, host) : tool;
  };
  // One entry per id.
  return Object.fromEntries(toolIds.map((id) => [id, make(id)])) as Record<ToolId, Tool>;
}
