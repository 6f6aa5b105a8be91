import { basename } from 'node:path';
import type { BackupOutcome } from '../../preload/contract/schema/backups.ts';
import { AppError } from '../platform/errors.ts';
import { createWriteBarrier } from '../platform/write-barrier.ts';
import { noteNews, noteOutcome } from './backup-folder.ts';
import type { StagedBackup, StageJob } from './restore-backup.ts';
import { removeSnapshot } from './snapshot.ts';
import type { WriteJob } from './write-backup.ts';
import type { BaseDependencies } from '../db/base-dependencies.ts';

/** Callbacks of a shell that can restart the app on the same data directory. */
export interface BackupOptions {
  readonly version: string;
  /** Called when everything is staged: installs it and restarts; the token signs the user in again. */
  readonly begin: (staged: StagedBackup & { readonly file: string }, launchToken: string) => void;
}

export interface BackupDependencies extends Pick<BaseDependencies, 'dataDirectory' | 'workers' | 'log'> {
  readonly backup?: BackupOptions;
  /**
   * Stops all writers except HTTP requests. Returns how to resume, and the numbers of stopped requests and functions.
   */
  readonly rest: () => Promise<{ readonly resume: () => void; readonly requests: number; readonly functions: number }>;
}

interface Work {
  readonly kind: 'backup' | 'restore';
  readonly file: string;
  readonly controller: AbortController;
  progress: number;
  message: string;
}

/** Backs up the running app and restores into it. One operation at a time. */
export function createBackupWork({ dataDirectory: root, workers, log, backup, rest }: BackupDependencies) {
  const gate = createWriteBarrier();
  let running: Work | null = null;
  /** Removes remains of a crash. */
  const cleaned = removeSnapshot(root).catch((error: unknown) =>
    log.warn('A snapshot could not be removed', { error }),
  );
  let ended: Promise<void> = cleaned;

  /** Blocks all writes while the database is copied and files are hard-linked. The backup then reads the snapshot. */
  async function standStill(signal: AbortSignal): Promise<string> {
    await gate.close();
    try {
      const { resume, requests, functions } = await rest();
      try {
        await workers.run('takeSnapshot', { root, keepsFiles: true }, { signal });
      } finally {
        resume();
      }
      return stopped(requests, functions);
    } finally {
      gate.open();
    }
  }

  async function back(work: Work, passphrase: string | null, incremental: boolean): Promise<string> {
    if (!backup) throw cannot();
    work.message = 'Changes are paused; requests and functions are stopped';
    try {
      const what = await standStill(work.controller.signal);
      const job: WriteJob = {
        root,
        from: 'snapshot',
        version: backup.version,
        destination: work.file,
        passphrase,
        incremental,
      };
      const { entries, newBytes, readFiles } = await workers.run('writeBackup', job, progressOf(work));
      if (incremental) noteNews(root, basename(work.file), newBytes);
      const files = entries === 1 ? '1 file was' : `${entries} files were`;
      if (readFiles === null) return `${files} written, read back and compared. ${what}`;
      const news = `${(newBytes / 1e6).toFixed(1)} MB are new, read back and compared.`;
      return `${files} backed up. ${news} Images and videos that were read: ${readFiles}. ${what}`;
    } finally {
      await removeSnapshot(root);
    }
  }

  /** Stages a restore while the app keeps running. */
  async function stage(work: Work, passphrase: string | null, launchToken: string): Promise<string | null> {
    if (!backup) throw cannot();
    const job: StageJob = { root, file: work.file, passphrase, version: backup.version };
    const staged = await workers.run('stageBackup', job, progressOf(work));
    backup.begin({ ...staged, file: work.file }, launchToken);
    // The restarted process records the outcome.
    return null;
  }

  /** @throws AppError 409 while another operation runs */
  function start(kind: Work['kind'], file: string, run: (work: Work) => Promise<string | null>): Promise<void> {
    if (running) {
      const what = running.kind === 'backup' ? 'A backup is being created' : 'A backup is being restored';
      throw new AppError('conflict', `${what}. Wait for its end, or cancel it.`);
    }
    const work: Work = { kind, file, controller: new AbortController(), progress: 0, message: '' };
    running = work;
    ended = finish(work, run);
    return ended;
  }

  async function finish(work: Work, run: (work: Work) => Promise<string | null>): Promise<void> {
    const { kind, file } = work;
    try {
      await cleaned;
      const message = await run(work);
      if (message !== null) note({ kind, file, succeeded: true, message });
    } catch (error) {
      log.error(`A ${kind} failed`, { file, error });
      note({ kind, file, succeeded: false, message: error instanceof Error ? error.message : String(error) });
    } finally {
      running = null;
    }
  }

  function note(outcome: Omit<BackupOutcome, 'date'>): void {
    try {
      noteOutcome(root, outcome);
    } catch (error) {
      log.warn('The outcome of a backup could not be recorded', { outcome, error });
    }
  }

  return {
    gate,
    running: (): Work | null => running,
    back: (file: string, passphrase: string | null, incremental: boolean) =>
      start('backup', file, (work) => back(work, passphrase, incremental)),
    restore: (file: string, passphrase: string | null, launchToken: string) =>
      start('restore', file, (work) => stage(work, passphrase, launchToken)),
    /** A restore that has already begun the restart cannot be stopped. */
    async stop(): Promise<void> {
      running?.controller.abort();
      await ended;
    },
  };
}

const progressOf = (work: Work) => ({
  signal: work.controller.signal,
  onProgress(share: number, message?: string): void {
    work.progress = share;
    if (message !== undefined) work.message = message;
  },
});

const cannot = () => new AppError('unavailable', 'Backups are not available in this process. Nothing was changed.');

function stopped(requests: number, functions: number): string {
  const what = [
    ...(requests === 0
      ? []
      : [`${requests} running ${requests === 1 ? 'request was' : 'requests were'} stopped and restarted`]),
    ...(functions === 0
      ? []
      : [`${functions} ${functions === 1 ? 'function was' : 'functions were'} stopped; the next call starts them`]),
  ];
  return what.length === 0 ? 'Changes were paused.' : `Changes were paused; ${what.join('; ')}.`;
}

export const outcomeOfRestore = (file: string, before: string): Omit<BackupOutcome, 'date'> => ({
  kind: 'restore',
  file,
  succeeded: true,
  message: `${basename(file)} was restored. The previous data is in ${before}; delete it when you no longer need it.`,
});
