import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { QualityChoices } from '../../../preload/contract/schema/quality.ts';
import type { JobRun } from '../../platform/worker-job.ts';
import { compareFrame, type FrameComparison } from './compare-frame.ts';
import type { ImageSize } from './compared-object.ts';
import { objectsByFrame } from './frame-objects.ts';

interface Side {
  readonly jobId: number;
  readonly data: LabeledData;
}

/** What a job says, and what it should say, on the frames that both have. */
export interface CompareJob {
  readonly frames: readonly (ImageSize & { readonly frame: number })[];
  readonly truth: Side;
  readonly own: Side;
  readonly choices: QualityChoices;
}

export type ComparedFrames = readonly (readonly [frame: number, comparison: FrameComparison])[];

/** In a worker thread: masks of large pictures are counted pixel by pixel. */
export function compareQuality({ frames, truth, own, choices }: CompareJob, run: JobRun): ComparedFrames {
  const wanted = objectsByFrame(truth.data, truth.jobId);
  const found = objectsByFrame(own.data, own.jobId);
  return frames.map(({ frame, width, height }, at) => {
    run.progress(at / frames.length);
    return [frame, compareFrame(frame, wanted(frame), found(frame), { size: { width, height }, choices })] as const;
  });
}
