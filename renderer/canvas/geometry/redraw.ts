import { pointAt } from './point.ts';

interface RedrawnPart {
  /** Vertices between which the line was drawn. A null `to` means an open end, for open paths. */
  readonly from: number;
  readonly to: number | null;
  readonly line: readonly number[];
  /** For a closed path, replaces the longer way; for an open end, the part before `from`. */
  readonly other: boolean;
}

export function redrawn(points: readonly number[], closed: boolean, part: RedrawnPart): number[] {
  return closed ? redrawnRing(points, part) : redrawnLine(points, part);
}

function redrawnLine(points: readonly number[], { from, to, line, other }: RedrawnPart): number[] {
  const after = (vertex: number): readonly number[] => points.slice(vertex * 2);
  const until = (vertex: number): readonly number[] => points.slice(0, vertex * 2 + 2);
  if (to !== null) {
    return from < to ? [...until(from), ...line, ...after(to)] : [...until(to), ...reversed(line), ...after(from)];
  }
  // The line extends the path if nothing is before the first vertex.
  return (from === 0) === other ? [...until(from), ...line] : [...reversed(line), ...after(from)];
}

function redrawnRing(points: readonly number[], { from, to, line, other }: RedrawnPart): number[] {
  const end = to ?? from;
  const [forth, back] = [arc(points, from, end), arc(points, end, from)];
  const replacesForth = lengthOf(forth) <= lengthOf(back) !== other;
  // `forth` begins at `from`, `back` at `to`, and both contain the two.
  if (replacesForth) return [...forth.slice(0, 2), ...line, ...back.slice(0, -2)];
  return [...forth, ...reversed(line)];
}

function arc(points: readonly number[], from: number, to: number): number[] {
  const start = points.slice(from * 2);
  return to >= from ? start.slice(0, (to - from) * 2 + 2) : [...start, ...points.slice(0, to * 2 + 2)];
}

function lengthOf(points: readonly number[]): number {
  let length = 0;
  for (let index = 1; index * 2 < points.length; index += 1) {
    const [a, b] = [pointAt(points, index - 1), pointAt(points, index)];
    length += Math.hypot(a.x - b.x, a.y - b.y);
  }
  return length;
}

function reversed(points: readonly number[]): number[] {
  const result: number[] = [];
  for (let index = points.length - 2; index >= 0; index -= 2) result.push(points[index] ?? 0, points[index + 1] ?? 0);
  return result;
}
