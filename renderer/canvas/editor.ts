import type { TextKey } from '../i18n/text-key.ts';
import { defaultAppearance } from './appearance.ts';
import { createCommandRunner } from './command-runner.ts';
import { createEmitter } from './emitter.ts';
import { createSelectedObjects } from './fabric/selected-objects.ts';
import { createMaskCache } from './geometry/mask.ts';
import type { FrameSizes } from './frame-guard.ts';
import { createHistory } from './history.ts';
import { createHitTester } from './hit-test.ts';
import { createPointerControl } from './pointer-control.ts';
import { createScene } from './scene.ts';
import { createSelection } from './selection.ts';
import type { ShapeContext } from './shapes/behaviour.ts';
import { createSpatialIndex } from './spatial-index.ts';
import { createToolControl } from './tool-control.ts';
import { createTrackSet } from './tracks/track-set.ts';
import type {
  Appearance,
  CanvasLabel,
  ClientId,
  CommandSummary,
  EngineEvents,
  HistoryStep,
  ReadPicture,
  SceneRecord,
  TextValues,
  View,
} from './types.ts';
import { createViewControl } from './view-control.ts';

/** Layers to repaint; 'all' also after changes of labels or appearance. */
export type Invalid = 'view' | 'active' | 'overlay' | 'all';

interface EditorOptions {
  readonly newId: () => ClientId;
  readonly describeCommand?: ((summary: CommandSummary) => string) | undefined;
  readonly onInvalid: (what: Invalid) => void;
  /** By default there is no image. */
  readonly readPicture?: ReadPicture;
  /** By default only the size of the displayed image. */
  readonly frames?: FrameSizes;
}

/**
 * Canvas logic without DOM: scene, history, selection, tools and view, driven by plain pointer inputs. The engine adds
 * the DOM and the layers; tests use the editor alone.
 */
export function createEditor(options: EditorOptions) {
  const { newId, describeCommand = ({ kind }) => kind, onInvalid, readPicture } = options;
  const events = createEmitter<EngineEvents>();
  const scene = createScene();
  const tracks = createTrackSet();
  const selection = createSelection(scene, tracks);
  const history = createHistory();
  const index = createSpatialIndex(scene);
  const mask = createMaskCache();
  let appearance = defaultAppearance;
  let labels: ReadonlyMap<number, CanvasLabel> = new Map();
  let hovered: ClientId | null = null;

  const refuse = (why: TextKey, values?: TextValues): void => events.emit('refused', why, values);
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
  const selected = createSelectedObjects({ scene, selection, view, context: () => context() });
  const commands = createCommandRunner({
    frames: options.frames ?? { sizeOf: (frame) => (frame === scene.frame ? view.image() : undefined), differing: [] },
    scene,
    tracks,
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
    selected,
    hits,
    view,
    commands,
    events,
    newId,
    refuse,
    context,
    appearance: () => appearance,
    labels: () => labels,
    readPicture,
    hover: () => hovered,
    setHover,
    refresh: onInvalid,
  });
  const pointer = createPointerControl({ tools, view, events, setHover, looks: () => appearance, refresh: onInvalid });

  selection.subscribe((ids) => {
    onInvalid('active');
    events.emit('selection', ids);
  });
  tracks.subscribe(() => onInvalid('overlay'));
  scene.subscribe(() => {
    if (hovered !== null && scene.get(hovered) === undefined) setHover(null);
    onInvalid('active');
  });

  return {
    scene,
    tracks,
    selection,
    selected,
    history,
    commands,
    tools,
    pointer,
    view,
    index,
    hits,
    events,
    appearance: () => appearance,
    setAppearance(patch: Partial<Appearance>) {
      appearance = { ...appearance, ...patch };
      onInvalid('all');
      events.emit('appearance', appearance);
    },
    labels: () => labels,
    setLabels(given: ReadonlyMap<number, CanvasLabel>) {
      labels = given;
      onInvalid('all');
    },
    setFrameShapes(records: readonly SceneRecord[], frame: number) {
      tools.leaveFrame();
      scene.reset([...records, ...tracks.shownOn(frame)], frame);
    },
    context,
    hover: () => hovered,
    setHover,
    undo(): HistoryStep | null {
      const tool = tools.current();
      if (tool.undoPoint()) return 'point';
      if (!tool.dragging()) {
        // Discards undone points: the next redo belongs to the command undone now.
        tool.cancel();
        return commands.undo();
      }
      return tool.id === 'select' && tool.cancel() ? 'point' : null;
    },
    redo(): HistoryStep | null {
      const tool = tools.current();
      if (tool.redoPoint()) return 'point';
      return tool.dragging() || tool.drawing() ? null : commands.redo();
    },
    toolView: () => tools.current().view(),
  };
}

export type Editor = ReturnType<typeof createEditor>;
