import type { VideoTimes } from '../../preload/contract/schema/resources.ts';

export type FrameTimes = ReturnType<typeof createFrameTimes>;

/** Seconds: containers store times in units of up to a millisecond, and programs round them. */
const mostTolerance = 0.0006;

/**
 * Maps frame numbers to timestamps and back. Never derived from a frame rate: only the service's index of the file has
 * the timestamps. Frames that the job skips have no number.
 */
export function createFrameTimes({ first, seconds, tolerance }: VideoTimes) {
  const known = seconds.flatMap((time, index) => (time === null ? [] : [{ time, frame: first + index }]));
  // A time between two frames belongs to none, because the nearest one may be a frame that the job skips.
  const within = Math.min(mostTolerance, tolerance);
  return {
    /** Undefined for a frame outside the job. */
    timeOf: (frame: number): number | undefined => seconds[frame - first] ?? undefined,
    /** The frame nearest to a time; undefined if none of the job's frames matches. */
    frameAt(time: number): number | undefined {
      let low = 0;
      let high = known.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((known[middle]?.time ?? Infinity) < time) low = middle + 1;
        else high = middle;
      }
      const distanceOf = (index: number): number => Math.abs((known[index]?.time ?? Infinity) - time);
      const nearest = distanceOf(low - 1) < distanceOf(low) ? low - 1 : low;
      return distanceOf(nearest) < within ? known[nearest]?.frame : undefined;
    },
  };
}
