import type { TextKey } from '../../i18n/text-key.ts';
import { shapeKinds } from '../../../preload/contract/annotation-names.ts';
import { clampPoint, pointAt, snapToEighth } from '../geometry/point.ts';
import type { Point, ToolId } from '../types.ts';
import { createPointList, type PointList } from './point-list.ts';
import { createSnapper } from './snapping.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, isFarther, type PointerInput, type Tool, type ToolView } from './tool.ts';

type PathType = 'polygon' | 'polyline' | 'points';

/** Overrides the use of the points, which is a shape of the path's type by default. */
interface PathUse {
  readonly id: ToolId;
  /** Finishes automatically at this number of points, not earlier. */
  readonly count?: number;
  readonly tooFew?: TextKey;
  /** False if refused and the user was notified. The points stay. */
  take(points: readonly number[]): boolean;
}

/** Screen pixels: maximum distance to the first point for closing, and the distance of freehand points. */
const closeReachPx = 10;
const freehandStartPx = 14;
const freehandStepPx = 10;
/** A double click's second press within this distance of the last point adds no point, screen pixels. */
const doubleClickReachPx = 6;
const farAway: Point = { x: -Infinity, y: -Infinity };

interface PathTool extends Tool {
  next(): readonly number[];
  placed(): readonly number[];
}

/**
 * Each click adds a point; right click or Backspace removes the last one. Holding Shift or the button draws freehand;
 * Ctrl snaps to eight directions.
 */
export function createPathTool(host: ToolHost, type: PathType, use?: PathUse): PathTool {
  const minimum = use?.count ?? (shapeKinds[type].least ?? 0) / 2;
  /** A fixed number of points means corners, without a line between them. */
  const isLine = type !== 'points' && use?.count === undefined;
  const list = createPointList();
  let pointer: Point | null = null;
  let pressedAt: Point | null = null;
  let isFreehand = false;
  /** Pointer position when Shift was first held, screen pixels. */
  let shiftedAt: Point | null = null;
  let isClosing = false;
  const snapper = createSnapper(host);

  const near = (a: Point, b: Point, reachPx: number): boolean => !isFarther(a, b, reachPx / host.view().scale);
  const release = (): void => {
    [pressedAt, isFreehand] = [null, false];
  };
  const end = (outcome: 'done' | 'cancelled'): void => {
    list.clear();
    isClosing = false;
    isFreehand = false;
    shiftedAt = null;
    host.refresh('active');
    host.drawEnded(outcome);
  };
  const add = (at: Point): void => {
    const count = use?.count ?? Infinity;
    if (list.count === 0) host.drawStarted();
    if (list.count < count) list.add(at);
    host.refresh('active');
    if (list.count === count) finish();
  };
  const finish = (): boolean => {
    if (list.count === 0) return false;
    if (list.count < minimum) {
      host.refuse(use?.tooFew ?? `canvas.refused.tooFew.${type}`);
      return false;
    }
    if (use !== undefined) {
      if (!use.take(list.points)) return false;
      end('done');
      return true;
    }
    const shape = host.newShape(type, { points: list.points });
    if (shape === null) return false;
    end('done');
    host.create(shape);
    return true;
  };
  const undoPoint = (): boolean => {
    if (!list.takeBack()) return false;
    host.refresh('active');
    if (list.count === 0) host.drawEnded('cancelled');
    return true;
  };
  const redoPoint = (): boolean => {
    if (!list.setAgain()) return false;
    host.refresh('active');
    if (list.count === 1) host.drawStarted();
    return true;
  };
  const click = (input: PointerInput): void => {
    const at = placeOf(host, type, list, input);
    const isSecond = input.clicks >= 2 && list.count > 0 && near(list.last(), at, doubleClickReachPx);
    if (isClosing || isSecond) finish();
    else for (const point of snapper.take(at, list.count, isLine)) add(point);
  };
  /**
   * Draws while dragging with the button or Shift; pressing Shift without moving, as for Ctrl+Shift+Z, adds nothing.
   */
  const drawFreehand = (input: PointerInput, to: Point): void => {
    shiftedAt = input.shift && !input.mod && list.count > 0 ? (shiftedAt ?? input.screen) : null;
    if (!isLine || list.count === 0) return;
    const isFar = (from: Point | null): boolean => from !== null && isFarther(from, input.screen, freehandStartPx);
    isFreehand ||= isFar(pressedAt);
    if (!isFreehand && !isFar(shiftedAt)) return;
    // From then on every step draws, even back at the start.
    if (shiftedAt !== null) shiftedAt = farAway;
    if (!isClosing && !near(list.last(), to, freehandStepPx)) add(to);
  };

  return {
    id: use?.id ?? type,
    down(input) {
      if (input.button === 2) undoPoint();
      if (input.button !== 0) return;
      pressedAt = input.screen;
      click(input);
    },
    move(input) {
      const free = placeOf(host, type, list, input);
      // Ctrl keeps a direction and freehand follows the hand, so neither snaps.
      pointer = input.mod || isFreehand ? snapper.leave(free) : snapper.look(free);
      isClosing = type === 'polygon' && list.count >= minimum && near(list.at(0), pointer, closeReachPx);
      drawFreehand(input, pointer);
      if (list.count > 0) host.refresh('active');
      if (host.appearance().snapping) host.refresh('overlay');
    },
    up(input) {
      if (input.button !== 0) return;
      const closes = isFreehand && isClosing;
      release();
      if (closes) finish();
    },
    interrupt: release,
    cancel() {
      const isUnderWay = list.count > 0;
      if (isUnderWay) end('cancelled');
      else list.clear();
      return isUnderWay;
    },
    finish,
    undoPoint,
    redoPoint,
    draft: () => (list.count === 0 ? null : { points: list.points, isComplete: list.count >= minimum }),
    resume({ points }) {
      if (list.count > 0) return;
      for (let index = 0; 2 * index < points.length; index += 1) list.add(pointAt(points, index));
      host.drawStarted();
      host.refresh('active');
    },
    drawing: () => list.count > 0,
    dragging: () => isFreehand,
    cursor: () => (isClosing ? 'pointer' : 'crosshair'),
    placed: () => list.points,
    next: () => (pointer === null ? list.points : [...list.points, pointer.x, pointer.y]),
    view: () => ({ ...pathView(host, type, list, isClosing ? null : pointer), newVertex: snapper.target() }),
  };
}

/** Position of the next point. Ctrl snaps to one of eight directions from the last one. */
function placeOf(host: ToolHost, type: PathType, list: PointList, input: PointerInput): Point {
  const at = clampPoint(input.image, host.imageSize());
  return input.mod && list.count > 0 && type !== 'points' ? snapToEighth(list.last(), at) : at;
}

/** `next` is the position of the next point; null if a click would close the shape. */
function pathView(host: ToolHost, type: PathType, list: PointList, next: Point | null): ToolView {
  if (list.count === 0) return { ...emptyToolView, hint: `canvas.hint.${type}` };
  const free = next === null || type === 'points' ? [] : [next.x, next.y];
  const shape = host.draftShape(type, { points: [...list.points, ...free] });
  return {
    ...emptyToolView,
    drafts: [{ shape, state: 'drawing', closing: type === 'polygon' && next === null }],
    hint: 'canvas.hint.path',
  };
}
