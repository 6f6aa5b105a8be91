import { difference, union, type Geom } from 'polyclip-ts';
import { joinedRings, ringsOfPolygon } from './keyhole.ts';
import { roundCoordinate } from './point.ts';

type Pair = [number, number];

const pairsOf = (ring: readonly number[]): Pair[] =>
  Array.from({ length: ring.length >> 1 }, (_, index) => [ring[index * 2] ?? 0, ring[index * 2 + 1] ?? 0]);

/** Union of polygons; `apart` if they do not all touch, `holes` if holes are too narrow to keep. */
export type PolygonUnion = { readonly ring: readonly number[] } | { readonly problem: 'apart' | 'holes' };

/** Outline of overlapping or adjacent polygons with their holes; flat coordinates. */
export function unitedPolygon(rings: readonly (readonly number[])[]): PolygonUnion {
  const [first, ...others] = rings.map((ring): Geom => ringsOfPolygon(ring).map(pairsOf));
  if (first === undefined) return { problem: 'apart' };
  const polygons = union(first, ...others);
  const [polygon] = polygons;
  if (polygon === undefined || polygons.length > 1) return { problem: 'apart' };
  const ring = oneRing(polygon);
  return ring === null ? { problem: 'holes' } : { ring };
}

/** Difference of a polygon and others: any number of parts; null if a hole is too narrow to keep. */
export function polygonWithout(ring: readonly number[], others: readonly (readonly number[])[]): number[][] | null {
  const parts = difference([pairsOf(ring)], ...others.map((other): Geom => [pairsOf(other)])).map(oneRing);
  const whole = parts.filter((part) => part !== null);
  return whole.length < parts.length ? null : whole;
}

function oneRing(polygon: readonly (readonly Pair[])[]): number[] | null {
  // The last point of each ring repeats the first.
  const [outline = [], ...holes] = polygon.map((ring) => ring.slice(0, -1).flat().map(roundCoordinate));
  return joinedRings(outline, holes);
}
