import type { Look } from '../db/changes.ts';
import { createChangeNotes, createEventMaker, createWorkNotes } from './activity-recorder.ts';
import { createEventVolume } from './event-volume.ts';
import type { WorkServiceDependencies } from '../work/work-dependencies.ts';

/** Analytics: event sources, storage and report. Off by default. */
export function createAnalytics<Kind extends string>(
  dependencies: Pick<WorkServiceDependencies, 'dataDirectory' | 'workers' | 'users' | 'jobs' | 'log'> & {
    readonly looks: Readonly<Record<Kind, Look>>;
  },
) {
  const { dataDirectory, workers, users, jobs, log, looks } = dependencies;
  const volume = createEventVolume({ dataDirectory, workers, log });
  const { isOn, add } = volume;
  const event = createEventMaker(users);
  return {
    ...createChangeNotes({ isOn, add, event, looks }),
    ...createWorkNotes({ isOn, add, event, jobs }),
    volume,
    housekeep: volume.housekeep,
    stop: volume.stop,
  };
}
