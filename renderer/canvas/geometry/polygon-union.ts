import { union, type Geom } from 'polyclip-ts';
import { roundCoordinate } from './point.ts';

type Pair = [number, number];

const pairsOf = (ring: readonly number[]): Pair[] =>
  Array.from({ length: ring.length >> 1 }, (_, index) => [ring[index * 2] ?? 0, ring[index * 2 + 1] ?? 0]);

/** What polygons cover together; `apart`: they do not all touch, `holes`: they leave holes between them. */
export type PolygonUnion = { readonly ring: readonly number[] } | { readonly problem: 'apart' | 'holes' };

/** The outline round polygons that overlap or share an edge; flat lists of coordinates. */
export function unitedPolygon(rings: readonly (readonly number[])[]): PolygonUnion {
  const [first, ...others] = rings.map((ring): Geom => [pairsOf(ring)]);
  if (first === undefined) return { problem: 'apart' };
  const polygons = union(first, ...others);
  const [polygon] = polygons;
  if (polygon === undefined || polygons.length > 1) return { problem: 'apart' };
  const [outer, ...holes] = polygon;
  if (holes.length > 0) return { problem: 'holes' };
  // Its last corner is its first again.
  return { ring: (outer ?? []).slice(0, -1).flat().map(roundCoordinate) };
}
