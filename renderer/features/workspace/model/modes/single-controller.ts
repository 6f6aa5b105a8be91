import { createStore } from 'zustand/vanilla';
import type { Label } from '../../../../../preload/contract/schema/labels.ts';
import { stopAll } from '../../../../canvas/emitter.ts';
import type { CanvasEngine } from '../../../../canvas/canvas-engine.ts';
import { isDrawTool, isOffered, isPaintTool, toolIds } from '../../../../canvas/tool-kinds.ts';
import type { Command, CommandOrigin, SceneRecord, ToolId } from '../../../../canvas/types.ts';
import { frameIsShown, type AnnotateStore } from '../types.ts';
import { refuseLabel } from '../labels/label-edits.ts';
import { drawnWith, labelSuits } from '../labels/label-rules.ts';
import type { ModeChoiceStore } from './mode-choices.ts';

export interface SingleState {
  /** Null until chosen. */
  readonly labelId: number | null;
  readonly tool: ToolId | null;
  /** True if the last frame has its shapes. */
  readonly finished: boolean;
}

export const toolsOf = (label: Pick<Label, 'type'>): readonly ToolId[] =>
  toolIds.filter(
    // Of the painting tools only the first; the others appear beside it while it is armed.
    (tool) =>
      isOffered(tool) && isDrawTool(tool) && (!isPaintTool(tool) || tool === 'brush') && labelSuits(label, tool),
  );

export const drawnLabels = (labels: readonly Label[]): readonly Label[] =>
  labels.filter((label) => toolsOf(label).length > 0);

/** Number of the label's shapes on the frame, including filtered ones. */
export const countOf = (records: readonly SceneRecord[], labelId: number | null): number =>
  records.filter((record) => record.kind === 'shape' && record.labelId === labelId && record.suggestion !== true)
    .length;

interface SingleParts {
  readonly engine: Pick<CanvasEngine, 'scene' | 'selection' | 'setTool' | 'getTool' | 'isBusy' | 'on'>;
  readonly store: Pick<AnnotateStore, 'getState' | 'setState' | 'subscribe'>;
  readonly choices: ModeChoiceStore;
  /** False if there is none and the frame stays. */
  readonly nextFrame: () => boolean;
}

/** Single-shape mode: one label and one tool, frame after frame. */
export function createSingleController({ engine, store, choices, nextFrame }: SingleParts) {
  const state = createStore<SingleState>(() => ({ labelId: null, tool: null, finished: false }));
  const isOn = (): boolean => store.getState().mode === 'single';
  const labelNow = (): Label | undefined => store.getState().labels.find(({ id }) => id === state.getState().labelId);
  /** The track setting before this mode, which draws no tracks. */
  let wasTrack: boolean | null = null;

  const arm = (): void => {
    const label = labelNow();
    const { tool } = state.getState();
    if (!isOn() || label === undefined || tool === null) return;
    store.setState({ activeLabelId: label.id });
    engine.setTool(tool, { ...drawnWith(label), asTrack: false });
  };
  const choose = (label: Label, wanted: ToolId | null = state.getState().tool): void => {
    const tools = toolsOf(label);
    const tool = tools.find((one) => one === wanted) ?? tools[0];
    if (tool === undefined) return;
    state.setState({ labelId: label.id, tool, finished: false });
    arm();
  };
  const enter = (): void => {
    wasTrack = store.getState().asTrack;
    store.setState({ asTrack: false });
    const [only, ...others] = drawnLabels(store.getState().labels);
    const label = labelNow() ?? (others.length === 0 ? only : undefined);
    if (label === undefined) state.setState({ labelId: null, tool: null, finished: false });
    else choose(label);
  };
  const leave = (): void => {
    if (wasTrack !== null) store.setState({ asTrack: wasTrack });
    wasTrack = null;
    state.setState({ finished: false });
  };
  const followDrawing = ({ kind }: Command, origin: CommandOrigin): void => {
    // A shape that is completed by leaving the frame does not advance another frame.
    if (!isOn() || kind !== 'create' || origin !== 'do' || !frameIsShown(store.getState())) return;
    const { nextAfterShapes, shapeCount } = choices.get();
    const isFull = countOf(engine.scene.all(), state.getState().labelId) >= shapeCount;
    // Waits until the tool has finished the shape.
    queueMicrotask(() => {
      if (!isOn() || !frameIsShown(store.getState())) return;
      // A brush paints on the selected mask, but this mode counts each mask.
      if (isPaintTool(engine.getTool().id)) engine.selection.clear();
      if (isFull && nextAfterShapes && !nextFrame()) state.setState({ finished: true });
    });
  };
  const stops = [
    engine.on('command', followDrawing),
    store.subscribe((now, before) => {
      if (now.mode !== before.mode && now.mode === 'single') enter();
      else if (now.mode !== before.mode && before.mode === 'single') leave();
      else if (isOn() && now.shown && !before.shown) enter();
      else if (isOn() && now.labels !== before.labels && labelNow() === undefined) enter();
      else if (isOn() && now.frame !== before.frame) {
        state.setState({ finished: false });
        arm();
      }
    }),
  ];

  return {
    state,
    isOn,
    choose,
    /** The label with this number, from 1, as in all modes. */
    chooseNumber(number: number) {
      const label = store.getState().labels[number - 1];
      if (label === undefined) return;
      if (toolsOf(label).length > 0) choose(label);
      else refuseLabel(label);
    },
    /** True if Escape has an effect; the tool itself stays armed. */
    canCancel: (): boolean => engine.isBusy() || engine.getTool().id !== state.getState().tool,
    close: () => stopAll(stops),
  };
}
