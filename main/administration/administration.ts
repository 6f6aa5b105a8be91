import type { RequestQueue } from '../requests/request-queue.ts';
import type { RequestService } from '../requests/request-service.ts';
import type { Functions } from '../models/functions.ts';
import { createActivityService } from './activity/activity-service.ts';
import { createBackupService } from './backup/backup-service.ts';
import type { BackupDependencies, BackupOptions } from './backup/backup-work.ts';

export type { BackupOptions };

type HouseDependencies = Parameters<typeof createActivityService>[0] & Omit<BackupDependencies, 'rest'>;

export interface AdministrationDependencies extends HouseDependencies {
  readonly requests: RequestService;
  readonly queue: Pick<RequestQueue, 'pause' | 'resume'>;
  readonly functions: Pick<Functions, 'keepers'>;
}

/** What concerns the house as a whole. */
export function createAdministration(dependencies: AdministrationDependencies) {
  const { requests, queue, functions } = dependencies;
  return {
    activity: createActivityService(dependencies, requests),
    workbenchBackups: createBackupService({
      ...dependencies,
      async rest() {
        const put = await queue.pause();
        return { resume: queue.resume, requests: put, functions: await functions.keepers.restAll() };
      },
    }),
  };
}
