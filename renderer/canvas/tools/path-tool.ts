import { shapeKinds } from '../../../preload/contract/annotation-names.ts';
import { clampPoint, snapToEighth } from '../geometry/point.ts';
import type { Point, ToolId } from '../types.ts';
import { createPointList, type PointList } from './point-list.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, isFarther, type PointerInput, type Tool, type ToolView } from './tool.ts';

type PathType = 'polygon' | 'polyline' | 'points';

/** Where the points go, other than into a shape of the path's type. */
interface PathUse {
  readonly id: ToolId;
  /** False: refused, and the person was told why. The points stay. */
  take(points: readonly number[]): boolean;
}

/** Screen pixels: how near to the first point a click closes, and how far freehand points are apart. */
const closeReachPx = 10;
const freehandStartPx = 14;
const freehandStepPx = 10;
/** A double click's second press adds no point when it is this near to the last one, screen pixels. */
const doubleClickReachPx = 6;

/** Click after click, one point each; right click or Backspace takes the last one back. */
export function createPathTool(host: ToolHost, type: PathType, use?: PathUse): Tool {
  const minimum = (shapeKinds[type].least ?? 0) / 2;
  const list = createPointList();
  let pointer: Point | null = null;
  let pressedAt: Point | null = null;
  let isFreehand = false;
  let isClosing = false;

  const near = (a: Point, b: Point, reachPx: number): boolean => !isFarther(a, b, reachPx / host.view().scale);
  const release = (): void => {
    pressedAt = null;
    isFreehand = false;
  };
  const end = (outcome: 'done' | 'cancelled'): void => {
    list.clear();
    isClosing = false;
    isFreehand = false;
    host.refresh('active');
    host.drawEnded(outcome);
  };
  const add = (at: Point): void => {
    if (list.count === 0) host.drawStarted();
    list.add(at);
    host.refresh('active');
    if (list.count === host.options().pointCount) finish();
  };
  const finish = (): boolean => {
    if (list.count === 0) return false;
    if (list.count < minimum) {
      host.refuse(`canvas.refused.tooFew.${type}`);
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
    const at = placed(host, type, list, input);
    const isSecond = input.clicks >= 2 && list.count > 0 && near(list.last(), at, doubleClickReachPx);
    if (isClosing || isSecond) finish();
    else add(at);
  };
  /** Dragging with the button held. */
  const drawFreehand = (input: PointerInput, to: Point): void => {
    if (type === 'points' || pressedAt === null || list.count === 0) return;
    isFreehand ||= isFarther(pressedAt, input.screen, freehandStartPx);
    if (isFreehand && !isClosing && !near(list.last(), to, freehandStepPx)) add(to);
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
      pointer = placed(host, type, list, input);
      isClosing = type === 'polygon' && list.count >= minimum && near(list.at(0), pointer, closeReachPx);
      drawFreehand(input, pointer);
      if (list.count > 0) host.refresh('active');
    },
    up(input) {
      if (input.button !== 0) return;
      const closes = isFreehand && isClosing;
      release();
      if (closes) finish();
    },
    interrupt: release,
    cancel() {
      if (list.count === 0) {
        list.clear();
        return false;
      }
      end('cancelled');
      return true;
    },
    finish,
    undoPoint,
    redoPoint,
    drawing: () => list.count > 0,
    dragging: () => isFreehand,
    cursor: () => (isClosing ? 'pointer' : 'crosshair'),
    view: () => pathView(host, type, list, isClosing ? null : pointer),
  };
}

/** Where a click at the pointer sets its point. Shift: in one of eight directions from the last one. */
function placed(host: ToolHost, type: PathType, list: PointList, input: PointerInput): Point {
  const at = host.appearance().clampToImage ? clampPoint(input.image, host.imageSize()) : input.image;
  return input.shift && list.count > 0 && type !== 'points' ? snapToEighth(list.last(), at) : at;
}

/** `next`: where the next point would be, null where the click closes the shape. */
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
