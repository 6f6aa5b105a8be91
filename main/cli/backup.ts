import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { whileStopped } from '../db/store/quarantine.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import type { ApiClient } from './api-client.ts';
import type { JsonOptions } from './commands.ts';
import { addConnectionOptions, existingPaths } from './connection.ts';
import type { CliContext } from './context.ts';
import { failed, refused, usage } from './exit-codes.ts';
import { backUpOne, kindOfBackup, restoreOne } from './work-backup.ts';
import { parseId } from './options.ts';
import { outputFile } from './output-file.ts';
import { runInInstance, withProgress } from './exclusive-work.ts';

interface LimnerOptions extends JsonOptions {
  readonly passphraseFile?: string;
}

interface BackupOptions extends LimnerOptions {
  readonly output?: string;
  readonly task?: number;
  readonly project?: number;
  readonly incremental?: boolean;
}

const passphraseHelp =
  'file with the passphrase in its first line; alternative: the environment variable LIMNER_BACKUP_PASSPHRASE';

function addWorkbenchOptions(command: Command): Command {
  return addConnectionOptions(command)
    .option('--passphrase-file <file>', passphraseHelp)
    .option('--json', 'print the result as one line of JSON');
}

export function addBackupCommands(program: Command, context: CliContext): void {
  addWorkbenchOptions(
    program
      .command('backup')
      .summary('back up the workbench, a task or a project to one file')
      .description(
        'Without --task and --project, backs up the workbench: database, images and videos, keys, logged events and format plug-ins. Reads the file back and compares it.\n' +
          'Does not include logs or images that are used in place outside the data directory.\n' +
          'Limner may be running: it delays changes for a moment, and stops and restarts requests and functions. With a passphrase the file is encrypted. Without the passphrase it cannot be restored.\n' +
          'With --task or --project, writes a ZIP archive with media and annotations, as CVAT does.',
      )
      .option('--task <id>', 'only this task', parseId)
      .option('--project <id>', 'only this project with its tasks', parseId)
      .option(
        '--incremental',
        'store images and videos in limner-objects beside the file, each only once for all backups in the folder',
      )
      .option('--output <file>', 'file or folder to write to; an existing file is replaced only by a complete one'),
  ).action((options: BackupOptions) => backUp(options, context));
  addWorkbenchOptions(
    program
      .command('restore <file>')
      .summary('restore a backup of the workbench, a task or a project')
      .description(
        'A ZIP archive of one task or project, from Limner or CVAT, becomes a new task or project.\n' +
          'A backup of the workbench must be from exactly this version of Limner. The data directory stays unchanged until the complete backup is ' +
          'read and compared. The previous data is then moved to another folder and not deleted.',
      ),
  ).action((file: string, options: LimnerOptions) => restore(resolve(file), options, context));
}

async function backUp(options: BackupOptions, context: CliContext): Promise<void> {
  if (options.task !== undefined || options.project !== undefined) return backUpOne(options, context);
  const paths = existingPaths(options, makeFirst);
  const { root } = paths;
  const { backUpAtRest } = await import('../backup/backup-remainder.ts');
  const destination = destinationOf(options.output);
  const passphrase = passphraseOf(options);
  const incremental = options.incremental === true;
  if (readInstanceHolder(paths.lockFile) !== null) {
    const body = { file: destination, incremental, passphrase: passphrase ?? undefined };
    const start = (client: ApiClient) => client.call('createBackup', { body });
    const outcome = await runInInstance(paths, { ...whileRunning, title: 'Backing up', start }, context);
    if (!outcome.succeeded) throw failed(outcome.message);
    return context.print(options.json ? JSON.stringify(outcome) : `Saved ${destination}. ${outcome.message}`);
  }
  const { version } = context.application;
  const job = { root, version, destination, passphrase, incremental };
  const written = await withProgress('Backing up', context, (run) => whileStopped(root, () => backUpAtRest(job, run)));
  if (options.json) return context.print(JSON.stringify(written));
  const size = (written.newBytes / 1e6).toFixed(1);
  const read = written.readFiles === null ? '' : ` Images and videos that were read: ${written.readFiles}.`;
  context.print(`Saved ${written.file} (${written.entries} files, ${size} MB new), read back and compared.${read}`);
}

async function restore(file: string, options: LimnerOptions, context: CliContext): Promise<void> {
  const kind = await kindOfBackup(file);
  if (kind !== null) return restoreOne(file, kind, options, context);
  const paths = existingPaths(options, makeFirst);
  const { root } = paths;
  const { enterBackup, stageBackup } = await import('../backup/restore-backup.ts');
  const { version } = context.application;
  const passphrase = passphraseOf(options);
  if (readInstanceHolder(paths.lockFile) !== null) {
    const body = { file, passphrase: passphrase ?? undefined };
    const start = (client: ApiClient) => client.call('restoreBackup', { body });
    const outcome = await runInInstance(paths, { ...whileRunning, title: 'Restoring', start }, context);
    if (!outcome.succeeded) throw refused(outcome.message);
    return context.print(options.json ? JSON.stringify(outcome) : outcome.message);
  }
  const restored = await withProgress('Restoring', context, (run) =>
    whileStopped(root, async () => {
      const staged = await stageBackup({ root, file, passphrase, version }, run);
      return { ...staged, before: await enterBackup(root) };
    }),
  );
  if (options.json) return context.print(JSON.stringify({ file, ...restored }));
  context.print(
    `Restored ${file}, created ${restored.created.slice(0, 16).replace('T', ' ')} UTC (${restored.entries} files).`,
  );
  context.print(`The previous data is in ${restored.before}. Delete it when you no longer need it.`);
}

const makeFirst = ' Check the path, or create the folder first by starting Limner with it.';

const whileRunning = {
  look: (client: ApiClient) => client.call('getBackups', {}),
  cancel: async (client: ApiClient) => (await client.call('cancelBackup', {})).last?.message,
  saysWhy: 'The log in the data directory contains the reason',
};

function destinationOf(output: string | undefined): string {
  const moment = new Date().toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  return outputFile(output, `limner-${moment}.limner`);
}

function passphraseOf({ passphraseFile }: LimnerOptions): string | null {
  if (passphraseFile === undefined) return process.env['LIMNER_BACKUP_PASSPHRASE'] || null;
  let text: string;
  try {
    text = readFileSync(passphraseFile, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usage(`Cannot read the passphrase: ${reason}.`, { cause: error });
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw usage(`Cannot read the passphrase: the first line of ${passphraseFile} is empty.`);
  return line;
}
