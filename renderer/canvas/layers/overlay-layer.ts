import { shapeColor } from '../appearance.ts';
import type { Editor } from '../editor.ts';
import { growBox, uniteBoxes } from '../geometry/box.ts';
import { imageBoxToScreen, imageToScreen, viewMatrix } from '../geometry/view-transform.ts';
import { wholePaddingPx } from '../fabric/record-object.ts';
import { readingNumbers } from '../reading-numbers.ts';
import { isDrawn } from '../scene.ts';
import type { Handle } from '../shapes/behaviour.ts';
import { behaviourOf } from '../shapes/shape-behaviours.ts';
import { setsPoints } from '../tool-kinds.ts';
import { createTrackPaths, type TrackPath } from '../tracks/track-path.ts';
import type { ToolView } from '../tools/tool.ts';
import type { Box, ClientId, ShapeRecord, Size, View } from '../types.ts';
import { createCanvasElement } from './canvas-element.ts';
import { createCrosshair } from './crosshair.ts';
import { chipBox, paintChips, type Chip } from './label-chips.ts';
import {
  paintBrush,
  paintDashedBox,
  paintMarquee,
  paintNewVertex,
  paintPrompts,
  paintTrackPath,
} from './overlay-marks.ts';
import { paintShapes } from './shape-painter.ts';

/** Larger selections get one common frame instead of a name each. */
const mostNames = 12;
/** With more named skeletons, their points have no names. */
const mostSkeletons = 3;
/** With more proposals, scores appear only on hover. */
const mostSuggested = 60;
/** Paths of more selected tracks would be unreadable. */
const mostPaths = 5;
const selectionFrameMarginPx = 6;
const plateColor = '#101217';

