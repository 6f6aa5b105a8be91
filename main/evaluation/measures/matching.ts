import type { CocoObjects } from './coco-objects.ts';
import type { Overlaps } from './overlaps.ts';

/** IoU thresholds 0.5 to 0.95, bit-identical to NumPy's linspace. */
export const iouSteps: readonly number[] = Array.from({ length: 10 }, (_, at) =>
  at === 9 ? 0.95 : 0.5 + at * ((0.95 - 0.5) / 9),
);

/** Match results of one category, ordered by image, then score. */
export interface Matches {
  readonly ranges: readonly (readonly [number, number])[];
  /** Maximum results per image that are evaluated. */
  readonly limit: number;
  readonly scores: number[];
  /** Index of each result within its image. */
  readonly ranks: number[];
  /** Per area range: a bit for each threshold. */
  readonly matched: readonly number[][];
  readonly ignored: readonly number[][];
  readonly counted: number[];
}

interface Parts {
  readonly truths: CocoObjects;
  readonly results: CocoObjects;
  readonly overlaps: Overlaps;
}

let cells = new Float64Array(1024);

/**
 * Matches truths and results of one image and category: the highest score first, each to the truth with the largest
 * overlap.
 */
export function matchImage(
  { truths, results, overlaps }: Parts,
  wanted: readonly number[],
  all: readonly number[],
  matches: Matches,
): void {
  // Stable: equal scores keep the order of the file.
  const found = all.toSorted((a, b) => results.score(b) - results.score(a)).slice(0, matches.limit);
  if (found.length * wanted.length > cells.length) cells = new Float64Array(found.length * wanted.length * 2);
  if (wanted.length > 0) overlaps(found, wanted, cells);
  for (const [rank, index] of found.entries()) {
    matches.scores.push(results.score(index));
    matches.ranks.push(rank);
  }
  for (const [range, [low, high]] of matches.ranges.entries()) {
    const isOutside = (area: number): boolean => area < low || area > high;
    const isIgnored = wanted.map((truth) => truths.isIgnored(truth) || isOutside(truths.area(truth)));
    matches.counted[range]! += isIgnored.filter((is) => !is).length;
    const places = [...wanted.keys()];
    const order = [...places.filter((place) => !isIgnored[place]), ...places.filter((place) => isIgnored[place])];
    const [matched, ignored] = [new Uint16Array(found.length), new Uint16Array(found.length)];
    for (const [step, threshold] of iouSteps.entries()) {
      matchAt(threshold, 1 << step, { truths, wanted, order, isIgnored, matched, ignored });
    }
    for (const [place, index] of found.entries()) {
      const left = isOutside(results.area(index)) ? ~matched[place]! & allSteps : 0;
      matches.matched[range]!.push(matched[place]!);
      matches.ignored[range]!.push(ignored[place]! | left);
    }
  }
}

const allSteps = (1 << iouSteps.length) - 1;

interface Assignment {
  readonly truths: CocoObjects;
  readonly wanted: readonly number[];
  /** Indexes of truths, counted ones first. */
  readonly order: readonly number[];
  readonly isIgnored: readonly boolean[];
  readonly matched: Uint16Array;
  readonly ignored: Uint16Array;
}

function matchAt(threshold: number, bit: number, { truths, wanted, order, isIgnored, matched, ignored }: Assignment) {
  const taken = new Uint8Array(wanted.length);
  for (let place = 0; place < matched.length; place += 1) {
    let best = Math.min(threshold, 1 - 1e-10);
    let match = -1;
    for (const truth of order) {
      if (taken[truth] === 1 && !truths.isCrowd(wanted[truth]!)) continue;
      // A counted truth matched already, so the ignored ones are not considered.
      if (match > -1 && !isIgnored[match]! && isIgnored[truth]!) break;
      const overlap = cells[place * wanted.length + truth]!;
      if (overlap < best) continue;
      best = overlap;
      match = truth;
    }
    if (match === -1) continue;
    taken[match] = 1;
    if (isIgnored[match]!) ignored[place]! |= bit;
    if (!truths.hasIdZero(wanted[match]!)) matched[place]! |= bit;
  }
}
