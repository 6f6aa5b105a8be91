import type { StoreApi } from 'zustand/vanilla';
import type { LambdaFunction } from '../../../../../preload/contract/schema/functions.ts';
import type { Request } from '../../../../../preload/contract/schema/resources.ts';
import { call } from '../../../../api/client.ts';
import { text } from '../../../../i18n/index.ts';
import { detectorBody, detectorOptions } from './detection.ts';
import { mappedCount } from '../../../../shared/models/model-labels.ts';
import type { SessionParts } from '../types.ts';
import { reasonOf, type ModelState, type RunState } from './model-state.ts';

interface TaskRunParts extends Pick<SessionParts, 'job' | 'store'> {
  readonly state: StoreApi<ModelState>;
  /** Resolves when all edits are saved; a run must not start before. */
  readonly whenSaved: () => Promise<void>;
  /** Reloads annotations after the run; `cleanup` means that the earlier ones were deleted. */
  readonly refresh: (cleanup: boolean) => Promise<void>;
}

const pollMs = 400;
const longestPollMs = 3_000;

export function createTaskRun({ job, store, state, whenSaved, refresh }: TaskRunParts) {
  let watched: object | null = null;
  let isClosed = false;
  let wasCancelled = false;
  const show = (run: RunState): void => state.setState({ run });

  const ended = async (request: Request, cleanup: boolean): Promise<void> => {
    const outcome = request.status === 'finished' ? 'finished' : wasCancelled ? 'cancelled' : 'failed';
    // A cancelled or failed run leaves the results so far.
    await refresh(cleanup);
    show({ phase: 'ended', outcome, text: request.message, canResume: outcome !== 'finished' });
  };
  const watch = async (id: string, cleanup: boolean): Promise<void> => {
    const mine = {};
    watched = mine;
    const isOver = (): boolean => watched !== mine;
    let failures = 0;
    while (!isOver()) {
      try {
        const request = await call('getRequest', { params: { id } });
        failures = 0;
        if (isOver()) return;
        if (request.status === 'finished' || request.status === 'failed') return await ended(request, cleanup);
        show({ phase: 'running', id, progress: request.progress ?? 0, text: request.message });
      } catch {
        // The run continues in the service, so the next poll may succeed.
        failures += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.min(longestPollMs, pollMs * 2 ** failures)));
    }
  };

  return {
    async start(model: LambdaFunction, resume: boolean = false): Promise<void> {
      const options = detectorOptions(state.getState(), model, store.getState().labels);
      const { target } = state.getState();
      const cleanup = options.cleanup && !resume;
      wasCancelled = false;
      show({ phase: 'starting' });
      try {
        if (mappedCount(options.choice) === 0) throw new Error(text('assist.mapFirst'));
        await whenSaved();
        const place = target === 'job' ? { task: job.task_id, job: job.id } : { task: job.task_id };
        const { labels } = store.getState();
        const body = { function: model.id, ...place, cleanup, resume, ...detectorBody(model, labels, options) };
        const { id } = await call('createLambdaRequest', { body });
        show({ phase: 'running', id, progress: 0, text: '' });
        if (!isClosed) void watch(id, cleanup);
      } catch (error) {
        const reason = text('assist.runFailed', { name: model.name, message: reasonOf(error) });
        show({ phase: 'ended', outcome: 'failed', text: reason, canResume: false });
      }
    },
    async cancel(): Promise<void> {
      const { run } = state.getState();
      if (run.phase !== 'running') return;
      try {
        wasCancelled = true;
        await call('cancelRequest', { params: { id: run.id } });
      } catch (error) {
        state.setState({ note: { kind: 'failure', text: text('assist.cancelFailed', { message: reasonOf(error) }) } });
      }
    },
    /** Continues to watch a run that was started before this screen opened. */
    async find(): Promise<void> {
      try {
        const requests = await call('listLambdaRequests', {});
        const mine = requests.find(
          (one) => one.function.task === job.task_id && (one.status === 'queued' || one.status === 'started'),
        );
        if (mine === undefined || isClosed || state.getState().run.phase !== 'idle') return;
        show({ phase: 'running', id: mine.id, progress: mine.progress / 100, text: '' });
        void watch(mine.id, true);
      } catch {
        // Nothing to watch. A run started here reports its own errors.
      }
    },
    close() {
      isClosed = true;
      watched = null;
    },
  };
}
