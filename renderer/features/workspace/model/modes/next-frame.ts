import type { StoreApi } from 'zustand/vanilla';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import type { AnnotateState } from '../types.ts';
import { nextWithout } from '../find/frame-matches.ts';
import type { FrameNavigator } from '../frames/frame-navigator.ts';

interface NextFrameParts {
  readonly job: Pick<Job, 'start_frame' | 'stop_frame'>;
  readonly store: Pick<StoreApi<AnnotateState>, 'getState'>;
  readonly navigator: Pick<FrameNavigator, 'goTo'>;
  readonly left: () => ReadonlySet<number>;
}

/** Goes to the next frame that is not skipped; false if there is none. */
export const createNextFrame =
  ({ job, store, navigator, left }: NextFrameParts) =>
  (): boolean => {
    const place = { frame: store.getState().wantedFrame, first: job.start_frame, last: job.stop_frame };
    const next = nextWithout(left(), place, 1);
    if (next === null) return false;
    void navigator.goTo(next);
    return true;
  };
