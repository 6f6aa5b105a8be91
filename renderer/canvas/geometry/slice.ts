import { isPointInPolygon, shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { maskFromBitmap, maskToBitmap } from '../../../preload/geometry/mask-runs.ts';
import type { Point } from '../types.ts';
import { ringsOfPolygon } from './keyhole.ts';
import { pointAt, roundCoordinate } from './point.ts';
import { polygonWithout } from './polygon-union.ts';

/** Smaller parts, in square pixels, are unintentional. */
const leastArea = 0.5;
const sameSpot = 1e-9;

const pointsOf = (flat: readonly number[]): Point[] =>
  Array.from({ length: flat.length >> 1 }, (_, index) => pointAt(flat, index));

const flat = (points: readonly Point[]): number[] => points.flatMap(({ x, y }) => [x, y]);

/**
 * Intersection of a line and an outline: `along` is the line's segment, `edge` the outline's, both with their fraction.
 */
interface Crossing {
  readonly at: Point;
  readonly along: number;
  readonly edge: number;
}

function crossingOf([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]) {
  const [rx, ry, sx, sy] = [b.x - a.x, b.y - a.y, d.x - c.x, d.y - c.y];
  const turn = rx * sy - ry * sx;
  if (turn === 0) return null;
  const t = ((c.x - a.x) * sy - (c.y - a.y) * sx) / turn;
  const u = ((c.x - a.x) * ry - (c.y - a.y) * rx) / turn;
  return t >= 0 && t <= 1 && u >= 0 && u < 1 ? { t, u, at: { x: a.x + t * rx, y: a.y + t * ry } } : null;
}

function crossingsOf(ring: readonly Point[], line: readonly Point[]): Crossing[] {
  const found: Crossing[] = [];
  for (const [index, from] of line.slice(0, -1).entries()) {
    const segment = [from, line[index + 1] ?? from] as const;
    for (const [edge, start] of ring.entries()) {
      const hit = crossingOf(segment, [start, ring[(edge + 1) % ring.length] ?? start]);
      if (hit !== null) found.push({ at: hit.at, along: index + hit.t, edge: edge + hit.u });
    }
  }
  return found
    .toSorted((a, b) => a.along - b.along)
    .filter(({ along }, index, all) => index === 0 || along - (all[index - 1]?.along ?? 0) > sameSpot);
}

/** The line between two intersections, both included. */
const between = (line: readonly Point[], from: Crossing, to: Crossing): Point[] => [
  from.at,
  ...line.slice(Math.floor(from.along) + 1, Math.ceil(to.along)),
  to.at,
];

const isInside = (ring: readonly Point[], [a, b]: readonly Point[]): boolean =>
  a !== undefined && b !== undefined && isPointInPolygon((a.x + b.x) / 2, (a.y + b.y) / 2, flat(ring));

/** A self-intersecting line cuts out loops, which belong to no part. */
const crossesItself = (path: readonly Point[]): boolean =>
  path.slice(0, -1).some((from, index) => {
    const segment = [from, path[index + 1] ?? from] as const;
    const later = path.slice(index + 2);
    return later.slice(0, -1).some((start, at) => crossingOf(segment, [start, later[at + 1] ?? start]) !== null);
  });

/** Points of the ring from one position to another, across its end if necessary. */
function cornersBetween(ring: readonly Point[], from: number, to: number): Point[] {
  const first = Math.floor(from) + 1;
  const count = (Math.floor(to) - Math.floor(from) + ring.length) % ring.length;
  const whole = count === 0 && to < from ? ring.length : count;
  return Array.from({ length: whole }, (_, index) => ring[(first + index) % ring.length] ?? { x: 0, y: 0 });
}

const areaOf = (ring: readonly Point[]): number => shoelaceArea(flat(ring));

function cut(ring: readonly Point[], line: readonly Point[]): Point[][] {
  const crossings = crossingsOf(ring, line);
  for (const [index, from] of crossings.slice(0, -1).entries()) {
    const to = crossings[index + 1] ?? from;
    const path = between(line, from, to);
    if (!isInside(ring, path) || crossesItself(path)) continue;
    const parts = [
      [...path, ...cornersBetween(ring, to.edge, from.edge)],
      [...path.toReversed(), ...cornersBetween(ring, from.edge, to.edge)],
    ];
    if (parts.some((part) => areaOf(part) < leastArea)) continue;
    // The rest of the line may continue through either part; it starts slightly after its cut.
    const last = path.at(-1) ?? to.at;
    const next = line[Math.ceil(to.along)] ?? last;
    const rest = [
      { x: last.x + (next.x - last.x) * 1e-6, y: last.y + (next.y - last.y) * 1e-6 },
      ...line.slice(Math.floor(to.along) + 1),
    ];
    return parts.flatMap((part) => cut(part, rest));
  }
  return [[...ring]];
}

/**
 * Cuts a polygon along a line wherever it crosses from edge to edge, also over holes.
 * @param ring and `line`: flat lists of coordinates, image pixels
 * @returns the parts; a single one if the line does not cross the polygon
 */
export function slicedPolygon(ring: readonly number[], line: readonly number[]): number[][] {
  const [outline = ring, ...holes] = ringsOfPolygon(ring);
  const parts = cut(pointsOf(outline), pointsOf(line)).map((part) =>
    part.flatMap(({ x, y }) => [roundCoordinate(x), roundCoordinate(y)]),
  );
  if (parts.length < 2) return [[...ring]];
  if (holes.length === 0) return parts;
  const left = parts.map((part) => polygonWithout(part, holes));
  const whole = left.filter((rings) => rings !== null).flat();
  return left.includes(null) ? [[...ring]] : whole.filter((part) => shoelaceArea(part) >= leastArea);
}

/** Pixels under a line without diagonal gaps (4-connected). */
function* pixelsUnder(line: readonly Point[]): Generator<readonly [x: number, y: number]> {
  for (const [index, from] of line.slice(0, -1).entries()) {
    const to = line[index + 1] ?? from;
    const steps = Math.max(1, Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) * 4));
    let [lastX, lastY] = [Math.floor(from.x), Math.floor(from.y)];
    for (let step = 0; step <= steps; step += 1) {
      const x = Math.floor(from.x + ((to.x - from.x) * step) / steps);
      const y = Math.floor(from.y + ((to.y - from.y) * step) / steps);
      // A diagonal step: the adjacent pixel closes the gap.
      if (x !== lastX && y !== lastY) yield [lastX, y];
      yield [x, y];
      [lastX, lastY] = [x, y];
    }
  }
}

