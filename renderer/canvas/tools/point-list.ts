import { pointAt, roundCoordinate } from '../geometry/point.ts';
import type { Point } from '../types.ts';

/** The points set so far, and those taken back, which can be set again until another one is added. */
export interface PointList {
  readonly points: readonly number[];
  readonly count: number;
  at(index: number): Point;
  last(): Point;
  add(point: Point): void;
  takeBack(): boolean;
  setAgain(): boolean;
  clear(): void;
}

export function createPointList(): PointList {
  let points: readonly number[] = [];
  let takenBack: readonly Point[] = [];
  const count = (): number => points.length / 2;
  const append = ({ x, y }: Point): void => {
    points = [...points, roundCoordinate(x), roundCoordinate(y)];
  };
  return {
    get points() {
      return points;
    },
    get count() {
      return count();
    },
    at: (index) => pointAt(points, index),
    last: () => pointAt(points, count() - 1),
    add(point) {
      append(point);
      takenBack = [];
    },
    takeBack() {
      if (count() === 0) return false;
      takenBack = [pointAt(points, count() - 1), ...takenBack];
      points = points.slice(0, -2);
      return true;
    },
    setAgain() {
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
