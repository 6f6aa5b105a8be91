/** Frames from the first to the last, inclusive. */
export interface FrameRange {
  readonly first: number;
  readonly last: number;
}

/** First index in 0 … `length` for which `isBelow` is false. `isBelow` must be true up to there. */
export function partitionPoint(length: number, isBelow: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBelow(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Index of ranges of frames, such as the jobs of a task, which may overlap. A lookup takes the logarithm of their number
 * plus the hits, so that sorting objects into jobs does not cost objects × jobs.
 */
export function indexRanges(ranges: readonly FrameRange[]) {
  const byStart = [...ranges.keys()];
  // The jobs of a task are in order already.
  if (ranges.some(({ first }, index) => index > 0 && first < ranges[index - 1]!.first))
    byStart.sort((a, b) => ranges[a]!.first - ranges[b]!.first);
  // Largest last frame up to each entry: no entry before reaches further.
  let reach = -1;
  const reaches = byStart.map((index) => (reach = Math.max(reach, ranges[index]!.last)));
  return {
    /** Indices, ascending, of the ranges that share a frame with `first` … `last`. */
    within(first: number, last = first): number[] {
      const hits: number[] = [];
      const end = partitionPoint(byStart.length, (at) => ranges[byStart[at]!]!.first <= last);
      for (let at = end - 1; at >= 0 && reaches[at]! >= first; at -= 1) {
        const index = byStart[at]!;
        if (ranges[index]!.last >= first) hits.push(index);
      }
      return hits.sort((a, b) => a - b);
    },
  };
}

export type RangeIndex = ReturnType<typeof indexRanges>;
