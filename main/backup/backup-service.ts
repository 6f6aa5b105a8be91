import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Backups, BackupSettings } from '../../preload/contract/schema/backups.ts';
import { requireAdmin, type Caller } from '../users/access/access-rules.ts';
import { invalidField } from '../platform/errors.ts';
import {
  backupName,
  changeFacts,
  freeBytes,
  listBackups,
  noteOutcome,
  readFacts,
  removeSurplus,
  removeUnusedObjects,
  requireFolder,
} from './backup-folder.ts';
import { createBackupWork, type BackupDependencies } from './backup-work.ts';
import { readHead } from './read-backup.ts';
import { isDue } from './backup-schedule.ts';
import type { KeptPassphrase } from './saved-passphrase.ts';
import { requireFile, requireVersion } from './restore-backup.ts';
import { defined } from '../platform/defined.ts';

export function createBackupService(dependencies: BackupDependencies & { readonly passphrase: KeptPassphrase }) {
  const { dataDirectory: root, log, backup, passphrase: kept } = dependencies;
  const work = createBackupWork(dependencies);

  async function state(): Promise<Backups> {
    const { settings, last, news } = readFacts(root);
    const running = work.running();
    return {
      settings,
      encrypts: kept.isThere(),
      last,
      free_bytes: await freeBytes(settings.folder),
      backups: await listBackups(settings.folder, news),
      running: running && {
        kind: running.kind,
        file: running.file,
        progress: running.progress,
        message: running.message,
      },
    };
  }

  async function bySchedule({ folder, incremental }: BackupSettings): Promise<void> {
    changeFacts(root, { scheduled: new Date().toISOString() });
    const file = join(folder, backupName(true));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    let passphrase: string | null;
    try {
      passphrase = kept.read();
    } catch (error) {
      const message = 'Cannot decrypt the passphrase of the schedule, so no backup was created. Set it again.';
      log.error(message, { error });
      return noteOutcome(root, { kind: 'backup', file, succeeded: false, message });
    }
    await work.back(file, passphrase, incremental);
    const { last, settings } = readFacts(root);
    if (last?.file !== file || !last.succeeded) return;
    await removeSurplus(settings);
    if (incremental) await removeUnusedObjects(folder, passphrase);
  }

  return {
    gate: work.gate,
    isBusy: (): boolean => work.running() !== null,
    async get(actor: Caller): Promise<Backups> {
      requireAdmin(actor);
      return state();
    },
    async make(
      actor: Caller,
      given: {
        file?: string;
        passphrase?: string;
        incremental?: boolean;
      },
    ): Promise<Backups> {
      requireAdmin(actor);
      const { folder, incremental } = readFacts(root).settings;
      if (given.file !== undefined && !isAbsolute(given.file))
        throw invalidField('file', 'Enter the absolute path of the file.');
      if (given.file === undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = given.file ?? join(folder, backupName(false));
      void work.back(file, given.passphrase ?? null, given.incremental ?? incremental);
      return state();
    },
    async change(
      actor: Caller,
      change: { [Key in keyof BackupSettings]?: BackupSettings[Key] | undefined } & {
        passphrase?: string | null;
      },
    ): Promise<Backups> {
      requireAdmin(actor);
      const { settings: known, scheduled } = readFacts(root);
      const { folder = known.folder, every = known.every, keep = known.keep } = change;
      const { incremental = known.incremental, hour = known.hour, passphrase } = change;
      const settings = { folder, every, hour, keep, incremental };
      await requireFolder(root, settings.folder);
      if (passphrase !== undefined) kept.keep(passphrase);
      // With a fixed hour, the first backup waits for that hour.
      const begins = scheduled === null && every !== 'never' && hour !== null;
      changeFacts(root, { settings, ...defined({ scheduled: begins ? new Date().toISOString() : undefined }) });
      return state();
    },
    /** Rejects invalid input immediately; later errors become the outcome. */
    async restore(actor: Caller, { file, passphrase }: { file: string; passphrase?: string | undefined }) {
      requireAdmin(actor);
      if (!isAbsolute(file)) throw invalidField('file', 'Enter the absolute path of the file.');
      await requireFile(file);
      const head = await readHead(file);
      if (head && backup) requireVersion(head, backup.version);
      const launchToken = randomBytes(32).toString('base64url');
      void work.restore(file, passphrase ?? null, launchToken);
      return { launch_token: launchToken };
    },
    async cancel(actor: Caller): Promise<Backups> {
      requireAdmin(actor);
      await work.stop();
      return state();
    },
    /** Runs at the start and every hour; starts a due backup. */
    housekeep(): void {
      const { settings, scheduled } = readFacts(root);
      const last = scheduled === null ? null : new Date(scheduled);
      if (!isDue(new Date(), last, settings) || work.running() || !backup) return;
      bySchedule(settings).catch((error: unknown) => log.error('The scheduled backup failed', { error }));
    },
    stop: work.stop,
  };
}