/** Layer 5: everything that follows the pointer. Drawing it never redraws another layer. */
export function createOverlayLayer(host: HTMLElement, editor: Editor, textOf: (shape: ShapeRecord) => string) {
  const { element, context, resize, remove } = createCanvasElement(host, 'overlay');
  const crosshair = createCrosshair(host);
  let size: Size = { width: 1, height: 1 };
  let ratio = 1;
  let isBlank = true;
  element.style.display = 'none';
  const suggested = suggestedShapes(editor);
  const numbered = numberedShapes(editor);
  const pathsOf = selectedPaths(editor);

  const useScreen = (): void => context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const useImage = (view: View): void => {
    const [a, b, c, d, e, f] = viewMatrix(view);
    context.setTransform(a * ratio, b * ratio, c * ratio, d * ratio, e * ratio, f * ratio);
  };
  const chipOf = (shape: ShapeRecord, view: View): Chip => ({
    text: textOf(shape),
    color: shapeColor(shape, editor.appearance(), editor.labels()),
    box: isHandled(editor, shape) ? handledBox(shape, view) : chipBox(shape, view),
    locked: shape.locked,
    handled: isHandled(editor, shape),
  });
  const paintHover = (shape: ShapeRecord, view: View): void => {
    useImage(view);
    const appearance = editor.appearance();
    const base = { appearance, labels: editor.labels(), context: editor.context(view), maskOutlines: true };
    context.globalAlpha = 0.45;
    paintShapes(context, [{ ...shape, occluded: false }], {
      ...base,
      outlineColor: '#ffffff',
      fillOpacity: 0,
      strokePx: 5,
    });
    context.globalAlpha = 1;
    paintShapes(context, [shape], { ...base, fillOpacity: appearance.opacity, strokePx: 2.75 });
    useScreen();
  };
  const paintSelectionFrame = (view: View): void => {
    const ids = editor.selection.ids();
    // Fabric objects have handles and a frame.
    if (ids.length < 2 || editor.tools.current().dragging() || editor.selected.handles().length > 0) return;
    const boxes = ids.flatMap((id) => editor.index.bounds(id) ?? []);
    const [first] = boxes;
    if (first === undefined) return;
    const { left, top, right, bottom } = imageBoxToScreen(view, boxes.reduce(uniteBoxes, first));
    const margin = selectionFrameMarginPx;
    paintDashedBox(context, { left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin });
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
    const isOn = editor.appearance().crosshair || editor.pointer.isLedByKeys();
    const isWanted = isOn && (setsPoints(id) || id === 'prompt');
    const isFree = at !== null && !editor.pointer.panning() && toolView.brush === null;
    crosshair.place(isWanted && isFree ? at : null);
  };
  const paint = (view: View, toolView: ToolView): void => {
    for (const { path, color } of pathsOf()) paintTrackPath(context, path, view, color);
    const under = hoveredShape(editor);
    const isPlain = under !== null && !editor.selection.has(under.clientId);
    if (isPlain && !editor.tools.current().dragging()) paintHover(under, view);
    paintSelectionFrame(view);
    const numbers = numbered();
    // The text is in the image, so that a number is enough.
    const named = namedShapes(
      editor,
      toolView,
      suggested().filter((id) => !numbers.has(id)),
    );
    paintChips(context, numberChips(editor, numbers, view), null);
    const skeletons = named.filter(({ type }) => type === 'skeleton');
    paintChips(
      context,
      [
        ...(skeletons.length > mostSkeletons
          ? []
          : skeletons.flatMap((shape) => nodeChips(editor, shape, toolView.activeHandle))),
        ...named.map((shape) => chipOf(shape, view)),
      ],
      size,
    );
    if (toolView.marquee !== null) paintMarquee(context, toolView.marquee);
    if (toolView.newVertex !== null) paintNewVertex(context, imageToScreen(view, toolView.newVertex));
    if (toolView.brush !== null && editor.pointer.screen() !== null) {
      paintBrush(context, toolView.brush, view, editor.tools.current().id === 'eraser' ? '#ff5c5c' : '#ffffff');
    }
    if (toolView.prompts !== null) paintPrompts(context, toolView.prompts, view);
    if (toolView.size !== null) paintSize(toolView.size);
  };
  return {
    resize(given: Size, givenRatio: number) {
      size = given;
      ratio = givenRatio;
      resize(size, ratio);
      crosshair.resize(size);
    },
    draw(view: View, toolView: ToolView) {
      placeCrosshair(toolView);
      const isNeeded = hasSomething(editor, toolView, suggested()) || numbered().size > 0;
      if (!isNeeded && isBlank) return;
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.clearRect(0, 0, element.width, element.height);
      useScreen();
      if (isNeeded) paint(view, toolView);
      isBlank = !isNeeded;
      // The software compositor blends even an empty canvas, pixel by pixel.
      element.style.display = isBlank ? 'none' : '';
    },
    remove() {
      crosshair.remove();
      remove();
    },
  };
}

/** Names of a skeleton's points beside them: all, or the active ones. */
function nodeChips(editor: Editor, shape: ShapeRecord, chosen: Handle | null): Chip[] {
  const { pointNames } = editor.appearance();
  if (pointNames === 'none') return [];
  const isOpen = isHandled(editor, shape);
  const { left, right } = chipBox(shape, editor.view.get());
  const middle = (left + right) / 2;
  return (shape.elements ?? []).flatMap((element, index): Chip[] => {
    const label = editor.labels().get(element.labelId);
    const isChosen = isOpen && chosen?.kind === 'vertex' && chosen.index === index;
    const isMarked = isOpen && element.outside;
    if (label === undefined || !(isChosen || isMarked || (pointNames === 'all' && !element.outside))) return [];
    const { x, y } = editor.view.toScreen({ x: element.points[0] ?? 0, y: element.points[1] ?? 0 });
    // Points away from the skeleton.
    const before = x < middle;
    const side = before ? x - 12 : x + 12;
    return [
      { text: label.name, color: plateColor, before, box: { left: side, right: side, top: y + 11, bottom: y + 11 } },
    ];
  });
}

const isHandled = ({ selection }: Editor, { clientId, locked }: ShapeRecord): boolean =>
  !locked && selection.ids().length === 1 && selection.has(clientId);

function handledBox(shape: ShapeRecord, view: View): Box {
  const box = chipBox(shape, view);
  return behaviourOf(shape).wholeHandles === true ? growBox(box, wholePaddingPx) : box;
}

