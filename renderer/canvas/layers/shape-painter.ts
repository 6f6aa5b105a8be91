import { shapeColor, withAlpha } from '../appearance.ts';
import { boxHeight, boxWidth } from '../geometry/box.ts';
import type { ShapeContext } from '../shapes/behaviour.ts';
import { traceDots } from '../shapes/points.ts';
import { behaviourOf, boundsOf } from '../shapes/shape-behaviours.ts';
import type { Appearance, CanvasLabel, ElementRecord, ShapeRecord } from '../types.ts';

export interface PaintStyle {
  readonly appearance: Appearance;
  readonly labels: ReadonlyMap<number, CanvasLabel>;
  readonly context: ShapeContext;
  readonly fillOpacity: number;
  readonly outlineColor?: string;
  /** Screen pixels. */
  readonly strokePx: number;
  /** Outlines all masks, not only proposals; the areas of masks are separate bitmaps. */
  readonly maskOutlines?: boolean;
  /** Device pixels per screen pixel. */
  readonly ratio?: number;
  /** True if the shapes belong to a crowd; computed if undefined. */
  readonly isCrowd?: boolean;
}

type Target = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

const solid: readonly number[] = [];
/** Screen pixels. */
const occludedDash: readonly number[] = [5, 4];
/** An outline alone would be hard to see while the user adds points. */
const suggestionFill = 0.22;
const suggestionHalo = 'rgba(0, 0, 0, 0.7)';
const ringInside = 'rgba(0, 0, 0, 0.55)';
const outlineEdge = 'rgba(0, 0, 0, 0.5)';
/** Alternates long and short strokes to differ from occluded shapes. */
const suggestionDash: readonly number[] = [9, 5, 3, 5];

/**
 * With more visible vertices, path outlines are drawn as two hairlines over each other. Software raster draws a
 * hairline of one device pixel six times as fast as a line of 1.5 (measured, Chromium 156), and in such a crowd they
 * look the same.
 */
const mostWideVertices = 12_000;
/** Screen pixels; smaller paths are drawn as their box. */
const smallestPathPx = 3;

/**
 * Draws shapes in image coordinates by z order, then by colour, because setting a colour costs more than drawing a box.
 * One path per shape: in Chromium 156 a common path per style takes twice as long to build and raster, and plain boxes
 * are faster still.
 */
export function paintShapes(target: Target, shapes: readonly ShapeRecord[], style: PaintStyle): void {
  const brush = createBrush(target, shapes, style);
  target.save();
  target.lineJoin = 'round';
  for (const [color, members] of byLayerAndColor(shapes, style)) {
    brush.setColor(color);
    for (const shape of members) {
      brush.setDash(shape);
      if (shape.type === 'rectangle' && shape.rotation === 0) brush.paintBox(shape);
      else brush.paintPath(shape);
    }
  }
  target.restore();
}

/** Shapes in the order of `paintShapes`, to draw them piece by piece. */
export const inPaintOrder = (shapes: readonly ShapeRecord[], style: PaintStyle): ShapeRecord[] =>
  byLayerAndColor(shapes, style).flatMap(([, members]) => members);

export const isCrowd = (shapes: readonly ShapeRecord[]): boolean => countVertices(shapes) > mostWideVertices;

function byLayerAndColor(shapes: readonly ShapeRecord[], style: PaintStyle): [string, ShapeRecord[]][] {
  const layers = new Map<number, Map<string, ShapeRecord[]>>();
  for (const shape of shapes) {
    if (shape.type === 'mask' && style.maskOutlines !== true && shape.suggestion !== true) continue;
    const colors = layers.get(shape.zOrder) ?? new Map<string, ShapeRecord[]>();
    layers.set(shape.zOrder, colors);
    const color = shapeColor(shape, style.appearance, style.labels);
    const members = colors.get(color);
    if (members === undefined) colors.set(color, [shape]);
    else members.push(shape);
  }
  return [...layers]
    .sort(([a], [b]) => a - b)
    .flatMap(([, colors]) => [...colors].sort(([a], [b]) => (a < b ? -1 : 1)));
}

interface Brush {
  setColor(color: string): void;
  setDash(shape: ShapeRecord): void;
  paintBox(shape: ShapeRecord): void;
  paintPath(shape: ShapeRecord): void;
}

