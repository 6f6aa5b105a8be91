import { labelTakes } from '../../../../../preload/contract/label-fit.ts';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { isPaintTool } from '../../../../canvas/tool-kinds.ts';
import { noLabel, type ShapeRecord, type ToolId } from '../../../../canvas/types.ts';
import { canvasText } from '../../../../i18n/canvas-text.ts';
import { text } from '../../../../i18n/index.ts';
import { notify } from '../../../../ui/notify.ts';
import type { Naming, SessionParts } from '../types.ts';
import { createLabelEdits, refuseLabel } from './label-edits.ts';
import { drawnWith, isDrawTool, labelSuits, toolOfType, typeOf, type LabelUse } from './label-rules.ts';
import type { AttributeWrite, LabelService } from './label-service.ts';
import type { UnnamedShapes } from './unnamed-shapes.ts';

const tellOtherLabel = ({ name }: Label, other: Label): void =>
  notify.hint('label', text('annotate.labelChanged', { name, other: other.name }));

const tellOtherTool = ({ name }: Label, tool: ToolId): void =>
  notify.hint('label', text('annotate.toolChanged', { name, tool: canvasText(`actions.tool.${tool}`) }));

interface ChoiceParts extends Pick<SessionParts, 'store'> {
  readonly engine: Pick<CanvasEngine, 'on'>;
}

