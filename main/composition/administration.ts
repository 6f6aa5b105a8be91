import { join } from 'node:path';
import { createHistoryService } from '../audit-log/change-history.ts';
import { createBackupService } from '../backup/backup-service.ts';
import { createKeptPassphrase } from '../backup/saved-passphrase.ts';
import type { BackupOptions } from '../backup/backup-work.ts';
import { createGitService } from '../git-sync/git-service.ts';
import { createLogService } from '../logs/log-service.ts';
import { createSecrets } from '../platform/secrets.ts';
import { createSettingsService } from '../settings/settings-service.ts';
import type { PreparedMove } from '../storage/move-volume.ts';
import { createStorageService } from '../storage/storage-service.ts';
import { createSshKeys } from '../users/ssh-keys/ssh-keys.ts';
import type { AnnotationService } from '../work/annotations/annotation-service.ts';
import type { Foundation } from './foundation.ts';
import type { Models } from './models.ts';
import { createRemotes, type RemoteWork } from './remotes.ts';

/** Callbacks of a shell that can restart the app on the same data directory. */
export interface ShellOptions extends BackupOptions {
  /** Called after a volume is copied: the app ends, late changes are copied, and it restarts on the copy. */
  readonly moveOn: (move: PreparedMove) => void;
}

interface AdministrationDependencies {
  readonly annotations: AnnotationService;
  readonly work: RemoteWork;
  readonly models: Pick<Models, 'runtimes' | 'batchQueue'>;
  readonly backup: ShellOptions | undefined;
}

/** Administration of the app: backups, storage, settings, logs, history and Git. */
export function createAdministration(
  foundation: Foundation,
  { annotations, work, models, backup }: AdministrationDependencies,
) {
  const { database, databaseFile, dataDirectory, workers, clock, log, keychain, access, formats } = foundation;
  const { historyEntries: entries, queue, webhooks, repositories } = foundation;
  const { labelRows, media, tasks, users } = repositories;
  const secrets = createSecrets(join(dataDirectory, 'keys', 'secrets.key'), keychain);
  const sshKeys = createSshKeys({ database, dataDirectory, secrets, clock });
  const git = createGitService({
    database,
    databaseFile,
    dataDirectory,
    workers,
    access,
    labelRows,
    media,
    tasks,
    users,
    clock,
    log,
    formats,
    annotations,
    sshKeys,
  });
  const remotes = createRemotes(foundation, work, secrets);
  const workbenchBackups = createBackupService({
    dataDirectory,
    workers,
    log,
    backup,
    passphrase: createKeptPassphrase(dataDirectory, secrets),
    async rest() {
      const { batchQueue, runtimes } = models;
      const put = (await queue.pause()) + (await batchQueue.pause());
      await webhooks.pause();
      const resume = (): void => {
        queue.resume();
        batchQueue.resume();
        webhooks.resume();
      };
      return { resume, requests: put, functions: await runtimes.restAll() };
    },
  });
  const storage = createStorageService({
    dataDirectory,
    databaseFile,
    workers,
    log,
    moveOn: backup?.moveOn,
    isBackingUp: workbenchBackups.isBusy,
  });
  return {
    services: {
      workbenchBackups,
      sshKeys,
      git,
      remotes,
      history: createHistoryService({ users, access, entries }),
      logs: createLogService({ dataDirectory, version: backup?.version ?? '' }),
      storage,
      settings: createSettingsService({ dataDirectory, version: backup?.version ?? '', log }),
    },
    housekeep(): void {
      workbenchBackups.housekeep();
      sshKeys.housekeep();
      git.housekeep();
      remotes.housekeep();
      entries.trim();
    },
    async stop(): Promise<void> {
      await storage.stop();
      await workbenchBackups.stop();
    },
  };
}
