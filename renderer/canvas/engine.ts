import { shapeColor } from './appearance.ts';
import { createEditor, type Editor, type Invalid } from './editor.ts';
import { createLayerStack, type LayerStack } from './layer-stack.ts';
import { fillHoles, growSelection, nudgeSelection, pasteRecords, placeShape } from './object-edits.ts';
import { bindPointerInput } from './pointer-input.ts';
import { boundsOf } from './shapes/shape-behaviours.ts';
import { shapeText } from './shape-text.ts';
import { takeSnapshot } from './snapshot.ts';
import { takeSvg } from './snapshot-svg.ts';
import type { CanvasEngine, EngineOptions } from './canvas-engine.ts';
import type { ClientId, ShapeRecord } from './types.ts';

const newId = (): ClientId => crypto.randomUUID();

/**
 * Creates a canvas engine that fills `options.host`. See `types.ts` for its use; call `destroy` when the screen
 * unmounts. Only here the editor (behaviour, no DOM) and the layers (drawing) meet.
 *
 * Layers, bottom to top: image; static shapes; masks; the draft; selected shapes as fabric objects; the overlay that
 * follows the pointer.
 *
 * Throws if the browser has no 2D canvas.
 */
export function createEngine(options: EngineOptions): CanvasEngine {
  const root = createRoot(options.host);
  let layers: LayerStack | null = null;
  const editor = createEditor({
    newId,
    describeCommand: options.describeCommand,
    ...(options.frames === undefined ? {} : { frames: options.frames }),
    onInvalid: (what: Invalid) => layers?.invalidate(what),
    readPicture: (part, size) => layers?.image.read(part, size) ?? null,
  });
  const textOf = (shape: ShapeRecord): string =>
    shapeText(shape, editor.labels().get(shape.labelId), editor.appearance().texts);
  const stack = createLayerStack(root, editor, textOf);
  layers = stack;
  const unbind = bindPointerInput(root, editor.pointer, stack.touch);
  const unfollow = followSize(root, editor, stack);
  stack.invalidate('all');

  return {
    ...sceneMethods(editor),
    ...toolMethods(editor),
    ...viewMethods(editor),
    scene: editor.scene,
    tracks: editor.tracks,
    setTracks: editor.tracks.reset,
    isMutable: editor.commands.isMutable,
    setReadOnly: editor.commands.setReadOnly,
    selection: editor.selection,
    history: editor.history,
    setImage(image, given) {
      const size = { width: Math.max(1, given.width), height: Math.max(1, given.height) };
      editor.view.setImage(size);
      stack.image.set(image, size, editor.view.get());
      stack.image.settle(editor.view.get());
      stack.invalidate('view');
    },
    frames: { ...stack.image.frames, levelOf: (size) => stack.image.decodedLevel(editor.view.viewOf(size)) },
    setLabels: editor.setLabels,
    setAppearance: editor.setAppearance,
    getAppearance: editor.appearance,
    setHover: editor.setHover,
    getHover: editor.hover,
    keyCursor: {
      move(deltaX, deltaY) {
        editor.pointer.moveByKeys(deltaX, deltaY);
        stack.touch();
      },
      press() {
        editor.pointer.pressByKeys();
        stack.touch();
      },
      isOn: editor.pointer.isLedByKeys,
    },
    keyPoint: () => editor.tools.current().keyPoint ?? null,
    canPlaceShape: () => editor.tools.current().place !== undefined,
    colorOf: (record) => shapeColor(record, editor.appearance(), editor.labels()),
    drawPicture(target, scale) {
      target.save();
      target.scale(scale, scale);
      const isThere = stack.image.paint(target);
      target.restore();
      return isThere;
    },
    snapshot: () => takeSnapshot(editor, stack.image, textOf),
    snapshotSvg: () => takeSvg(editor, stack.image, textOf),
    isAtRest: stack.isAtRest,
    on: editor.events.on,
    destroy() {
      editor.tools.current().cancel();
      unbind();
      unfollow();
      stack.remove();
      editor.events.clear();
      root.remove();
    },
  };
}

