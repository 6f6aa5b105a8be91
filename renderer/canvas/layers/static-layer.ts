import { shapeColor } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { boxWidth, growBox, isEmptyBox } from '../geometry/box.ts';
import { isDrawn } from '../scene.ts';
import type { Box, ClientId, ShapeRecord, Size, View } from '../types.ts';
import { createDrawnPlaces } from './drawn-places.ts';
import { chipBox, paintChips, type Chip } from './label-chips.ts';
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
  /** What changed since the last drawing, and only there. */
  drawChanges(): void;
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

export function createStaticLayer(
  host: HTMLElement,
  editor: Editor,
  textOf: (shape: ShapeRecord) => string,
): StaticLayer {
  const vectors = createMovingCanvas(host, 'shapes');
  const bitmaps = createMovingCanvas(host, 'masks');
  const maskPainter = createMaskPainter();
  const places = createDrawnPlaces(editor.scene, editor.index);
  let ratio = 1;
  let hidden = new Set<ClientId>();
  let isInvalid = true;
  let hasMasks = false;

  const unsubscribe = editor.scene.subscribe((change) => {
    if (change.reset) isInvalid = true;
    if (isInvalid) return;
    for (const id of [...change.added, ...change.changed, ...change.removed]) places.touch(id);
  });
  const paintVectors = (context: CanvasRenderingContext2D, region: Box): void => {
    const now = editor.context(vectors.drawnView());
    const appearance = editor.appearance();
    const reach = appearance.showLabels === 'all' ? chipReachPx : reachPx;
    const shapes = shapesIn(editor, growBox(region, reach * now.pixel), hidden);
    const { opacity: fillOpacity, strokePx } = appearance;
    paintShapes(context, shapes, { appearance, labels: editor.labels(), context: now, fillOpacity, strokePx, ratio });
    if (appearance.showLabels === 'all') {
      paintNames(context, namesOf(editor, shapes, vectors.drawnView(), textOf), vectors.drawnView(), ratio);
    }
  };
  const paintMasks = (context: CanvasRenderingContext2D, region: Box): void => {
    const masks = shapesIn(editor, region, hidden).filter(({ type }) => type === 'mask');
    maskPainter.paint(context, masks, editor, editor.context(bitmaps.drawnView()));
  };
  const drawMasks = (view: View): void => {
    hasMasks = editor.scene.all().some((record) => record.kind === 'shape' && record.type === 'mask');
    bitmaps.show(hasMasks);
    if (hasMasks) bitmaps.draw(view, paintMasks);
  };

  return {
    resize(size, givenRatio) {
      ratio = givenRatio;
      vectors.resize(size, ratio);
      bitmaps.resize(size, ratio);
      isInvalid = true;
    },
    follow: (view) => vectors.follow(view) && (!hasMasks || bitmaps.follow(view)),
    draw(view) {
      vectors.draw(view, paintVectors);
      drawMasks(view);
      places.reset();
      isInvalid = false;
    },
    drawChanges() {
      const box = isInvalid ? null : places.take();
      if (box === null || isEmptyBox(box)) return;
      vectors.drawPart(box, editor.appearance().showLabels === 'all' ? chipReachPx : reachPx, paintVectors);
      if (hasMasks) bitmaps.drawPart(box, reachPx, paintMasks);
      else drawMasks(vectors.drawnView());
    },
    setHidden(ids) {
      const next = new Set(ids);
      const changed = [...ids.filter((id) => !hidden.has(id)), ...[...hidden].filter((id) => !next.has(id))];
      if (changed.length === 0) return;
      hidden = next;
      if (!isInvalid) changed.forEach(places.touch);
    },
    invalidate() {
      isInvalid = true;
    },
    isInvalid: () => isInvalid,
    remove() {
      unsubscribe();
      vectors.remove();
      bitmaps.remove();
    },
  };
}

/** In drawing order. */
function shapesIn(editor: Editor, region: Box, hidden: ReadonlySet<ClientId>): ShapeRecord[] {
  const { scene, index } = editor;
  const found = index.search(region);
  if (found.length > scene.size / 3) {
    // Most of them: reading all in their order is faster than putting these in order.
    const isFound = found.length === index.size() ? null : new Set(found);
    return scene.all().filter((record): record is ShapeRecord => {
      if (!isDrawn(record) || hidden.has(record.clientId)) return false;
      return isFound === null || isFound.has(record.clientId);
    });
  }
  const shapes = found.flatMap((id) => (hidden.has(id) ? [] : (scene.getShape(id) ?? [])));
  return shapes.sort((a, b) =>
    a.zOrder === b.zOrder ? scene.sequence(a.clientId) - scene.sequence(b.clientId) : a.zOrder - b.zOrder,
  );
}

/** Screen pixels: the names of smaller shapes would cover them. */
const smallestNamedPx = 18;
const mostNames = 1500;

function namesOf(
  editor: Editor,
  shapes: readonly ShapeRecord[],
  view: View,
  textOf: (shape: ShapeRecord) => string,
): Chip[] {
  const chips: Chip[] = [];
  for (const shape of shapes) {
    const bounds = editor.index.bounds(shape.clientId);
    if (bounds === undefined || chips.length >= mostNames) continue;
    const isSmall = boxWidth(bounds) * view.scale < smallestNamedPx;
    if (isSmall && shape.type !== 'points') continue;
    const color = shapeColor(shape, editor.appearance(), editor.labels());
    chips.push({ text: textOf(shape), color, box: chipBox(shape, view), locked: shape.locked });
  }
  return chips;
}

/** In screen pixels of the drawn view, wherever the bitmap's margin puts its origin. */
function paintNames(context: CanvasRenderingContext2D, chips: readonly Chip[], view: View, ratio: number): void {
  context.save();
  const { e, f } = context.getTransform();
  context.setTransform(ratio, 0, 0, ratio, e - view.offsetX * ratio, f - view.offsetY * ratio);
  paintChips(context, chips, null);
  context.restore();
}
