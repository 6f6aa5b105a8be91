/** A pending set, and the frames of its job. */
export interface TargetSet {
  readonly setId: number;
  readonly firstFrame: number;
  readonly lastFrame: number;
  /**
   * Less than a frame's number by this much is what is stored. An import of several tasks, or of jobs that overlap,
   * gives each of them frames of its own, one after another; the store counts the frames of each task from 0.
   */
  readonly frameOffset?: number;
}

export const holdsFrame = (target: TargetSet, frame: number): boolean =>
  frame >= target.firstFrame && frame <= target.lastFrame;
