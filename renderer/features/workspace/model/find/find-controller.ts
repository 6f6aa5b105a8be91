import { createStore } from 'zustand/vanilla';
import type { Job } from '../../../../../preload/contract/schema/resources.ts';
import { call } from '../../../../api/client.ts';
import type { SessionParts } from '../types.ts';
import type { JobSaving } from '../saving/job-saving.ts';
import { createFilterController } from './filter-controller.ts';
import { createFrameMatches } from './frame-matches.ts';
import { createFrameSteps } from './frame-steps.ts';

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
