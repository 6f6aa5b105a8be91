import { open, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { uploadResumable } from '../../preload/contract/resumable-upload.ts';
import type { ProgressBar } from '../platform/progress-bar.ts';
import type { ApiClient } from './api-client.ts';
import { ApiFailure, failed, refused, usage } from './exit-codes.ts';

export interface UploadOptions {
  /** Path of the resource that receives the file, for example `/api/tasks/5/annotations/`. */
  readonly resource: string;
  readonly file: string;
  readonly sizeBytes: number;
  /** Query of the finishing request, to which the name of the uploaded file is added. */
  readonly query: Readonly<Record<string, string>>;
  readonly progress: ProgressBar;
  readonly signal: AbortSignal;
}

/**
 * Starts an import. Passes the path of the file, or sends it in resumable chunks if the service cannot read it. Returns
 * the id of the background request.
 */
export async function uploadForImport(client: ApiClient, options: UploadOptions): Promise<string> {
  const { resource, file, sizeBytes, query, progress, signal } = options;
  const withQuery = (filename: string): string => `${resource}?${new URLSearchParams({ ...query, filename })}`;
  const name = basename(file);
  await client.send(withQuery(name), { method: 'POST', headers: { 'upload-start': '' }, signal });
  const handle = await open(file, 'r');
  let kept: string;
  try {
    kept = await uploadResumable<Uint8Array>({
      path: resource,
      name,
      sizeBytes,
      localPath: resolve(file),
      piece: async (start, end) => {
        const piece = new Uint8Array(end - start);
        const { bytesRead } = await handle.read(piece, 0, piece.length, start);
        if (bytesRead === piece.length) return piece;
        throw failed(`Nothing was imported: ${file} became shorter during the upload. Try again.`);
      },
      send: async ({ path, ...request }) => {
        const { headers } = await client.send(path, { ...request, signal });
        return { header: (key) => headers.get(key) };
      },
      isLost: (error) => (error instanceof ApiFailure ? error.status === 409 : error instanceof TypeError),
      onSent: (bytes) => progress.update(bytes / sizeBytes, 'reading the file'),
    });
  } finally {
    await handle.close();
  }
  const finished = await client.send(withQuery(kept), { method: 'POST', headers: { 'upload-finish': '' }, signal });
  // The route answers `{rq_id}`: see "Background requests" in the API reference.
  return ((await finished.json()) as { rq_id: string }).rq_id;
}

/**
 * Size in bytes of a file that can be imported.
 * @throws CommandError if the file is missing, a folder or empty
 */
export async function importableSize(file: string): Promise<number> {
  const found = await stat(file).catch(() => null);
  if (found === null) {
    throw usage(`File not found: ${file}. Check its name or give the absolute path.`);
  }
  if (!found.isFile()) {
    throw usage(`${file} is not a file. Pack a folder into a ZIP archive first.`);
  }
  if (found.size === 0) throw refused(`${file} is empty: there is nothing to import.`);
  return found.size;
}
