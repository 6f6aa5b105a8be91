import type { CocoSet, EvaluationKind } from './coco-objects.ts';
import type { EvaluationFacts } from './facts.ts';
import { matchFacts } from './match-facts.ts';

/** IoU thresholds 0.5 to 0.95, bit-identical to NumPy's linspace. */
export const iouSteps: readonly number[] = Array.from({ length: 10 }, (_, at) =>
  at === 9 ? 0.95 : 0.5 + at * ((0.95 - 0.5) / 9),
);

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

/** COCO metrics as in pycocotools 2.0.11. Only the curves are stored. */
export function evaluateCoco(
  { kind, categories }: Pick<CocoSet, 'kind' | 'categories'>,
  facts: EvaluationFacts,
): CocoEvaluation {
  const { truths, results } = facts;
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
  const ranks = ranksOf(facts);
  const ordered = orderByScore(facts);
  for (const [area, name] of areas.entries()) {
    const [low, high] = areaRanges[name];
    const isOutside = (size: number): boolean => size < low || size > high;
    const ignored = truths.flags.map((flags, truth) => Number((flags & 2) !== 0 || isOutside(truths.area[truth]!)));
    const counted = categories.map(() => 0);
    for (const [truth, isIgnored] of ignored.entries()) if (isIgnored === 0) counted[truths.label[truth]!]! += 1;
    for (const [threshold, overlap] of iouSteps.entries()) {
      const { truthOf } = matchFacts(facts, overlap, ignored);
      const outcomes = new Uint8Array(truthOf.length);
      for (const [result, truth] of truthOf.entries()) {
        // pycocotools marks matches with the truth's id, so id 0 looks unmatched.
        const isHit = truth !== -1 && (truths.flags[truth]! & 4) === 0;
        const isLeft = (truth !== -1 && ignored[truth] === 1) || (!isHit && isOutside(results.area[result]!));
        outcomes[result] = isLeft ? left : isHit ? hit : miss;
      }
      for (const [category, count] of counted.entries()) {
        const found = { order: ordered[category]!, ranks, scores: results.score, outcomes };
        if (count > 0) accumulate(evaluation, { threshold, category, area }, found, count);
      }
    }
  }
  return evaluation;
}

const [miss, hit, left] = [0, 1, 2];

/** Index of each result among those of its image and label, by score. */
function ranksOf({ labels, results }: EvaluationFacts): Uint32Array {
  const [next, image] = [new Uint32Array(labels), new Int32Array(labels).fill(-1)];
  return results.image.map((own, result) => {
    const label = results.label[result]!;
    if (image[label] !== own) [next[label], image[label]] = [0, own];
    next[label]! += 1;
    return next[label]! - 1;
  });
}

/** Results of each label in descending score; equal scores keep the order of images. */
function orderByScore({ labels, results: { label, score } }: EvaluationFacts): Uint32Array[] {
  const ofLabels = Array.from({ length: labels }, (): number[] => []);
  for (const [result, own] of label.entries()) ofLabels[own]!.push(result);
  return ofLabels.map((own) => Uint32Array.from(own).sort((a, b) => score[b]! - score[a]! || a - b));
}

interface Found {
  readonly order: Uint32Array;
  readonly ranks: Uint32Array;
  readonly scores: Float64Array;
  readonly outcomes: Uint8Array;
}

function accumulate(
  { categories, areas, limits, precision, scores, recall }: CocoEvaluation,
  { threshold, category, area }: { readonly threshold: number; readonly category: number; readonly area: number },
  found: Found,
  counted: number,
): void {
  const precisions = new Float64Array(found.order.length);
  const recalls = new Float64Array(found.order.length);
  const at = new Uint32Array(found.order.length);
  for (const [place, limit] of limits.entries()) {
    let [hits, misses, count] = [0, 0, 0];
    for (const result of found.order) {
      if (found.ranks[result]! >= limit) continue;
      const outcome = found.outcomes[result];
      if (outcome === hit) hits += 1;
      else if (outcome === miss) misses += 1;
      precisions[count] = hits / (misses + hits + Number.EPSILON);
      recalls[count] = hits / counted;
      at[count] = result;
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
      scores[target] = reached < count ? found.scores[at[reached]!]! : 0;
    }
  }
}
