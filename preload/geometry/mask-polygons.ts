import { signedPolygonArea } from './geometry.ts';
import { traceContours, type ContourGroup } from './mask-contours.ts';
import { maskFromRunLengths, maskToBitmap } from './mask-runs.ts';
import { polygonsToRunLengths, polygonToRunLengths } from './polygon-raster.ts';
import { areaOfCounts, intersectionOverUnion } from './run-length.ts';

export interface MaskToPolygonsOptions {
  /**
   * Maximum distance in pixels between the pixel outline and the polygon. Below 1 the pixel steps remain. Reduced where
   * `likeness` requires it.
   */
  readonly tolerance?: number;
  /** Minimum intersection over union of each polygon with its part of the mask. */
  readonly likeness?: number;
  /** Parts and holes with fewer pixels are dropped. */
  readonly minimumArea?: number;
}

/** Above this many comparisons the bridge to a hole starts at the hole's first corner instead of the nearest one. */
const bridgeSearchLimit = 4_000_000;

/** Ramer–Douglas–Peucker simplification of a closed ring, without recursion. Keeps at least three corners. */
function simplifyRing(ring: readonly number[], tolerance: number): number[] {
  const count = ring.length / 2;
  if (count <= 4 || tolerance <= 0) return [...ring];
  let opposite = 0;
  let farthest = -1;
  for (let index = 1; index < count; index += 1) {
    const distance = (ring[2 * index]! - ring[0]!) ** 2 + (ring[2 * index + 1]! - ring[1]!) ** 2;
    if (distance <= farthest) continue;
    farthest = distance;
    opposite = index;
  }
  const isKept = new Uint8Array(count + 1);
  isKept[0] = 1;
  isKept[opposite] = 1;
  const pending = [0, opposite, opposite, count];
  while (pending.length > 0) {
    const end = pending.pop()!;
    const start = pending.pop()!;
    const split = farthestFromChord(ring, start, end, tolerance);
    if (split < 0) continue;
    isKept[split] = 1;
    pending.push(start, split, split, end);
  }
  const kept: number[] = [];
  for (let index = 0; index < count; index += 1)
    if (isKept[index] === 1) kept.push(ring[2 * index]!, ring[2 * index + 1]!);
  return kept.length >= 6 ? kept : [...ring];
}

/** Corner between two others that is farthest from the line through them; −1 if all are within the tolerance. */
function farthestFromChord(ring: readonly number[], start: number, end: number, tolerance: number): number {
  const last = end % (ring.length / 2);
  const x0 = ring[2 * start]!;
  const y0 = ring[2 * start + 1]!;
  const dx = ring[2 * last]! - x0;
  const dy = ring[2 * last + 1]! - y0;
  const length = Math.hypot(dx, dy);
  let best = -1;
  let farthest = tolerance;
  for (let index = start + 1; index < end; index += 1) {
    const px = ring[2 * index]! - x0;
    const py = ring[2 * index + 1]! - y0;
    const distance = length === 0 ? Math.hypot(px, py) : Math.abs(dx * py - dy * px) / length;
    if (distance <= farthest) continue;
    farthest = distance;
    best = index;
  }
  return best;
}

/** Merges a ring with a hole by a bridge between their nearest corners. */
function bridgeHole(ring: readonly number[], hole: readonly number[]): number[] {
  const holeEnd = ring.length * hole.length > 4 * bridgeSearchLimit ? 2 : hole.length;
  let from = 0;
  let to = 0;
  let nearest = Infinity;
  for (let j = 0; j < holeEnd; j += 2) {
    for (let i = 0; i < ring.length; i += 2) {
      const distance = (ring[i]! - hole[j]!) ** 2 + (ring[i + 1]! - hole[j + 1]!) ** 2;
      if (distance >= nearest) continue;
      nearest = distance;
      from = i;
      to = j;
    }
  }
  return [...ring.slice(0, from + 2), ...hole.slice(to), ...hole.slice(0, to + 2), ...ring.slice(from)];
}

const ringWithHoles = ({ outer, holes }: ContourGroup, tolerance: number): number[] => {
  let ring = simplifyRing(outer, tolerance);
  for (const hole of holes) ring = bridgeHole(ring, simplifyRing(hole, tolerance));
  return ring;
};

/** Simplest ring that is similar enough to the part. Reduces the tolerance until it is, down to 0. */
function outlineOf(group: ContourGroup, width: number, height: number, tolerance: number, likeness: number): number[] {
  const exact = ringWithHoles(group, 0);
  const target = polygonToRunLengths(exact, width, height);
  for (let allowed = tolerance; allowed > 0.5; allowed *= 0.85) {
    const ring = ringWithHoles(group, allowed);
    if (intersectionOverUnion(polygonToRunLengths(ring, width, height), target) >= likeness) return ring;
  }
  return exact;
}

/**
 * Polygons (flat x, y pairs in image pixels) of a mask, one for each 8-connected part. Holes are joined to the outline
 * by a bridge that is traversed twice (keyhole polygon), so the even-odd rule preserves them.
 */
export function maskToPolygons(mask: readonly number[], options: MaskToPolygonsOptions = {}): number[][] {
  const { tolerance = 1.1, likeness = 0.97, minimumArea = 1 } = options;
  const { left, top, width, height, bitmap } = maskToBitmap(mask);
  const polygons: number[][] = [];
  for (const group of traceContours(bitmap, width, height)) {
    if (Math.abs(signedPolygonArea(group.outer)) < minimumArea) continue;
    const holes = group.holes.filter((hole) => Math.abs(signedPolygonArea(hole)) >= minimumArea);
    const local = toLocal({ outer: group.outer, holes });
    const ring = outlineOf(local.group, local.width, local.height, tolerance, likeness);
    polygons.push(ring.map((value, index) => value + (index % 2 === 0 ? left + local.left : top + local.top)));
  }
  return polygons;
}

/** Moves a part to the origin, so that the cost of a comparison depends on the part's size and not on the mask's. */
function toLocal({ outer, holes }: ContourGroup): {
  group: ContourGroup;
  left: number;
  top: number;
  width: number;
  height: number;
} {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let index = 0; index < outer.length; index += 2) {
    left = Math.min(left, outer[index]!);
    right = Math.max(right, outer[index]!);
    top = Math.min(top, outer[index + 1]!);
    bottom = Math.max(bottom, outer[index + 1]!);
  }
  const move = (ring: readonly number[]): number[] =>
    ring.map((value, index) => value - (index % 2 === 0 ? left : top));
  return {
    group: { outer: move(outer), holes: holes.map(move) },
    left,
    top,
    width: right - left,
    height: bottom - top,
  };
}

/** Union of polygons as a mask with a tight box, rasterized as in COCO; null if no pixel is set. */
export function polygonsToMask(
  polygons: readonly (readonly number[])[],
  imageWidth: number,
  imageHeight: number,
): number[] | null {
  const runs = polygonsToRunLengths(polygons, imageWidth, imageHeight);
  return areaOfCounts(runs.counts) === 0 ? null : maskFromRunLengths(runs);
}
