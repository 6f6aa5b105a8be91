import { changed } from '../changes.ts';
import { pointAt } from '../geometry/point.ts';
import { redrawn } from '../geometry/redraw.ts';
import { behaviourOf, withGeometry } from '../shapes/shape-behaviours.ts';
import type { Point, ShapeRecord } from '../types.ts';
import { createPathTool } from './path-tool.ts';
import { handledShape } from './select-edits.ts';
import type { ToolHost } from './tool-host.ts';
import { dragThresholdPx, interrupt, isFarther, type PointerInput, type Tool, type ToolView } from './tool.ts';

/** A click within this distance of a vertex ends the new line there, screen pixels. */
const vertexReachPx = 8;

interface Part {
  readonly shape: ShapeRecord;
  readonly from: number;
}

function createRedrawing(host: ToolHost) {
  let part: Part | null = null;
  let target: number | null = null;
  let takesOther = false;

  const shapeAfter = ({ shape, from }: Part, line: readonly number[], to: number | null): ShapeRecord =>
    withGeometry(shape, { points: redrawn(shape.points, isClosed(shape), { from, to, line, other: takesOther }) });
  const path = createPathTool(host, 'polyline', {
    id: 'select',
    take(points) {
      if (part === null) return false;
      const { shape } = part;
      if (isClosed(shape) && target === null) {
        host.refuse('canvas.refused.redrawOpen');
        return false;
      }
      const after = shapeAfter(part, points.slice(2, target === null ? undefined : -2), target);
      if (after.points.length < (isClosed(shape) ? 6 : 4)) {
        host.refuse('canvas.refused.lastVertices');
        return false;
      }
      part = null;
      host.commit({ kind: 'vertex', changes: [changed(shape, after)] });
      return true;
    },
  });
  const drop = (): boolean => {
    part = null;
    target = null;
    return path.cancel();
  };
  const setPoint = (input: PointerInput, image: Point): void => {
    const plain = { ...input, image, button: 0, clicks: 1, shift: false, mod: false, alt: false };
    path.down(plain);
    path.up(plain);
  };
  const look = (input: PointerInput, { shape, from }: Part): void => {
    takesOther = input.alt;
    target = vertexAt(shape.points, from, input.image, vertexReachPx / host.view().scale);
  };

  return {
    ...path,
    /** True while a line is drawn and its shape is unchanged. */
    goesOn(): boolean {
      if (part === null) return false;
      const now = host.scene.getShape(part.shape.clientId);
      const isSame = now?.points === part.shape.points && !now.locked && !now.hidden;
      if (isSame && path.drawing()) return true;
      drop();
      if (!isSame) host.refuse('canvas.refused.redrawGone');
      return false;
    },
    begin({ shape, from }: Part, input: PointerInput) {
      part = { shape, from };
      target = null;
      takesOther = false;
      setPoint(input, pointAt(shape.points, from));
    },
    down(input: PointerInput) {
      if (part === null) return;
      look(input, part);
      if (input.button !== 0 || target === null) {
        path.down(input);
        return;
      }
      setPoint(input, pointAt(part.shape.points, target));
      if (!path.finish()) path.undoPoint();
    },
    move(input: PointerInput) {
      if (part !== null) look(input, part);
      path.move(input);
    },
    finish() {
      target = null;
      return path.finish();
    },
    cancel: drop,
    drawing: () => part !== null && path.drawing(),
    cursor: () => (target === null ? 'crosshair' : 'pointer'),
    view(): ToolView {
      const view = path.view();
      if (part === null) return view;
      const hint = isClosed(part.shape) ? 'canvas.hint.redrawRing' : 'canvas.hint.redrawLine';
      if (target === null) return { ...view, hint };
      const shape = shapeAfter(part, path.placed().slice(2), target);
      return { ...view, drafts: [{ shape, state: 'editing' }], hint };
    },
  };
}

/**
 * Select tool that can redraw a part of a polygon or polyline: Shift+click on a vertex begins a line, a click on
 * another vertex ends it and replaces the part between. Shift+drag still moves the vertex.
 */
export function withRedrawing(host: ToolHost, select: Tool): Tool {
  const redrawing = createRedrawing(host);
  /** Shift was pressed on a vertex: a click or the start of a drag. */
  let press: { readonly part: Part; readonly input: PointerInput } | null = null;
  const current = (): Tool => (redrawing.goesOn() ? redrawing : select);
  const shown = (): Tool => (redrawing.drawing() ? redrawing : select);

  return {
    ...select,
    down(input) {
      const tool = current();
      const part = tool === select && input.button === 0 && input.shift ? pressedVertex(host, input) : null;
      if (part === null) tool.down(input);
      else press = { part, input };
    },
    move(input) {
      if (press !== null) {
        if (!isFarther(press.input.screen, input.screen, dragThresholdPx)) return;
        select.down(press.input);
        press = null;
      }
      current().move(input);
    },
    up(input) {
      if (press !== null && input.button === 0) redrawing.begin(press.part, input);
      else current().up(input);
      press = null;
    },
    cancel() {
      press = null;
      return redrawing.cancel() || select.cancel();
    },
    interrupt() {
      press = null;
      interrupt(current());
    },
    finish: () => current().finish(),
    undoPoint: () => current().undoPoint(),
    redoPoint: () => current().redoPoint(),
    drawing: () => shown().drawing(),
    dragging: () => press !== null || shown().dragging(),
    cursor: () => shown().cursor(),
    view: () => shown().view(),
  };
}

const isClosed = (shape: ShapeRecord): boolean => behaviourOf(shape).closed === true;

function vertexAt(points: readonly number[], from: number, { x, y }: Point, reach: number): number | null {
  let nearest: number | null = null;
  let least = reach;
  for (let index = 0; index * 2 < points.length; index += 1) {
    const vertex = pointAt(points, index);
    const distance = Math.hypot(vertex.x - x, vertex.y - y);
    if (index === from || distance > least) continue;
    nearest = index;
    least = distance;
  }
  return nearest;
}

function pressedVertex(host: ToolHost, input: PointerInput): Part | null {
  const shape = handledShape(host);
  if (shape === null || behaviourOf(shape).closed === undefined) return null;
  const handle = host.selected.handleAt(input.image);
  return handle?.kind === 'vertex' ? { shape, from: handle.index } : null;
}
