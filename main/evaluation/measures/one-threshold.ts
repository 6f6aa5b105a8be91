/** Score thresholds of curves: 0 to 1 in steps of 0.01. */
export const steps = 101;

export interface Counts {
  /** Numbers of matched truths, missed truths and unmatched results. */
  readonly hits: number;
  readonly missed: number;
  readonly extra: number;
}

interface Rates {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** Counts by score threshold and category, of results with at least that score. */
export interface ScoreCurves {
  readonly categories: number;
  readonly truths: Uint32Array;
  readonly hits: Uint32Array;
  readonly extra: Uint32Array;
}

/** −1 for a division by zero. */
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

/** Counts of one category, or of all if undefined. */
export function countsAt({ categories, truths, hits, extra }: ScoreCurves, score: number, category?: number): Counts {
  const row = leastStep(score) * categories;
  const sum = (column: Uint32Array, from: number): number =>
    category === undefined
      ? column.subarray(from, from + categories).reduce((total, value) => total + value, 0)
      : column[from + category]!;
  const found = sum(hits, row);
  return { hits: found, missed: sum(truths, 0) - found, extra: sum(extra, row) };
}

export const curveOf = (curves: ScoreCurves): ({ readonly score: number } & Rates)[] =>
  Array.from({ length: steps }, (_, step) => ({ score: step / 100, ...ratesOf(countsAt(curves, step / 100)) }));

/** The lowest threshold with the maximum F1. */
export const bestScore = (curves: ScoreCurves): number =>
  curveOf(curves).reduce((best, next) => (next.f1 > best.f1 ? next : best)).score;

export const leastStep = (score: number): number => Math.max(0, Math.ceil(score * 100 - 1e-9));

/** Last step that a score reaches, clamped to 0–1. */
export function stepOf(score: number): number {
  const step = Math.floor(score * 100 + 1e-9);
  return Math.min(steps - 1, Math.max(0, step));
}
