import { isPointInPolygon, shoelaceArea, signedPolygonArea } from '../../../preload/geometry/geometry.ts';
import { pointAt } from './point.ts';
import type { Point } from '../types.ts';

/**
 * Keyhole polygon: a polygon with holes as one ring. It runs along the outline, over a bridge of zero width to a hole,
 * around it in the opposite direction, and back. So every format treats it as a polygon, and every fill rule fills it
 * correctly.
 */

type Ring = readonly number[];

interface Parts {
  /** The outline, then the holes; one ring without holes. */
  readonly rings: readonly Ring[];
  /** Bridge edges, as indices of their start points. */
  readonly bridges: ReadonlySet<number>;
}

const noBridges: ReadonlySet<number> = new Set();
const known = new WeakMap<Ring, Parts>();

export const hasHoles = (points: Ring): boolean => partsOf(points).rings.length > 1;
export const ringsOfPolygon = (points: Ring): readonly Ring[] => partsOf(points).rings;
export const bridgesOf = (points: Ring): ReadonlySet<number> => partsOf(points).bridges;

function partsOf(points: Ring): Parts {
  const parts = known.get(points) ?? (repeatsPoint(points) ? takenApart(points) : whole(points));
  known.set(points, parts);
  return parts;
}

/** Fast check, because most polygons have no bridge. May return false positives. */
function repeatsPoint(points: Ring): boolean {
  const seen = new Set<number>();
  for (let at = 0; at + 1 < points.length; at += 2) seen.add((points[at] ?? 0) * 1_048_573 + (points[at + 1] ?? 0));
  return seen.size < points.length >> 1;
}

const edgesOf = (ring: Ring): (readonly [Point, Point])[] => {
  const count = ring.length >> 1;
  return Array.from({ length: count }, (_, index) => [pointAt(ring, index), pointAt(ring, (index + 1) % count)]);
};
const keyOf = (a: Point, b: Point): string => `${a.x} ${a.y} ${b.x} ${b.y}`;

function takenApart(points: Ring): Parts {
  const edges = edgesOf(points);
  const keys = new Set(edges.map(([a, b]) => keyOf(a, b)));
  const bridges = new Set(edges.flatMap(([a, b], index) => (keys.has(keyOf(b, a)) ? [index] : [])));
  const rings: Ring[] = [];
  const waiting: Ring[] = [points];
  for (let ring = waiting.pop(); ring !== undefined; ring = waiting.pop()) {
    const bridge = bridgeIn(ring);
    if (bridge === null) {
      if (ring.length >= 6) rings.push(ring);
      continue;
    }
    const [there, back] = bridge;
    waiting.push(ring.slice(there * 2 + 2, back * 2), [...ring.slice(0, there * 2), ...ring.slice(back * 2 + 2)]);
  }
  const [outline = points, ...holes] = rings.sort((a, b) => shoelaceArea(b) - shoelaceArea(a));
  // Otherwise the repeated points belong to a spike or a second part of the object.
  return holes.length > 0 && holes.every((hole) => liesIn(outline, hole)) ? { rings, bridges } : whole(points);
}

const whole = (points: Ring): Parts => ({ rings: [points], bridges: noBridges });

/** Most points suffice, because some may be on the outline. */
const liesIn = (outline: Ring, ring: Ring): boolean =>
  edgesOf(ring).filter(([point]) => isInside(outline, point)).length * 4 > ring.length;

/** An edge and the later one that runs back over it. */
function bridgeIn(ring: Ring): readonly [there: number, back: number] | null {
  const seen = new Map<string, number>();
  for (const [index, [a, b]] of edgesOf(ring).entries()) {
    const there = seen.get(keyOf(b, a));
    if (there !== undefined) return [there, index];
    seen.set(keyOf(a, b), index);
  }
  return null;
}

