import type { TextKey } from '../i18n/text-key.ts';
import type { Editor, Invalid } from './editor.ts';
import { createActiveLayer } from './layers/active-layer.ts';
import { createImageLayer } from './layers/image-layer.ts';
import { createOverlayLayer } from './layers/overlay-layer.ts';
import { createSelectionLayer } from './layers/selection-layer.ts';
import { createStaticLayer } from './layers/static-layer.ts';
import type { ClientId, ShapeRecord, Size } from './types.ts';

/** Delay after the last pan or zoom step before everything is redrawn. */
const restMs = 80;

/** Schedules the drawing of the layers, at most once per animation frame. */
export function createLayerStack(root: HTMLElement, editor: Editor, textOf: (shape: ShapeRecord) => string) {
  const image = createImageLayer(root);
  const shapes = createStaticLayer(root, editor, textOf);
  const active = createActiveLayer(root, editor);
  const selection = createSelectionLayer(root, editor);
  const overlay = createOverlayLayer(root, editor, textOf);
  const dirty = { view: true, active: true, overlay: true };
  let frameRequest = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let cursor = '';
  let hint: TextKey | null = null;

  const request = (): void => {
    if (frameRequest === 0) frameRequest = requestAnimationFrame(draw);
  };
  /** Each piece of a long drawing is a separate task, so that it does not wait for a repaint. */
  const pieces = createTask(() => {
    if (shapes.step()) pieces.request();
  });
  const rest = (): void => {
    restTimer = undefined;
    shapes.invalidate();
    image.settle(editor.view.get());
    dirty.active = true;
    request();
  };
  const moveTo = (): void => {
    const view = editor.view.get();
    image.follow(view);
    if (!shapes.follow(view)) shapes.invalidate();
    if (!active.follow(view) || !selection.follow(view)) dirty.active = true;
    dirty.overlay = true;
    restLater();
  };
  const restLater = (): void => {
    clearTimeout(restTimer);
    restTimer = setTimeout(rest, restMs);
  };
  const draw = (): void => {
    if (frameRequest !== 0) cancelAnimationFrame(frameRequest);
    frameRequest = 0;
    const toolView = editor.toolView();
    const view = editor.view.get();
    const replaced = toolView.drafts
      .map(({ shape }) => shape.clientId)
      .filter((id) => editor.scene.get(id) !== undefined);
    shapes.setHidden([...toolView.hidden, ...replaced] satisfies ClientId[]);
    if (dirty.view) moveTo();
    if (shapes.isInvalid()) shapes.draw(view);
    else shapes.drawChanges();
    if (shapes.isDrawing()) pieces.request();
    if (shapes.isBlurred()) restLater();
    if (dirty.active) {
      active.draw(view, toolView);
      selection.draw(view, toolView);
    }
    if (dirty.overlay || dirty.active) overlay.draw(view, toolView);
    Object.assign(dirty, { view: false, active: false, overlay: false });
    showState();
  };
  const showState = (): void => {
    const nextCursor = editor.pointer.cursor();
    if (nextCursor !== cursor) root.style.cursor = nextCursor;
    cursor = nextCursor;
    const nextHint = editor.toolView().hint;
    if (nextHint !== hint) editor.events.emit('hint', nextHint);
    hint = nextHint;
  };

  return {
    image,
    invalidate(what: Invalid) {
      if (what === 'all') {
        image.adjust(editor.appearance());
        shapes.invalidate();
        Object.assign(dirty, { view: true, active: true, overlay: true });
      } else {
        dirty[what] = true;
      }
      request();
    },
    resize(size: Size, ratio: number) {
      image.resize(size, ratio);
      shapes.resize(size, ratio);
      active.resize(size, ratio);
      selection.resize(size);
      overlay.resize(size, ratio);
      Object.assign(dirty, { view: true, active: true, overlay: true });
      image.settle(editor.view.get());
      draw();
    },
    /** The cursor may change after any input. */
    touch: request,
    /** True if no drawing is pending. */
    isAtRest: () => frameRequest === 0 && restTimer === undefined && !shapes.isDrawing() && !image.isWaiting(),
    remove() {
      clearTimeout(restTimer);
      cancelAnimationFrame(frameRequest);
      pieces.close();
      for (const layer of [image, shapes, active, selection, overlay]) layer.remove();
    },
  };
}

/** Runs `work` as the next task of the event loop, at most once per request. A timer would wait 4 ms. */
function createTask(work: () => void) {
  const { port1, port2 } = new MessageChannel();
  let isRequested = false;
  port1.addEventListener('message', () => {
    isRequested = false;
    work();
  });
  port1.start();
  return {
    request() {
      if (!isRequested) port2.postMessage(null);
      isRequested = true;
    },
    close: () => port1.close(),
  };
}

export type LayerStack = ReturnType<typeof createLayerStack>;
