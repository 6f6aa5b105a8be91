import type { statisticsOperations } from '../../../preload/contract/operations/statistics.ts';
import type { Core } from '../../core.ts';
import type { HandlersOf } from '../handler.ts';

export function createStatisticsHandlers({
  statistics,
  progress,
}: Pick<Core, 'statistics' | 'progress'>): HandlersOf<typeof statisticsOperations> {
  return {
    getJobStatistics: ({ actor, params, request }) => statistics.ofJob(actor, params.id, request.signal),
    getTaskStatistics: ({ actor, params, request }) => statistics.ofTask(actor, params.id, request.signal),
    getProjectStatistics: ({ actor, params, request }) => statistics.ofProject(actor, params.id, request.signal),
    getJobProgress: ({ actor, params, request }) => progress.ofJob(actor, params.id, request.signal),
    getProjectProgress: ({ actor, params }) => progress.ofProject(actor, params.id),
  };
}
