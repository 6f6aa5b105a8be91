import type { Look } from '../db/changes.ts';
import type { RequestService } from '../background-requests/request-service.ts';
import { createAnalyticsService, createEventExportRunner } from './analytics-service.ts';
import { createChangeNotes, createEventMaker, createWorkNotes } from './activity-recorder.ts';
import { createEventVolume } from './event-volume.ts';
import { createWorkProgressRepository } from './work-progress-repository.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** Analytics: event sources, storage and report. Off by default. */
export function createAnalytics<Kind extends string>(
  dependencies: Pick<
    WorkServiceDependencies,
    'database' | 'dataDirectory' | 'workers' | 'users' | 'jobs' | 'clock' | 'log'
  > & {
    readonly looks: Readonly<Record<Kind, Look>>;
  },
) {
  const volume = createEventVolume(dependencies);
  const work = createWorkProgressRepository(dependencies.database);
  const noting = { ...dependencies, isOn: volume.isOn, add: volume.add, event: createEventMaker(dependencies.users) };
  return {
    ...createChangeNotes(noting),
    ...createWorkNotes(noting),
    runner: createEventExportRunner({ ...dependencies, volume }),
    service: (requests: RequestService) => createAnalyticsService({ ...dependencies, volume, work }, requests),
    housekeep: volume.housekeep,
    stop: volume.stop,
  };
}