function createLabelChoice({ engine, store }: ChoiceParts) {
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

interface DrawingParts extends Pick<SessionParts, 'engine' | 'store'> {
  readonly unnamed: UnnamedShapes;
  readonly labelService: LabelService;
  readonly setLabels: (labels: readonly Label[]) => void;
}

const createLabelNamed =
  ({ store, labelService, setLabels }: Pick<DrawingParts, 'store' | 'labelService' | 'setLabels'>) =>
  async (wanted: string, attributes: readonly AttributeWrite[] = []): Promise<Label | null> => {
    const name = wanted.trim();
    const found = store.getState().labels.find((label) => label.name === name);
    if (found !== undefined) return found;
    try {
      const made = await labelService.create(name, attributes);
      setLabels(made.labels);
      return made.label;
    } catch (error) {
      notify.failure(text('annotate.labelFailed'), error);
      return null;
    }
  };

/** A brush paints on the selected mask, so choosing a label for the next object deselects it. */
function leaveMaskOfAnother(engine: CanvasEngine, label: Label): void {
  const { id, drawing } = engine.getTool();
  if (!isPaintTool(id) || drawing) return;
  const isOther = (one: string): boolean => engine.scene.get(one)?.labelId !== label.id;
  if (engine.selection.ids().some(isOther)) engine.selection.clear();
}

export function createDrawing(parts: DrawingParts) {
  const { engine, unnamed, store } = parts;
  const labelNamed = createLabelNamed(parts);
  /** Labels being created; shapes drawn in the meantime wait for them. */
  let labelsUnderWay = 0;
  const choice = createLabelChoice({ engine, store });

  const labelOf = (id: number | null): Label | undefined => store.getState().labels.find((label) => label.id === id);
  const { relabel, tagFrame } = createLabelEdits(engine, store);

  const asTrack = (): boolean => store.getState().asTrack;

  const arm = (tool: Naming, label: Label): void => {
    choice.set(label.id);
    if (tool === 'tag') tagFrame(label.id);
    else engine.setTool(tool, { ...drawnWith(label), asTrack: asTrack() });
  };
  const armUnnamed = (tool: LabelUse): void => {
    if (tool !== 'tag' && isDrawTool(tool))
      engine.setTool(tool, { labelId: noLabel, attributes: [], asTrack: asTrack() });
  };
  const ask = (tool: Naming): void => store.setState({ naming: { what: tool, shapes: unnamed.list() } });

  const use = (tool: Naming): void => {
    // An open prompt for shapes stays, because they wait for its answer.
    if (unnamed.list().length === 0) store.setState({ naming: null });
    if (tool !== 'tag' && !isDrawTool(tool)) {
      engine.setTool(tool);
      return;
    }
    const before = labelOf(store.getState().activeLabelId);
    const label = choice.labelFor(tool);
    if (label !== undefined && labelsUnderWay === 0) {
      arm(tool, label);
      if (before !== undefined && before !== label) tellOtherLabel(before, label);
    }
    // A skeleton's points come from its label, so it cannot be drawn before the label is chosen.
    else if (tool === 'skeleton') notify.hint('refused', canvasText('canvas.refused.noSkeletonLabel'));
    else if (tool === 'tag') ask(tool);
    else armUnnamed(tool);
  };

  const chooseLabel = (id: number): void => {
    const label = labelOf(id);
    if (label === undefined) return;
    const { tool } = store.getState();
    if (!isDrawTool(tool) || labelSuits(label, tool)) {
      choice.set(id);
      if (!isDrawTool(tool)) return;
      arm(tool, label);
      leaveMaskOfAnother(engine, label);
      return;
    }
    // Another tool would discard the draft.
    if (engine.getTool().drawing) return notify.hint('refused', text('annotate.labelUnfitNow', { name: label.name }));
    const fitting = choice.toolFor(label);
    if (fitting === null) return refuseLabel(label);
    arm(fitting, label);
    tellOtherTool(label, fitting);
  };

  /** Creates a label while the tool draws without one. */
  const underWay = async (name: string): Promise<Label | null> => {
    labelsUnderWay += 1;
    armUnnamed(store.getState().tool);
    const label = await labelNamed(name);
    labelsUnderWay -= 1;
    return label;
  };

  const settle = (label: Label): void => {
    unnamed.name(label);
    const { tool } = store.getState();
    if (isDrawTool(tool) && labelSuits(label, tool)) arm(tool, label);
    else choice.set(label.id);
  };

  engine.on('unlabelled', (shape) => {
    unnamed.add([shape]);
    if (labelsUnderWay === 0 || store.getState().naming !== null) ask(store.getState().tool);
  });

  return {
    /** Selects a tool with a suitable label. Without one, the shape is drawn first and named later. */
    use,
    /** Opens the label prompt for shapes that an earlier window drew. */
    restore(shapes: readonly ShapeRecord[]) {
      const [first] = shapes;
      if (first === undefined) return;
      unnamed.add(shapes);
      ask(toolOfType(first.type) ?? 'select');
    },
    /** Selects a tool with its former label, or another one if that was deleted. */
    resume(tool: ToolId, labelId: number | null) {
      const label = labelOf(labelId);
      if (label !== undefined && labelSuits(label, tool)) arm(tool, label);
      else use(tool);
    },
    chooseLabel,
    /** Selects a label by name and creates it if missing. Shapes drawn in the meantime get it. */
    async chooseNamed(name: string): Promise<void> {
      const known = store.getState().labels.find((label) => label.name === name.trim());
      if (known !== undefined) {
        chooseLabel(known.id);
        return;
      }
      const label = await underWay(name);
      if (label !== null) settle(label);
      else if (unnamed.list().length > 0) ask(store.getState().tool);
      else use(store.getState().tool);
    },
    relabel,
    /** Selects the label for the next object, regardless of the selection. */
    labelKey(position: number) {
      const label = store.getState().labels[position];
      if (label !== undefined) chooseLabel(label.id);
    },
    labelNamed,
    async finishNaming(name: string): Promise<void> {
      const { naming } = store.getState();
      if (naming === null) return;
      const label = await underWay(name);
      if (label === null) return;
      const misfit = unnamed.list().some((shape) => !labelTakes(label.type, typeOf(shape)));
      if (misfit || (naming.what === 'tag' && !labelTakes(label.type, 'tag'))) {
        refuseLabel(label);
        return;
      }
      store.setState({ naming: null });
      settle(label);
      if (naming.shapes.length === 0) arm(naming.what, label);
    },
    cancelNaming() {
      unnamed.drop();
      store.setState({ naming: null });
    },
    tagFrame,
  };
}
