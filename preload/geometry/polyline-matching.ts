/**
 * Interpolates between polylines with different numbers of points, as CVAT's server does between keyframes. Matches
 * points by their position along the curve, without cyclic alignment and without reversing a curve.
 */
export interface PolylineBlend {
  /** `share` is 0 (left) to 1 (right). Returns flat x, y pairs. */
  at(share: number): number[];
}

interface Segment {
  readonly start: number;
  readonly stop: number;
  /** Minimum distance of an inner point from the last kept one. */
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

/** Position of each point along the curve, 0..1. A curve without length spaces its points evenly. */
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

/** Index of the closest value in an ascending list; the first of several. */
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

/** For every left point the ascending indices of its right points. */
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

/** Divides the blended points into runs of left points with one common right point, and fans of right points. */
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

/** Same for rings: closes both curves with their first point, and drops it again. */
export function createPolygonBlend(left: readonly number[], right: readonly number[]): PolylineBlend {
  const blend = createPolylineBlend([...left, ...left.slice(0, 2)], [...right, ...right.slice(0, 2)]);
  return { at: (share) => blend.at(share).slice(0, -2) };
}
