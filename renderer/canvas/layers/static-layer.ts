import type { Editor } from '../editor.ts';
import { emptyBox, isEmptyBox, uniteBoxes } from '../geometry/box.ts';
import type { SpatialIndex } from '../spatial-index.ts';
import type { Box, ClientId, ShapeRecord, Size, View } from '../types.ts';
import { createMaskLayer } from './mask-layer.ts';
import { createMovingCanvas } from './moving-canvas.ts';
import { inPaintOrder, isCrowd, paintShapes } from './shape-painter.ts';
import { createRasterNow, createSlicedDrawing, type SlicedDrawing } from './sliced-drawing.ts';
import { createVectorPainting, type Painted } from './vector-painting.ts';

/** Larger numbers of shapes are drawn piece by piece. */
const slicedFrom = 8000;
/** Time between two shows of an incomplete drawing. A show repaints the window, which takes as long as some pieces. */
const showEveryMs = 250;

/** Layer 2, all shapes that are not being edited, together with layer 3, which changes at the same times. */
export function createStaticLayer(host: HTMLElement, editor: Editor, textOf: (shape: ShapeRecord) => string) {
  const vectors = createMovingCanvas(host, 'shapes');
  const masks = createMaskLayer(host, editor);
  const painting = createVectorPainting(editor, textOf);
  const rasterNow = createRasterNow();
  const places = createDrawnPlaces(editor.index);
  let ratio = 1;
  let hidden = new Set<ClientId>();
  let isInvalid = true;
  /** The visible drawing belongs to another frame and must disappear at once. */
  let isOtherFrame = true;
  /** The visible drawing lacks shapes until the pending one is complete. */
  let isIncomplete = false;
  /** The visible drawing is of another view, and its replacement was cancelled. */
  let isBlurred = false;
  let pending: SlicedDrawing | null = null;

  const unsubscribe = editor.scene.subscribe((change) => {
    if (change.reset) isOtherFrame = true;
    if (change.reset) isInvalid = true;
    giveUpLongDrawing();
    if (isInvalid) return;
    for (const id of [...change.added, ...change.changed, ...change.removed]) places.touch(id);
  });
  /**
   * Cancels the long drawing, which would lack a change. The visible drawing takes the change; if it is incomplete,
   * everything restarts.
   */
  const giveUpLongDrawing = (): void => {
    if (pending === null) return;
    if (isIncomplete) isInvalid = true;
    else isBlurred = true;
    pending = null;
  };
  const paintVectors =
    (view: View) =>
    (context: CanvasRenderingContext2D, region: Box): void =>
      painting.paint(context, region, { view, ratio, hidden });
  const beginSliced = (view: View): void => {
    if (isOtherFrame || view.rotation !== vectors.drawnView().rotation) {
      isIncomplete = true;
      vectors.draw(view, (context, region) => painting.below(context, region, view));
      masks.clear();
    }
    pending = drawInPieces({ editor, painting, vectors }, { view, ratio, hidden }, rasterNow, {
      showsParts: isIncomplete,
      done() {
        masks.draw(view, hidden);
        isIncomplete = false;
      },
    });
  };

  return {
    resize(size: Size, givenRatio: number) {
      ratio = givenRatio;
      vectors.resize(size, ratio);
      masks.resize(size, ratio);
      isInvalid = true;
      isOtherFrame = true;
    },
    /** Moves the drawing. False if it has to be redrawn at once. */
    follow(view: View): boolean {
      // The pending drawing is for a previous view; another one starts once the view rests.
      if (!isIncomplete) pending = null;
      return vectors.follow(view) && masks.follow(view);
    },
    /** Draws everything sharply for this view. Very many shapes take several calls of `step` afterwards. */
    draw(view: View) {
      pending = null;
      vectors.show(isNeeded(editor));
      if (editor.scene.size > slicedFrom) {
        beginSliced(view);
      } else {
        vectors.draw(view, paintVectors(view));
        masks.draw(view, hidden);
        isIncomplete = false;
      }
      places.reset();
      isInvalid = false;
      isOtherFrame = false;
      isBlurred = false;
    },
    /** Continues a long drawing. False when complete. */
    step(): boolean {
      if (pending === null) return false;
      if (!pending.step()) pending = null;
      return pending !== null;
    },
    isDrawing: () => pending !== null,
    /** Redraws only the parts that changed since the last drawing. */
    drawChanges() {
      const box = isInvalid ? null : places.take();
      if (box === null || isEmptyBox(box)) return;
      vectors.show(isNeeded(editor));
      const view = vectors.drawnView();
      vectors.drawPart(box, painting.reachPx(), paintVectors(view));
      masks.drawPart(box, painting.reachPx(), view, hidden);
    },
    /** Shapes that the active layer draws instead. */
    setHidden(ids: readonly ClientId[]) {
      const next = new Set(ids);
      const changed = [...ids.filter((id) => !hidden.has(id)), ...[...hidden].filter((id) => !next.has(id))];
      if (changed.length === 0) return;
      hidden = next;
      giveUpLongDrawing();
      if (!isInvalid) changed.forEach(places.touch);
    },
    invalidate() {
      isInvalid = true;
    },
    isInvalid: () => isInvalid,
    /** True if a redraw is due once the view rests. */
    isBlurred: () => isBlurred,
    remove() {
      unsubscribe();
      vectors.remove();
      masks.remove();
    },
  };
}

