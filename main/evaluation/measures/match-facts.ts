import { pairGreedily } from '../../comparison/assignment.ts';
import { tableOf } from '../../comparison/confusion.ts';
import type { EvaluationFacts } from './facts.ts';
import { leastStep, stepOf, steps, type ScoreCurves } from './one-threshold.ts';

/** Matches at one overlap with all results. A higher score threshold does not change the matches above it. */
export type FactMatches = ReturnType<typeof matchFacts>;

/** True if a truth counts neither as hit nor as miss. */
export const isLeftOut = (facts: EvaluationFacts, truth: number): boolean => (facts.truths.flags[truth]! & 2) !== 0;

/**
 * Matches results to truths of the same label as in COCO: highest score first, each to the truth with the largest
 * overlap; for ties, the later one. Counted truths take precedence over ignored ones.
 * @param ignored 1 for truths that count neither as hit nor as miss
 */
export function matchFacts(
  { truths, results }: EvaluationFacts,
  overlap: number,
  ignored = truths.flags.map((flags) => Number((flags & 2) !== 0)),
) {
  /** Matched truth of each result; −1 for none. */
  const truthOf = new Int32Array(results.image.length).fill(-1);
  /** Matched result of each truth; −1 for none. The first one for crowds. */
  const resultOf = new Int32Array(truths.image.length).fill(-1);
  const least = Math.min(overlap, 1 - 1e-10);
  for (let result = 0; result < truthOf.length; result += 1) {
    let best = least;
    let match = -1;
    for (let pair = results.pairs[result]!; pair < results.pairs[result + 1]!; pair += 1) {
      const truth = results.pairTruth[pair]!;
      if (truths.label[truth] !== results.label[result]) continue;
      if (resultOf[truth] !== -1 && (truths.flags[truth]! & 1) === 0) continue;
      const own = results.pairOverlap[pair]!;
      // 1 if this truth takes precedence, −1 if the match does.
      const precedence = match === -1 ? 0 : ignored[match]! - ignored[truth]!;
      if (precedence < 0 || own < (precedence > 0 ? least : best)) continue;
      best = own;
      match = truth;
    }
    if (match === -1) continue;
    truthOf[result] = match;
    if (resultOf[match] === -1) resultOf[match] = result;
  }
  return { truthOf, resultOf };
}

/**
 * Results that match a crowd or an ignored truth are neither hits nor extra. A higher score threshold does not change
 * the matches above it, so all thresholds are counted in one pass.
 */
export function curvesOfFacts(facts: EvaluationFacts, { truthOf }: FactMatches): ScoreCurves {
  const { labels, truths, results } = facts;
  const counted = new Uint32Array(labels);
  const hits = new Uint32Array(steps * labels);
  const extra = new Uint32Array(steps * labels);
  for (let truth = 0; truth < truths.label.length; truth += 1) {
    if (!isLeftOut(facts, truth)) counted[truths.label[truth]!]! += 1;
  }
  for (let result = 0; result < truthOf.length; result += 1) {
    const cell = stepOf(results.score[result]!) * labels + results.label[result]!;
    const truth = truthOf[result]!;
    if (truth === -1) extra[cell]! += 1;
    else if (!isLeftOut(facts, truth)) hits[cell]! += 1;
  }
  for (let cell = hits.length - labels - 1; cell >= 0; cell -= 1) {
    hits[cell]! += hits[cell + labels]!;
    extra[cell]! += extra[cell + labels]!;
  }
  return { categories: labels, truths: counted, hits, extra };
}

/** A hit, confusion, miss or extra result; −1 stands for none. */
export interface Outcome {
  readonly image: number;
  readonly truth: number;
  readonly result: number;
}

/**
 * Pairs objects regardless of label, largest overlap first, plus the unpaired ones of both sides: the entries of the
 * confusion matrix. AP uses another matching.
 */
export function* mixedOutcomes(facts: EvaluationFacts, overlap: number, score: number): Generator<Outcome> {
  const { truths, results } = facts;
  const least = leastStep(score);
  const taken = new Uint8Array(truths.image.length);
  let result = 0;
  while (result < results.image.length) {
    const image = results.image[result]!;
    const candidates: { readonly row: number; readonly column: number; readonly similarity: number }[] = [];
    const toCrowds = new Set<number>();
    const first = result;
    for (; result < results.image.length && results.image[result] === image; result += 1) {
      if (stepOf(results.score[result]!) < least) continue;
      for (let pair = results.pairs[result]!; pair < results.pairs[result + 1]!; pair += 1) {
        const [truth, own] = [results.pairTruth[pair]!, results.pairOverlap[pair]!];
        if (own < overlap) continue;
        if (!isLeftOut(facts, truth)) candidates.push({ row: result, column: truth, similarity: own });
        else if (truths.label[truth] === results.label[result]) toCrowds.add(result);
      }
    }
    const placed = pairGreedily(candidates);
    for (const [one, truth] of placed) {
      taken[truth] = 1;
      yield { image, truth, result: one };
    }
    for (let one = first; one < result; one += 1) {
      if (stepOf(results.score[one]!) >= least && !placed.has(one) && !toCrowds.has(one))
        yield { image, truth: -1, result: one };
    }
  }
  for (let truth = 0; truth < taken.length; truth += 1) {
    if (taken[truth] === 0 && !isLeftOut(facts, truth)) yield { image: truths.image[truth]!, truth, result: -1 };
  }
}

/** Rows are truth labels, columns result labels. The last column counts misses, the last row extra results. */
export function confusionOf(facts: EvaluationFacts, overlap: number, score: number): number[][] {
  const none = facts.labels;
  const cells = [...mixedOutcomes(facts, overlap, score)].map(
    ({ truth, result }) => [facts.truths.label[truth] ?? none, facts.results.label[result] ?? none, 1] as const,
  );
  return tableOf(cells, none + 1);
}

/** Outcomes of label-wise matching at a score threshold. */
export function* outcomesAt(facts: EvaluationFacts, matches: FactMatches, score: number): Generator<Outcome> {
  const { truths, results } = facts;
  const least = leastStep(score);
  for (let result = 0; result < results.image.length; result += 1) {
    const truth = matches.truthOf[result]!;
    if (stepOf(results.score[result]!) < least || (truth !== -1 && isLeftOut(facts, truth))) continue;
    yield { image: results.image[result]!, truth, result };
  }
  for (let truth = 0; truth < truths.image.length; truth += 1) {
    const result = matches.resultOf[truth]!;
    if (isLeftOut(facts, truth) || (result !== -1 && stepOf(results.score[result]!) >= least)) continue;
    yield { image: truths.image[truth]!, truth, result: -1 };
  }
}
