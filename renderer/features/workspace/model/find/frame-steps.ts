import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { text } from '../../../../i18n/index.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { notify } from '../../../../ui/notify.ts';
import type { AnnotateStore, FrameNavigator } from '../types.ts';
import { type FrameMatchService } from './frame-matches.ts';
import { nextOf, nextWithout } from '../frames/frame-navigator.ts';

interface StepParts {
  readonly job: Pick<Job, 'start_frame' | 'stop_frame'>;
  readonly store: Pick<AnnotateStore, 'getState'>;
  readonly navigator: Pick<FrameNavigator, 'goTo'>;
  /** Missing or deleted frames. */
  readonly left: () => ReadonlySet<number>;
  readonly matches: FrameMatchService;
  /** Frames of open issues, ascending. */
  readonly issueFrames: () => Promise<readonly number[]>;
}

/** Steps from frame to frame by content. At the end a notice appears and the frame stays. */
export function createFrameSteps({ job, store, navigator, left, matches, issueFrames }: StepParts) {
  const place = () => ({ frame: store.getState().wantedFrame, first: job.start_frame, last: job.stop_frame });
  let turn = 0;

  const go = async (find: () => Promise<number | null>, none: TextKey): Promise<void> => {
    const mine = (turn += 1);
    try {
      const frame = await find();
      if (mine !== turn) return;
      if (frame === null) notify.hint('steps', text(none));
      else await navigator.goTo(frame);
    } catch (error) {
      if (mine === turn) notify.failure(text('find.steps.failed'), error);
    }
  };

  return {
    /** Goes to a frame with a matching object; without a filter, with any object. */
    toMatch: (filter: JsonLogic | null, by: 1 | -1) =>
      go(
        async () => nextOf((await matches.of(filter)).frames, place().frame, by),
        by > 0 ? 'find.steps.noNextMatch' : 'find.steps.noPreviousMatch',
      ),
    toEmpty: (by: 1 | -1) =>
      go(
        async () => nextWithout(new Set([...(await matches.of(null)).frames, ...left()]), place(), by),
        by > 0 ? 'find.steps.noNextEmpty' : 'find.steps.noPreviousEmpty',
      ),
    toIssue: (by: 1 | -1) =>
      go(
        async () => nextOf(await issueFrames(), place().frame, by),
        by > 0 ? 'find.steps.noNextIssue' : 'find.steps.noPreviousIssue',
      ),
  };
}
