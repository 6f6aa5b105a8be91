import { boxCentre, boxHeight, boxOfCorners, boxWidth } from '../geometry/box.ts';
import { bearing, normaliseDegrees, rotatePoint } from '../geometry/point.ts';
import type { Box, Point } from '../types.ts';
import type { Handle, ShapeContext } from './behaviour.ts';

/** Minimum length of a side with a handle, screen pixels, so that corners stay reachable. */
const sideHandleFromPx = 36;
const rotateHandleOffsetPx = 26;

/** −1 low side, 0 not moved, 1 high side. */
const directions: readonly { id: string; x: -1 | 0 | 1; y: -1 | 0 | 1; degrees: number }[] = [
  { id: 'nw', x: -1, y: -1, degrees: 315 },
  { id: 'ne', x: 1, y: -1, degrees: 45 },
  { id: 'se', x: 1, y: 1, degrees: 135 },
  { id: 'sw', x: -1, y: 1, degrees: 225 },
  { id: 'n', x: 0, y: -1, degrees: 0 },
  { id: 'e', x: 1, y: 0, degrees: 90 },
  { id: 's', x: 0, y: 1, degrees: 180 },
  { id: 'w', x: -1, y: 0, degrees: 270 },
];

/** Eight resize handles and the rotation handle of a box that rotates about its centre. */
export function boxHandles(box: Box, rotation: number, context: ShapeContext): Handle[] {
  const centre = boxCentre(box);
  const place = (x: number, y: number): Point => rotatePoint({ x, y }, centre, rotation);
  const wide = boxWidth(box) / context.pixel >= sideHandleFromPx;
  const high = boxHeight(box) / context.pixel >= sideHandleFromPx;
  const handles: Handle[] = [];
  directions.forEach((direction, index) => {
    const corner = direction.x !== 0 && direction.y !== 0;
    if (!corner && !(direction.x === 0 ? wide : high)) return;
    const at = place(
      direction.x < 0 ? box.left : direction.x > 0 ? box.right : centre.x,
      direction.y < 0 ? box.top : direction.y > 0 ? box.bottom : centre.y,
    );
    const degrees = normaliseDegrees(direction.degrees + rotation);
    handles.push({ id: direction.id, kind: corner ? 'corner' : 'side', ...at, index, degrees });
  });
  const knob = place(centre.x, box.top - rotateHandleOffsetPx * context.pixel);
  handles.push({ id: 'rotate', kind: 'rotate', ...knob, index: -1, degrees: rotation });
  return handles;
}

/**
 * The box after a drag of its handle to `to`. The opposite side or corner stays fixed on screen at any rotation;
 * dragging past it flips the box.
 */
export function resizeBox(box: Box, rotation: number, handleId: string, to: Point, constrain: boolean): Box {
  const direction = directions.find(({ id }) => id === handleId);
  if (direction === undefined) return box;
  const centre = boxCentre(box);
  const local = rotatePoint(to, centre, -rotation);
  const anchor = {
    x: direction.x < 0 ? box.right : box.left,
    y: direction.y < 0 ? box.bottom : box.top,
  };
  const free = {
    x: direction.x === 0 ? box.right : local.x,
    y: direction.y === 0 ? box.bottom : local.y,
  };
  const corner = constrain && direction.x !== 0 && direction.y !== 0 ? keepRatio(box, anchor, free) : free;
  const resized = boxOfCorners(anchor, corner);
  const newCentre = rotatePoint(boxCentre(resized), centre, rotation);
  const halfWidth = boxWidth(resized) / 2;
  const halfHeight = boxHeight(resized) / 2;
  return {
    left: newCentre.x - halfWidth,
    top: newCentre.y - halfHeight,
    right: newCentre.x + halfWidth,
    bottom: newCentre.y + halfHeight,
  };
}

function keepRatio(box: Box, anchor: Point, free: Point): Point {
  const width = Math.max(boxWidth(box), 1e-6);
  const height = Math.max(boxHeight(box), 1e-6);
  const scale = Math.max(Math.abs(free.x - anchor.x) / width, Math.abs(free.y - anchor.y) / height);
  return {
    x: anchor.x + (free.x < anchor.x ? -1 : 1) * width * scale,
    y: anchor.y + (free.y < anchor.y ? -1 : 1) * height * scale,
  };
}

/** Rotation that points the knob at `to`, in tenths of a degree or steps of 15. */
export function rotationTowards(box: Box, to: Point, constrain: boolean): number {
  const degrees = bearing(boxCentre(box), to);
  const rounded = constrain ? Math.round(degrees / 15) * 15 : Math.round(degrees * 10) / 10;
  return normaliseDegrees(rounded);
}
