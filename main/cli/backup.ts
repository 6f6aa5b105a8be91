import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { whileStopped } from '../db/store/set-aside.ts';
import { readInstanceHolder } from '../platform/instance-lock.ts';
import type { ApiClient } from './api-client.ts';
import type { JsonOptions } from './commands.ts';
import { addConnectionOptions, existingPaths } from './connection.ts';
import type { CliContext } from './context.ts';
import { failed, refused, usage } from './exit-codes.ts';
import { backUpOne, kindOfBackup, restoreOne } from './work-backup.ts';
import { parseId } from './options.ts';
import { askRunning, withProgress } from './running-work.ts';

interface WorkbenchOptions extends JsonOptions {
  readonly passphraseFile?: string;
}

interface BackupOptions extends WorkbenchOptions {
  readonly output?: string;
  readonly task?: number;
  readonly project?: number;
  readonly incremental?: boolean;
}

const passphraseHelp =
  'file whose first line is the passphrase; LIMNER_BACKUP_PASSPHRASE in the environment does the same';

function addWorkbenchOptions(command: Command): Command {
  return addConnectionOptions(command)
    .option('--passphrase-file <file>', passphraseHelp)
    .option('--json', 'print the result as one line of JSON');
}

export function addBackupCommands(program: Command, context: CliContext): void {
  addWorkbenchOptions(
    program
      .command('backup')
      .summary('write the whole workbench, a task or a project to one file')
      .description(
        'Without --task and --project: writes the database, images and videos, keys, logged events and format plug-ins to one file, reads it back and\n' +
          'compares it. Images that are used where they lie, outside the data directory, are not in it, nor are logs.\n' +
          'Limner may run: changes then wait for a moment, requests and functions are stopped and begin again. With a passphrase the file is encrypted; a lost one cannot be recovered.\n' +
          'With --task or --project: writes it with its media and annotations to a ZIP archive, as CVAT does.',
      )
      .option('--task <id>', 'only this task', parseId)
      .option('--project <id>', 'only this project with its tasks', parseId)
      .option(
        '--incremental',
        'put images and videos into limner-objects beside the file, each content once for all backups of the folder',
      )
      .option('--output <file>', 'file to write, or a folder; an existing file is replaced once the new one is whole'),
  ).action((options: BackupOptions) => backUp(options, context));
  addWorkbenchOptions(
    program
      .command('restore <file>')
      .summary('put a backup of the whole workbench in the place of what is there, or make a task or a project of one')
      .description(
        'A ZIP archive of one task or one project, of Limner or CVAT, is recognised and becomes a new one.\n' +
          'Else: takes backups of exactly this version of Limner. The data directory is as it was until the whole backup was\n' +
          'read and compared; then it changes at once. What was there before is set aside, and nothing is deleted.',
      ),
  ).action((file: string, options: WorkbenchOptions) => restore(resolve(file), options, context));
}

async function backUp(options: BackupOptions, context: CliContext): Promise<void> {
  if (options.task !== undefined || options.project !== undefined) return backUpOne(options, context);
  const paths = existingPaths(options, makeFirst);
  const { root } = paths;
  const { backUpAtRest } = await import('../administration/backup/rest-backup.ts');
  const destination = destinationOf(options.output);
  const passphrase = passphraseOf(options);
  const incremental = options.incremental === true;
  if (readInstanceHolder(paths.lockFile) !== null) {
    const body = { file: destination, incremental, ...(passphrase === null ? {} : { passphrase }) };
    const start = (client: ApiClient) => client.call('makeBackup', { body });
    const outcome = await askRunning(paths, { ...whileRunning, title: 'Backing up', start }, context);
    if (!outcome.succeeded) throw failed(outcome.message);
    return context.print(options.json ? JSON.stringify(outcome) : `Saved ${destination}. ${outcome.message}`);
  }
  const { version } = context.application;
  const job = { root, version, destination, passphrase, incremental };
  const written = await withProgress('Backing up', context, (run) => whileStopped(root, () => backUpAtRest(job, run)));
  if (options.json) return context.print(JSON.stringify(written));
  const size = (written.newBytes / 1e6).toFixed(1);
  context.print(`Saved ${written.file} (${written.entries} files, ${size} MB new), read back and compared.`);
}

async function restore(file: string, options: WorkbenchOptions, context: CliContext): Promise<void> {
  const kind = await kindOfBackup(file);
  if (kind !== null) return restoreOne(file, kind, options, context);
  const paths = existingPaths(options, makeFirst);
  const { root } = paths;
  const { enterBackup, stageBackup } = await import('../administration/backup/restore-backup.ts');
  const { version } = context.application;
  const passphrase = passphraseOf(options);
  if (readInstanceHolder(paths.lockFile) !== null) {
    const body = { file, ...(passphrase === null ? {} : { passphrase }) };
    const start = (client: ApiClient) => client.call('restoreBackup', { body });
    const outcome = await askRunning(paths, { ...whileRunning, title: 'Restoring', start }, context);
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
    `Restored ${file}, made ${restored.created.slice(0, 16).replace('T', ' ')} UTC (${restored.entries} files).`,
  );
  context.print(`What was there before lies in ${restored.before}; delete it when you do not need it.`);
}

const makeFirst = ' It has to be there first: start Limner on it once, or make the folder, and check the path.';

const whileRunning = {
  look: (client: ApiClient) => client.call('getBackups', {}),
  cancel: async (client: ApiClient) => (await client.call('cancelBackup', {})).last?.message,
  saysWhy: 'Its log in the data directory says why',
};

function destinationOf(output = '.'): string {
  const path = resolve(output);
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const moment = new Date().toISOString().slice(0, 16).replace('T', '-').replace(':', '');
  return isFolder ? join(path, `limner-${moment}.limner`) : path;
}

function passphraseOf({ passphraseFile }: WorkbenchOptions): string | null {
  if (passphraseFile === undefined) return process.env['LIMNER_BACKUP_PASSPHRASE'] || null;
  let text: string;
  try {
    text = readFileSync(passphraseFile, 'utf8');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw usage(`The passphrase could not be read: ${reason}.`, { cause: error });
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '') throw usage(`The first line of ${passphraseFile} is empty.`);
  return line;
}
