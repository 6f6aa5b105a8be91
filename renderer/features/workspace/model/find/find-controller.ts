import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { call } from '../../../../api/client.ts';
import type { SessionParts, AnnotateStore, FrameNavigator } from '../types.ts';
import type { JobSaving } from '../saving/job-saving.ts';
import { createFilterController } from './filter-controller.ts';
import { createFrameMatches, type FrameMatchService } from './frame-matches.ts';
import type { JsonLogic } from '../../../../../preload/contract/object-filter/filter-logic.ts';
import { text } from '../../../../i18n/index.ts';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { notify } from '../../../../ui/notify.ts';
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
function createFrameSteps({ job, store, navigator, left, matches, issueFrames }: StepParts) {
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

interface FindParts extends Pick<SessionParts, 'job' | 'engine' | 'store' | 'navigator' | 'metaOf'> {
  readonly saving: JobSaving;
}

function leftOut({ start_frame: first, stop_frame: last }: Job, metaOf: FindParts['metaOf']): number[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  return all.filter((frame) => metaOf(frame) === undefined);
}

export function createFindController({ job, engine, store, navigator, metaOf, saving }: FindParts) {
  const filter = createFilterController({ engine, store, kept: localStorage });
  const params = { id: job.id };
  const matches = createFrameMatches({
    whenSaved: saving.queue.whenSaved,
    ask: (logic) => call('searchJobFrames', { params, body: { filter: logic } }),
  });
  const issueFrames = async (): Promise<number[]> => {
    const query = { job_id: String(job.id), page_size: 'all', sort: 'frame_id,id' };
    const { results } = await call('listIssues', { query, organization: null });
    return results.flatMap(({ resolved, frame }) => (resolved || frame === null ? [] : [frame]));
  };
  const notThere = leftOut(job, metaOf);
  const left = (): ReadonlySet<number> => new Set([...store.getState().deleted, ...notThere]);
  const steps = createFrameSteps({ job, store, navigator, left, matches, issueFrames });
  const search = createStore<{ readonly open: boolean }>(() => ({ open: false }));
  const stop = engine.on('command', matches.forget);
  return {
    filter,
    matches,
    steps,
    search,
    /** Missing or deleted frames. */
    left,
    close() {
      stop();
      filter.close();
    },
  };
}

export type FindController = ReturnType<typeof createFindController>;
