import { cornersOf, rotatePoint } from '../../../preload/geometry/geometry.ts';
import { visitMask } from '../../../preload/geometry/mask-runs.ts';
import { polygonsToMask } from '../../../preload/geometry/mask-polygons.ts';
import type { ComparedObject, ImageSize } from './compared-object.ts';

/** Runs of pixels in row-major order: first, last + 1, first, … */
export type Pixels = readonly number[];

const ellipseCorners = 720;

/** A polygon around a rotated ellipse, as Datumaro draws it. */
function ellipseRing([x = 0, y = 0, right = 0, top = 0]: readonly number[], rotation: number): number[] {
  return Array.from({ length: ellipseCorners }, (_, index) => {
    const angle = (2 * Math.PI * index) / ellipseCorners;
    return rotatePoint(x + (right - x) * Math.cos(angle), y + (y - top) * Math.sin(angle), x, y, rotation);
  }).flat();
}

/** The pixels of an object with an area: rings as COCO rasterises them. */
export function pixelsOf({ type, points, rotation }: ComparedObject, { width, height }: ImageSize): Pixels {
  if (type === 'mask') return stretches(points, width, height);
  if (type === 'tag') return [];
  const ring = type === 'ellipse' ? ellipseRing(points, rotation) : cornersOf({ type, points, rotation });
  return ring === null ? [] : stretches(polygonsToMask([[...ring]], width, height), width, height);
}

function stretches(mask: readonly number[] | null, width: number, height: number): Pixels {
  if (mask === null) return [];
  const found: number[] = [];
  visitMask(mask, { width, height }, (row, from, to) => found.push(row * width + from, row * width + to));
  return found;
}

export function countPixels(pixels: Pixels): number {
  let count = 0;
  for (let index = 0; index < pixels.length; index += 2) count += (pixels[index + 1] ?? 0) - (pixels[index] ?? 0);
  return count;
}

function common(first: Pixels, second: Pixels): number {
  let count = 0;
  let [here, there] = [0, 0];
  while (here < first.length && there < second.length) {
    const start = Math.max(first[here] ?? 0, second[there] ?? 0);
    const end = Math.min(first[here + 1] ?? 0, second[there + 1] ?? 0);
    if (start < end) count += end - start;
    if ((first[here + 1] ?? 0) < (second[there + 1] ?? 0)) here += 2;
    else there += 2;
  }
  return count;
}

export function overlapOfPixels(first: Pixels, second: Pixels): number {
  const both = common(first, second);
  const all = countPixels(first) + countPixels(second) - both;
  return all === 0 ? 0 : both / all;
}

/** Pixels of the first that are not in the second. */
function without(first: Pixels, second: Pixels): Pixels {
  const left: number[] = [];
  let there = 0;
  for (let here = 0; here < first.length; here += 2) {
    let start = first[here] ?? 0;
    const end = first[here + 1] ?? 0;
    while (there < second.length && (second[there + 1] ?? 0) <= start) there += 2;
    for (let next = there; next < second.length && (second[next] ?? 0) < end; next += 2) {
      if ((second[next] ?? 0) > start) left.push(start, second[next] ?? 0);
      start = Math.max(start, second[next + 1] ?? 0);
    }
    if (start < end) left.push(start, end);
  }
  return left;
}

function united(first: Pixels, second: Pixels): Pixels {
  const all: [number, number][] = [];
  for (const pixels of [first, second]) {
    for (let index = 0; index < pixels.length; index += 2) all.push([pixels[index] ?? 0, pixels[index + 1] ?? 0]);
  }
  all.sort((a, b) => a[0] - b[0]);
  const joined: number[] = [];
  for (const [start, end] of all) {
    const last = joined.at(-1) ?? -1;
    if (joined.length > 0 && start <= last) joined[joined.length - 1] = Math.max(last, end);
    else joined.push(start, end);
  }
  return joined;
}

export const unitedPixels = (all: readonly Pixels[]): Pixels =>
  all.length === 1 ? (all[0] ?? []) : all.reduce(united, []);

/** The pixels of each object that no later one covers. */
export function visiblePixels(
  fromLowest: readonly ComparedObject[],
  pixels: (object: ComparedObject) => Pixels,
): Map<ComparedObject, Pixels> {
  const visible = new Map<ComparedObject, Pixels>();
  let above: Pixels = [];
  for (const object of fromLowest.toReversed()) {
    const own = pixels(object);
    visible.set(object, without(own, above));
    above = united(above, own);
  }
  return visible;
}
