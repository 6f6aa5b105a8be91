import { boxIntersectionOverUnion } from '../../../preload/geometry/geometry.ts';
import { pairOptimally } from '../../comparison/assignment.ts';

/** One object on one frame. Track numbers are indexes: 0, 1, … */
export interface TrackedBox {
  readonly track: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Objects on one frame; each track occurs at most once. */
export interface TrackFrame {
  readonly truths: readonly TrackedBox[];
  readonly results: readonly TrackedBox[];
}

/** HOTA's overlaps 0.05, 0.1, … 0.95, as in TrackEval. */
const alphas: readonly number[] = Array.from({ length: 19 }, (_, step) => 0.05 + step * 0.05);
const epsilon = Number.EPSILON;

/** Sums from which all track metrics are computed; sums of several labels can be added. */
export type TrackCounts = ReturnType<typeof countTracks>['counts'];

/** Overlaps of truths (rows) with results (columns). */
function overlapsOf({ truths, results }: TrackFrame): Float64Array {
  const overlaps = new Float64Array(truths.length * results.length);
  for (const [row, truth] of truths.entries()) {
    for (const [column, result] of results.entries())
      overlaps[row * results.length + column] = boxIntersectionOverUnion(truth, result);
  }
  return overlaps;
}

/**
 * Counts tracks of one label, matched as by the authors: CLEAR keeps pairs of the previous frame, Identity pairs tracks
 * once, HOTA maximizes alignment over the sequence.
 */
export function countTracks(frames: readonly TrackFrame[], leastOverlap = 0.5) {
  const truthLengths = lengthsOf(frames.map(({ truths }) => truths));
  const resultLengths = lengthsOf(frames.map(({ results }) => results));
  const { events, ...clear } = countClear(frames, truthLengths, leastOverlap);
  const sum = (lengths: readonly number[]): number => lengths.reduce((total, length) => total + length, 0);
  const counts = {
    frames: frames.length,
    truths: sum(truthLengths),
    results: sum(resultLengths),
    tracks: truthLengths.filter((length) => length > 0).length,
    ...clear,
    /** Frames on which a truth overlaps its assigned result. */
    identityHits: countIdentity(frames, truthLengths.length, resultLengths.length, leastOverlap),
    /** By overlap. */
    hota: countHota(frames, truthLengths, resultLengths),
  };
  return { counts, events };
}

function lengthsOf(frames: readonly (readonly TrackedBox[])[]): number[] {
  const lengths: number[] = [];
  for (const boxes of frames) {
    for (const { track } of boxes) {
      while (lengths.length <= track) lengths.push(0);
      lengths[track]! += 1;
    }
  }
  return lengths;
}

function countClear(frames: readonly TrackFrame[], lengths: readonly number[], leastOverlap: number) {
  const [last, now] = [lengths.map(() => -1), lengths.map(() => -1)];
  const [found, pieces] = [lengths.map(() => 0), lengths.map(() => 0)];
  let overlap = 0;
  const events = frames.map((frame) => {
    const { truths, results } = frame;
    // Assignments persist across frames on which one side is empty.
    if (truths.length === 0 || results.length === 0)
      return { hits: 0, missed: truths.length, extra: results.length, switches: 0 };
    const overlaps = overlapsOf(frame);
    const valueOf = (row: number, column: number): number => {
      const own = overlaps[row * results.length + column]!;
      if (own < leastOverlap - epsilon) return 0;
      return own + (now[truths[row]!.track] === results[column]!.track ? 1000 : 0);
    };
    const pairs = pairOptimally(truths.length, results.length, valueOf, epsilon);
    let switches = 0;
    const before = [...now];
    now.fill(-1);
    for (const [row, column] of pairs) {
      const [truth, result] = [truths[row]!.track, results[column]!.track];
      if (last[truth] !== -1 && last[truth] !== result) switches += 1;
      last[truth] = result;
      now[truth] = result;
      found[truth]! += 1;
      if (before[truth] === -1) pieces[truth]! += 1;
      overlap += overlaps[row * results.length + column]!;
    }
    const hits = pairs.length;
    return { hits, missed: truths.length - hits, extra: results.length - hits, switches };
  });
  const shares = lengths.flatMap((length, track) => (length === 0 ? [] : [found[track]! / length]));
  const total = (of: keyof (typeof events)[number]) => events.reduce((sum, one) => sum + one[of], 0);
  const mostlyTracked = shares.filter((share) => share > 0.8).length;
  const mostlyLost = shares.filter((share) => share < 0.2).length;
  return {
    events,
    hits: total('hits'),
    missed: total('missed'),
    extra: total('extra'),
    switches: total('switches'),
    fragments: pieces.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
    overlap,
    mostlyTracked,
    mostlyLost,
    partlyTracked: shares.length - mostlyTracked - mostlyLost,
  };
}

/**
 * Assigns each truth track at most one result track for the sequence, so that the number of matching frames is maximal.
 */
function countIdentity(frames: readonly TrackFrame[], truths: number, results: number, leastOverlap: number): number {
  const together = new Float64Array(truths * results);
  for (const frame of frames) {
    const overlaps = overlapsOf(frame);
    for (const [row, truth] of frame.truths.entries()) {
      for (const [column, result] of frame.results.entries())
        if (overlaps[row * frame.results.length + column]! >= leastOverlap)
          together[truth.track * results + result.track]! += 1;
    }
  }
  const valueOf = (row: number, column: number): number => together[row * results + column]!;
  return pairOptimally(truths, results, valueOf).reduce((sum, [row, column]) => sum + valueOf(row, column), 0);
}

function countHota(frames: readonly TrackFrame[], truthLengths: readonly number[], resultLengths: readonly number[]) {
  const columns = resultLengths.length;
  const alignment = new Float64Array(truthLengths.length * columns);
  for (const frame of frames) addAlignment(alignment, columns, frame);
  for (const [truth, length] of truthLengths.entries()) {
    for (const [result, other] of resultLengths.entries()) {
      const at = truth * columns + result;
      if (alignment[at]! > 0) alignment[at]! /= length + other - alignment[at]!;
    }
  }
  const counted = alphas.map(() => ({ hits: 0, overlap: 0, together: new Map<number, number>() }));
  for (const frame of frames) {
    const { truths, results } = frame;
    const overlaps = overlapsOf(frame);
    const own = (row: number, column: number): number => overlaps[row * results.length + column]!;
    const place = (row: number, column: number): number => truths[row]!.track * columns + results[column]!.track;
    const pairs = pairOptimally(truths.length, results.length, (row, column) =>
      own(row, column) === 0 ? 0 : alignment[place(row, column)]! * own(row, column),
    );
    for (const [row, column] of pairs) {
      const [value, at] = [own(row, column), place(row, column)];
      for (const [step, alpha] of alphas.entries()) {
        if (value < alpha - epsilon) break;
        const one = counted[step]!;
        one.hits += 1;
        one.overlap += value;
        one.together.set(at, (one.together.get(at) ?? 0) + 1);
      }
    }
  }
  return counted.map(({ hits, overlap, together }) => {
    const sums = { hits, overlap, association: 0, associationRecall: 0, associationPrecision: 0 };
    for (const [at, count] of together) {
      const [truth, result] = [truthLengths[Math.floor(at / columns)]!, resultLengths[at % columns]!];
      sums.association += (count * count) / (truth + result - count);
      sums.associationRecall += (count * count) / truth;
      sums.associationPrecision += (count * count) / result;
    }
    return sums;
  });
}

/** Adds the alignment of two tracks: their overlap divided by all overlaps of either on the frame. */
function addAlignment(alignment: Float64Array, columns: number, frame: TrackFrame): void {
  const { truths, results } = frame;
  const overlaps = overlapsOf(frame);
  const [ofRow, ofColumn] = [new Float64Array(truths.length), new Float64Array(results.length)];
  for (let at = 0; at < overlaps.length; at += 1) {
    ofRow[Math.floor(at / results.length)]! += overlaps[at]!;
    ofColumn[at % results.length]! += overlaps[at]!;
  }
  for (let at = 0; at < overlaps.length; at += 1) {
    const [row, column] = [Math.floor(at / results.length), at % results.length];
    const all = ofRow[row]! + ofColumn[column]! - overlaps[at]!;
    if (all > epsilon) alignment[truths[row]!.track * columns + results[column]!.track]! += overlaps[at]! / all;
  }
}
