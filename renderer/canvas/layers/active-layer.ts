import { shapeColor, withAlpha } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { isDrawn } from '../scene.ts';
import type { Draft, ToolView } from '../tools/tool.ts';
import type { Box, ClientId, Point, ShapeRecord, View } from '../types.ts';
import { handleSizePx, paintHandles } from './handle-painter.ts';
import {
  createMaskPainter,
  mostDrawnPerStep,
  paintedMasks,
  selectedMaskOpacity,
  selectedStyle,
} from './mask-painter.ts';
import { createMovingCanvas } from './moving-canvas.ts';
import { createPaintingPreview } from './painting-preview.ts';
import { paintShapes } from './shape-painter.ts';
import { boxesTouch } from '../geometry/box.ts';

/** The current draft, below the selected shapes, and selections too large for fabric objects. */
export function createActiveLayer(host: HTMLElement, editor: Editor) {
  const canvas = createMovingCanvas(host, 'active');
  const masks = createMaskPainter();
  const preview = createPaintingPreview();
  let drawnCount = 0;
  let isBlank = true;

  const shown = (toolView: ToolView, region: Box): ShapeRecord[] => {
    const replaced = new Set<ClientId>([...toolView.hidden, ...toolView.drafts.map(({ shape }) => shape.clientId)]);
    return editor.selection.ids().flatMap((id) => {
      const record = replaced.has(id) || editor.selected.has(id) ? undefined : editor.scene.get(id);
      if (!isDrawn(record)) return [];
      const bounds = editor.index.bounds(id);
      return bounds !== undefined && boxesTouch(bounds, region) ? [record] : [];
    });
  };
  const editedShapes = ({ drafts }: ToolView): ShapeRecord[] =>
    drafts.flatMap((draft) => (editor.selected.has(draft.shape.clientId) ? [] : closedShape(draft)));
  const paint = (context: CanvasRenderingContext2D, region: Box, view: View, toolView: ToolView): void => {
    const now = editor.context(view);
    const appearance = editor.appearance();
    const closed = [...shown(toolView, region), ...editedShapes(toolView)];
    const style = selectedStyle(editor, view);
    masks.paint(context, paintedMasks(closed), editor, now, selectedMaskOpacity(appearance.selectedOpacity));
    if (toolView.painting !== null) {
      const color = editor.labels().get(toolView.painting.labelId)?.color ?? '#9aa4b2';
      preview.paint(context, toolView.painting, color, selectedMaskOpacity(appearance.selectedOpacity), now.pixel);
    }
    paintShapes(context, closed, style);
    for (const draft of toolView.drafts) if (draft.state === 'drawing') paintOpen(context, draft, style.strokePx);
    drawnCount = closed.length;
  };
  const paintOpen = (context: CanvasRenderingContext2D, { shape, closing, marked }: Draft, strokePx: number): void => {
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
    const handles = (marked ?? vertices).map((at, index) => ({
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
      sizePx: handleSizePx - 1,
      active: closing === true ? first : null,
    });
  };

  return {
    resize: canvas.resize,
    /** False if it has to be redrawn for this view; few objects are redrawn at once and stay sharp. */
    follow: (view: View) => isBlank || (drawnCount > mostDrawnPerStep && canvas.follow(view)),
    draw(view: View, toolView: ToolView) {
      const isOwn = (id: ClientId) => !editor.selected.has(id);
      const hasShapes =
        editor.selection.ids().some(isOwn) || toolView.drafts.some(({ shape }) => isOwn(shape.clientId));
      const isEmpty = !hasShapes && toolView.painting === null;
      isBlank = isEmpty;
      canvas.show(!isEmpty);
      if (!isEmpty) canvas.draw(view, (context, region) => paint(context, region, view, toolView));
    },
    remove: canvas.remove,
  };
}

/** A path being drawn has only its area here; its outline is drawn separately. */
function closedShape({ shape, state }: Draft): ShapeRecord[] {
  return state === 'editing' ? [shape] : [];
}
