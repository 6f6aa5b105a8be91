import { pointAt, roundCoordinate } from '../geometry/point.ts';
import { simplified } from '../geometry/simplify-path.ts';
import type { Point } from '../types.ts';
import type { Wire } from './live-wire.ts';

export const straightWire = (...points: readonly Point[]): Wire => ({ points, step: 1 });

/** The points set so far, each with the wire that leads to it, and those taken back until another one is set. */
export function createWireOutline() {
  /** The first is a point alone. */
  let wires: readonly Wire[] = [];
  let takenBack: readonly Wire[] = [];
  return {
    /** Another list after each change, the same one until then. */
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
    /** Of points that straight lines join. */
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
    /** As flat coordinates, with what goes on from its end. What was set is kept, what lies between is simplified. */
    points: (tolerance: number, onwards: Wire | null = null): number[] =>
      [...wires, ...(onwards === null ? [] : [onwards])].flatMap((wire) => simplifiedEnd(wire, tolerance)),
  };
}

export type WireOutline = ReturnType<typeof createWireOutline>;

/** Without the first of several points: the wire before has it. */
function simplifiedEnd({ points, step }: Wire, tolerance: number): number[] {
  const flat = points.flatMap(({ x, y }) => [roundCoordinate(x), roundCoordinate(y)]);
  return points.length === 1 ? flat : simplified(flat, tolerance * step, false).slice(2);
}
