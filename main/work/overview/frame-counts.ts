/** Counts objects per frame of a range, inclusive. Adding to a run of frames costs the same as to one. */
export function createFrameCounts(first: number, last: number) {
  // Differences between neighbouring frames; the last entry ends runs that reach the end.
  const steps = new Int32Array(Math.max(0, last - first + 1) + 1);
  const inside = (frame: number): number => Math.min(Math.max(frame, first), last + 1) - first;

  return {
    /** Adds `count` to the frames `from` … `to`. Frames outside of the range are ignored. */
    add(from: number, to = from, count = 1): void {
      if (to < first || from > last) return;
      steps[inside(from)]! += count;
      steps[inside(to + 1)]! -= count;
    },
    /** Frames with a count above 0, except `without`, and their counts. */
    counted(without: ReadonlySet<number>): { readonly frames: number[]; readonly counts: number[] } {
      const [frames, counts]: [number[], number[]] = [[], []];
      let count = 0;
      for (let index = 0; index < steps.length - 1; index += 1) {
        count += steps[index]!;
        if (count === 0 || without.has(first + index)) continue;
        frames.push(first + index);
        counts.push(count);
      }
      return { frames, counts };
    },
  };
}

export type FrameCounts = ReturnType<typeof createFrameCounts>;
