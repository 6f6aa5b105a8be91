/** Frames encoded in advance while the current one is sent. */
const reach = 2;
/** Equal steps in a row that count as stepping through the video. */
const walk = 2;
/** Largest step in frames; larger ones are jumps. */
const maxStride = 12;

/**
 * Predicts the next frames for a user who steps forward through a video. Thus one is decoded and another encoded while
 * a third is sent.
 */
export function createFramesAhead() {
  let last = { id: '', frame: -1, stride: 0, steps: 0 };
  let begun = -1;
  return {
    /** @param id of the video, and of what is made of its frames */
    after(id: string, frame: number): readonly number[] {
      const stride = last.id === id ? frame - last.frame : 0;
      const isStep = stride > 0 && stride <= maxStride;
      const steps = isStep && (stride === last.stride || last.steps === 0) ? last.steps + 1 : 0;
      last = { id, frame, stride, steps };
      if (steps === 0) begun = -1;
      if (steps < walk) return [];
      const next = Array.from({ length: reach }, (_, step) => frame + (step + 1) * stride).filter((one) => one > begun);
      begun = next.at(-1) ?? begun;
      return next;
    },
  };
}
