import { shapeColor, withAlpha } from '../appearance.ts';
import type { ShapeContext, ShapeSink } from '../shapes/behaviour.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import type { Appearance, CanvasLabel, ShapeRecord } from '../types.ts';

export interface PaintStyle {
  readonly appearance: Appearance;
  readonly labels: ReadonlyMap<number, CanvasLabel>;
  readonly context: ShapeContext;
  readonly fillOpacity: number;
  /** Screen pixels. */
  readonly strokePx: number;
}

type Dash = 'solid' | 'occluded' | 'suggestion';

interface Batch extends ShapeSink {
  readonly area: Path2D;
  readonly line: Path2D;
  readonly dot: Path2D;
  readonly color: string;
  readonly dash: Dash;
  readonly zOrder: number;
}

/** Screen pixels. */
const dashes: Readonly<Record<Dash, readonly number[]>> = { solid: [], occluded: [5, 4], suggestion: [1.5, 3] };
/** With more layers than this, shapes are batched by style alone: a path for each shape would be slow. */
const mostLayers = 32;

const dashOf = (shape: ShapeRecord): Dash =>
  shape.suggestion === true ? 'suggestion' : shape.occluded ? 'occluded' : 'solid';

/**
 * Draws shapes in image coordinates, one path for all shapes of a style. Masks are drawn by their own layer, only
 * their outlines come from here where `maskOutlines` is set.
 */
export function paintShapes(
  target: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  shapes: readonly ShapeRecord[],
  style: PaintStyle,
  maskOutlines = false,
): void {
  const layers = new Set(shapes.map(({ zOrder }) => zOrder));
  const useLayers = layers.size > 1 && layers.size <= mostLayers;
  const batches = new Map<string, Batch>();
  for (const shape of shapes) {
    if (shape.type === 'mask' && !maskOutlines) continue;
    const color = shapeColor(shape, style.appearance, style.labels);
    const dash = dashOf(shape);
    const zOrder = useLayers ? shape.zOrder : 0;
    const key = `${zOrder} ${dash} ${color}`;
    let batch = batches.get(key);
    if (batch === undefined) {
      batch = { area: new Path2D(), line: new Path2D(), dot: new Path2D(), color, dash, zOrder };
      batches.set(key, batch);
    }
    behaviourOf(shape).trace(shape, batch, style.context);
  }
  const ordered = useLayers ? [...batches.values()].sort((a, b) => a.zOrder - b.zOrder) : batches.values();
  for (const batch of ordered) paintBatch(target, batch, style);
}

function paintBatch(
  target: CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D,
  batch: Batch,
  { appearance, context, fillOpacity, strokePx }: PaintStyle,
): void {
  const { pixel } = context;
  if (fillOpacity > 0) {
    target.fillStyle = withAlpha(batch.color, fillOpacity);
    target.fill(batch.area, 'nonzero');
  }
  target.strokeStyle = appearance.outlineColor ?? batch.color;
  target.lineWidth = strokePx * pixel;
  target.lineJoin = 'round';
  target.setLineDash(dashes[batch.dash].map((length) => length * pixel));
  target.stroke(batch.area);
  target.stroke(batch.line);
  target.setLineDash([]);
  target.fillStyle = batch.color;
  target.fill(batch.dot);
  target.strokeStyle = 'rgba(0, 0, 0, 0.65)';
  target.lineWidth = pixel;
  target.stroke(batch.dot);
}
