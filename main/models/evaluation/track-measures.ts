import type { TrackCounts } from './track-counts.ts';

const share = (part: number, whole: number): number => part / Math.max(1, whole);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The sums of two objects of numbers, name by name. */
const added = <Sums extends Readonly<Record<string, number>>>(a: Sums, b: Sums): Sums =>
  // The same names, and numbers as well.
  Object.fromEntries(Object.entries(a).map(([name, value]) => [name, value + b[name]!])) as Sums;

/** Several labels as one: what was counted is added, as the authors of HOTA combine classes. */
export function addTrackCounts(all: readonly TrackCounts[]): TrackCounts {
  return all.reduce(({ frames, hota, ...sums }, next) => {
    const { frames: others, hota: more, ...own } = next;
    const byOverlap = hota.map((step, at) => added({ ...step }, { ...more[at]! }));
    return { ...added(sums, own), frames: Math.max(frames, others), hota: byOverlap };
  });
}

/** HOTA and its parts at each overlap. */
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
      // Where nothing was found there is nothing to be off.
      LocA: hits === 0 ? 1 : overlap / hits,
    };
  });
}

/**
 * The measures by TrackEval's names; MOTP is the mean overlap of what was found. −1: there is no truth and no result.
 * Counts stand beside the shares: IDSW, Frag, MT, PT, ML.
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
