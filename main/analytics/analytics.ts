import { createChangeNotes, createEventMaker, createWorkNotes } from './activity-recorder.ts';
import { createEventVolume } from './event-volume.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** Analytics: event sources, storage and report. Off by default. */
export function createAnalytics(
  dependencies: Pick<WorkServiceDependencies, 'dataDirectory' | 'workers' | 'users' | 'jobs' | 'log'>,
) {
  const { dataDirectory, workers, users, jobs, log } = dependencies;
  const volume = createEventVolume({ dataDirectory, workers, log });
  const { isOn, add } = volume;
  const by = createEventMaker(users);
  return {
    changes: createChangeNotes({ isOn, add, by }),
    ...createWorkNotes({ isOn, add, by, jobs }),
    volume,
    housekeep: volume.housekeep,
    stop: volume.stop,
  };
}
