import { boxIntersectionOverUnion, boxOfPoints, convexHull, type Box } from '../../preload/geometry/geometry.ts';
import { intersectionOverUnion, type RunLengths } from '../../preload/geometry/run-length.ts';
import type { QualityChoices } from '../../preload/contract/schema/quality.ts';
import { keypointSimilarity } from './keypoint-similarity.ts';
import type { ComparedElement, ComparedObject, ImageSize } from './compared-object.ts';
import { lineSimilarity } from './line-similarity.ts';
import { pairOptimally } from './assignment.ts';
import { areaOfBox, boxOfObject, groupBoxes, meanBox, noBox } from './object-groups.ts';
import { rasterOf } from './rasters.ts';

type Points = readonly number[];

/** Thresholds and CVAT's scales of points and lines. */
export type ComparisonRules = Pick<
  QualityChoices,
  'iou_threshold' | 'oks_sigma' | 'point_size_base' | 'line_thickness' | 'panoptic_comparison'
>;

export interface Comparing {
  readonly size: ImageSize;
  readonly rules: ComparisonRules;
  readonly raster: (object: ComparedObject) => RunLengths;
  readonly groupBox: (object: ComparedObject) => Box;
  /** True if polygons and masks with the same group and label are one object. */
  readonly joinsGroups: boolean;
}

/**
 * How the objects of one image are compared. Caches their pixels.
 * @param sides objects whose groups are compared as one; without them, groups are ignored
 */
export function comparingOn(
  size: ImageSize,
  rules: ComparisonRules,
  sides: readonly (readonly ComparedObject[])[] = [],
): Comparing {
  const boxes = new Map(sides.flatMap(groupBoxes));
  return {
    size,
    rules,
    raster: cachedRasters(size),
    groupBox: (object) => boxes.get(object) ?? boxOfObject(object) ?? noBox,
    joinsGroups: sides.length > 0,
  };
}

export function cachedRasters(size: ImageSize): Comparing['raster'] {
  const known = new Map<ComparedObject, RunLengths>();
  return (object) => {
    const { type } = object;
    if (type === 'tag') throw new TypeError('A tag has no pixels.');
    const found = known.get(object) ?? rasterOf({ ...object, type }, size, 'quality');
    known.set(object, found);
    return found;
  };
}

/** Objects of one kind are compared with each other: polygons and masks are one kind, every other type is its own. */
export function kindOf({ type }: ComparedObject): string {
  return type === 'polygon' || type === 'mask' ? 'area' : type;
}

const imageArea = ({ width, height }: ImageSize): number => width * height;

function pointCloseness(first: Points, second: Points, row: number, column: number, scale: number, sigma: number) {
  const [dx, dy] = [first[2 * row]! - second[2 * column]!, first[2 * row + 1]! - second[2 * column + 1]!];
  return keypointSimilarity(dx, dy, scale, sigma);
}

/**
 * Similarity of points. Points whose groups have no area (such as single points) are compared in order, relative to the
 * image. Others are compared relative to the size of their groups, each with the nearest; unmatched ones count against
 * both sides.
 */
function ofPoints(first: ComparedObject, second: ComparedObject, { size, rules, groupBox }: Comparing): number {
  const [ours, theirs] = [first.points.length / 2, second.points.length / 2];
  const [box, other] = [groupBox(first), groupBox(second)];
  const sigma = rules.oks_sigma;
  if (areaOfBox(box) === 0 && areaOfBox(other) === 0) {
    if (ours !== theirs || ours === 0) return 0;
    let sum = 0;
    for (let index = 0; index < ours; index += 1)
      sum += pointCloseness(first.points, second.points, index, index, imageArea(size), sigma);
    return sum / ours;
  }
  const inImage = rules.point_size_base === 'image_size';
  if (!inImage && boxIntersectionOverUnion(box, other) === 0) return 0;
  const scale = inImage ? imageArea(size) : areaOfBox(meanBox(box, other));
  const at = (row: number, column: number) => pointCloseness(first.points, second.points, row, column, scale, sigma);
  const pairs = pairOptimally(ours, theirs, at, rules.iou_threshold);
  return pairs.reduce((sum, [row, column]) => sum + at(row, column), 0) / (ours + theirs - pairs.length);
}

const isVisible = (element: ComparedElement | undefined): boolean => element?.isVisible === true;

/** Only points visible in both skeletons count for the similarity; points visible in one count against it. */
function ofSkeletons(first: ComparedObject, second: ComparedObject, { rules, groupBox }: Comparing): number {
  const [box, other] = [groupBox(first), groupBox(second)];
  if (first.elements.length !== second.elements.length || boxIntersectionOverUnion(box, other) === 0) return 0;
  const scale = areaOfBox(meanBox(box, other));
  let [sum, count] = [0, 0];
  first.elements.forEach((element, index) => {
    const partner = second.elements[index];
    if (isVisible(element) || isVisible(partner)) count += 1;
    if (element?.isVisible && partner?.isVisible)
      sum += keypointSimilarity(element.x - partner.x, element.y - partner.y, scale, rules.oks_sigma);
  });
  return count === 0 ? 0 : sum / count;
}

function ofRectangles(first: ComparedObject, second: ComparedObject, raster: Comparing['raster']): number {
  if (first.rotation !== second.rotation) return intersectionOverUnion(raster(first), raster(second));
  const [ours, theirs] = [boxOfPoints(first.points), boxOfPoints(second.points)];
  return ours && theirs ? boxIntersectionOverUnion(ours, theirs) : 0;
}

/** Cuboids are alike if their outlines and their front faces are. Points are pairs of corners, one for each edge. */
function ofCuboids(first: ComparedObject, second: ComparedObject, size: ImageSize): number {
  const overlap = (ringOf: (points: Points) => Points): number => {
    const [ours, theirs] = [first, second].map(({ points }) =>
      rasterOf({ type: 'polygon', points: ringOf(points) }, size, 'quality'),
    );
    return intersectionOverUnion(ours!, theirs!);
  };
  return Math.min(
    overlap(convexHull),
    overlap((points) => convexHull(points.slice(0, 8))),
  );
}

/** Similarity from 0 to 1 of two objects of one kind. Objects with an area are compared by `matchObjects`. */
export function similarity(first: ComparedObject, second: ComparedObject, comparing: Comparing): number {
  const { size, rules, raster } = comparing;
  switch (first.type) {
    case 'tag':
      return first.labelId === second.labelId ? 1 : tagThreshold;
    case 'points':
      return ofPoints(first, second, comparing);
    case 'skeleton':
      return ofSkeletons(first, second, comparing);
    case 'polyline':
      return lineSimilarity(first.points, second.points, imageArea(size), rules.line_thickness);
    case 'cuboid':
      return ofCuboids(first, second, size);
    case 'rectangle':
      return ofRectangles(first, second, raster);
    default:
      return intersectionOverUnion(raster(first), raster(second));
  }
}

/** Tags are matched regardless of their labels. */
export const tagThreshold = 0.5;
