import { pointAt, roundCoordinate } from '../geometry/point.ts';
import { simplified } from '../geometry/simplify-path.ts';
import type { Point } from '../types.ts';
import type { Wire } from './live-wire.ts';

export const straightWire = (...points: readonly Point[]): Wire => ({ points, step: 1 });

/** The set points with the wires that lead to them, and the undone ones until another is set. */
export function createWireOutline() {
  /** The first wire is a single point. */
  let wires: readonly Wire[] = [];
  let takenBack: readonly Wire[] = [];
  return {
    /** A new array after each change, the same one until then. */
    get wires(): readonly Wire[] {
      return wires;
    },
    first: (): Point | undefined => wires[0]?.points[0],
    last: (): Point | undefined => wires.at(-1)?.points.at(-1),
    marked: (): readonly Point[] => wires.flatMap(({ points }) => points.at(-1) ?? []),
    add(wire: Wire) {
      wires = [...wires, wire];
      takenBack = [];
    },
    takeBack(): boolean {
      const gone = wires.at(-1);
      if (gone === undefined) return false;
      wires = wires.slice(0, -1);
      takenBack = [gone, ...takenBack];
      return true;
    },
    setAgain(): boolean {
      const [next, ...rest] = takenBack;
      if (next === undefined) return false;
      wires = [...wires, next];
      takenBack = rest;
      return true;
    },
    setTo(points: readonly number[]) {
      wires = Array.from({ length: points.length >> 1 }, (_, index) =>
        index === 0
          ? straightWire(pointAt(points, 0))
          : straightWire(pointAt(points, index - 1), pointAt(points, index)),
      );
      takenBack = [];
    },
    clear() {
      wires = [];
      takenBack = [];
    },
    /**
     * Flat coordinates, including the wire that continues from the end. Set points stay, the parts between are
     * simplified.
     */
    points: (tolerance: number, onwards: Wire | null = null): number[] =>
      [...wires, ...(onwards === null ? [] : [onwards])].flatMap((wire) => simplifiedEnd(wire, tolerance)),
  };
}

export type WireOutline = ReturnType<typeof createWireOutline>;

/** Without the first of several points, which belongs to the previous wire. */
function simplifiedEnd({ points, step }: Wire, tolerance: number): number[] {
  const flat = points.flatMap(({ x, y }) => [roundCoordinate(x), roundCoordinate(y)]);
  return points.length === 1 ? flat : simplified(flat, tolerance * step, false).slice(2);
}
