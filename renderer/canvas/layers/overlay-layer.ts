import { shapeColor } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { boxHeight, boxWidth, uniteBoxes } from '../geometry/box.ts';
import { imageBoxToScreen, imageToScreen, viewMatrix } from '../geometry/view-transform.ts';
import { isDrawn } from '../scene.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import { drawTools } from '../tools/create-tools.ts';
import type { ToolView } from '../tools/tool.ts';
import type { Box, Point, Prompts, ShapeRecord, Size, View } from '../types.ts';
import { createCanvasElement } from './canvas-element.ts';
import { createCrosshair } from './crosshair.ts';
import { paintChips, type Chip } from './label-chips.ts';
import { paintShapes } from './shape-painter.ts';

/** Layer 5: all that follows the pointer. Drawing it never draws another layer. */
export interface OverlayLayer {
  resize(size: Size, ratio: number): void;
  draw(view: View, toolView: ToolView): void;
  remove(): void;
}

/** More selected shapes than this get one frame around all of them instead of a name each. */
const mostNames = 12;
const selectionFrameMarginPx = 6;

export function createOverlayLayer(
  host: HTMLElement,
  editor: Editor,
  textOf: (shape: ShapeRecord) => string,
): OverlayLayer {
  const { element, context, resize, remove } = createCanvasElement(host, 'overlay');
  const crosshair = createCrosshair(host);
  let size: Size = { width: 1, height: 1 };
  let ratio = 1;
  let isBlank = true;

  const useScreen = (): void => context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const useImage = (view: View): void => {
    const [a, b, c, d, e, f] = viewMatrix(view);
    context.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, e * ratio, f * ratio);
  };
  const hovered = (): ShapeRecord | null => {
    const id = editor.hover();
    const record = id === null ? undefined : editor.scene.get(id);
    return isDrawn(record) ? record : null;
  };
  const chipOf = (shape: ShapeRecord, view: View): Chip => ({
    text: textOf(shape),
    color: shapeColor(shape, editor.appearance(), editor.labels()),
    box: imageBoxToScreen(view, behaviourOf(shape).bounds(shape)),
    locked: shape.locked,
  });
  const named = (toolView: ToolView): ShapeRecord[] => {
    if (editor.appearance().showLabels === 'none' || editor.tools.current().dragging()) return [];
    const drafts = new Set(toolView.drafts.map(({ shape }) => shape.clientId));
    const ids = new Set(editor.selection.ids().slice(-mostNames));
    if (editor.selection.ids().length > mostNames) ids.clear();
    const hoveredShape = hovered();
    if (hoveredShape !== null) ids.add(hoveredShape.clientId);
    return [...ids].flatMap((id) => {
      const record = editor.scene.get(id);
      return isDrawn(record) && !drafts.has(id) ? [record] : [];
    });
  };
  const paintHover = (shape: ShapeRecord, view: View): void => {
    useImage(view);
    const appearance = editor.appearance();
    const base = { appearance, labels: editor.labels(), context: editor.context(view) };
    context.globalAlpha = 0.45;
    paintShapes(
      context,
      [{ ...shape, occluded: false }],
      { ...base, appearance: { ...appearance, outlineColor: '#ffffff' }, fillOpacity: 0, strokePx: 5 },
      true,
    );
    context.globalAlpha = 1;
    const fillOpacity = editor.selection.has(shape.clientId) ? 0 : appearance.opacity;
    paintShapes(context, [shape], { ...base, fillOpacity, strokePx: 2.75 }, true);
    useScreen();
  };
  const paintSelectionFrame = (view: View): void => {
    const ids = editor.selection.ids();
    if (ids.length < 2 || editor.tools.current().dragging()) return;
    const boxes = ids.flatMap((id) => editor.index.bounds(id) ?? []);
    const [first] = boxes;
    if (first === undefined) return;
    const { left, top, right, bottom } = imageBoxToScreen(view, boxes.reduce(uniteBoxes, first));
    const margin = selectionFrameMarginPx;
    paintDashedBox({ left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin });
  };
  const paintDashedBox = (box: Box): void => {
    context.lineWidth = 1;
    const place: [number, number, number, number] = [
      Math.round(box.left) + 0.5,
      Math.round(box.top) + 0.5,
      Math.round(boxWidth(box)),
      Math.round(boxHeight(box)),
    ];
    context.setLineDash([]);
    context.strokeStyle = 'rgba(0, 0, 0, 0.7)';
    context.strokeRect(...place);
    context.setLineDash([5, 4]);
    context.strokeStyle = '#ffffff';
    context.strokeRect(...place);
    context.setLineDash([]);
  };
  const paintMarquee = (box: Box): void => {
    context.fillStyle = 'rgba(255, 255, 255, 0.12)';
    context.fillRect(box.left, box.top, boxWidth(box), boxHeight(box));
    paintDashedBox(box);
  };
  const paintRing = (at: Point, radius: number, width: number, color: string): void => {
    context.beginPath();
    context.arc(at.x, at.y, Math.max(radius, 0.5), 0, Math.PI * 2);
    context.lineWidth = width;
    context.strokeStyle = color;
    context.stroke();
  };
  const paintNewVertex = (at: Point): void => {
    context.fillStyle = '#ffffff';
    paintRing(at, 5, 3, 'rgba(0, 0, 0, 0.6)');
    context.fill();
    paintRing(at, 5, 1.5, '#2563eb');
    context.beginPath();
    context.moveTo(at.x - 2.5, at.y);
    context.lineTo(at.x + 2.5, at.y);
    context.moveTo(at.x, at.y - 2.5);
    context.lineTo(at.x, at.y + 2.5);
    context.stroke();
  };
  const paintBrush = (brush: NonNullable<ToolView['brush']>, view: View): void => {
    const at = imageToScreen(view, brush.at);
    const radius = (brush.diameter / 2) * view.scale;
    const tool = editor.tools.current().id;
    const color = tool === 'eraser' ? '#ff5c5c' : '#ffffff';
    if (brush.form === 'square') {
      context.lineWidth = 3;
      context.strokeStyle = 'rgba(0, 0, 0, 0.6)';
      context.strokeRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius);
      context.lineWidth = 1.5;
      context.strokeStyle = color;
      context.strokeRect(at.x - radius, at.y - radius, 2 * radius, 2 * radius);
      return;
    }
    paintRing(at, radius, 3, 'rgba(0, 0, 0, 0.6)');
    paintRing(at, radius, 1.5, color);
  };
  const paintPrompts = ({ positive, negative, box }: Prompts, view: View): void => {
    if (box !== null) paintDashedBox(imageBoxToScreen(view, box));
    for (const [points, color] of [[positive, '#22c55e'] as const, [negative, '#ef4444'] as const]) {
      for (const point of points) {
        const at = imageToScreen(view, point);
        context.fillStyle = color;
        paintRing(at, 6, 3, 'rgba(0, 0, 0, 0.6)');
        context.fill();
        paintRing(at, 6, 1.5, '#ffffff');
      }
    }
  };
  const paintSize = ({ width, height }: Size): void => {
    const at = editor.pointer.screen();
    if (at === null) return;
    const text = `${Math.round(width)} × ${Math.round(height)}`;
    const box = { left: at.x + 14, top: at.y + 36, right: at.x + 14, bottom: at.y + 36 };
    paintChips(context, [{ text, color: '#10151c', box }], size);
  };
  const placeCrosshair = (toolView: ToolView): void => {
    const at = editor.pointer.screen();
    const { id } = editor.tools.current();
    const isWanted = editor.appearance().crosshair && (drawTools.has(id) || id === 'prompt');
    const isFree = at !== null && !editor.pointer.panning() && toolView.brush === null;
    crosshair.place(isWanted && isFree ? at : null, editor.appearance().crosshairColor);
  };
  const paint = (view: View, toolView: ToolView): void => {
    const under = hovered();
    if (under !== null && !editor.tools.current().dragging()) paintHover(under, view);
    paintSelectionFrame(view);
    paintChips(
      context,
      named(toolView).map((shape) => chipOf(shape, view)),
      size,
    );
    if (toolView.marquee !== null) paintMarquee(toolView.marquee);
    if (toolView.newVertex !== null) paintNewVertex(imageToScreen(view, toolView.newVertex));
    if (toolView.brush !== null && editor.pointer.screen() !== null) paintBrush(toolView.brush, view);
    if (toolView.prompts !== null) paintPrompts(toolView.prompts, view);
    if (toolView.size !== null) paintSize(toolView.size);
  };
  const hasSomething = (toolView: ToolView): boolean =>
    editor.hover() !== null ||
    editor.selection.ids().length > 0 ||
    toolView.marquee !== null ||
    toolView.newVertex !== null ||
    toolView.brush !== null ||
    toolView.prompts !== null ||
    toolView.size !== null;

  return {
    resize(given, givenRatio) {
      size = given;
      ratio = givenRatio;
      resize(size, ratio);
      crosshair.resize(size);
    },
    draw(view, toolView) {
      placeCrosshair(toolView);
      const isNeeded = hasSomething(toolView);
      if (!isNeeded && isBlank) return;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, element.width, element.height);
      useScreen();
      if (isNeeded) paint(view, toolView);
      isBlank = !isNeeded;
    },
    remove() {
      crosshair.remove();
      remove();
    },
  };
}
