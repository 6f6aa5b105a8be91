import { polygonIntersectionOverUnion } from '../../../preload/geometry/polygon-overlap.ts';
import { boundingBoxOfRuns, intersectionOverUnion, type RunLengths } from '../../../preload/geometry/run-length.ts';
import type { CocoObjects, EvaluationKind } from './coco-objects.ts';

/** Overlap (0 to 1) of a result and a truth of one image, as in pycocotools 2.0.11. Read all truths of one result together. */
type Overlap = (result: number, truth: number) => number;

/** COCO's 17 person keypoints. */
export const cocoSigmas = [
  0.026, 0.025, 0.025, 0.035, 0.035, 0.079, 0.079, 0.072, 0.072, 0.062, 0.062, 0.107, 0.107, 0.087, 0.087, 0.089, 0.089,
];

export function overlapsOf(
  kind: EvaluationKind,
  results: CocoObjects,
  truths: CocoObjects,
  sigmas: readonly number[] = cocoSigmas,
): Overlap {
  const [boxes, truthBoxes] = [results.boxes, truths.boxes];
  const ofBoxes = (result: number, truth: number, isCrowd: boolean): number =>
    boxOverlap(boxes, result * 4, truthBoxes, truth * 4, isCrowd);
  if (kind === 'bbox') return (result, truth) => ofBoxes(result, truth, truths.isCrowd(truth));
  // Exact intersection over union of rings.
  if (kind === 'rotated')
    return (result, truth) =>
      ofBoxes(result, truth, false) > 0
        ? polygonIntersectionOverUnion(results.keypoints(result), truths.keypoints(truth))
        : 0;
  return kind === 'segm' ? maskOverlaps(results, truths) : pointOverlaps(results, truths, sigmas);
}

/** Reads boxes as x, y, width and height, because corners would round differently from pycocotools. */
function boxOverlap(
  boxes: ArrayLike<number>,
  at: number,
  others: ArrayLike<number>,
  other: number,
  isCrowd: boolean,
): number {
  const [x, y, width, height] = [boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!];
  const [tx, ty, tWidth, tHeight] = [others[other]!, others[other + 1]!, others[other + 2]!, others[other + 3]!];
  const w = Math.min(width + x, tWidth + tx) - Math.max(x, tx);
  if (w <= 0) return 0;
  const h = Math.min(height + y, tHeight + ty) - Math.max(y, ty);
  if (h <= 0) return 0;
  const shared = w * h;
  const own = width * height;
  return shared / (isCrowd ? own : own + tWidth * tHeight - shared);
}

function maskOverlaps(results: CocoObjects, truths: CocoObjects): Overlap {
  const [maskOf, truthMaskOf] = [masksOf(results), masksOf(truths)];
  return (result, truth) => {
    const [{ runs, box }, other] = [maskOf(result), truthMaskOf(truth)];
    const isCrowd = truths.isCrowd(truth);
    if (boxOverlap(box, 0, other.box, 0, isCrowd) <= 0) return 0;
    const fits = runs.width === other.runs.width && runs.height === other.runs.height;
    return fits ? intersectionOverUnion(runs, other.runs, isCrowd) : -1;
  };
}

/** Masks with their boxes. Keeps those of one image, because the masks of all need much memory. */
function masksOf(objects: CocoObjects) {
  const known = new Map<number, { readonly runs: RunLengths; readonly box: readonly number[] }>();
  let image = -1;
  return (index: number) => {
    if (objects.image(index) !== image) known.clear();
    image = objects.image(index);
    const found = known.get(index);
    if (found) return found;
    const runs = objects.mask(index);
    const made = { runs, box: boundingBoxOfRuns(runs) };
    known.set(index, made);
    return made;
  };
}

/** Object keypoint similarity (OKS): uses each point's distance, the area of the truth and the point's sigma. */
function pointOverlaps(results: CocoObjects, truths: CocoObjects, sigmas: readonly number[]): Overlap {
  return (result, truth) => {
    const [own, wanted] = [results.keypoints(result), truths.keypoints(truth)];
    const [x = 0, y = 0, width = 0, height = 0] = truths.boxes.subarray(truth * 4, truth * 4 + 4);
    const isVisible = (point: number): boolean => (wanted[point * 3 + 2] ?? 0) > 0;
    const isAnyVisible = sigmas.some((_, point) => isVisible(point));
    // Without a visible point, pycocotools uses the distance to the box extended by its size on each side.
    const outside = (at: number, from: number, size: number): number =>
      Math.max(0, from - size - at) + Math.max(0, at - (from + size * 2));
    let [sum, count] = [0, 0];
    for (const [point, sigma] of sigmas.entries()) {
      if (isAnyVisible && !isVisible(point)) continue;
      const [ownX, ownY] = [own[point * 3] ?? 0, own[point * 3 + 1] ?? 0];
      const dx = isAnyVisible ? ownX - (wanted[point * 3] ?? 0) : outside(ownX, x, width);
      const dy = isAnyVisible ? ownY - (wanted[point * 3 + 1] ?? 0) : outside(ownY, y, height);
      // The order of operations of pycocotools.
      sum += Math.exp(-((dx * dx + dy * dy) / (sigma * 2) ** 2 / (truths.area(truth) + Number.EPSILON) / 2));
      count += 1;
    }
    return sum / count;
  };
}
