import { createTools } from './tools/create-tools.ts';
import { isDrawTool, isPaintTool } from './tool-kinds.ts';
import { createToolHost, type ToolHostParts } from './tools/tool-host.ts';
import type { Tool } from './tools/tool.ts';
import type { ToolId, ToolOptions } from './types.ts';

export function createToolControl(parts: ToolHostParts) {
  const options = new Map<ToolId, ToolOptions>();
  /** Painting tools share one instance, because they edit one mask with one tip. */
  const owner = (id: ToolId): ToolId => (isPaintTool(id) ? 'brush' : id);
  const optionsOf = (id: ToolId): ToolOptions => options.get(owner(id)) ?? {};
  let previous: ToolId = 'select';
  let lastDraw: ToolId = 'rectangle';

  const tools = createTools((id) =>
    createToolHost(id, parts, { options: () => optionsOf(id), backToPreviousTool: () => set(previous) }),
  );
  let current: Tool = tools.select;

  const leave = (next: ToolId | null): void => {
    if (current.leave === undefined) current.cancel();
    else current.leave(next);
  };
  const set = (id: ToolId, given?: ToolOptions): void => {
    if (given !== undefined) options.set(owner(id), { ...optionsOf(id), ...given });
    if (id !== current.id) {
      leave(id);
      previous = current.id === 'zoom' || current.id === 'pan' ? previous : current.id;
      current = tools[id];
      if (isDrawTool(id)) lastDraw = id;
      parts.setHover(null);
    }
    parts.refresh('active');
    parts.refresh('overlay');
    parts.events.emit('toolChange', id, optionsOf(id));
  };

  return {
    current: () => current,
    options: () => optionsOf(current.id),
    set,
    /** Finishes the draft before the scene is replaced. */
    leaveFrame: () => leave(null),
    lastDrawTool: () => lastDraw,
  };
}

export type ToolControl = ReturnType<typeof createToolControl>;
