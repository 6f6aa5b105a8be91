import { polygonIntersectionOverUnion } from '../../../preload/geometry/polygon-overlap.ts';
import { boundingBoxOfRuns, intersectionOverUnion } from '../../../preload/geometry/run-length.ts';
import type { CocoObjects, EvaluationKind } from './coco-objects.ts';

/**
 * Writes the overlaps (0 to 1) of results and truths of one image and category to `into`, one row per result. Doubles,
 * as in pycocotools 2.0.11.
 */
export type Overlaps = (results: readonly number[], truths: readonly number[], into: Float64Array) => void;

/** COCO's 17 person keypoints. */
export const cocoSigmas = [
  0.026, 0.025, 0.025, 0.035, 0.035, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107, 0.087, 0.087, 0.089, 0.089,
];

/** The distance from 1 to the next double. */
export const epsilon = 2 ** -52;

export function overlapsOf(
  kind: EvaluationKind,
  results: CocoObjects,
  truths: CocoObjects,
  sigmas: readonly number[] = cocoSigmas,
): Overlaps {
  if (kind === 'bbox') return boxOverlaps(results, truths);
  if (kind === 'rotated') return ringOverlaps(results, truths);
  return kind === 'segm' ? maskOverlaps(results, truths) : pointOverlaps(results, truths, sigmas);
}

type Box = readonly [number, number, number, number];

function boxOverlap([x, y, width, height]: Box, [tx, ty, tWidth, tHeight]: Box, isCrowd: boolean): number {
  const w = Math.min(width + x, tWidth + tx) - Math.max(x, tx);
  if (w <= 0) return 0;
  const h = Math.min(height + y, tHeight + ty) - Math.max(y, ty);
  if (h <= 0) return 0;
  const shared = w * h;
  const own = width * height;
  return shared / (isCrowd ? own : own + tWidth * tHeight - shared);
}

const boxOf = (objects: CocoObjects, index: number): Box => [
  objects.box(index, 0),
  objects.box(index, 1),
  objects.box(index, 2),
  objects.box(index, 3),
];

function boxOverlaps(results: CocoObjects, truths: CocoObjects): Overlaps {
  return (found, wanted, into) => {
    const boxes = wanted.map((index) => boxOf(truths, index));
    const crowds = wanted.map(truths.isCrowd);
    let cell = 0;
    for (const index of found) {
      const own = boxOf(results, index);
      for (let at = 0; at < boxes.length; at += 1, cell += 1) into[cell] = boxOverlap(own, boxes[at]!, crowds[at]!);
    }
  };
}

/** Exact intersection over union of rings. */
function ringOverlaps(results: CocoObjects, truths: CocoObjects): Overlaps {
  return (found, wanted, into) => {
    let cell = 0;
    for (const index of found) {
      for (const truth of wanted) {
        const touches = boxOverlap(boxOf(results, index), boxOf(truths, truth), false) > 0;
        into[cell] = touches ? polygonIntersectionOverUnion(results.keypoints(index), truths.keypoints(truth)) : 0;
        cell += 1;
      }
    }
  };
}

function maskOverlaps(results: CocoObjects, truths: CocoObjects): Overlaps {
  return (found, wanted, into) => {
    const masksOf = (objects: CocoObjects, indices: readonly number[]) =>
      indices.map((index) => {
        const runs = objects.mask(index);
        return { runs, box: boundingBoxOfRuns(runs) };
      });
    const masks = masksOf(truths, wanted);
    let cell = 0;
    for (const { runs, box } of masksOf(results, found)) {
      for (let at = 0; at < masks.length; at += 1, cell += 1) {
        const truth = masks[at]!;
        const isCrowd = truths.isCrowd(wanted[at]!);
        const touches = boxOverlap(box, truth.box, isCrowd) > 0;
        const fits = runs.width === truth.runs.width && runs.height === truth.runs.height;
        into[cell] = !touches ? 0 : fits ? intersectionOverUnion(runs, truth.runs, isCrowd) : -1;
      }
    }
  };
}

/** Object keypoint similarity (OKS): uses each point's distance, the area of the truth and the point's sigma. */
function pointOverlaps(results: CocoObjects, truths: CocoObjects, sigmas: readonly number[]): Overlaps {
  const variances = sigmas.map((sigma) => (sigma * 2) ** 2);
  return (found, wanted, into) => {
    let cell = 0;
    for (const index of found) {
      const own = results.keypoints(index);
      for (const truth of wanted) {
        into[cell] = likeness(own, truths.keypoints(truth), truths, truth, variances);
        cell += 1;
      }
    }
  };
}

function likeness(
  own: readonly number[],
  wanted: readonly number[],
  truths: CocoObjects,
  truth: number,
  variances: readonly number[],
): number {
  const [x, y, width, height] = [0, 1, 2, 3].map((side) => truths.box(truth, side)) as [number, number, number, number];
  const visible = variances.map((_, point) => (wanted[point * 3 + 2] ?? 0) > 0);
  const isAnyVisible = visible.includes(true);
  // Without a visible point, pycocotools uses the distance to the box extended by its size on each side.
  const outside = (at: number, from: number, size: number): number =>
    Math.max(0, from - size - at) + Math.max(0, at - (from + size * 2));
  let sum = 0;
  let count = 0;
  for (let point = 0; point < variances.length; point += 1) {
    if (isAnyVisible && !visible[point]!) continue;
    const [ownX, ownY] = [own[point * 3] ?? 0, own[point * 3 + 1] ?? 0];
    const dx = isAnyVisible ? ownX - (wanted[point * 3] ?? 0) : outside(ownX, x, width);
    const dy = isAnyVisible ? ownY - (wanted[point * 3 + 1] ?? 0) : outside(ownY, y, height);
    sum += Math.exp(-((dx * dx + dy * dy) / variances[point]! / (truths.area(truth) + epsilon) / 2));
    count += 1;
  }
  return sum / count;
}
