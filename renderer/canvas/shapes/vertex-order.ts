import { pointAt } from '../geometry/point.ts';

/** The same ring, beginning with another of its vertices. */
export const beginningWith = (points: readonly number[], index: number): number[] => [
  ...points.slice(index * 2),
  ...points.slice(0, index * 2),
];

/** The same path the other way round; a closed one keeps its first vertex. */
export function turnedRound(points: readonly number[], closed: boolean): number[] {
  const count = points.length / 2;
  return Array.from({ length: count }, (_, place) => {
    const { x, y } = pointAt(points, closed ? (count - place) % count : count - 1 - place);
    return [x, y];
  }).flat();
}
