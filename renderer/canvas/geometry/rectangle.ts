import { boxOfPoints } from './box.ts';
import { normaliseDegrees, pointAt, roundCoordinate } from './point.ts';

/** Corners before rotation, as rectangles are stored, and degrees clockwise about the centre. */
export interface TurnedRectangle {
  readonly points: readonly number[];
  readonly rotation: number;
}

export function rectangleAround(points: readonly number[]): TurnedRectangle {
  const { left, top, right, bottom } = boxOfPoints(points);
  return { points: [left, top, right, bottom].map(roundCoordinate), rotation: 0 };
}

/** The rectangle of an edge (the first two points) that extends to the third. */
export const rectangleOnEdge = (points: readonly number[]): TurnedRectangle => turnedRectangle(points, 'edge');

/** The rectangle around an axis (the first two points) whose side contains the third. */
export const rectangleOnAxis = (points: readonly number[]): TurnedRectangle => turnedRectangle(points, 'axis');

function turnedRectangle(points: readonly number[], first: 'edge' | 'axis'): TurnedRectangle {
  const [a, b, c] = [pointAt(points, 0), pointAt(points, 1), pointAt(points, 2)];
  const width = Math.hypot(b.x - a.x, b.y - a.y);
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const [acrossX, acrossY] = [-Math.sin(angle), Math.cos(angle)];
  const reach = (c.x - a.x) * acrossX + (c.y - a.y) * acrossY;
  const away = first === 'edge' ? reach : 0;
  const x = (a.x + b.x + acrossX * away) / 2;
  const y = (a.y + b.y + acrossY * away) / 2;
  const halfHeight = first === 'edge' ? Math.abs(reach) / 2 : Math.abs(reach);
  return {
    points: [x - width / 2, y - halfHeight, x + width / 2, y + halfHeight].map(roundCoordinate),
    rotation: normaliseDegrees(roundCoordinate((angle * 180) / Math.PI)),
  };
}
