import { alphas, type TrackCounts } from './track-counts.ts';

const share = (part: number, whole: number): number => part / Math.max(1, whole);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Several labels as one: what was counted is added, as the authors of HOTA combine classes. */
export function addTrackCounts(all: readonly TrackCounts[]): TrackCounts {
  const sum = (of: (counts: TrackCounts) => number): number => all.reduce((total, one) => total + of(one), 0);
  return {
    frames: Math.max(0, ...all.map(({ frames }) => frames)),
    truths: sum((one) => one.truths),
    results: sum((one) => one.results),
    hits: sum((one) => one.hits),
    missed: sum((one) => one.missed),
    extra: sum((one) => one.extra),
    switches: sum((one) => one.switches),
    fragments: sum((one) => one.fragments),
    overlap: sum((one) => one.overlap),
    tracks: sum((one) => one.tracks),
    mostlyTracked: sum((one) => one.mostlyTracked),
    partlyTracked: sum((one) => one.partlyTracked),
    mostlyLost: sum((one) => one.mostlyLost),
    identityHits: sum((one) => one.identityHits),
    hota: alphas.map((_, step) => ({
      hits: sum(({ hota }) => hota[step]!.hits),
      overlap: sum(({ hota }) => hota[step]!.overlap),
      association: sum(({ hota }) => hota[step]!.association),
      associationRecall: sum(({ hota }) => hota[step]!.associationRecall),
      associationPrecision: sum(({ hota }) => hota[step]!.associationPrecision),
    })),
  };
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
