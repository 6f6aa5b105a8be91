import type { StoreApi } from 'zustand/vanilla';
import type { Label } from '../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../canvas/canvas-engine.ts';
import type { ToolId } from '../../../canvas/types.ts';
import { canvasText } from '../../../i18n/canvas-text.ts';
import { text } from '../../../i18n/index.ts';
import { notify } from '../../../ui/notify.ts';
import type { AnnotateState } from '../annotate-state.ts';
import { isDrawTool, labelSuits, toolOfType, type LabelUse } from './label-rules.ts';

/** Says that a tool draws with another label than the one that was chosen. */
export const tellOtherLabel = ({ name }: Label, other: Label): void =>
  notify.hint('label', text('annotate.labelChanged', { name, other: other.name }));

/** Says that a label took another tool. */
export const tellOtherTool = ({ name }: Label, tool: ToolId): void =>
  notify.hint('label', text('annotate.toolChanged', { name, tool: canvasText(`actions.tool.${tool}`) }));

interface ChoiceParts {
  readonly engine: Pick<CanvasEngine, 'on'>;
  readonly store: StoreApi<AnnotateState>;
}

/** Which label and which tool go together, by what was chosen last. */
export function createLabelChoice({ engine, store }: ChoiceParts) {
  /** Ids of labels, the one chosen last first. */
  let chosen: readonly number[] = [];
  /** Drawing tools, the one used last first. */
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
     * The chosen label where it suits, else the one chosen last that does, or the only one. Before any label is chosen
     * it is the first that suits. Undefined: none suits, or it is not known which of several is meant. Skeletons need one
     * at once: their points are those of the label.
     */
    labelFor(use: LabelUse): Label | undefined {
      const { labels, activeLabelId } = store.getState();
      const suiting = labels.filter((label) => labelSuits(label, use));
      const suits = (id: number | null): Label | undefined => suiting.find((label) => label.id === id);
      const known = suits(activeLabelId) ?? chosen.map(suits).find((label) => label !== undefined);
      const isSure = activeLabelId === null || suiting.length === 1 || use === 'skeleton';
      return known ?? (isSure ? suiting[0] : undefined);
    },
    /** The tool of the label's type, else the one used last that draws it; null where none does. */
    toolFor(label: Label): ToolId | null {
      const last = tools.find((tool) => labelSuits(label, tool));
      return toolOfType(label.type) ?? last ?? (labelSuits(label, 'rectangle') ? 'rectangle' : null);
    },
  };
}
