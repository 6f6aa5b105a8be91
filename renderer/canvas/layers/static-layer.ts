import type { Editor } from '../editor.ts';
import { emptyBox, isEmptyBox, uniteBoxes } from '../geometry/box.ts';
import type { SpatialIndex } from '../spatial-index.ts';
import type { Box, ClientId, ShapeRecord, Size, View } from '../types.ts';
import { createMaskLayer } from './mask-layer.ts';
import { createMovingCanvas } from './moving-canvas.ts';
import { inPaintOrder, isCrowd, paintShapes } from './shape-painter.ts';
import { createRasterNow, createSlicedDrawing, type SlicedDrawing } from './sliced-drawing.ts';
import { createVectorPainting } from './vector-painting.ts';

/** Larger numbers of shapes are drawn piece by piece. */
const slicedFrom = 8000;

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
  /** The visible drawing belongs to another frame and must not stay until the new one is complete. */
  let isOtherFrame = true;
  /** The visible drawing is of another view, and its replacement was cancelled. */
  let isBlurred = false;
  let pending: { readonly drawing: SlicedDrawing; readonly isBehind: boolean } | null = null;

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
    if (pending.isBehind) isBlurred = true;
    else isInvalid = true;
    pending = null;
  };
  const paintVectors =
    (view: View) =>
    (context: CanvasRenderingContext2D, region: Box): void =>
      painting.paint(context, region, { view, ratio, hidden });
  /** Starts in the background, or in place if the visible drawing must disappear at once. */
  const beginSliced = (view: View, isBehind: boolean): void => {
    const sheet = isBehind ? vectors.back : vectors;
    let around = emptyBox;
    let found: readonly ShapeRecord[] = [];
    let style = painting.style(view, ratio);
    sheet.draw(view, (context, region) => {
      around = region;
      painting.below(context, region, view);
    });
    if (!isBehind) masks.clear();
    const drawing = createSlicedDrawing({
      prepare: editor.index.prepare,
      shapes() {
        found = painting.shapesAround(view, around, hidden);
        style = { ...style, isCrowd: isCrowd(found) };
        return inPaintOrder(found, style);
      },
      paint: (piece) =>
        sheet.drawMore((context) => {
          paintShapes(context, piece, style);
          rasterNow(context);
        }),
      done() {
        sheet.drawMore((context) => painting.above(context, found, view, ratio));
        if (isBehind) vectors.back.show();
        masks.draw(view, hidden);
      },
    });
    pending = { drawing, isBehind };
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
      // The background drawing is for a previous view; another one starts once the view rests.
      if (pending?.isBehind === true) pending = null;
      return vectors.follow(view) && masks.follow(view);
    },
    /** Draws everything sharply for this view. Very many shapes take several calls of `step` afterwards. */
    draw(view: View) {
      pending = null;
      vectors.show(isNeeded(editor));
      if (editor.scene.size > slicedFrom) {
        beginSliced(view, !isOtherFrame && view.rotation === vectors.drawnView().rotation);
      } else {
        vectors.draw(view, paintVectors(view));
        masks.draw(view, hidden);
      }
      places.reset();
      isInvalid = false;
      isOtherFrame = false;
      isBlurred = false;
    },
    /** Continues a long drawing. False when complete. */
    step(): boolean {
      if (pending === null) return false;
      if (!pending.drawing.step()) pending = null;
      return pending !== null;
    },
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