/** Spreads part numbers to unnumbered pixels, from `seeds` or from all numbered ones. */
function spread(parts: Int32Array, isFree: (at: number) => boolean, width: number, seeds: readonly number[]): void {
  let edge = [...seeds];
  while (edge.length > 0) {
    const next: number[] = [];
    for (const at of edge) {
      const x = at % width;
      const beside = [x > 0 ? at - 1 : -1, x < width - 1 ? at + 1 : -1, at - width, at + width];
      for (const one of beside) {
        if (one < 0 || one >= parts.length || parts[one] !== 0 || !isFree(one)) continue;
        parts[one] = parts[at] ?? 0;
        next.push(one);
      }
    }
    edge = next;
  }
}

/**
 * Cuts a mask along a line: separated parts become masks, untouched parts stay with the largest.
 * @param points of a mask; `line`: a flat list of coordinates, image pixels
 */
export function slicedMask(points: readonly number[], line: readonly number[]): number[][] {
  const mask = maskToBitmap(points);
  const { bitmap, width, height, left, top } = mask;
  const isWall = new Uint8Array(bitmap.length);
  for (const [x, y] of pixelsUnder(pointsOf(line))) {
    const [column, row] = [x - left, y - top];
    if (column >= 0 && column < width && row >= 0 && row < height) isWall[row * width + column] = 1;
  }
  const wholes = new Int32Array(bitmap.length);
  const parts = new Int32Array(bitmap.length);
  let count = 0;
  /** For each part, the connected area it came from. */
  const wholeOf: number[] = [0];
  let wholeCount = 0;
  for (let at = 0; at < bitmap.length; at += 1) {
    if (bitmap[at] !== 1) continue;
    if (wholes[at] === 0) {
      wholes[at] = wholeCount += 1;
      spread(wholes, (one) => bitmap[one] === 1, width, [at]);
    }
    if (isWall[at] === 1 || parts[at] !== 0) continue;
    parts[at] = count += 1;
    wholeOf.push(wholes[at] ?? 0);
    spread(parts, (one) => bitmap[one] === 1 && isWall[one] !== 1, width, [at]);
  }
  const seeds = Array.from(parts.keys()).filter((at) => parts[at] !== 0);
  spread(parts, (one) => bitmap[one] === 1, width, seeds);
  const sizes = wholeOf.map(() => 0);
  for (const part of parts) sizes[part] = (sizes[part] ?? 0) + 1;
  const isParted = (part: number): boolean => wholeOf.filter((whole) => whole === wholeOf[part]).length > 1;
  const cutOff = wholeOf.map((_, part) => part).filter((part) => part > 0 && isParted(part));
  if (cutOff.length < 2) return [[...points]];
  const largest = cutOff.reduce((best, part) => ((sizes[part] ?? 0) > (sizes[best] ?? 0) ? part : best));
  return cutOff.flatMap((part) => {
    const own = bitmap.map((value, at) => {
      const isOwn = parts[at] === part || (part === largest && value === 1 && !isParted(parts[at] ?? 0));
      return isOwn ? 1 : 0;
    });
    const made = maskFromBitmap(own, width, height, mask);
    return made === null ? [] : [made];
  });
}
