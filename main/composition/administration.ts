import { join } from 'node:path';
import type { Functions } from '../functions/functions.ts';
import { createSshKeys } from '../users/ssh-keys/ssh-keys.ts';
import { createSecrets, type SafeStorage } from '../platform/secrets.ts';
import type { Webhooks } from '../webhooks/webhooks.ts';
import type { RequestQueue } from '../background-requests/request-queue.ts';
import { createBackupService } from '../backup/backup-service.ts';
import { createKeptPassphrase } from '../backup/saved-passphrase.ts';
import type { BackupDependencies, BackupOptions } from '../backup/backup-work.ts';
import { createGitService, type GitDependencies } from '../git-sync/git-service.ts';
import type { HistoryRepository } from '../audit-log/history-repository.ts';
import { createHistoryService } from '../audit-log/change-history.ts';
import type { PreparedMove } from '../storage/move-volume.ts';
import { createSettingsService } from '../settings/settings-service.ts';
import { createStorageService } from '../storage/storage-service.ts';
import { createLogService } from '../logs/log-service.ts';

/** Callbacks of a shell that can restart the app on the same data directory. */
export interface ShellOptions extends BackupOptions {
  /** Called after a volume is copied: the app ends, late changes are copied, and it restarts on the copy. */
  readonly moveOn: (move: PreparedMove) => void;
}

export interface AdministrationDependencies
  extends Omit<BackupDependencies, 'rest' | 'backup'>, Omit<GitDependencies, 'sshKeys'> {
  readonly queue: Pick<RequestQueue, 'pause' | 'resume'>;
  readonly functions: Pick<Functions, 'runtimes' | 'batchQueue'>;
  readonly webhooks: Pick<Webhooks, 'pause' | 'resume'>;
  readonly keychain?: SafeStorage | undefined;
  readonly historyEntries: HistoryRepository;
  readonly databaseFile: string;
  readonly backup?: ShellOptions | undefined;
}

/** Administration of the app: backups, storage, settings, logs, analytics and Git. */
export function createAdministration({
  queue,
  functions,
  webhooks,
  keychain,
  ...dependencies
}: AdministrationDependencies) {
  const secrets = createSecrets(join(dependencies.dataDirectory, 'keys', 'secrets.key'), keychain);
  const sshKeys = createSshKeys({ ...dependencies, secrets });
  const git = createGitService({ ...dependencies, sshKeys });
  const workbenchBackups = createBackupService({
    ...dependencies,
    passphrase: createKeptPassphrase(dependencies.dataDirectory, secrets),
    async rest() {
      const { batchQueue, runtimes } = functions;
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
  const settings = createSettingsService(dependencies);
  const storage = createStorageService({
    ...dependencies,
    moveOn: dependencies.backup?.moveOn,
    isBackingUp: workbenchBackups.isBusy,
  });
  const { historyEntries: entries, backup, dataDirectory } = dependencies;
  const logs = createLogService({ dataDirectory, version: backup?.version ?? '' });
  return {
    services: {
      workbenchBackups,
      sshKeys,
      git,
      history: createHistoryService({ ...dependencies, entries }),
      logs,
      storage,
      settings,
    },
    housekeep(): void {
      workbenchBackups.housekeep();
      sshKeys.housekeep();
      git.housekeep();
      entries.trim();
    },
    async stop(): Promise<void> {
      await storage.stop();
      await workbenchBackups.stop();
    },
  };
}
