import { defaultAppearance } from './appearance.ts';
import { createCommandRunner, type CommandRunner } from './command-runner.ts';
import { createEmitter, type Emitter } from './emitter.ts';
import { createMaskCache } from './geometry/mask.ts';
import { createHistory, type EditableHistory } from './history.ts';
import { createHitTester, type HitTester } from './hit-test.ts';
import { createPointerControl, type PointerControl } from './pointer-control.ts';
import { createScene, type EditableScene } from './scene.ts';
import { createSelection } from './selection.ts';
import type { ShapeContext } from './shapes/behaviour.ts';
import { createSpatialIndex, type SpatialIndex } from './spatial-index.ts';
import { createToolControl, type ToolControl } from './tool-control.ts';
import type { ToolView } from './tools/tool.ts';
import type {
  Appearance,
  CanvasLabel,
  ClientId,
  CommandSummary,
  EngineEvents,
  HistoryStep,
  SceneRecord,
  Selection,
  TextValues,
  Translate,
  View,
} from './types.ts';
import { createViewControl, type ViewControl } from './view-control.ts';

/** What has to be drawn again: 'all' also when labels or appearance changed. */
export type Invalid = 'view' | 'active' | 'overlay' | 'all';

/**
 * The canvas without a canvas: scene, history, selection, tools and view, driven by plain pointer inputs. The engine
 * adds the DOM and the layers; tests drive this part alone.
 */
export interface Editor {
  readonly scene: EditableScene;
  readonly selection: Selection;
  readonly history: EditableHistory;
  readonly commands: CommandRunner;
  readonly tools: ToolControl;
  readonly pointer: PointerControl;
  readonly view: ViewControl;
  readonly index: SpatialIndex;
  readonly hits: HitTester;
  readonly events: Emitter<EngineEvents>;
  appearance(): Appearance;
  setAppearance(patch: Partial<Appearance>): void;
  labels(): ReadonlyMap<number, CanvasLabel>;
  setLabels(labels: ReadonlyMap<number, CanvasLabel>): void;
  setFrameShapes(records: readonly SceneRecord[], frame: number): void;
  context(view?: View): ShapeContext;
  hover(): ClientId | null;
  setHover(id: ClientId | null): void;
  undo(): HistoryStep | null;
  redo(): HistoryStep | null;
  toolView(): ToolView;
  /** What the keys do now, in the person's language. */
  hint(): string;
}

interface EditorOptions {
  readonly newId: () => ClientId;
  readonly describeCommand?: ((summary: CommandSummary) => string) | undefined;
  readonly translate?: Translate | undefined;
  readonly onInvalid: (what: Invalid) => void;
}

export function createEditor({ newId, describeCommand, translate = fillIn, onInvalid }: EditorOptions): Editor {
  const events = createEmitter<EngineEvents>();
  const scene = createScene();
  const selection = createSelection(scene);
  const history = createHistory();
  const index = createSpatialIndex(scene);
  const mask = createMaskCache();
  let appearance = defaultAppearance;
  let labels: ReadonlyMap<number, CanvasLabel> = new Map();
  let hovered: ClientId | null = null;

  const refuse = (sentence: string, values?: TextValues): void => events.emit('refused', translate(sentence, values));
  const view = createViewControl((now) => {
    onInvalid('view');
    events.emit('view', now);
  });
  const context = (now: View = view.get()): ShapeContext => ({
    pixel: 1 / now.scale,
    label: (id) => labels.get(id),
    mask,
  });
  const hits = createHitTester(scene, index, context);
  const commands = createCommandRunner({
    scene,
    selection,
    history,
    labels: () => labels,
    newId,
    describe: describeCommand,
    onCommand: (command, origin) => events.emit('command', command, origin),
    refuse,
  });
  const setHover = (id: ClientId | null): void => {
    if (id === hovered) return;
    hovered = id;
    onInvalid('overlay');
    events.emit('hover', id);
  };
  const tools = createToolControl({
    scene,
    selection,
    hits,
    view,
    commands,
    events,
    newId,
    refuse,
    context,
    appearance: () => appearance,
    labels: () => labels,
    hover: () => hovered,
    setHover,
    refresh: onInvalid,
  });
  const pointer = createPointerControl({ tools, view, events, setHover, refresh: onInvalid });

  selection.subscribe((ids) => {
    onInvalid('active');
    events.emit('selection', ids);
  });
  scene.subscribe(() => {
    if (hovered !== null && scene.get(hovered) === undefined) setHover(null);
    onInvalid('active');
  });

  return {
    scene,
    selection,
    history,
    commands,
    tools,
    pointer,
    view,
    index,
    hits,
    events,
    appearance: () => appearance,
    setAppearance(patch) {
      appearance = { ...appearance, ...patch };
      onInvalid('all');
    },
    labels: () => labels,
    setLabels(given) {
      labels = given;
      onInvalid('all');
    },
    setFrameShapes(records, frame) {
      tools.leaveFrame();
      scene.reset(records, frame);
    },
    context,
    hover: () => hovered,
    setHover,
    undo() {
      const tool = tools.current();
      if (tool.undoPoint()) return pointStep(scene.frame);
      if (!tool.dragging()) {
        // Forgets points that were taken back: the next redo is for the command undone now.
        tool.cancel();
        return commands.undo();
      }
      return tool.id === 'select' && tool.cancel() ? pointStep(scene.frame) : null;
    },
    redo() {
      const tool = tools.current();
      if (tool.redoPoint()) return pointStep(scene.frame);
      return tool.dragging() || tool.drawing() ? null : commands.redo();
    },
    toolView: () => tools.current().view(),
    hint: () => translate(tools.current().view().hint),
  };
}

/** English as it is, with its values. */
const fillIn: Translate = (text, values = {}) =>
  text.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name] ?? ''));

const pointStep = (frame: number): HistoryStep => ({ kind: 'point', frame, ids: [], command: null });
