import type {
  EvaluationCountsAnswer,
  EvaluationFrame,
  EvaluationFramesQuery,
} from '../../../preload/contract/schema/evaluations.ts';
import type { EvaluationFacts } from '../measures/facts.ts';
import {
  confusionOf,
  curvesOfFacts,
  isLeftOut,
  matchFacts,
  mixedOutcomes,
  outcomesAt,
  type Outcome,
} from '../measures/match-facts.ts';
import { bestScore, countsAt, curveOf, leastStep, ratesOf, stepOf, withRates } from '../measures/one-threshold.ts';
import type { FrameNumbers } from './measured-views.ts';

export type Matched = ReturnType<typeof matchedOf>;

export function matchedOf(facts: EvaluationFacts, overlap: number) {
  const matches = matchFacts(facts, overlap);
  return { facts, matches, curves: curvesOfFacts(facts, matches) };
}

export const bestScoreOf = ({ curves }: Matched): number => bestScore(curves);

type ModelCounts = EvaluationCountsAnswer['models'][number];
type SizeName = ModelCounts['sizes'][number]['size'];

/** COCO's area ranges without overlap: 32² is medium, 96² large. */
const sizes: readonly SizeName[] = ['small', 'medium', 'large'];
const sizeOf = (area: number): SizeName => (area < 32 ** 2 ? 'small' : area < 96 ** 2 ? 'medium' : 'large');

const side = 8;
const cellOf = (share: number): number => Math.min(side - 1, Math.max(0, Math.floor(share * side)));
const placeOf = ({ truths }: EvaluationFacts, truth: number): number =>
  cellOf(truths.y[truth]!) * side + cellOf(truths.x[truth]!);

const bins = 20;
const binOf = (score: number): number => Math.min(bins - 1, Math.max(0, Math.floor(score * bins + 1e-9)));

export function countModel(model: Matched, overlap: number, score: number): Omit<ModelCounts, 'tasks'> {
  const { facts, matches, curves } = model;
  const { truths, results } = facts;
  const scores = Array.from({ length: bins }, () => ({ matched: 0, extra: 0 }));
  for (const [result, truth] of matches.truthOf.entries()) {
    const bin = scores[binOf(results.score[result]!)]!;
    if (truth === -1) bin.extra += 1;
    else if (!isLeftOut(facts, truth)) bin.matched += 1;
  }
  const bySize = new Map(sizes.map((size) => [size, { size, truths: 0, missed: 0 }]));
  const places = Array.from({ length: side * side }, () => ({ truths: 0, missed: 0 }));
  const least = leastStep(score);
  for (const [truth, result] of matches.resultOf.entries()) {
    if (isLeftOut(facts, truth)) continue;
    const isMissed = result === -1 || stepOf(results.score[result]!) < least;
    for (const counted of [bySize.get(sizeOf(truths.area[truth]!))!, places[placeOf(facts, truth)]!]) {
      counted.truths += 1;
      if (isMissed) counted.missed += 1;
    }
  }
  return {
    best_score: bestScore(curves),
    curve: curveOf(curves).map(({ precision, recall, f1 }) => ({ precision, recall, f1 })),
    all: withRates(countsAt(curves, score)),
    labels: Array.from({ length: facts.labels }, (_, label) => withRates(countsAt(curves, score, label))),
    confusion: confusionOf(facts, overlap, score),
    scores,
    sizes: [...bySize.values()],
    places,
  };
}

type Wanted = Pick<EvaluationFramesQuery, 'show' | 'size' | 'place' | 'score_from' | 'score_to'> & {
  readonly iou: number;
  readonly score: number;
  /** Label indexes; undefined for all, −1 for none. */
  readonly truth: number | undefined;
  readonly result: number | undefined;
};

function isWanted({ facts }: Matched, wanted: Wanted, { truth, result }: Outcome): boolean {
  const { truths, results } = facts;
  const truthLabel = truth === -1 ? -1 : truths.label[truth]!;
  const resultLabel = result === -1 ? -1 : results.label[result]!;
  if (wanted.show === 'missed' && result !== -1) return false;
  if (wanted.show === 'extra' && truth !== -1) return false;
  if (wanted.show === 'matched' && (truth === -1 || result === -1)) return false;
  if (wanted.truth !== undefined && wanted.truth !== truthLabel) return false;
  if (wanted.result !== undefined && wanted.result !== resultLabel) return false;
  if (wanted.size !== undefined && (truth === -1 || sizeOf(truths.area[truth]!) !== wanted.size)) return false;
  if (wanted.place !== undefined && (truth === -1 || placeOf(facts, truth) !== wanted.place)) return false;
  if (wanted.show === 'switched') return false;
  const score = result === -1 ? undefined : results.score[result]!;
  if (wanted.score_from !== undefined && (score === undefined || score < wanted.score_from)) return false;
  return wanted.score_to === undefined || (score !== undefined && (score < wanted.score_to || wanted.score_to === 1));
}

export function framesOf(model: Matched, { frames, tasks }: FrameNumbers, wanted: Wanted): EvaluationFrame[] {
  const { facts, matches } = model;
  const counts = Array.from({ length: facts.images }, () => ({ hits: 0, missed: 0, extra: 0 }));
  for (const { image, truth, result } of outcomesAt(facts, matches, wanted.score)) {
    counts[image]![truth === -1 ? 'extra' : result === -1 ? 'missed' : 'hits'] += 1;
  }
  const isAll =
    wanted.show === 'all' &&
    [wanted.truth, wanted.result, wanted.size, wanted.place, wanted.score_from, wanted.score_to].every(
      (one) => one === undefined,
    );
  const found = new Set<number>();
  // Histograms also count results below the threshold.
  const from = wanted.score_from !== undefined || wanted.score_to !== undefined ? 0 : wanted.score;
  const outcomes =
    wanted.show === 'mixed' ? mixedOutcomes(facts, wanted.iou, wanted.score) : outcomesAt(facts, matches, from);
  if (!isAll) for (const outcome of outcomes) if (isWanted(model, wanted, outcome)) found.add(outcome.image);
  return counts.flatMap((counted, image) =>
    isAll || found.has(image)
      ? [{ task_id: tasks[image]!, frame: frames[image]!, ...counted, switches: 0, f1: ratesOf(counted).f1 }]
      : [],
  );
}

/** Lowest F1 first, then most errors. Frames without objects come last. */
export const worstFirst = (a: EvaluationFrame, b: EvaluationFrame): number =>
  (a.f1 === -1 ? 2 : a.f1) - (b.f1 === -1 ? 2 : b.f1) ||
  b.missed + b.extra + b.switches - a.missed - a.extra - a.switches ||
  a.task_id - b.task_id ||
  a.frame - b.frame;
