import type { statisticsOperations } from '../../../preload/contract/operations/statistics.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createStatisticsHandlers({
  statistics,
}: Pick<Core, 'statistics'>): HandlersOf<typeof statisticsOperations> {
  return {
    getJobStatistics: ({ actor, params, request }) => statistics.ofJob(actor, params.id, request.signal),
    getTaskStatistics: ({ actor, params, request }) => statistics.ofTask(actor, params.id, request.signal),
    getProjectStatistics: ({ actor, params, request }) => statistics.ofProject(actor, params.id, request.signal),
    getProjectProgress: ({ actor, params }) => statistics.progressOfProject(actor, params.id),
  };
}
