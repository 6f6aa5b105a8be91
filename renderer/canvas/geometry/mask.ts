import { traceContours } from '../../../preload/geometry/mask-contours.ts';
import { maskToBitmap } from '../../../preload/geometry/mask-runs.ts';

export interface DecodedMask {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Row-major, 1 for set pixels. */
  readonly bits: Uint8Array;
  /** Outline along pixel borders: x1, y1, x2, y2 of each straight segment, relative to left and top. */
  readonly contour: readonly number[];
  /** The outline as closed rings of x, y pairs; slower to compute, but can be dashed. */
  readonly rings: readonly (readonly number[])[];
}

export function movedMask(points: readonly number[], dx: number, dy: number): number[] {
  const end = points.length;
  return points.map((value, index) => (index < end - 4 ? value : value + ((end - index) % 2 === 0 ? dx : dy)));
}

/** Traces the outline lazily, because most masks are never hovered. */
export function decodeMask(points: readonly number[]): DecodedMask {
  const { left, top, width, height, bitmap } = maskToBitmap(points);
  let contour: readonly number[] | null = null;
  let rings: readonly (readonly number[])[] | null = null;
  return {
    left,
    top,
    width,
    height,
    bits: bitmap,
    get contour() {
      contour ??= bitmapContour(bitmap, width, height);
      return contour;
    },
    get rings() {
      rings ??= traceContours(bitmap, width, height).flatMap(({ outer, holes }) => [outer, ...holes]);
      return rings;
    },
  };
}

/** Decodes each points array once and caches the result as long as the array lives. */
export function createMaskCache(): (points: readonly number[]) => DecodedMask {
  const cache = new WeakMap<readonly number[], DecodedMask>();
  return (points) => {
    const known = cache.get(points);
    if (known !== undefined) return known;
    const decoded = decodeMask(points);
    cache.set(points, decoded);
    return decoded;
  };
}

function bitmapContour(bits: Uint8Array, width: number, height: number): number[] {
  const at = (x: number, y: number): number =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : (bits[y * width + x] ?? 0);
  const contour: number[] = [];
  for (let y = 0; y <= height; y += 1) {
    collectRuns(
      width,
      (x) => at(x, y - 1) !== at(x, y),
      (from, to) => contour.push(from, y, to, y),
    );
  }
  for (let x = 0; x <= width; x += 1) {
    collectRuns(
      height,
      (y) => at(x - 1, y) !== at(x, y),
      (from, to) => contour.push(x, from, x, to),
    );
  }
  return contour;
}

function collectRuns(
  length: number,
  isSet: (place: number) => boolean,
  found: (from: number, to: number) => void,
): void {
  let start = -1;
  for (let place = 0; place <= length; place += 1) {
    const set = place < length && isSet(place);
    if (set && start < 0) start = place;
    if (set || start < 0) continue;
    found(start, place);
    start = -1;
  }
}
