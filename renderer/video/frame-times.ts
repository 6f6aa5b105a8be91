import type { VideoTimes } from '../../preload/contract/schema/resources.ts';

export type FrameTimes = ReturnType<typeof createFrameTimes>;

/** Seconds: containers state times in units of up to a millisecond, and programs round them. */
const mostTolerance = 0.0006;

/**
 * Numbers of frames by when they are shown, and back. A number never comes from a rate: only the service's index of the
 * file says when a frame is shown. Frames of the video that the job leaves out have none.
 */
export function createFrameTimes({ first, seconds, tolerance }: VideoTimes) {
  const known = seconds.flatMap((time, index) => (time === null ? [] : [{ time, frame: first + index }]));
  // A time between two frames of the video is no frame's: the one beside it may be one that the job leaves out.
  const within = Math.min(mostTolerance, tolerance);
  return {
    /** Undefined for a frame that the job has not. */
    timeOf: (frame: number): number | undefined => seconds[frame - first] ?? undefined,
    /** The frame shown nearest to that time; undefined where none of the job's frames is meant. */
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
