import type { VideoTimes } from '../../preload/contract/schema/resources.ts';

export type FrameTimes = ReturnType<typeof createFrameTimes>;

/**
 * Numbers of frames by when they are shown, and back. A number never comes from a rate: only the service's index of the
 * file says when a frame is shown. Frames of the video that the job leaves out have none.
 */
export function createFrameTimes({ first, seconds }: VideoTimes) {
  const times = seconds.map((time) => time ?? Number.NaN);
  return {
    /** Undefined for a frame that the job has not. */
    timeOf(frame: number): number | undefined {
      const time = times[frame - first];
      return time === undefined || Number.isNaN(time) ? undefined : time;
    },
    /** Undefined where no frame of the job is shown at that time. */
    frameAt(time: number): number | undefined {
      let low = 0;
      let high = times.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((times[middle] ?? Infinity) < time) low = middle + 1;
        else high = middle;
      }
      const near = [low - 1, low].filter((index) => Math.abs((times[index] ?? Infinity) - time) < tolerance);
      return near[0] === undefined ? undefined : first + near[0];
    },
  };
}

/** Seconds: containers state times in units of up to a millisecond, and programs round them. */
const tolerance = 0.0006;
