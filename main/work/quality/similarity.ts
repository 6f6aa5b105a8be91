import { boxIntersectionOverUnion, boxOfPoints } from '../../../preload/contract/geometry.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import { assign } from './assignment.ts';
import type { ComparedObject, ImageSize } from './compared-object.ts';
import { overlapOfPixels, type Pixels } from './pixels.ts';

type Points = readonly number[];

/** Which objects are compared with each other: polygons, masks and ellipses by their pixels, others with their kind. */
export function kindOf({ type }: ComparedObject): string {
  return type === 'polygon' || type === 'mask' || type === 'ellipse' ? 'area' : type;
}

/** By how much the coordinates of a point may differ, as COCO's key points do: 1 at no distance. */
function closeness(dx: number, dy: number, scale: number, sigma: number): number {
  return Math.exp(-(dx * dx + dy * dy) / (2 * Math.max(scale, Number.EPSILON) * (2 * sigma) ** 2));
}

function areaOf(points: Points): number {
  const box = boxOfPoints(points);
  return box ? (box.right - box.left) * (box.bottom - box.top) : 0;
}

/** Points of a group are paired with the nearest of the other; those that are left over count against both. */
function ofPoints(first: Points, second: Points, size: ImageSize, choices: QualityChoices): number {
  const image = size.width * size.height;
  const box = areaOf([...first, ...second]);
  const scale = choices.point_size_base === 'image_size' || box === 0 ? image : box;
  const [ours, theirs] = [first.length / 2, second.length / 2];
  const at = (row: number, column: number): number =>
    closeness(
      (first[2 * row] ?? 0) - (second[2 * column] ?? 0),
      (first[2 * row + 1] ?? 0) - (second[2 * column + 1] ?? 0),
      scale,
      choices.oks_sigma,
    );
  const pairs = assign(ours, theirs, (row, column) => 1 - at(row, column));
  const sum = pairs.reduce((total, column, row) => (column < 0 ? total : total + at(row, column)), 0);
  return sum / Math.max(ours, theirs, 1);
}

function ofSkeletons(first: ComparedObject, second: ComparedObject, choices: QualityChoices): number {
  const scale = areaOf([...first.elements.values(), ...second.elements.values()].flat());
  const labels = new Set([...first.elements.keys(), ...second.elements.keys()]);
  let sum = 0;
  for (const label of labels) {
    const [ours, theirs] = [first.elements.get(label), second.elements.get(label)];
    if (ours && theirs) {
      const [dx, dy] = [(ours[0] ?? 0) - (theirs[0] ?? 0), (ours[1] ?? 0) - (theirs[1] ?? 0)];
      sum += scale === 0 ? Number(dx === 0 && dy === 0) : closeness(dx, dy, scale, choices.oks_sigma);
    }
  }
  return labels.size === 0 ? 0 : sum / labels.size;
}

const lineSamples = 100;

/** Points at equal distances along a line. */
function resampled(points: Points): Points {
  const lengths = [0];
  for (let index = 2; index < points.length; index += 2) {
    const step = Math.hypot(
      (points[index] ?? 0) - (points[index - 2] ?? 0),
      (points[index + 1] ?? 0) - (points[index - 1] ?? 0),
    );
    lengths.push((lengths.at(-1) ?? 0) + step);
  }
  const total = lengths.at(-1) ?? 0;
  let piece = 0;
  return Array.from({ length: lineSamples }, (_, sample) => {
    const wanted = (total * sample) / (lineSamples - 1);
    while (piece < lengths.length - 2 && (lengths[piece + 1] ?? 0) < wanted) piece += 1;
    const [from = 0, to = 0] = [lengths[piece], lengths[piece + 1]];
    const share = to > from ? (wanted - from) / (to - from) : 0;
    return [0, 1].map((axis) => {
      const here = points[2 * piece + axis] ?? 0;
      return here + ((points[2 * piece + 2 + axis] ?? here) - here) * share;
    });
  }).flat();
}

function reversed(points: Points): Points {
  return Array.from({ length: points.length / 2 }, (_, index) =>
    points.slice(points.length - 2 * index - 2, points.length - 2 * index),
  ).flat();
}

/** How close two lines run, seen from their beginnings. */
function ofDirectedLines(first: Points, second: Points, size: ImageSize, { line_thickness }: QualityChoices): number {
  const [ours, theirs] = [resampled(first), resampled(second)];
  let sum = 0;
  for (let index = 0; index < ours.length; index += 2) {
    const [dx, dy] = [(ours[index] ?? 0) - (theirs[index] ?? 0), (ours[index + 1] ?? 0) - (theirs[index + 1] ?? 0)];
    sum += closeness(dx, dy, size.width * size.height, line_thickness);
  }
  return sum / lineSamples;
}

const ofLines = (first: Points, second: Points, size: ImageSize, choices: QualityChoices): number =>
  Math.max(ofDirectedLines(first, second, size, choices), ofDirectedLines(first, reversed(second), size, choices));

/** By how much two lines fit better when one is turned round. */
export const gainOfTurning = (first: Points, second: Points, size: ImageSize, choices: QualityChoices): number =>
  ofDirectedLines(first, reversed(second), size, choices) - ofDirectedLines(first, second, size, choices);

/** From 0 to 1, of two objects of one kind. */
export function similarity(
  first: ComparedObject,
  second: ComparedObject,
  {
    size,
    choices,
    pixels,
  }: {
    readonly size: ImageSize;
    readonly choices: QualityChoices;
    readonly pixels: (object: ComparedObject) => Pixels;
  },
): number {
  switch (first.type) {
    case 'tag':
      return first.labelId === second.labelId ? 1 : 0;
    case 'points':
      return ofPoints(first.points, second.points, size, choices);
    case 'skeleton':
      return ofSkeletons(first, second, choices);
    case 'polyline':
      return ofLines(first.points, second.points, size, choices);
    case 'rectangle': {
      const [ours, theirs] = [boxOfPoints(first.points), boxOfPoints(second.points)];
      const isUpright = first.rotation === 0 && second.rotation === 0;
      if (isUpright) return ours && theirs ? boxIntersectionOverUnion(ours, theirs) : 0;
      return overlapOfPixels(pixels(first), pixels(second));
    }
    default:
      return overlapOfPixels(pixels(first), pixels(second));
  }
}
