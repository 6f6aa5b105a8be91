import { clampPoint } from '../geometry/point.ts';
import { scissorsChoices } from '../tool-kinds.ts';
import type { Point } from '../types.ts';
import { createLiveWire, type Wire } from './live-wire.ts';
import type { ToolHost } from './tool-host.ts';
import { emptyToolView, isFarther, type PointerInput, type Tool, type ToolView } from './tool.ts';
import { createWireOutline, straightWire, type WireOutline } from './wire-outline.ts';

/** Screen pixels: maximum distance to the first point for closing, and between the presses of a double click. */
const closeReachPx = 10;
const doubleClickReachPx = 6;
/** Position on a long wire where a point is set automatically; the pointer still controls the rest. */
const settledPart = 2 / 3;
/** Limits the automatic points of one pointer jump. */
const mostAtOnce = 4;

/**
 * Intelligent scissors: the outline follows image edges to the pointer, and a click sets a point. Points are also set
 * automatically after some distance. Ctrl draws straight and exactly to the pointer.
 */
export function createScissorsTool(host: ToolHost): Tool {
  const liveWire = createLiveWire(host);
  const outline = createWireOutline();
  /** From the last point to the pointer, or to the first point if a click would close. */
  let live: Wire | null = null;
  let pointer: PointerInput | null = null;
  let pressedAt: Point | null = null;
  let isClosing = false;

  const isNear = (a: Point, b: Point, reachPx: number): boolean => !isFarther(a, b, reachPx / host.view().scale);
  const placeOf = ({ image }: PointerInput): Point => clampPoint(image, host.imageSize());
  const wireBetween = (from: Point, to: Point, isStraight: boolean): Wire =>
    isStraight ? straightWire(from, to) : liveWire.between(from, to, outline.wires);
  const tolerance = (): number => host.options().wireTolerance ?? scissorsChoices.wireTolerance.usual;

  const look = (): void => {
    const [first, last] = [outline.first(), outline.last()];
    [live, isClosing] = [null, false];
    if (first !== undefined && last !== undefined && pointer !== null) {
      const to = placeOf(pointer);
      isClosing = outline.wires.length > 1 && isNear(first, to, closeReachPx);
      live = wireBetween(last, isClosing ? first : to, pointer.mod);
    }
    host.refresh('active');
  };
  const settleFarWire = (to: Point): void => {
    const { anchorDistance = scissorsChoices.anchorDistance.usual } = host.options();
    for (let count = 0; count < mostAtOnce; count += 1) {
      const last = outline.last();
      if (last === undefined || anchorDistance === 0 || isNear(last, to, anchorDistance)) return;
      const { points, step } = wireBetween(last, to, false);
      outline.add({ points: points.slice(0, Math.max(2, Math.ceil(points.length * settledPart))), step });
    }
  };
  const end = (outcome: 'done' | 'cancelled'): void => {
    outline.clear();
    liveWire.forget();
    look();
    host.drawEnded(outcome);
  };
  const finish = (): boolean => {
    const [first, last] = [outline.first(), outline.last()];
    if (first === undefined || last === undefined) return false;
    const closing = isClosing && live !== null ? live : wireBetween(last, first, outline.wires.length === 1);
    const points = outline.points(tolerance(), closing).slice(0, -2);
    if (points.length < 6) {
      host.refuse('canvas.refused.tooFew.scissors');
      return false;
    }
    const shape = host.newShape('polygon', { points });
    if (shape === null) return false;
    end('done');
    host.create(shape);
    return true;
  };
  const undoPoint = (): boolean => {
    if (!outline.takeBack()) return false;
    look();
    if (outline.wires.length === 0) host.drawEnded('cancelled');
    return true;
  };
  const setPoint = (place: Point, isExact: boolean): void => {
    const last = outline.last();
    if (last === undefined) {
      liveWire.forget();
      host.drawStarted();
    }
    const at = isExact ? place : liveWire.snap(place);
    outline.add(last === undefined ? straightWire(at) : wireBetween(last, at, isExact));
    look();
  };
  const click = (input: PointerInput): void => {
    const place = placeOf(input);
    const isSecond = input.clicks >= 2 && pressedAt !== null && isNear(pressedAt, place, doubleClickReachPx);
    pressedAt = place;
    if (isClosing || (isSecond && outline.wires.length > 0)) finish();
    else setPoint(place, input.mod);
  };

  return {
    id: 'scissors',
    down(input) {
      pointer = input;
      if (input.button === 2 || (input.button === 0 && input.shift)) undoPoint();
      else if (input.button === 0) click(input);
    },
    move(input) {
      pointer = input;
      if (outline.wires.length === 0) return;
      if (!input.mod) settleFarWire(placeOf(input));
      look();
    },
    up: () => undefined,
    cancel() {
      const isUnderWay = outline.wires.length > 0;
      if (isUnderWay) end('cancelled');
      else outline.clear();
      return isUnderWay;
    },
    finish,
    undoPoint,
    redoPoint() {
      if (!outline.setAgain()) return false;
      look();
      if (outline.wires.length === 1) host.drawStarted();
      return true;
    },
    draft: () => {
      const { wires } = outline;
      return wires.length === 0 ? null : { points: outline.points(tolerance()), isComplete: wires.length > 2 };
    },
    resume({ points }) {
      if (outline.wires.length > 0) return;
      outline.setTo(points);
      host.drawStarted();
      look();
    },
    drawing: () => outline.wires.length > 0,
    dragging: () => false,
    cursor: () => (isClosing ? 'pointer' : 'crosshair'),
    view: () => outlineView(host, outline, isClosing ? 'closing' : 'open', outline.points(tolerance(), live)),
  };
}

function outlineView(
  host: ToolHost,
  outline: WireOutline,
  state: 'open' | 'closing',
  all: readonly number[],
): ToolView {
  if (outline.wires.length === 0) return { ...emptyToolView, hint: 'canvas.hint.scissors' };
  const closing = state === 'closing';
  // The last point of a closing outline repeats the first.
  const shape = host.draftShape('polygon', { points: closing ? all.slice(0, -2) : all });
  return {
    ...emptyToolView,
    drafts: [{ shape, state: 'drawing', closing, marked: outline.marked() }],
    hint: 'canvas.hint.scissorsPath',
  };
}
