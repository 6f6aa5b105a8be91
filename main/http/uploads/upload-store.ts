import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../platform/errors.ts';
import { writeBody } from './write-body.ts';

/** TUS refuses files above this, as other services of this API do. */
export const maxUploadBytes = 25 * 1024 ** 3;

/** What an upload is for, for example `tasks-12-data`: also the name of a folder. */
export type UploadScope = string;

export interface Upload {
  /** `<user id>_<uuid>` */
  readonly id: string;
  readonly userId: number;
  /** As the client named the file. */
  readonly name: string;
  readonly lengthBytes: number;
  readonly offsetBytes: number;
  /** Grows from upload to upload, over restarts too. */
  readonly sequence: number;
}

type Description = Pick<Upload, 'userId' | 'name' | 'lengthBytes' | 'sequence'>;

export interface UploadedFile {
  readonly path: string;
  /** As the client named it: it may be a path of the client's disk. */
  readonly name: string;
  readonly sizeBytes: number;
}

export type UploadStore = ReturnType<typeof createUploadStore>;

const problem = (code: 'not-found' | 'forbidden' | 'conflict' | 'too-large' | 'invalid', message: string) =>
  new AppError(code, message, { detail: message });

/**
 * Files that arrive, below one folder (`<data directory>/data/uploads`): each as its bytes (`<id>.part`) and its description (`<id>.json`). The size of
 * the bytes is the offset, so that an upload goes on after a restart, and after a crash, where it stopped.
 */
export function createUploadStore(directory: string, nowMs: () => number = Date.now) {
  const receiving = new Set<string>();
  let lastSequence = 0;
  const nextSequence = () => (lastSequence = Math.max(lastSequence + 1, nowMs() * 1000));
  const folderOf = (scope: UploadScope) => join(directory, 'open', scope);
  const bytesOf = (scope: UploadScope, id: string) => join(folderOf(scope), `${id}.part`);
  const descriptionOf = (scope: UploadScope, id: string) => join(folderOf(scope), `${id}.json`);

  async function create(scope: UploadScope, userId: number, name: string, lengthBytes: number): Promise<Upload> {
    if (lengthBytes > maxUploadBytes) throw problem('too-large', 'A file may have at most 25 GiB.');
    const earlier = (await list(scope, userId)).find((one) => one.name === name && isComplete(one));
    if (earlier) throw problem('conflict', `The file "${name}" was uploaded already.`);
    const id = `${userId}_${randomUUID()}`;
    await mkdir(folderOf(scope), { recursive: true, mode: 0o700 });
    await writeFile(bytesOf(scope, id), '');
    return describe(scope, id, { userId, name, lengthBytes, sequence: nextSequence() }, 0);
  }

  async function describe(scope: UploadScope, id: string, description: Description, offsetBytes: number) {
    await writeFile(descriptionOf(scope, id), JSON.stringify(description));
    return { id, ...description, offsetBytes };
  }

  /** @throws AppError 404, or 403 for another user's upload */
  async function find(scope: UploadScope, id: string, userId: number): Promise<Upload> {
    const upload = await read(scope, id);
    if (!upload)
      throw problem('not-found', 'There is no such upload. It may have been finished, or given up for a day.');
    if (upload.userId !== userId) throw problem('forbidden', 'This upload belongs to another user.');
    return upload;
  }

  async function read(scope: UploadScope, id: string): Promise<Upload | undefined> {
    try {
      const text = await readFile(descriptionOf(scope, id), 'utf8');
      const { size } = await stat(bytesOf(scope, id));
      // Written by `describe`.
      return { id, ...(JSON.parse(text) as Description), offsetBytes: size };
    } catch {
      return undefined;
    }
  }

  async function list(scope: UploadScope, userId: number): Promise<Upload[]> {
    const names = await readdir(folderOf(scope)).catch(() => []);
    const ids = names.filter((name) => name.startsWith(`${userId}_`) && name.endsWith('.json'));
    const uploads = await Promise.all(ids.map((name) => read(scope, name.slice(0, -'.json'.length))));
    return uploads.filter((upload) => upload !== undefined).sort((a, b) => a.sequence - b.sequence);
  }

  /**
   * Appends to an upload and gives its new offset. What arrived before a connection broke is kept.
   * @throws AppError 409 when the offset is not where the upload stands, 413 beyond the declared length
   */
  async function append(
    scope: UploadScope,
    upload: Upload,
    offsetBytes: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    if (offsetBytes !== upload.offsetBytes) {
      throw problem('conflict', `The upload stands at ${upload.offsetBytes}, not at ${offsetBytes}.`);
    }
    if (receiving.has(upload.id))
      throw problem('conflict', 'Another part of this upload is arriving. Ask for its offset.');
    receiving.add(upload.id);
    try {
      return await writeBody(bytesOf(scope, upload.id), offsetBytes, upload.lengthBytes, body);
    } finally {
      receiving.delete(upload.id);
    }
  }

  /** Takes in a whole file of unknown length; nothing of it stays when it breaks off. */
  async function add(
    scope: UploadScope,
    userId: number,
    name: string,
    body: AsyncIterable<Uint8Array>,
  ): Promise<Upload> {
    const id = `${userId}_${randomUUID()}`;
    const sequence = nextSequence();
    await mkdir(folderOf(scope), { recursive: true, mode: 0o700 });
    try {
      const lengthBytes = await writeBody(bytesOf(scope, id), 0, maxUploadBytes, body);
      return await describe(scope, id, { userId, name, lengthBytes, sequence }, lengthBytes);
    } catch (error) {
      await rm(bytesOf(scope, id), { force: true });
      throw error;
    }
  }

  async function remove(scope: UploadScope, id: string): Promise<void> {
    await rm(descriptionOf(scope, id), { force: true });
    await rm(bytesOf(scope, id), { force: true });
  }

  /**
   * Hands complete uploads over to `take`, in the order in which they were begun, moved into `target`. The receiver
   * removes them when it is done. When it refuses them they are back where they were.
   * @throws AppError 400 when one of them is not complete
   */
  async function handOver<Result>(
    scope: UploadScope,
    uploads: readonly Upload[],
    take: (files: readonly UploadedFile[]) => Result | Promise<Result>,
    target = join(directory, 'claimed'),
  ): Promise<Result> {
    requireComplete(uploads);
    await mkdir(target, { recursive: true, mode: 0o700 });
    const pathOf = (upload: Upload) => join(target, `${upload.id}.part`);
    for (const upload of uploads) await rename(bytesOf(scope, upload.id), pathOf(upload));
    try {
      const files = uploads.map((upload) => ({
        path: pathOf(upload),
        name: upload.name,
        sizeBytes: upload.lengthBytes,
      }));
      const result = await take(files);
      for (const upload of uploads) await rm(descriptionOf(scope, upload.id), { force: true });
      return result;
    } catch (error) {
      for (const upload of uploads) await rename(pathOf(upload), bytesOf(scope, upload.id));
      throw error;
    }
  }

  return { create, find, list, append, add, remove, handOver };
}

function requireComplete(uploads: readonly Upload[]): void {
  const broken = uploads.filter((upload) => !isComplete(upload));
  if (broken.length === 0) return;
  const names = broken.slice(0, 5).map((upload) => `"${upload.name}"`);
  throw problem('invalid', `The upload of ${names.join(', ')} is not complete. Send the rest, then finish again.`);
}

export function isComplete(upload: Upload): boolean {
  return upload.offsetBytes === upload.lengthBytes;
}