const side = (a: Point, b: Point, c: Point): number => (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
const isSame = (a: Point, b: Point): boolean => a.x === b.x && a.y === b.y;
const isOn = (a: Point, b: Point, c: Point): boolean =>
  side(a, b, c) === 0 && (c.x - a.x) * (c.x - b.x) <= 0 && (c.y - a.y) * (c.y - b.y) <= 0;

const meet = ([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean =>
  (side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0) ||
  isOn(a, b, c) ||
  isOn(a, b, d) ||
  isOn(c, d, a) ||
  isOn(c, d, b);

const isInside = (ring: Ring, { x, y }: Point): boolean => isPointInPolygon(x, y, ring);
const turned = (ring: Ring, sign: number): Ring =>
  Math.sign(signedPolygonArea(ring)) === sign
    ? ring
    : Array.from({ length: ring.length >> 1 }, (_, index) => pointAt(ring, (ring.length >> 1) - 1 - index)).flatMap(
        ({ x, y }) => [x, y],
      );

/** A bridge may start at an edge's end, but not overlap it, touch another edge, or run outside. */
function isBridge(a: Point, b: Point, rings: readonly Ring[], edges: readonly (readonly [Point, Point])[]): boolean {
  const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  if (rings.filter((ring) => isInside(ring, middle)).length !== 1) return false;
  return edges.every(([c, d]) => {
    const isAtC = isSame(c, a) || isSame(c, b);
    const isAtD = isSame(d, a) || isSame(d, b);
    if (isAtC && isAtD) return false;
    if (isAtC || isAtD) return !isOn(a, b, isAtC ? d : c) && !isOn(c, d, isSame(isAtC ? c : d, a) ? b : a);
    return !meet([a, b], [c, d]);
  });
}

/** The shortest bridge to one of the holes; null if none is free, for example between intersecting rings. */
function shortestBridge(ring: Ring, holes: readonly Ring[]) {
  const rings = [ring, ...holes];
  const edges = rings.flatMap(edgesOf);
  let best: { readonly hole: Ring; readonly from: number; readonly to: number } | null = null;
  let least = Infinity;
  for (const hole of holes) {
    for (let to = 0; 2 * to < hole.length; to += 1) {
      for (let from = 0; 2 * from < ring.length; from += 1) {
        const [a, b] = [pointAt(ring, from), pointAt(hole, to)];
        const length = Math.hypot(a.x - b.x, a.y - b.y);
        if (length >= least || !isBridge(a, b, rings, edges)) continue;
        least = length;
        best = { hole, from, to };
      }
    }
  }
  return best;
}

/** Joins an outline and its holes to one ring; null if the holes are not inside or touch each other. */
export function joinedRings(outline: Ring, holes: readonly Ring[]): number[] | null {
  const sign = Math.sign(signedPolygonArea(outline));
  let ring = [...outline];
  let waiting = holes.map((hole) => turned(hole, -sign));
  while (waiting.length > 0) {
    const bridge = shortestBridge(ring, waiting);
    if (bridge === null) return null;
    const { hole, from, to } = bridge;
    waiting = waiting.filter((one) => one !== hole);
    const round = [...hole.slice(to * 2), ...hole.slice(0, to * 2 + 2)];
    ring = [...ring.slice(0, from * 2 + 2), ...round, ...ring.slice(from * 2)];
  }
  return ring;
}

type HoleProblem = 'crosses' | 'outside' | 'knotted' | 'noArea';

/** Smaller holes, in square pixels, are unintentional. */
const leastArea = 0.5;

const crossesItself = (ring: Ring): boolean => {
  const edges = edgesOf(ring);
  return edges.some((edge, index) =>
    edges.some((other, at) => at > index + 1 && !(index === 0 && at === edges.length - 1) && meet(edge, other)),
  );
};

/** Cuts a hole into the polygon. Existing holes inside it become part of it. */
export function withHole(points: Ring, hole: Ring): { readonly points: Ring } | { readonly problem: HoleProblem } {
  if (hole.length < 6 || shoelaceArea(hole) < leastArea) return { problem: 'noArea' };
  if (crossesItself(hole)) return { problem: 'knotted' };
  const [outline = points, ...others] = ringsOfPolygon(points);
  const edges = [outline, ...others].flatMap(edgesOf);
  if (edgesOf(hole).some((edge) => edges.some((other) => meet(edge, other)))) return { problem: 'crosses' };
  const begin = pointAt(hole, 0);
  if (!isInside(outline, begin) || others.some((ring) => isInside(ring, begin))) return { problem: 'outside' };
  const left = others.filter((ring) => !isInside(hole, pointAt(ring, 0)));
  const joined = joinedRings(outline, [...left, hole]);
  return joined === null ? { problem: 'crosses' } : { points: joined };
}

/** Removes one point of the polygon; a hole with too few points is closed. Null if the outline has too few. */
export function withoutRingPoint(points: Ring, index: number): Ring | null {
  const { x, y } = pointAt(points, index);
  const rings = ringsOfPolygon(points).map((ring) =>
    ring.filter((_, at) => ring[at - (at % 2)] !== x || ring[at - (at % 2) + 1] !== y),
  );
  const [outline = [], ...holes] = rings;
  return outline.length < 6
    ? null
    : joinedRings(
        outline,
        holes.filter((hole) => hole.length >= 6),
      );
}
