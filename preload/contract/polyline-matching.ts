/**
 * Blends two polylines of different numbers of points, as CVAT's server does between the keyframes of a track: points
 * are matched by their place along the curve, without cyclic alignment and without turning a curve round.
 */
export interface PolylineBlend {
  /** `share` in 0..1 of the way from left to right; flat x, y pairs. */
  at(share: number): number[];
}

interface Segment {
  /** First and last blended point of the segment. */
  readonly start: number;
  readonly stop: number;
  /** Distance that an inner point must keep from the last kept one. */
  readonly threshold: number;
}

// Not Math.hypot: its rounding differs from the server's, and ties between points depend on the last bit.
const distance = (points: readonly number[], a: number, b: number): number => {
  const dx = points[2 * b]! - points[2 * a]!;
  const dy = points[2 * b + 1]! - points[2 * a + 1]!;
  return Math.sqrt(dx * dx + dy * dy);
};

function curveLength(points: readonly number[], start: number, stop: number): number {
  let length = 0;
  for (let index = start + 1; index <= stop; index += 1) length += distance(points, index - 1, index);
  return length;
}

/** Place of each point along the curve, 0..1. A curve without length counts its points evenly. */
function offsetsOf(points: readonly number[]): number[] {
  const count = points.length / 2;
  const total = curveLength(points, 0, count - 1);
  const offsets = [0];
  let length = 0;
  for (let index = 1; index < count; index += 1) {
    length += distance(points, index - 1, index);
    offsets.push(total === 0 ? index / (count - 1) : length / total);
  }
  return offsets;
}

/** Index of the value closest to the wanted one in a rising list; the first of equally close ones. */
function nearest(sorted: readonly number[], wanted: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  if (low === sorted.length) low -= 1;
  let best = low;
  const below = sorted[low - 1];
  if (below !== undefined && Math.abs(wanted - below) <= Math.abs(wanted - sorted[low]!)) best = low - 1;
  while (best > 0 && sorted[best - 1] === sorted[best]) best -= 1;
  return best;
}

/** For every left point the right points that belong to it, rising. */
function matchPoints(left: readonly number[], right: readonly number[]): number[][] {
  const leftOffsets = offsetsOf(left);
  const rightOffsets = offsetsOf(right);
  const matching = leftOffsets.map((offset) => [nearest(rightOffsets, offset)]);
  const matched = new Set(matching.flat());
  rightOffsets.forEach((offset, index) => {
    if (!matched.has(index)) matching[nearest(leftOffsets, offset)]!.push(index);
  });
  for (const list of matching) list.sort((a, b) => a - b);
  return matching;
}

/** Cuts the blended points into runs of left points with one common right point, and fans of right points. */
function segmentsOf(left: readonly number[], right: readonly number[], matching: readonly number[][]): Segment[] {
  const segments: Segment[] = [];
  let blended = 0;
  for (let index = 0; index < matching.length;) {
    const first = matching[index]!;
    const start = blended;
    const from = index;
    const isFan = first.length > 1;
    index += 1;
    if (!isFan) {
      while (index < matching.length && matching[index]!.length === 1 && matching[index]![0] === first[0]) index += 1;
    }
    blended += isFan ? first.length : index - from;
    const [source, a, b] = isFan ? [right, first[0]!, first.at(-1)!] : [left, from, index - 1];
    segments.push({ start, stop: blended - 1, threshold: curveLength(source, a, b) / (2 * (b - a + 1)) });
  }
  return segments;
}

function reduce(points: readonly number[], segments: readonly Segment[]): number[] {
  const reduced: number[] = [];
  const keep = (index: number): void => {
    reduced.push(points[2 * index]!, points[2 * index + 1]!);
  };
  for (const { start, stop, threshold } of segments) {
    let last = start;
    let inner = 0;
    const begin = reduced.length;
    keep(start);
    for (let index = start + 1; index < stop; index += 1) {
      if (distance(points, last, index) < threshold) continue;
      keep(index);
      last = index;
      inner += 1;
    }
    if (stop === start) continue;
    if (inner === 0 && distance(points, start, stop) < threshold) {
      reduced[begin] = (points[2 * start]! + points[2 * stop]!) / 2;
      reduced[begin + 1] = (points[2 * start + 1]! + points[2 * stop + 1]!) / 2;
    } else {
      keep(stop);
    }
  }
  return reduced;
}

/** Both curves need at least one point. */
export function createPolylineBlend(left: readonly number[], right: readonly number[]): PolylineBlend {
  const matching = matchPoints(left, right);
  const segments = segmentsOf(left, right, matching);
  return {
    at(share) {
      const points: number[] = [];
      matching.forEach((rightIndexes, index) => {
        const x = left[2 * index]!;
        const y = left[2 * index + 1]!;
        for (const rightIndex of rightIndexes) {
          points.push(x + (right[2 * rightIndex]! - x) * share, y + (right[2 * rightIndex + 1]! - y) * share);
        }
      });
      return reduce(points, segments);
    },
  };
}

/** The same for rings: the first point closes both curves and is dropped again. */
export function createPolygonBlend(left: readonly number[], right: readonly number[]): PolylineBlend {
  const blend = createPolylineBlend([...left, ...left.slice(0, 2)], [...right, ...right.slice(0, 2)]);
  return { at: (share) => blend.at(share).slice(0, -2) };
}
