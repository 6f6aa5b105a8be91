import type { ActionDefinition } from '../../../canvas/action-table.ts';
import { isPaintTool, toolIds } from '../../../canvas/tool-kinds.ts';
import type { ToolId } from '../../../canvas/types.ts';
import type { Mode } from '../model/types.ts';

/** Groups whose actions change annotations, with a few read-only exceptions. */
const editingGroups = ['tools', 'draw', 'edit', 'object', 'label', 'track', 'model'];
const looking = new Set([
  'tool.select',
  'tool.pan',
  'tool.zoom',
  'draw.cancel',
  'edit.selectAll',
  'edit.copy',
  'object.next',
  'object.previous',
  'object.focus',
  'object.hide',
  'object.hideAll',
]);
const stepping = new Set(['edit.undo', 'edit.redo']);
const deleting = new Set(['edit.delete', 'edit.forceDelete']);

export interface ModeNow {
  readonly mode: Mode;
  /** True if the review allows edits. */
  readonly editing: boolean;
  /** Tool of the single-shape mode; null until chosen. */
  readonly tool: ToolId | null;
  /** True while a draft exists or another tool is armed. */
  readonly canCancel: boolean;
}

/** Painting a mask takes several tools. */
const toolsBeside = (tool: ToolId | null): readonly (ToolId | null)[] =>
  tool !== null && isPaintTool(tool) ? toolIds.filter(isPaintTool) : [tool];

export function isOffered({ id, group }: Pick<ActionDefinition, 'id' | 'group'>, now: ModeNow): boolean {
  if (!editingGroups.includes(group)) return true;
  switch (now.mode) {
    case 'standard':
      return true;
    case 'review':
      return now.editing || looking.has(id);
    case 'attributes':
      return looking.has(id) || stepping.has(id) || deleting.has(id) || group === 'object' || group === 'track';
    case 'tags':
      return looking.has(id) || stepping.has(id);
    case 'single':
      if (id === 'draw.cancel') return now.canCancel;
      if (group === 'tools') return looking.has(id) || toolsBeside(now.tool).some((tool) => id === `tool.${tool}`);
      return group === 'draw' || group === 'edit' || group === 'object';
  }
}
