import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import type { ToolId } from '../../../../canvas/types.ts';
import { canvasText } from '../../../../i18n/canvas-text.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { SessionParts } from '../types.ts';
import { isDrawTool, labelSuits, toolOfType, type LabelUse } from './label-rules.ts';

export const tellOtherLabel = ({ name }: Label, other: Label): void =>
  notify.hint('label', text('annotate.labelChanged', { name, other: other.name }));

export const tellOtherTool = ({ name }: Label, tool: ToolId): void =>
  notify.hint('label', text('annotate.toolChanged', { name, tool: canvasText(`actions.tool.${tool}`) }));

interface ChoiceParts extends Pick<SessionParts, 'store'> {
  readonly engine: Pick<CanvasEngine, 'on'>;
}

export function createLabelChoice({ engine, store }: ChoiceParts) {
  let chosen: readonly number[] = [];
  let tools: readonly ToolId[] = [];
  engine.on('toolChange', (tool) => {
    if (isDrawTool(tool)) tools = [tool, ...tools.filter((other) => other !== tool)];
  });
  return {
    set(id: number) {
      chosen = [id, ...chosen.filter((other) => other !== id)];
      store.setState({ activeLabelId: id });
    },
    /**
     * The chosen label if it fits, else the last chosen one that fits, or the only one. Before any choice, the first
     * that fits. Undefined if none fits or the choice is ambiguous. Skeletons need a label at once, because it defines
     * their points.
     */
    labelFor(use: LabelUse): Label | undefined {
      const { labels, activeLabelId } = store.getState();
      const suiting = labels.filter((label) => labelSuits(label, use));
      const suits = (id: number | null): Label | undefined => suiting.find((label) => label.id === id);
      const known = suits(activeLabelId) ?? chosen.map(suits).find((label) => label !== undefined);
      const isSure = activeLabelId === null || suiting.length === 1 || use === 'skeleton';
      return known ?? (isSure ? suiting[0] : undefined);
    },
    /** The tool of the label's type, else the last used one that fits; null if none. */
    toolFor(label: Label): ToolId | null {
      const last = tools.find((tool) => labelSuits(label, tool));
      return toolOfType(label.type) ?? last ?? (labelSuits(label, 'rectangle') ? 'rectangle' : null);
    },
  };
}
