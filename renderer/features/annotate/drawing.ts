import type { StoreApi } from 'zustand/vanilla';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import { messageOf } from '../../api/api-error.ts';
import type { CanvasEngine, ClientId, TagRecord } from '../../canvas/types.ts';
import { text } from '../../i18n/index.ts';
import { notify } from '../../ui/notify.ts';
import type { AnnotateState, Naming } from './annotate-state.ts';
import { defaultAttributes, isDrawTool, labelSuits, toolOfType, type LabelUse } from './label-rules.ts';
import type { LabelService } from './label-service.ts';

export interface DrawingParts {
  readonly engine: CanvasEngine;
  readonly store: StoreApi<AnnotateState>;
  readonly labelService: LabelService;
  readonly setLabels: (labels: readonly Label[]) => void;
}

/** Which tool draws with which label. */
export interface Drawing {
  /** Arms a tool with a label that suits it; asks for a name where there is none. */
  use(tool: Naming): void;
  /** Chooses the label of the next shapes. */
  chooseLabel(id: number): void;
  /** Gives selected objects a label. */
  relabel(ids: readonly ClientId[], labelId: number): void;
  /** The label's number key: relabels the selection when selecting, else chooses the label. */
  labelKey(position: number): void;
  /** The label of that name, made where there is none. Null: it could not be made. */
  labelNamed(name: string): Promise<Label | null>;
  /** Answers the inline question. */
  finishNaming(name: string): Promise<void>;
  cancelNaming(): void;
  tagFrame(labelId: number): void;
}

export function createDrawing({ engine, store, labelService, setLabels }: DrawingParts): Drawing {
  const labelOf = (id: number | null): Label | undefined => store.getState().labels.find((label) => label.id === id);

  const labelFor = (use: LabelUse): Label | undefined => {
    const { labels, activeLabelId } = store.getState();
    const active = labelOf(activeLabelId);
    return active !== undefined && labelSuits(active, use) ? active : labels.find((label) => labelSuits(label, use));
  };

  const arm = (tool: Naming, label: Label): void => {
    store.setState({ activeLabelId: label.id, naming: null });
    if (tool === 'tag') tagFrame(label.id);
    else engine.setTool(tool, { labelId: label.id, attributes: defaultAttributes(label) });
  };

  const tagFrame = (labelId: number): void => {
    const label = labelOf(labelId);
    const { scene } = engine;
    const there = scene.all().some((record) => record.kind === 'tag' && record.labelId === labelId);
    if (label === undefined || there) return;
    const tag: TagRecord = {
      kind: 'tag',
      clientId: crypto.randomUUID(),
      frame: scene.frame,
      labelId,
      group: 0,
      source: 'manual',
      attributes: defaultAttributes(label),
      locked: false,
      hidden: false,
    };
    engine.execute({ kind: 'create', changes: [{ clientId: tag.clientId, before: null, after: tag }] });
  };

  const use = (tool: Naming): void => {
    if (tool !== 'tag' && !isDrawTool(tool)) {
      store.setState({ naming: null });
      engine.setTool(tool);
      return;
    }
    const label = labelFor(tool);
    if (label === undefined) store.setState({ naming: tool });
    else arm(tool, label);
  };

  const chooseLabel = (id: number): void => {
    const label = labelOf(id);
    if (label === undefined) return;
    store.setState({ activeLabelId: id });
    const { tool } = store.getState();
    if (!isDrawTool(tool)) return;
    const fitting = labelSuits(label, tool) ? tool : toolOfType(label.type);
    if (fitting !== null) arm(fitting, label);
  };

  const relabel = (ids: readonly ClientId[], labelId: number): void => {
    const label = labelOf(labelId);
    if (label === undefined) return;
    engine.update(ids, { labelId, attributes: defaultAttributes(label) }, 'label');
  };

  const labelNamed = async (wanted: string): Promise<Label | null> => {
    const name = wanted.trim();
    const found = store.getState().labels.find((label) => label.name === name);
    if (found !== undefined) return found;
    try {
      const made = await labelService.create(name);
      setLabels(made.labels);
      return made.label;
    } catch (error) {
      notify.failure(text('annotate.labelFailed'), messageOf(error));
      return null;
    }
  };

  return {
    use,
    chooseLabel,
    relabel,
    labelKey(position) {
      const label = store.getState().labels[position];
      if (label === undefined) return;
      const ids = engine.selection.ids();
      if (store.getState().tool === 'select' && ids.length > 0) relabel(ids, label.id);
      else chooseLabel(label.id);
    },
    labelNamed,
    async finishNaming(name) {
      const { naming } = store.getState();
      const label = await labelNamed(name);
      if (label !== null && naming !== null) arm(naming, label);
    },
    cancelNaming: () => store.setState({ naming: null }),
    tagFrame,
  };
}
