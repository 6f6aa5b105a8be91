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

export const withRates = (counts: Counts): Counts & Rates => ({ ...counts, ...ratesOf(counts) });

export function sumOf(all: readonly Counts[]): Counts {
  const sum = (of: keyof Counts) => all.reduce((total, one) => total + one[of], 0);
  return { hits: sum('hits'), missed: sum('missed'), extra: sum('extra') };
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
