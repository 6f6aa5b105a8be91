import { boxIntersectionOverUnion, boxOfPoints, type Box } from '../../../preload/geometry/geometry.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import { closeness } from './closeness.ts';
import type { ComparedElement, ComparedObject, ImageSize } from './compared-object.ts';
import { lineSimilarity } from './line-similarity.ts';
import { pairUp } from './pair-up.ts';
import { areaOfBox, meanBox } from './object-groups.ts';
import { overlapOfPixels, type Pixels } from './pixels.ts';

type Points = readonly number[];

export interface Comparing {
  readonly size: ImageSize;
  readonly choices: QualityChoices;
  readonly pixels: (object: ComparedObject) => Pixels;
  readonly groupBox: (object: ComparedObject) => Box;
  /** True if polygons and masks with the same group and label are one object. */
  readonly joinsGroups: boolean;
}

/** Objects of one kind are compared with each other: polygons and masks are one kind, every other type is its own. */
export function kindOf({ type }: ComparedObject): string {
  return type === 'polygon' || type === 'mask' ? 'area' : type;
}

const imageArea = ({ width, height }: ImageSize): number => width * height;

function pointCloseness(first: Points, second: Points, row: number, column: number, scale: number, sigma: number) {
  const [dx, dy] = [first[2 * row]! - second[2 * column]!, first[2 * row + 1]! - second[2 * column + 1]!];
  return closeness(dx, dy, scale, sigma);
}

/**
 * Similarity of points. Points whose groups have no area (such as single points) are compared in order, relative to the
 * image. Others are compared relative to the size of their groups, each with the nearest; unmatched ones count against
 * both sides.
 */
function ofPoints(first: ComparedObject, second: ComparedObject, { size, choices, groupBox }: Comparing): number {
  const [ours, theirs] = [first.points.length / 2, second.points.length / 2];
  const [box, other] = [groupBox(first), groupBox(second)];
  const sigma = choices.oks_sigma;
  if (areaOfBox(box) === 0 && areaOfBox(other) === 0) {
    if (ours !== theirs || ours === 0) return 0;
    let sum = 0;
    for (let index = 0; index < ours; index += 1)
      sum += pointCloseness(first.points, second.points, index, index, imageArea(size), sigma);
    return sum / ours;
  }
  const inImage = choices.point_size_base === 'image_size';
  if (!inImage && boxIntersectionOverUnion(box, other) === 0) return 0;
  const scale = inImage ? imageArea(size) : areaOfBox(meanBox(box, other));
  const at = (row: number, column: number) => pointCloseness(first.points, second.points, row, column, scale, sigma);
  const pairs = pairUp(ours, theirs, at, choices.iou_threshold);
  return pairs.reduce((sum, [row, column]) => sum + at(row, column), 0) / (ours + theirs - pairs.length);
}

const isVisible = (element: ComparedElement | undefined): boolean => element?.isVisible === true;

/** Only points visible in both skeletons count for the similarity; points visible in one count against it. */
function ofSkeletons(first: ComparedObject, second: ComparedObject, { choices, groupBox }: Comparing): number {
  const [box, other] = [groupBox(first), groupBox(second)];
  if (first.elements.length !== second.elements.length || boxIntersectionOverUnion(box, other) === 0) return 0;
  const scale = areaOfBox(meanBox(box, other));
  let [sum, count] = [0, 0];
  first.elements.forEach((element, index) => {
    const partner = second.elements[index];
    if (isVisible(element) || isVisible(partner)) count += 1;
    if (element?.isVisible && partner?.isVisible)
      sum += closeness(element.x - partner.x, element.y - partner.y, scale, choices.oks_sigma);
  });
  return count === 0 ? 0 : sum / count;
}

function ofRectangles(first: ComparedObject, second: ComparedObject, pixels: Comparing['pixels']): number {
  if (first.rotation !== second.rotation) return overlapOfPixels(pixels(first), pixels(second));
  const [ours, theirs] = [boxOfPoints(first.points), boxOfPoints(second.points)];
  return ours && theirs ? boxIntersectionOverUnion(ours, theirs) : 0;
}

/** Similarity from 0 to 1 of two objects of one kind. Objects with an area are compared by `matchObjects`. */
export function similarity(first: ComparedObject, second: ComparedObject, comparing: Comparing): number {
  const { size, choices, pixels } = comparing;
  switch (first.type) {
    case 'tag':
      return first.labelId === second.labelId ? 1 : tagThreshold;
    case 'points':
      return ofPoints(first, second, comparing);
    case 'skeleton':
      return ofSkeletons(first, second, comparing);
    case 'polyline':
      return lineSimilarity(first.points, second.points, imageArea(size), choices.line_thickness);
    case 'rectangle':
      return ofRectangles(first, second, pixels);
    default:
      return overlapOfPixels(pixels(first), pixels(second));
  }
}

/** Tags are matched regardless of their labels. */
export const tagThreshold = 0.5;
