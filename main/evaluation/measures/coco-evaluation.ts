import type { CocoObjects, EvaluationKind } from './coco-objects.ts';
import { iouSteps, matchImage, type Matches } from './matching.ts';
import { epsilon, overlapsOf } from './overlaps.ts';

/** A truth belongs to a range by its stated area in pixels; both bounds are inclusive. */
const areaRanges = {
  all: [0, 1e10],
  small: [0, 32 ** 2],
  medium: [32 ** 2, 96 ** 2],
  large: [96 ** 2, 1e10],
} as const;
export type AreaName = keyof typeof areaRanges;

/** 0 to 1 in steps of 0.01, equal to NumPy's linspace. */
export const recallThresholds: readonly number[] = Array.from({ length: 101 }, (_, at) => (at === 100 ? 1 : at * 0.01));

export interface CocoSet {
  readonly kind: EvaluationKind;
  readonly images: number;
  readonly categories: readonly { readonly id: number; readonly name: string }[];
  readonly truths: CocoObjects;
  readonly results: CocoObjects;
}

/** All measures; −1 if there is nothing to measure. Flat index order: [threshold][recall][category][area]. */
export interface CocoEvaluation {
  readonly kind: EvaluationKind;
  readonly categories: CocoSet['categories'];
  readonly areas: readonly AreaName[];
  /** Maximum detections per image and category. */
  readonly limits: readonly number[];
  /** For the largest limit: precision at each recall and the score at which it is reached. */
  readonly precision: Float64Array;
  readonly scores: Float64Array;
  /** [threshold][category][area][limit]: maximum recall. */
  readonly recall: Float64Array;
}

/**
 * COCO metrics as in pycocotools 2.0.11, one category at a time to limit memory; only the curves are stored.
 * @param sigmas of keypoints, if they are not COCO's 17
 */
export function evaluateCoco(set: CocoSet, sigmas?: readonly number[]): CocoEvaluation {
  const { kind, images, categories, truths, results } = set;
  const areas: readonly AreaName[] =
    kind === 'keypoints' ? ['all', 'medium', 'large'] : ['all', 'small', 'medium', 'large'];
  const limits = kind === 'keypoints' ? [20] : [1, 10, 100];
  const cells = categories.length * areas.length;
  const evaluation: CocoEvaluation = {
    kind,
    categories,
    areas,
    limits,
    precision: new Float64Array(iouSteps.length * recallThresholds.length * cells).fill(-1),
    scores: new Float64Array(iouSteps.length * recallThresholds.length * cells).fill(-1),
    recall: new Float64Array(iouSteps.length * cells * limits.length).fill(-1),
  };
  const overlaps = overlapsOf(kind, results, truths, sigmas);
  const groupsOf = (objects: CocoObjects) => {
    const order = objects.grouped(images, categories.length);
    let at = 0;
    /** Categories must be requested in ascending order. */
    return (category: number): Uint32Array => {
      const from = at;
      while (at < order.length && objects.category(order[at]!) === category) at += 1;
      return order.subarray(from, at);
    };
  };
  const [truthsOf, resultsOf] = [groupsOf(truths), groupsOf(results)];
  const ranges = areas.map((name) => areaRanges[name]);
  for (let category = 0; category < categories.length; category += 1) {
    const [wanted, found] = [truthsOf(category), resultsOf(category)];
    if (wanted.length === 0 && found.length === 0) continue;
    const matches: Matches = {
      ranges,
      limit: limits.at(-1) ?? 0,
      scores: [],
      ranks: [],
      matched: ranges.map(() => []),
      ignored: ranges.map(() => []),
      counted: ranges.map(() => 0),
    };
    eachImage(truths, results, wanted, found, (here, there) =>
      matchImage({ truths, results, overlaps }, here, there, matches),
    );
    for (let area = 0; area < areas.length; area += 1) accumulate(evaluation, category, area, matches);
  }
  return evaluation;
}

function eachImage(
  truths: CocoObjects,
  results: CocoObjects,
  wanted: Uint32Array,
  found: Uint32Array,
  visit: (truths: number[], results: number[]) => void,
): void {
  let [w, f] = [0, 0];
  while (w < wanted.length || f < found.length) {
    const image = Math.min(
      w < wanted.length ? truths.image(wanted[w]!) : Infinity,
      f < found.length ? results.image(found[f]!) : Infinity,
    );
    const [here, there]: [number[], number[]] = [[], []];
    for (; w < wanted.length && truths.image(wanted[w]!) === image; w += 1) here.push(wanted[w]!);
    for (; f < found.length && results.image(found[f]!) === image; f += 1) there.push(found[f]!);
    visit(here, there);
  }
}

function accumulate(evaluation: CocoEvaluation, category: number, area: number, matches: Matches): void {
  const { categories, areas, limits, precision, scores, recall } = evaluation;
  const counted = matches.counted[area]!;
  if (counted === 0) return;
  const order = orderByScore(matches.scores);
  const [matched, ignored] = [matches.matched[area]!, matches.ignored[area]!];
  const precisions = new Float64Array(order.length);
  const recalls = new Float64Array(order.length);
  const at = new Uint32Array(order.length);
  for (let threshold = 0; threshold < iouSteps.length; threshold += 1) {
    const bit = 1 << threshold;
    for (const [place, limit] of limits.entries()) {
      let [hits, misses, count] = [0, 0, 0];
      for (const index of order) {
        if (matches.ranks[index]! >= limit) continue;
        if ((ignored[index]! & bit) === 0) {
          if ((matched[index]! & bit) === 0) misses += 1;
          else hits += 1;
        }
        precisions[count] = hits / (misses + hits + epsilon);
        recalls[count] = hits / counted;
        at[count] = index;
        count += 1;
      }
      const cell = (threshold * categories.length + category) * areas.length + area;
      recall[cell * limits.length + place] = count === 0 ? 0 : recalls[count - 1]!;
      if (place < limits.length - 1) continue;
      for (let index = count - 1; index > 0; index -= 1) {
        if (precisions[index]! > precisions[index - 1]!) precisions[index - 1] = precisions[index]!;
      }
      let reached = 0;
      for (const [step, wanted] of recallThresholds.entries()) {
        while (reached < count && recalls[reached]! < wanted) reached += 1;
        const target =
          ((threshold * recallThresholds.length + step) * categories.length + category) * areas.length + area;
        precision[target] = reached < count ? precisions[reached]! : 0;
        scores[target] = reached < count ? matches.scores[at[reached]!]! : 0;
      }
    }
  }
}

/** Descending and stable. */
function orderByScore(scores: readonly number[]): Uint32Array {
  return Uint32Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
}
