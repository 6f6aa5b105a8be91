import type { TrackCounts } from './track-counts.ts';

const share = (part: number, whole: number): number => part / Math.max(1, whole);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Sums two records of numbers key by key. */
const added = <Sums extends Readonly<Record<string, number>>>(a: Sums, b: Sums): Sums =>
  // The same keys, with numeric values.
  Object.fromEntries(Object.entries(a).map(([name, value]) => [name, value + b[name]!])) as Sums;

/** Adds the counts of several labels, which is how HOTA's authors combine classes. */
export function addTrackCounts(all: readonly TrackCounts[]): TrackCounts {
  return all.reduce(({ frames, hota, ...sums }, next) => {
    const { frames: others, hota: more, ...own } = next;
    const byOverlap = hota.map((step, at) => added({ ...step }, { ...more[at]! }));
    return { ...added(sums, own), frames: Math.max(frames, others), hota: byOverlap };
  });
}

export function hotaByOverlap({ truths, results, hota }: TrackCounts) {
  return hota.map(({ hits, overlap, association, associationRecall, associationPrecision }) => {
    const DetA = share(hits, truths + results - hits);
    const AssA = share(association, hits);
    return {
      HOTA: Math.sqrt(DetA * AssA),
      DetA,
      AssA,
      DetRe: share(hits, truths),
      DetPr: share(hits, results),
      AssRe: share(associationRecall, hits),
      AssPr: share(associationPrecision, hits),
      // Perfect by definition if nothing was found.
      LocA: hits === 0 ? 1 : overlap / hits,
    };
  });
}

/**
 * Metrics by TrackEval's names. MOTP is the mean overlap of matches. −1 without truths and results. IDSW, Frag, MT, PT
 * and ML are counts; the others are ratios.
 */
export function trackMeasures(counts: TrackCounts): Readonly<Record<string, number>> {
  const { truths, results, hits, missed, extra, switches, identityHits } = counts;
  const steps = hotaByOverlap(counts);
  const of = (name: keyof (typeof steps)[number]): number => mean(steps.map((step) => step[name]));
  const isNothing = truths === 0 && results === 0;
  const shares = {
    HOTA: of('HOTA'),
    DetA: of('DetA'),
    AssA: of('AssA'),
    LocA: of('LocA'),
    MOTA: (hits - extra - switches) / Math.max(1, hits + missed),
    MOTP: share(counts.overlap, hits),
    IDF1: share(2 * identityHits, truths + results),
    IDP: share(identityHits, results),
    IDR: share(identityHits, truths),
    precision: share(hits, hits + extra),
    recall: share(hits, hits + missed),
  };
  const { fragments: Frag, mostlyTracked: MT, partlyTracked: PT, mostlyLost: ML } = counts;
  return {
    ...(isNothing ? Object.fromEntries(Object.keys(shares).map((name) => [name, -1])) : shares),
    IDSW: switches,
    Frag,
    MT,
    PT,
    ML,
  };
}
