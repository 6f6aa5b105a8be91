import { shapeColor, withAlpha } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { boxWidth, growBox, intersectBoxes, isEmptyBox } from '../geometry/box.ts';
import { isDrawn } from '../scene.ts';
import type { Appearance, Box, ClientId, ShapeRecord, Size, View } from '../types.ts';
import { chipBox, paintChips, type Chip } from './label-chips.ts';
import { paintShapes, type PaintStyle } from './shape-painter.ts';

/** Covers strokes, dots and name chips. */
const strokeReachPx = 6;
const nameReachPx = 260;

export interface Painted {
  readonly view: View;
  readonly ratio: number;
  readonly hidden: ReadonlySet<ClientId>;
}

export function createVectorPainting(editor: Editor, textOf: (shape: ShapeRecord) => string) {
  const hasNames = (): boolean => editor.appearance().showLabels === 'all';
  const reachPx = (): number => (hasNames() ? nameReachPx : strokeReachPx);
  const painting = {
    /** Maximum distance of a shape's drawing from its bounds, screen pixels. */
    reachPx,
    style(view: View, ratio: number): PaintStyle {
      const appearance = editor.appearance();
      const { opacity: fillOpacity, strokePx } = appearance;
      return { appearance, labels: editor.labels(), context: editor.context(view), fillOpacity, strokePx, ratio };
    },
    shapesAround: (view: View, region: Box, hidden: ReadonlySet<ClientId>) =>
      shapesIn(editor, growBox(region, reachPx() / view.scale), hidden),
    below(context: CanvasRenderingContext2D, region: Box, view: View) {
      const { grid } = editor.appearance();
      if (grid !== null) paintGrid(context, grid, editor.view.image(), region, 1 / view.scale);
    },
    above(context: CanvasRenderingContext2D, shapes: readonly ShapeRecord[], view: View, ratio: number) {
      if (hasNames()) paintNames(context, namesOf(editor, shapes, view, textOf), view, ratio);
    },
    /** Everything at once. */
    paint(context: CanvasRenderingContext2D, region: Box, { view, ratio, hidden }: Painted) {
      const shapes = painting.shapesAround(view, region, hidden);
      painting.below(context, region, view);
      paintShapes(context, shapes, painting.style(view, ratio));
      painting.above(context, shapes, view, ratio);
    },
  };
  return painting;
}

export function shapesIn(editor: Editor, region: Box, hidden: ReadonlySet<ClientId>): ShapeRecord[] {
  const { scene, index } = editor;
  const found = index.search(region);
  if (found.length > scene.size / 3) {
    // For most of the shapes, filtering the ordered list is faster than sorting.
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

/** Screen pixels; names would cover smaller shapes. */
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

/** In screen pixels of the drawn view, regardless of the bitmap's margin. */
function paintNames(context: CanvasRenderingContext2D, chips: readonly Chip[], view: View, ratio: number): void {
  context.save();
  const { e, f } = context.getTransform();
  context.setTransform(ratio, 0, 0, ratio, e - view.offsetX * ratio, f - view.offsetY * ratio);
  paintChips(context, chips, null);
  context.restore();
}

/** Screen pixels; a finer grid would look like a grey veil. */
const smallestSpacingPx = 5;

/** Grid lines at multiples of the spacing, image coordinates. `pixel` is image pixels per screen pixel. */
function paintGrid(
  target: CanvasRenderingContext2D,
  grid: NonNullable<Appearance['grid']>,
  image: Size,
  region: Box,
  pixel: number,
): void {
  const area = intersectBoxes(region, { left: 0, top: 0, right: image.width, bottom: image.height });
  if (isEmptyBox(area) || grid.sizePx / pixel < smallestSpacingPx) return;
  target.save();
  target.beginPath();
  for (let x = Math.ceil(area.left / grid.sizePx) * grid.sizePx; x <= area.right; x += grid.sizePx) {
    target.moveTo(x, area.top);
    target.lineTo(x, area.bottom);
  }
  for (let y = Math.ceil(area.top / grid.sizePx) * grid.sizePx; y <= area.bottom; y += grid.sizePx) {
    target.moveTo(area.left, y);
    target.lineTo(area.right, y);
  }
  target.lineWidth = pixel;
  target.strokeStyle = withAlpha(grid.color, grid.opacity);
  target.stroke();
  target.restore();
}