function hoveredShape(editor: Editor): ShapeRecord | null {
  const id = editor.hover();
  const record = id === null ? undefined : editor.scene.get(id);
  return isDrawn(record) ? record : null;
}

/** The hovered and selected shapes, unless they are being dragged. */
function namedShapes(editor: Editor, toolView: ToolView, suggested: readonly ClientId[]): ShapeRecord[] {
  if (editor.appearance().showLabels === 'none' || editor.tools.current().dragging()) return [];
  const selected = editor.selection.ids();
  const ids = new Set([
    ...(suggested.length > mostSuggested ? [] : suggested),
    ...(selected.length > mostNames ? [] : selected),
  ]);
  const under = editor.hover();
  if (under !== null) ids.add(under);
  for (const { shape } of toolView.drafts) ids.delete(shape.clientId);
  return [...ids].flatMap((id) => {
    const record = editor.scene.get(id);
    return isDrawn(record) ? [record] : [];
  });
}

function selectedPaths(editor: Editor): () => { readonly path: TrackPath; readonly color: string }[] {
  const { tracks, selection, scene } = editor;
  const pathOf = createTrackPaths(tracks.at);
  return () => {
    const ids = selection.ids();
    const appearance = editor.appearance();
    if (!appearance.trackPath || ids.length > mostPaths || editor.tools.current().dragging()) return [];
    return ids.flatMap((id) => {
      const track = tracks.get(id);
      if (track === undefined || track.hidden) return [];
      return [{ path: pathOf(track, scene.frame), color: shapeColor(track, appearance, editor.labels()) }];
    });
  };
}

/** Ids of the proposals; recomputed only after changes of the scene. */
function suggestedShapes(editor: Editor): () => readonly ClientId[] {
  let version = -1;
  let ids: readonly ClientId[] = [];
  return () => {
    if (version === editor.scene.version) return ids;
    version = editor.scene.version;
    ids = editor.scene
      .all()
      .flatMap((record) => (record.suggestion === true && isDrawn(record) ? [record.clientId] : []));
    return ids;
  };
}

/** With more regions, numbers would cover the image. */
const mostNumbers = 500;

/** Numbers of text regions; recomputed only after changes of the scene. */
function numberedShapes(editor: Editor): () => ReadonlyMap<ClientId, number> {
  let known: readonly [version: number, labels: unknown] = [-1, null];
  let numbers: ReadonlyMap<ClientId, number> = new Map();
  return () => {
    if (editor.appearance().showLabels === 'none') return new Map();
    const [version, labels] = [editor.scene.version, editor.labels()];
    if (known[0] === version && known[1] === labels) return numbers;
    known = [version, labels];
    numbers = readingNumbers(editor.scene.all(), labels);
    if (numbers.size > mostNumbers) numbers = new Map();
    return numbers;
  };
}

const chipHalfPx = 9;
const chipGapPx = 4;

/** At the left of each region, in the middle of its height. */
function numberChips(editor: Editor, numbers: ReadonlyMap<ClientId, number>, view: View): Chip[] {
  return [...numbers].flatMap(([id, number]): Chip[] => {
    const bounds = editor.index.bounds(id);
    const record = editor.scene.get(id);
    if (bounds === undefined || bounds === null || !isDrawn(record)) return [];
    const { left, top, right, bottom } = imageBoxToScreen(view, bounds);
    // Chips are painted 2 px above their box.
    const end = (top + bottom) / 2 + chipHalfPx + 2;
    const color = editor.selection.has(id) ? '#2f55c8' : plateColor;
    return [
      { text: String(number), color, box: { left: left - chipGapPx, top: end, right, bottom: end }, before: true },
    ];
  });
}

function hasSomething(editor: Editor, toolView: ToolView, suggested: readonly ClientId[]): boolean {
  return (
    suggested.length > 0 ||
    editor.hover() !== null ||
    editor.selection.ids().length > 0 ||
    [toolView.marquee, toolView.newVertex, toolView.brush, toolView.prompts, toolView.size].some(
      (part) => part !== null,
    )
  );
}
