import { difference, union, type Geom } from 'polyclip-ts';
import { joinedRings, ringsOfPolygon } from './keyhole.ts';
import { roundCoordinate } from './point.ts';

type Pair = [number, number];

const pairsOf = (ring: readonly number[]): Pair[] =>
  Array.from({ length: ring.length >> 1 }, (_, index) => [ring[index * 2] ?? 0, ring[index * 2 + 1] ?? 0]);

/** What polygons cover together; `apart`: they do not all touch, `holes`: holes they leave are too narrow to be kept. */
export type PolygonUnion = { readonly ring: readonly number[] } | { readonly problem: 'apart' | 'holes' };

/** The outline round polygons that overlap or share an edge, with the holes they have or leave; flat coordinates. */
export function unitedPolygon(rings: readonly (readonly number[])[]): PolygonUnion {
  const [first, ...others] = rings.map((ring): Geom => ringsOfPolygon(ring).map(pairsOf));
  if (first === undefined) return { problem: 'apart' };
  const polygons = union(first, ...others);
  const [polygon] = polygons;
  if (polygon === undefined || polygons.length > 1) return { problem: 'apart' };
  const ring = oneRing(polygon);
  return ring === null ? { problem: 'holes' } : { ring };
}

/** What is left of a polygon without others: any number of parts; null where a hole is too narrow to be kept. */
export function polygonWithout(ring: readonly number[], others: readonly (readonly number[])[]): number[][] | null {
  const parts = difference([pairsOf(ring)], ...others.map((other): Geom => [pairsOf(other)])).map(oneRing);
  const whole = parts.filter((part) => part !== null);
  return whole.length < parts.length ? null : whole;
}

function oneRing(polygon: readonly (readonly Pair[])[]): number[] | null {
  // The last corner of each is its first again.
  const [outline = [], ...holes] = polygon.map((ring) => ring.slice(0, -1).flat().map(roundCoordinate));
  return joinedRings(outline, holes);
}
