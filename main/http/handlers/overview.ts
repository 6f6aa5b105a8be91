import type { overviewOperations } from '../../../preload/contract/operations/overview.ts';
import type { Services } from '../../composition/services.ts';
import type { HandlersOf } from '../handler.ts';

export function createOverviewHandlers({
  statistics,
  progress,
  frameSearch,
}: Services): HandlersOf<typeof overviewOperations> {
  return {
    getJobStatistics: ({ actor, params, request }) => statistics.ofJob(actor, params.id, request.signal),
    getTaskStatistics: ({ actor, params, request }) => statistics.ofTask(actor, params.id, request.signal),
    getProjectStatistics: ({ actor, params, request }) => statistics.ofProject(actor, params.id, request.signal),
    getJobProgress: ({ actor, params, request }) => progress.ofJob(actor, params.id, request.signal),
    getProjectProgress: ({ actor, params }) => progress.ofProject(actor, params.id),
    searchJobFrames: ({ actor, params, body, request }) => frameSearch.search(actor, params.id, body, request.signal),
  };
}
