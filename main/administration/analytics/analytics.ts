import type { Look } from '../../db/changes.ts';
import type { Database } from '../../db/open.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { WorkerPool } from '../../platform/worker-pool.ts';
import type { UserRepository } from '../../people/users/user-repository.ts';
import type { RequestService } from '../../requests/request-service.ts';
import type { JobRepository } from '../../work/jobs/job-repository.ts';
import { createAnalyticsService, createEventExportRunner } from './analytics-service.ts';
import { createChangeNotes } from './change-notes.ts';
import { createEventMaker } from './event-maker.ts';
import { createEventVolume } from './event-volume.ts';
import { createWorkNotes } from './work-notes.ts';
import { createWorkProgressRepository } from './work-progress-repository.ts';

/** Analytics: what is heard, where it is kept, and what is told of it. Off until somebody switches it on. */
export function createAnalytics<Kind extends string>(dependencies: {
  readonly database: Database;
  readonly dataDirectory: string;
  readonly workers: WorkerPool;
  readonly users: UserRepository;
  readonly jobs: JobRepository;
  readonly looks: Readonly<Record<Kind, Look>>;
  readonly clock: Clock;
  readonly log: Logger;
}) {
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
