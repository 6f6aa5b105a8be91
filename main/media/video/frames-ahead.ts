/** Frames that are made while the one before them is sent. */
const reach = 2;
/** So many steps of one length in a row are a walk. */
const walk = 2;
/** Frames between two that are asked for: more are leaps. */
const maxStride = 12;

/**
 * Tells which frames are worth making before they are asked for: the next ones of who goes through a video from front to
 * back, so that one is decoded and another encoded while a third is on its way.
 */
export function createFramesAhead() {
  let last = { id: '', frame: -1, stride: 0, steps: 0 };
  /** The last one that was told. */
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
