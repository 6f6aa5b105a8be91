import { pointAt, roundCoordinate } from '../geometry/point.ts';
import type { Point } from '../types.ts';

/** The set points, and the undone ones, which can be redone until another is added. */
export function createPointList() {
  let points: readonly number[] = [];
  let takenBack: readonly Point[] = [];
  const count = (): number => points.length / 2;
  const append = ({ x, y }: Point): void => {
    points = [...points, roundCoordinate(x), roundCoordinate(y)];
  };
  return {
    get points(): readonly number[] {
      return points;
    },
    get count(): number {
      return count();
    },
    at: (index: number) => pointAt(points, index),
    last: () => pointAt(points, count() - 1),
    add(point: Point) {
      append(point);
      takenBack = [];
    },
    takeBack(): boolean {
      if (count() === 0) return false;
      takenBack = [pointAt(points, count() - 1), ...takenBack];
      points = points.slice(0, -2);
      return true;
    },
    setAgain(): boolean {
      const [next, ...rest] = takenBack;
      if (next === undefined) return false;
      append(next);
      takenBack = rest;
      return true;
    },
    clear() {
      points = [];
      takenBack = [];
    },
  };
}

export type PointList = ReturnType<typeof createPointList>;