function createBrush(target: Target, shapes: readonly ShapeRecord[], style: PaintStyle): Brush {
  const { appearance, context, fillOpacity, outlineColor, strokePx, ratio = 1 } = style;
  const { pixel } = context;
  const isThin = style.isCrowd ?? isCrowd(shapes);
  const wide = strokePx * pixel;
  const hair = pixel / ratio;
  let color = '';
  let fill = '';
  let dash = solid;

  /** Dark edge under the outline; hairlines of a crowd have none. */
  const paintEdge = (outline: () => void): void => {
    if (!appearance.halo || isThin) return;
    const { strokeStyle } = target;
    target.lineWidth = wide + 2 * pixel;
    target.strokeStyle = outlineEdge;
    outline();
    target.strokeStyle = strokeStyle;
  };
  const stroke = (path?: Path2D): void => {
    paintEdge(() => (path === undefined ? target.stroke() : target.stroke(path)));
    target.lineWidth = isThin ? hair : wide;
    for (let pass = 0; pass < (isThin ? 2 : 1); pass += 1) {
      if (path === undefined) target.stroke();
      else target.stroke(path);
    }
  };
  const fillDots = (path?: Path2D): void => {
    target.fillStyle = color;
    target.lineWidth = pixel;
    target.strokeStyle = 'rgba(0, 0, 0, 0.65)';
    if (path === undefined) {
      target.fill();
      target.stroke();
    } else {
      target.fill(path);
      target.stroke(path);
    }
    target.fillStyle = fill;
    target.strokeStyle = outlineColor ?? color;
  };
  const fillAndStroke = (left: number, top: number, width: number, height: number): void => {
    if (fillOpacity > 0) target.fillRect(left, top, width, height);
    paintEdge(() => target.strokeRect(left, top, width, height));
    target.lineWidth = wide;
    target.strokeRect(left, top, width, height);
  };
  /** Fills the gaps between a proposal's strokes with a dark colour for visibility on every image. */
  const paintHalo = (outline: () => void): void => {
    target.setLineDash([]);
    target.lineWidth = wide;
    target.strokeStyle = suggestionHalo;
    outline();
    target.strokeStyle = outlineColor ?? color;
    target.setLineDash(suggestionDash.map((length) => length * pixel));
  };
  const paintParts = (shape: ShapeRecord): void => {
    const sink = { area: new Path2D(), line: new Path2D(), dot: new Path2D() };
    behaviourOf(shape).trace(shape, sink, context);
    if (fillOpacity > 0) target.fill(sink.area);
    stroke(sink.area);
    stroke(sink.line);
    if (shape.elements === undefined) fillDots(sink.dot);
    else paintNodes(shape.elements);
  };
  /** Draws each point of a skeleton in the colour of its label, if shapes are coloured by label. */
  const paintNodes = (elements: readonly ElementRecord[]): void => {
    const own = color;
    for (const { outside, occluded, labelId, points } of elements) {
      if (outside) continue;
      const node = new Path2D();
      traceDots(node, points.slice(0, 2), pixel);
      color = appearance.colorBy === 'label' ? (style.labels.get(labelId)?.color ?? own) : own;
      if (occluded) paintRing(target, node, { color, pixel });
      else fillDots(node);
    }
    color = own;
    target.strokeStyle = outlineColor ?? own;
  };

  return {
    setColor(next) {
      color = next;
      fill = withAlpha(color, fillOpacity);
      target.fillStyle = fill;
      target.strokeStyle = outlineColor ?? color;
    },
    setDash(shape) {
      const nextDash = shape.suggestion === true ? suggestionDash : shape.occluded ? occludedDash : solid;
      if (nextDash !== dash) target.setLineDash(nextDash.map((length) => length * pixel));
      dash = nextDash;
    },
    paintBox(shape) {
      const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape.points;
      if (shape.suggestion === true) paintHalo(() => target.strokeRect(x1, y1, x2 - x1, y2 - y1));
      fillAndStroke(x1, y1, x2 - x1, y2 - y1);
    },
    paintPath(shape) {
      const behaviour = behaviourOf(shape);
      if (behaviour.parts === 'mixed') return paintParts(shape);
      if (behaviour.parts === 'area' && isThin) {
        const box = boundsOf(shape);
        if (Math.max(boxWidth(box), boxHeight(box)) < smallestPathPx * pixel) {
          fillAndStroke(box.left, box.top, boxWidth(box), boxHeight(box));
          return;
        }
      }
      target.beginPath();
      behaviour.trace(shape, { area: target, line: target, dot: target }, context);
      if (behaviour.parts === 'dot') {
        fillDots();
      } else {
        if (shape.suggestion === true) {
          paintHalo(() => target.stroke());
          target.fillStyle = withAlpha(color, Math.max(fillOpacity, suggestionFill));
        }
        if (behaviour.parts === 'area' && fillOpacity > 0) target.fill();
        if (shape.suggestion === true) target.fillStyle = fill;
        stroke();
      }
    },
  };
}

/** An occluded point: dark inside, to differ from a visible one in any colour. */
function paintRing(target: Target, node: Path2D, { color, pixel }: { readonly color: string; readonly pixel: number }) {
  target.save();
  target.setLineDash([]);
  target.fillStyle = ringInside;
  target.fill(node);
  for (const [width, stroke] of [
    [4, outlineEdge],
    [2, color],
  ] as const) {
    target.lineWidth = width * pixel;
    target.strokeStyle = stroke;
    target.stroke(node);
  }
  target.restore();
}

/** Vertices that slow down raster; boxes and dots do not count. */
const countVertices = (shapes: readonly ShapeRecord[]): number =>
  shapes.reduce((count, shape) => count + (behaviourOf(shape).rasterVertices?.(shape) ?? 0), 0);
