import { shapeColor, withAlpha } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { isDrawn } from '../scene.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import type { Draft, ToolView } from '../tools/tool.ts';
import type { Box, ClientId, Point, ShapeRecord, View } from '../types.ts';
import { paintHandles } from './handle-painter.ts';
import { createMaskPainter, selectedMaskOpacity } from './mask-painter.ts';
import { createMovingCanvas } from './moving-canvas.ts';
import { createPaintingPreview } from './painting-preview.ts';
import { paintShapes } from './shape-painter.ts';
import { boxesTouch } from '../geometry/box.ts';

/** With more objects than this, panning moves the bitmap instead of drawing at each step. */
const mostDrawnPerStep = 60;

/**
 * Layer 4: the selected shapes and what a tool is drawing or dragging, with handles. Drawn by the same painters as
 * layer 2: a gesture's geometry comes from the tools' state machines, which run without a DOM, so a retained object
 * model (fabric) would only have been a second copy of each shape to keep in step.
 */
export function createActiveLayer(host: HTMLElement, editor: Editor) {
  const canvas = createMovingCanvas(host, 'active');
  const masks = createMaskPainter();
  const preview = createPaintingPreview();
  let drawnCount = 0;

  const shown = (toolView: ToolView, region: Box): ShapeRecord[] => {
    const replaced = new Set<ClientId>([...toolView.hidden, ...toolView.drafts.map(({ shape }) => shape.clientId)]);
    return editor.selection.ids().flatMap((id) => {
      const record = replaced.has(id) ? undefined : editor.scene.get(id);
      if (!isDrawn(record)) return [];
      const bounds = editor.index.bounds(id);
      return bounds !== undefined && boxesTouch(bounds, region) ? [record] : [];
    });
  };
  const paint = (context: CanvasRenderingContext2D, region: Box, view: View, toolView: ToolView): void => {
    const now = editor.context(view);
    const appearance = editor.appearance();
    const closed = [...shown(toolView, region), ...toolView.drafts.flatMap((draft) => closedShape(draft))];
    const style = {
      appearance,
      labels: editor.labels(),
      context: now,
      fillOpacity: appearance.selectedOpacity,
      strokePx: appearance.strokePx + 0.5,
      maskOutlines: true,
    };
    const maskShapes = closed.filter(({ type, points }) => type === 'mask' && points.length > 4);
    masks.paint(context, maskShapes, editor, now, selectedMaskOpacity(appearance.selectedOpacity));
    if (toolView.painting !== null) {
      const color = editor.labels().get(toolView.painting.labelId)?.color ?? '#9aa4b2';
      preview.paint(context, toolView.painting, color, selectedMaskOpacity(appearance.selectedOpacity), now.pixel);
    }
    paintShapes(context, closed, style);
    for (const draft of toolView.drafts) if (draft.state === 'drawing') paintOpen(context, draft, style.strokePx);
    drawnCount = closed.length;
    paintSelectionHandles(context, toolView, view);
  };
  const paintOpen = (context: CanvasRenderingContext2D, { shape, closing }: Draft, strokePx: number): void => {
    const { pixel } = editor.context(canvas.drawnView());
    const color = shapeColor(shape, editor.appearance(), editor.labels());
    context.strokeStyle = color;
    context.lineWidth = strokePx * pixel;
    context.setLineDash([]);
    context.beginPath();
    const vertices: Point[] = [];
    for (let index = 0; index + 1 < shape.points.length; index += 2) {
      const at = { x: shape.points[index] ?? 0, y: shape.points[index + 1] ?? 0 };
      if (index === 0) context.moveTo(at.x, at.y);
      else context.lineTo(at.x, at.y);
      vertices.push(at);
    }
    if (shape.type === 'polygon' && vertices.length > 2) {
      context.fillStyle = withAlpha(color, editor.appearance().selectedOpacity * 0.7);
      context.fill();
    }
    if (closing === true) context.closePath();
    if (shape.type !== 'points') context.stroke();
    const handles = vertices.map((at, index) => ({
      id: `v${index}`,
      kind: 'vertex' as const,
      ...at,
      index,
      degrees: 0,
    }));
    const [first = null] = handles;
    paintHandles(context, handles, {
      pixel,
      color,
      sizePx: editor.appearance().handleSizePx - 1,
      active: closing === true ? first : null,
    });
  };
  const paintSelectionHandles = (context: CanvasRenderingContext2D, toolView: ToolView, view: View): void => {
    const ids = editor.selection.ids();
    const [id] = ids;
    if (editor.tools.current().id !== 'select' || ids.length !== 1 || id === undefined) return;
    const draft = toolView.drafts.find(({ shape }) => shape.clientId === id);
    const record = draft?.shape ?? editor.scene.get(id);
    if (!isDrawn(record) || record.locked) return;
    const now = editor.context(view);
    const isHeld = draft !== undefined;
    const handles = behaviourOf(record)
      .handles(record, now)
      .filter(({ kind }) => !isHeld || kind !== 'middle');
    paintHandles(context, handles, {
      pixel: now.pixel,
      color: shapeColor(record, editor.appearance(), editor.labels()),
      sizePx: editor.appearance().handleSizePx,
      active: toolView.activeHandle,
    });
  };

  return {
    resize: canvas.resize,
    /** False: it has to be drawn again for this view (few objects: cheap, and crisp at once). */
    follow: (view: View) => drawnCount > mostDrawnPerStep && canvas.follow(view),
    draw(view: View, toolView: ToolView) {
      const isEmpty = editor.selection.ids().length === 0 && toolView.drafts.length === 0 && toolView.painting === null;
      canvas.show(!isEmpty);
      if (!isEmpty) canvas.draw(view, (context, region) => paint(context, region, view, toolView));
    },
    remove: canvas.remove,
  };
}

/** A path that is being drawn has its open outline drawn apart, and only its area here. */
function closedShape({ shape, state }: Draft): ShapeRecord[] {
  return state === 'editing' ? [shape] : [];
}
