import { boxOfPoints } from '../../preload/geometry/geometry.ts';
import { keypointSimilarity } from './keypoint-similarity.ts';

type Points = readonly number[];

interface Measured {
  readonly points: Points;
  /** Distance of each vertex from the start, as a share of the length. */
  readonly shares: readonly number[];
}

function measured(points: Points): Measured {
  const lengths = [0];
  for (let index = 2; index < points.length; index += 2) {
    const step = Math.hypot(points[index]! - points[index - 2]!, points[index + 1]! - points[index - 1]!);
    lengths.push(lengths.at(-1)! + step);
  }
  const total = lengths.at(-1)! || 1;
  return { points, shares: lengths.map((length) => length / total) };
}

/** Points of a line at shares of its length, which must ascend. */
function pointsAt({ points, shares }: Measured, wanted: readonly number[]): [x: number, y: number][] {
  let piece = 0;
  return wanted.map((share) => {
    while (piece < shares.length - 2 && shares[piece + 1]! < share) piece += 1;
    const [from, to] = [shares[piece]!, shares[piece + 1] ?? shares[piece]!];
    const part = to > from ? Math.min(1, (share - from) / (to - from)) : 0;
    const at = (axis: number): number => {
      const here = points[2 * piece + axis]!;
      return here + ((points[2 * piece + 2 + axis] ?? here) - here) * part;
    };
    return [at(0), at(1)];
  });
}

const inner = ({ shares }: Measured): readonly number[] => shares.slice(1, -1);

function reversed(points: Points): Points {
  const turned: number[] = [];
  for (let index = points.length - 2; index >= 0; index -= 2) turned.push(points[index]!, points[index + 1]!);
  return turned;
}

/** True if the boxes are so far apart that CVAT rates the lines as dissimilar without comparing points. */
function areFarApart(first: Points, second: Points, scale: number, thickness: number): boolean {
  const [ours, theirs] = [boxOfPoints(first), boxOfPoints(second)];
  if (ours === null || theirs === null) return true;
  const dx = (ours.left + ours.right - theirs.left - theirs.right) / 2;
  const dy = (ours.top + ours.bottom - theirs.top - theirs.bottom) / 2;
  const radius = [ours, theirs].reduce(
    (sum, { left, top, right, bottom }) => sum + ((right - left) ** 2 + (bottom - top) ** 2) / 4,
    0,
  );
  return dx * dx + dy * dy > radius + scale * (6 * thickness) ** 2;
}

/**
 * Similarity of two lines with the same direction. They are compared at both ends and, by share of the length, at each
 * inner vertex of either.
 * @param scale area of the image in pixels
 * @param thickness of a line, as a share of the square root of `scale`
 */
export function directedLineSimilarity(first: Points, second: Points, scale: number, thickness: number): number {
  if (areFarApart(first, second, scale, thickness)) return 0;
  const [ours, theirs] = [measured(first), measured(second)];
  const wanted = [0, ...[...inner(ours), ...inner(theirs)].toSorted((a, b) => a - b), 1];
  const others = pointsAt(theirs, wanted);
  const sum = pointsAt(ours, wanted).reduce((total, [x, y], index) => {
    const [otherX, otherY] = others[index]!;
    return total + keypointSimilarity(x - otherX, y - otherY, scale, thickness);
  }, 0);
  return sum / wanted.length;
}

/** Similarity of two lines, independent of their directions. */
export const lineSimilarity = (first: Points, second: Points, scale: number, thickness: number): number =>
  Math.max(
    directedLineSimilarity(first, second, scale, thickness),
    directedLineSimilarity(first, reversed(second), scale, thickness),
  );
