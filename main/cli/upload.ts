import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { ProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { CommandError, exitCodes } from './exit-codes.ts';

const chunkBytes = 8 * 1024 * 1024;

export interface UploadOptions {
  /** Path of the resource that takes the file, for example `/api/tasks/5/annotations/`. */
  readonly resource: string;
  readonly file: string;
  readonly sizeBytes: number;
  /** Query of the finishing request; the uploaded file's name is added. */
  readonly query: Readonly<Record<string, string>>;
  readonly progress: ProgressBar;
  readonly signal: AbortSignal;
}

/** Sends a file in resumable pieces and starts its import. Answers the id of the background request. */
export async function uploadForImport(client: ApiClient, options: UploadOptions): Promise<string> {
  const { resource, file, sizeBytes, query, signal } = options;
  const withQuery = (filename: string): string => `${resource}?${new URLSearchParams({ ...query, filename })}`;
  const name = basename(file);
  await client.send(withQuery(name), { method: 'POST', headers: { 'upload-start': '' }, signal });
  const created = await client.send(resource, {
    method: 'POST',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-length': String(sizeBytes),
      'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
    },
    signal,
  });
  const location = created.headers.get('location');
  if (location === null) throw new CommandError(exitCodes.failed, 'The service gave no address for the upload.');
  await sendPieces(client, new URL(location, client.baseUrl).pathname, options);
  const finished = await client.send(withQuery(created.headers.get('upload-filename') ?? name), {
    method: 'POST',
    headers: { 'upload-finish': '' },
    signal,
  });
  // The route answers `{rq_id}`: reference of the service, section on background requests.
  return ((await finished.json()) as { rq_id: string }).rq_id;
}

async function sendPieces(
  client: ApiClient,
  target: string,
  { file, sizeBytes, progress, signal }: UploadOptions,
): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, sizeBytes)));
    for (let offset = 0; offset < sizeBytes;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, sizeBytes - offset), offset);
      if (bytesRead === 0) {
        throw new CommandError(exitCodes.failed, `${file} became shorter while it was read. Nothing was imported.`);
      }
      await client.send(target, {
        method: 'PATCH',
        headers: {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
        },
        body: buffer.subarray(0, bytesRead),
        signal,
      });
      offset += bytesRead;
      progress.update(offset / sizeBytes, 'reading the file');
    }
  } finally {
    await handle.close();
  }
}

/**
 * Size of a file that can be imported.
 * @throws CommandError for a file that is not there, is a folder, or is empty
 */
export async function importableSize(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found === null) {
    throw new CommandError(exitCodes.usage, `There is no file ${file}. Check its name, or give its whole path.`);
  }
  if (!found.isFile()) {
    throw new CommandError(exitCodes.usage, `${file} is not a file. Pack a folder into a ZIP archive first.`);
  }
  if (found.size === 0) throw new CommandError(exitCodes.refused, `${file} is empty: there is nothing to import.`);
  return found.size;
}