function sceneMethods(editor: Editor) {
  return {
    setFrameShapes: editor.setFrameShapes,
    execute: editor.commands.execute,
    update: editor.commands.update,
    remove: editor.commands.remove,
    fillHoles: () => fillHoles(editor),
    paste: (records, inPlace) => pasteRecords(editor, records, newId, inPlace),
    nudge(deltaX, deltaY) {
      const { keyPoint } = editor.tools.current();
      const isLed = keyPoint !== undefined && keyPoint.current() !== null;
      return isLed ? keyPoint.move(deltaX, deltaY) : nudgeSelection(editor, deltaX, deltaY);
    },
    grow: (deltaX, deltaY) => growSelection(editor, deltaX, deltaY),
    setFilter: editor.scene.setFilter,
    patchScene: (upsert, remove = []) => editor.scene.apply(upsert, remove),
    showChanges: editor.commands.takeIn,
    undo: editor.undo,
    redo: editor.redo,
  } satisfies Partial<CanvasEngine>;
}

function toolMethods(editor: Editor) {
  const { tools, pointer } = editor;
  return {
    setTool: tools.set,
    getTool: () => ({ id: tools.current().id, options: tools.options(), drawing: tools.current().drawing() }),
    lastDrawTool: tools.lastDrawTool,
    placeShape: () => placeShape(editor),
    finishDrawing: () => void tools.current().finish(),
    draft() {
      const { id, draft } = tools.current();
      const shape = draft?.() ?? null;
      return shape && { ...shape, tool: id, labelId: tools.options().labelId ?? null };
    },
    resumeDrawing: (shape) => tools.current().resume?.(shape),
    cancelDrawing: () => void tools.current().cancel(),
    isBusy: () => tools.current().drawing() || tools.current().dragging() || pointer.panning(),
  } satisfies Partial<CanvasEngine>;
}

function viewMethods(editor: Editor) {
  const { view, scene, selection } = editor;
  return {
    fit: view.fit,
    zoomTo: view.zoomTo,
    zoomBy: view.zoomBy,
    setScale: (scale) => view.zoomBy(scale / view.get().scale),
    panBy: view.panBy,
    rotateView: view.rotate,
    focusShape(id, { zoom = false } = {}) {
      const shape = scene.getShape(id);
      selection.set([id]);
      if (shape === undefined) return;
      const bounds = boundsOf(shape);
      if (zoom) view.zoomTo(bounds);
      else view.reveal(bounds);
    },
    getView: view.get,
    toImage: view.toImage,
    toScreen: view.toScreen,
  } satisfies Partial<CanvasEngine>;
}

/** The engine's root element, so that the host's other children and styles stay unchanged. */
function createRoot(host: HTMLElement): HTMLElement {
  const root = host.ownerDocument.createElement('div');
  root.dataset['canvas'] = 'root';
  Object.assign(root.style, {
    position: 'absolute',
    inset: '0',
    overflow: 'hidden',
    touchAction: 'none',
    userSelect: 'none',
    contain: 'strict',
  });
  host.append(root);
  return root;
}

function followSize(root: HTMLElement, editor: Editor, stack: LayerStack): () => void {
  const window = root.ownerDocument.defaultView;
  const measure = (): void => {
    const size = { width: Math.max(1, root.clientWidth), height: Math.max(1, root.clientHeight) };
    editor.view.setHost(size);
    stack.resize(size, window?.devicePixelRatio ?? 1);
  };
  const observer = new ResizeObserver(measure);
  observer.observe(root);
  // A move to a screen of another density changes no element size.
  window?.addEventListener('resize', measure);
  measure();
  return () => {
    observer.disconnect();
    window?.removeEventListener('resize', measure);
  };
}