interface CrowdParts {
  readonly editor: Editor;
  readonly painting: ReturnType<typeof createVectorPainting>;
  readonly vectors: ReturnType<typeof createMovingCanvas>;
}

/**
 * Draws on the hidden bitmap, because each repaint of a visible one takes longer than a piece. An incomplete drawing is
 * shown from time to time if nothing else of the frame is visible.
 */
function drawInPieces(
  { editor, painting, vectors }: CrowdParts,
  { view, ratio, hidden }: Painted,
  rasterNow: (source: CanvasRenderingContext2D) => void,
  { showsParts, done }: { readonly showsParts: boolean; readonly done: () => void },
): SlicedDrawing {
  let around = emptyBox;
  let found: readonly ShapeRecord[] = [];
  let style = painting.style(view, ratio);
  let shownAt = performance.now();
  vectors.back.draw(view, (context, region) => {
    around = region;
    painting.below(context, region, view);
  });
  return createSlicedDrawing({
    prepare: editor.index.prepare,
    shapes() {
      found = painting.shapesAround(view, around, hidden);
      style = { ...style, isCrowd: isCrowd(found) };
      return inPaintOrder(found, style);
    },
    paint(piece) {
      vectors.back.drawMore((context) => {
        paintShapes(context, piece, style);
        rasterNow(context);
      });
      if (!showsParts || performance.now() - shownAt < showEveryMs) return;
      vectors.back.copyToFront();
      shownAt = performance.now();
    },
    done() {
      vectors.back.drawMore((context) => painting.above(context, found, view, ratio));
      vectors.back.show(editor.view.get());
      done();
    },
  });
}

/** The software compositor blends even an empty canvas, pixel by pixel. */
const isNeeded = ({ scene, appearance }: Editor): boolean => scene.size > 0 || appearance().grid !== null;

/** Areas that have to be cleared: when a shape changes, its old area needs a redraw too. */
function createDrawnPlaces(index: SpatialIndex) {
  let dirty: Box = emptyBox;
  return {
    reset() {
      dirty = emptyBox;
    },
    touch(id: ClientId) {
      for (const box of [index.boundsBefore(id), index.bounds(id)]) {
        if (box !== undefined) dirty = uniteBoxes(dirty, box);
      }
    },
    /** Area to redraw, image coordinates; an empty box if none. */
    take(): Box {
      const taken = dirty;
      dirty = emptyBox;
      return taken;
    },
  };
}
