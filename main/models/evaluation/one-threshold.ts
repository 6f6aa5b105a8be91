import type { CocoSet } from './coco-evaluation.ts';
import type { CocoObjects } from './coco-objects.ts';
import { eachImage } from './each-image.ts';

/** Thresholds of the score that curves are counted for: 0 to 1 by hundredths. */
export const steps = 101;

export interface Counts {
  /** Truths that were found, those that were not, and results that found none. */
  readonly hits: number;
  readonly missed: number;
  readonly extra: number;
}

interface Rates {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Counts by threshold of the score and category: of results that have at least this score. */
export interface ScoreCurves {
  readonly categories: number;
  readonly truths: Uint32Array;
  readonly hits: Uint32Array;
  readonly extra: Uint32Array;
}

/** −1 where there is nothing to divide by. */
export function ratesOf({ hits, missed, extra }: Counts): Rates {
  const share = (part: number, whole: number): number => (whole === 0 ? -1 : part / whole);
  return {
    precision: share(hits, hits + extra),
    recall: share(hits, hits + missed),
    f1: share(2 * hits, 2 * hits + missed + extra),
  };
}

/**
 * Results find truths of their own label as in COCO's evaluation: the best score first, each the truth that it overlaps
 * most, by at least `overlap`. What falls to a crowd, or to a truth that is not counted, is neither hit nor extra.
 * A higher threshold of the score leaves the matches above it as they are: all thresholds are counted at once.
 */
export function scoreCurves(set: CocoSet, overlap: number): ScoreCurves {
  const categories = set.categories.length;
  const truths = new Uint32Array(categories);
  const hits = new Uint32Array(steps * categories);
  const extra = new Uint32Array(steps * categories);
  eachImage(set, (found, wanted, overlaps) => {
    for (const truth of wanted) if (!set.truths.isIgnored(truth)) truths[set.truths.category(truth)]! += 1;
    const taken = new Set<number>();
    for (const [row, result] of found.entries()) {
      const category = set.results.category(result);
      const cell = stepOf(set.results.score(result)) * categories + category;
      const match = mostAlike(set.truths, wanted, taken, { category, overlap, row: row * wanted.length, overlaps });
      if (match === undefined) extra[cell]! += 1;
      else {
        taken.add(match);
        if (!set.truths.isIgnored(match)) hits[cell]! += 1;
      }
    }
  });
  for (let cell = hits.length - categories - 1; cell >= 0; cell -= 1) {
    hits[cell]! += hits[cell + categories]!;
    extra[cell]! += extra[cell + categories]!;
  }
  return { categories, truths, hits, extra };
}

interface Search {
  readonly category: number;
  readonly overlap: number;
  /** Where the overlaps of the result begin. */
  readonly row: number;
  readonly overlaps: Float64Array;
}

/** Truths that count go before those that do not; of equal ones the later, as pycocotools has it. */
function mostAlike(
  truths: CocoObjects,
  wanted: readonly number[],
  taken: ReadonlySet<number>,
  { category, overlap, row, overlaps }: Search,
): number | undefined {
  for (const isIgnored of [false, true]) {
    let best = Math.min(overlap, 1 - 1e-10);
    let match: number | undefined;
    for (const [place, truth] of wanted.entries()) {
      if (truths.category(truth) !== category || truths.isIgnored(truth) !== isIgnored) continue;
      if (taken.has(truth) && !truths.isCrowd(truth)) continue;
      if (overlaps[row + place]! < best) continue;
      best = overlaps[row + place]!;
      match = truth;
    }
    if (match !== undefined) return match;
  }
  return undefined;
}

/** Of one category, or of all together. */
export function countsAt({ categories, truths, hits, extra }: ScoreCurves, score: number, category?: number): Counts {
  const row = leastStep(score) * categories;
  const sum = (column: Uint32Array, from: number): number =>
    category === undefined
      ? column.subarray(from, from + categories).reduce((total, value) => total + value, 0)
      : column[from + category]!;
  const found = sum(hits, row);
  return { hits: found, missed: sum(truths, 0) - found, extra: sum(extra, row) };
}

/** All labels together, by threshold. */
export const curveOf = (curves: ScoreCurves): ({ readonly score: number } & Rates)[] =>
  Array.from({ length: steps }, (_, step) => ({ score: step / 100, ...ratesOf(countsAt(curves, step / 100)) }));

/** The lowest threshold with the greatest F1. */
export const bestScore = (curves: ScoreCurves): number =>
  curveOf(curves).reduce((best, next) => (next.f1 > best.f1 ? next : best)).score;

/** The step from which a score counts. */
export const leastStep = (score: number): number => Math.max(0, Math.ceil(score * 100 - 1e-9));

/** The last hundredth that the score reaches; what lies outside of 0 to 1 counts for its end. */
export function stepOf(score: number): number {
  const step = Math.floor(score * 100 + 1e-9);
  return Math.min(steps - 1, Math.max(0, step));
}

/**
 * How often a truth of the row was taken for the label of the column; the last column: not found; the last row: found
 * without a truth. Pairs are made whatever the labels, the most alike first, which is no matching of an AP.
 */
export function confusionOf(set: CocoSet, overlap: number, score: number): number[][] {
  const nothing = set.categories.length;
  const counts = Array.from({ length: nothing + 1 }, () => Array.from({ length: nothing + 1 }, () => 0));
  const { truths, results } = set;
  eachImage(set, (found, wanted, overlaps) => {
    const pairs: { readonly place: number; readonly truth: number; readonly overlap: number }[] = [];
    const toCrowds = new Set<number>();
    for (const [place, result] of found.entries()) {
      if (stepOf(results.score(result)) < leastStep(score)) continue;
      for (const [at, truth] of wanted.entries()) {
        const own = overlaps[place * wanted.length + at]!;
        if (own < overlap) continue;
        if (!truths.isIgnored(truth)) pairs.push({ place, truth, overlap: own });
        else if (truths.category(truth) === results.category(result)) toCrowds.add(place);
      }
    }
    pairs.sort((a, b) => b.overlap - a.overlap || a.place - b.place);
    const [taken, placed] = [new Set<number>(), new Set<number>()];
    for (const { place, truth } of pairs) {
      if (taken.has(truth) || placed.has(place)) continue;
      taken.add(truth);
      placed.add(place);
      counts[truths.category(truth)]![results.category(found[place]!)]! += 1;
    }
    for (const truth of wanted) {
      if (!truths.isIgnored(truth) && !taken.has(truth)) counts[truths.category(truth)]![nothing]! += 1;
    }
    for (const [place, result] of found.entries()) {
      const counted = stepOf(results.score(result)) >= leastStep(score);
      if (counted && !placed.has(place) && !toCrowds.has(place)) counts[nothing]![results.category(result)]! += 1;
    }
  });
  return counts;
}
