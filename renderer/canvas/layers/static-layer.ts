import { shapeColor } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { boxWidth, emptyBox, growBox, isEmptyBox, uniteBoxes } from '../geometry/box.ts';
import { imageBoxToScreen } from '../geometry/view-transform.ts';
import type { Box, ClientId, SceneChange, ShapeRecord, Size, View } from '../types.ts';
import { paintChips, type Chip } from './label-chips.ts';
import { createMaskPainter } from './mask-painter.ts';
import { createMovingCanvas } from './moving-canvas.ts';
import { paintShapes } from './shape-painter.ts';

/** Layers 2 and 3: all shapes that are not being edited, and the bitmaps of masks above them. */
export interface StaticLayer {
  resize(size: Size, ratio: number): void;
  /** Moves what is drawn; false: it has to be drawn again at once. */
  follow(view: View): boolean;
  /** Everything, crisp, for this view. */
  draw(view: View): void;
  /** What changed since the last drawing, where it can be told. False: nothing is waiting. */
  drawChanges(): boolean;
  /** Shapes shown by the layer of edited objects instead. */
  setHidden(ids: readonly ClientId[]): void;
  /** Everything is out of date. */
  invalidate(): void;
  isInvalid(): boolean;
  remove(): void;
}

/** Strokes, dots and name plates reach beyond a shape's bounds, screen pixels. */
const reachPx = 6;
const chipReachPx = 260;
const smallestLabelledPx = 18;
const mostChips = 1500;

export function createStaticLayer(
  host: HTMLElement,
  editor: Editor,
  textOf: (shape: ShapeRecord) => string,
): StaticLayer {
  const shapesCanvas = createMovingCanvas(host, 'shapes');
  const masksCanvas = createMovingCanvas(host, 'masks');
  const maskPainter = createMaskPainter();
  let size: Size = { width: 1, height: 1 };
  let ratio = 1;
  let hidden = new Set<ClientId>();
  let dirty: Box = emptyBox;
  let isInvalid = true;
  let hasMasks = false;
  /** Where each shape is drawn now: a change has to clear the old place too. */
  const places = new Map<ClientId, Box>();

  const touch = (id: ClientId): void => {
    const before = places.get(id);
    const now = editor.index.bounds(id);
    if (before !== undefined) dirty = uniteBoxes(dirty, before);
    if (now !== undefined) dirty = uniteBoxes(dirty, now);
    if (now === undefined) places.delete(id);
    else places.set(id, now);
  };
  const unsubscribe = editor.scene.subscribe((change: SceneChange) => {
    if (change.reset) isInvalid = true;
    if (isInvalid) return;
    for (const id of [...change.added, ...change.changed, ...change.removed]) touch(id);
  });

  /** In drawing order. */
  const shapesIn = (region: Box): ShapeRecord[] => {
    const found = editor.index.search(region).flatMap((id) => {
      const shape = hidden.has(id) ? undefined : editor.scene.getShape(id);
      return shape === undefined ? [] : [shape];
    });
    return found.sort((a, b) =>
      a.zOrder === b.zOrder
        ? editor.scene.sequence(a.clientId) - editor.scene.sequence(b.clientId)
        : a.zOrder - b.zOrder,
    );
  };
  const paintVectors = (context: CanvasRenderingContext2D, region: Box): void => {
    const view = shapesCanvas.drawnView();
    const now = editor.context(view);
    const shapes = shapesIn(growBox(region, reachPx * now.pixel));
    const appearance = editor.appearance();
    paintShapes(context, shapes, {
      appearance,
      labels: editor.labels(),
      context: now,
      fillOpacity: appearance.opacity,
      strokePx: appearance.strokePx,
    });
    if (appearance.showLabels === 'all') paintNames(context, shapes, view);
  };
  const paintNames = (context: CanvasRenderingContext2D, shapes: readonly ShapeRecord[], view: View): void => {
    const chips: Chip[] = [];
    for (const shape of shapes) {
      const bounds = editor.index.bounds(shape.clientId);
      if (bounds === undefined || chips.length >= mostChips) continue;
      const box = imageBoxToScreen(view, bounds);
      if (boxWidth(box) < smallestLabelledPx && shape.type !== 'points') continue;
      chips.push({ text: textOf(shape), color: shapeColor(shape, editor.appearance(), editor.labels()), box });
    }
    context.save();
    const { e, f } = context.getTransform();
    context.setTransform(ratio, 0, 0, ratio, e - view.offsetX * ratio, f - view.offsetY * ratio);
    paintChips(context, chips, { width: Infinity, height: Infinity });
    context.restore();
  };
  const paintMasks = (context: CanvasRenderingContext2D, region: Box): void => {
    const masks = shapesIn(region).filter(({ type }) => type === 'mask');
    maskPainter.paint(context, masks, editor, editor.context(masksCanvas.drawnView()));
  };
  const anyMasks = (): boolean =>
    editor.scene.all().some((record) => record.kind === 'shape' && record.type === 'mask');
  const chipReach = (): number => (editor.appearance().showLabels === 'all' ? chipReachPx : reachPx);

  return {
    resize(given, givenRatio) {
      size = given;
      ratio = givenRatio;
      shapesCanvas.resize(size, ratio);
      masksCanvas.resize(size, ratio);
      isInvalid = true;
    },
    follow: (view) => shapesCanvas.follow(view) && (!hasMasks || masksCanvas.follow(view)),
    draw(view) {
      places.clear();
      for (const record of editor.scene.all()) {
        const bounds = editor.index.bounds(record.clientId);
        if (bounds !== undefined) places.set(record.clientId, bounds);
      }
      hasMasks = anyMasks();
      shapesCanvas.draw(view, paintVectors);
      masksCanvas.show(hasMasks);
      if (hasMasks) masksCanvas.draw(view, paintMasks);
      dirty = emptyBox;
      isInvalid = false;
    },
    drawChanges() {
      if (isInvalid || isEmptyBox(dirty)) return false;
      const box = dirty;
      dirty = emptyBox;
      shapesCanvas.drawPart(box, chipReach(), paintVectors);
      if (!hasMasks && anyMasks()) {
        hasMasks = true;
        masksCanvas.show(true);
        masksCanvas.draw(shapesCanvas.drawnView(), paintMasks);
      } else if (hasMasks) {
        masksCanvas.drawPart(box, reachPx, paintMasks);
      }
      return true;
    },
    setHidden(ids) {
      const next = new Set(ids);
      const changed = [...ids.filter((id) => !hidden.has(id)), ...[...hidden].filter((id) => !next.has(id))];
      if (changed.length === 0) return;
      hidden = next;
      if (!isInvalid) changed.forEach(touch);
    },
    invalidate() {
      isInvalid = true;
    },
    isInvalid: () => isInvalid,
    remove() {
      unsubscribe();
      shapesCanvas.remove();
      masksCanvas.remove();
    },
  };
}
