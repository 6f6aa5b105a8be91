import type { RequestQueue } from '../requests/request-queue.ts';
import type { Functions } from '../models/functions.ts';
import { createBackupService } from './backup/backup-service.ts';
import type { BackupDependencies, BackupOptions } from './backup/backup-work.ts';

export type { BackupOptions };

export interface AdministrationDependencies extends Omit<BackupDependencies, 'rest'> {
  readonly queue: Pick<RequestQueue, 'pause' | 'resume'>;
  readonly functions: Pick<Functions, 'keepers'>;
}

/** What concerns the house as a whole. */
export function createAdministration({ queue, functions, ...dependencies }: AdministrationDependencies) {
  return {
    workbenchBackups: createBackupService({
      ...dependencies,
      async rest() {
        const put = await queue.pause();
        return { resume: queue.resume, requests: put, functions: await functions.keepers.restAll() };
      },
    }),
  };
}
