import { open } from 'node:fs/promises';
import { readBackupKind, type BackupKind } from '../../preload/contract/backup-kind.ts';
import { createProgressBar } from '../platform/progress-bar.ts';
import { waitForRequest, download } from './background-request.ts';
import type { JsonOptions } from './commands.ts';
import { withClient } from './connection.ts';
import type { CliContext } from './context.ts';
import { failed, usage } from './exit-codes.ts';
import { chosenTarget, ofTarget, type TargetOptions } from './options.ts';
import { importableSize, uploadForImport } from './upload.ts';

interface WorkBackupOptions extends JsonOptions {
  readonly passphraseFile?: string;
}

/**
 * Backups that CVAT can read cannot be encrypted. Ignoring the passphrase would leave the file readable by everyone.
 */
function requireNoPassphrase({ passphraseFile }: WorkBackupOptions): void {
  if (passphraseFile === undefined) return;
  throw usage(
    'Cannot encrypt the backup of a single task or project. Leave out --passphrase-file, or back up the workbench.',
  );
}

export async function kindOfBackup(file: string): Promise<BackupKind | null> {
  const handle = await open(file, 'r').catch(() => null);
  // A missing file is reported by the code that reads it.
  if (handle === null) return null;
  try {
    const { size } = await handle.stat();
    const read = async (start: number, end: number): Promise<Uint8Array> => {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, start);
      return bytes.subarray(0, bytesRead);
    };
    return await readBackupKind(read, size);
  } finally {
    await handle.close();
  }
}

export async function backUpOne(
  options: WorkBackupOptions & TargetOptions & { readonly output?: string },
  context: CliContext,
): Promise<void> {
  requireNoPassphrase(options);
  const target = chosenTarget(options);
  await withClient(context, options, async (client) => {
    const progress = createProgressBar('Backing up', context.errorOutput);
    const operation = target.kind === 'task' ? 'exportTaskBackup' : 'exportProjectBackup';
    const input = { params: { id: target.id }, query: { location: 'local' as const } };
    const started = await ofTarget(target, client.call(operation, input));
    const finished = await waitForRequest(client, started.rq_id, progress, context.stopSignal);
    if (finished.result_url === null) {
      throw failed('The backup ended without a file. The log of the service contains the reason.');
    }
    const file = await download(client, finished.result_url, options.output, context);
    context.print(options.json ? JSON.stringify({ file }) : `Saved ${file}`);
  });
}

export async function restoreOne(
  file: string,
  kind: BackupKind,
  options: WorkBackupOptions,
  context: CliContext,
): Promise<void> {
  requireNoPassphrase(options);
  const sizeBytes = await importableSize(file);
  await withClient(context, options, async (client) => {
    const progress = createProgressBar('Restoring', context.errorOutput);
    const requestId = await uploadForImport(client, {
      resource: `/api/${kind}s/backup/`,
      file,
      sizeBytes,
      query: {},
      progress,
      signal: context.stopSignal,
    });
    const { result_id: id } = await waitForRequest(client, requestId, progress, context.stopSignal);
    if (id === null) throw failed(`The restore ended without a ${kind}. Existing data was not changed.`);
    const { name } = await client.call(kind === 'task' ? 'getTask' : 'getProject', { params: { id } });
    context.print(options.json ? JSON.stringify({ kind, id, name }) : `Restored ${kind} ${id} "${name}"`);
  });
}
