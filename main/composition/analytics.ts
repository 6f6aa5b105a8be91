import { createAnalyticsService, createEventExportRunner } from '../analytics/analytics-service.ts';
import { createWorkProgressRepository } from '../analytics/work-progress-repository.ts';
import type { Foundation } from './foundation.ts';

/** Reports and exports of analytics. Its listeners are among the events. */
export function createAnalyticsServices(foundation: Foundation) {
  const { database, dataDirectory, workers, clock, queue, requests } = foundation;
  const { volume } = foundation.analytics;
  queue.register('export:events', createEventExportRunner({ dataDirectory, workers, volume }));
  const work = createWorkProgressRepository(database);
  return createAnalyticsService({ volume, work, users: foundation.repositories.users, clock }, requests);
}
