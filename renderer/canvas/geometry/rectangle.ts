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
export function rectangleOnEdge(points: readonly number[]): TurnedRectangle {
  const [a, b, c] = [pointAt(points, 0), pointAt(points, 1), pointAt(points, 2)];
  const width = Math.hypot(b.x - a.x, b.y - a.y);
  const angle = Math.atan2(b.y - a.y, b.x - a.x);
  const [acrossX, acrossY] = [-Math.sin(angle), Math.cos(angle)];
  const reach = (c.x - a.x) * acrossX + (c.y - a.y) * acrossY;
  const x = (a.x + b.x + acrossX * reach) / 2;
  const y = (a.y + b.y + acrossY * reach) / 2;
  const halfHeight = Math.abs(reach) / 2;
  return {
    points: [x - width / 2, y - halfHeight, x + width / 2, y + halfHeight].map(roundCoordinate),
    rotation: normaliseDegrees(roundCoordinate((angle * 180) / Math.PI)),
  };
}
