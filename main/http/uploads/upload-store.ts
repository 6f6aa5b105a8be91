import { randomUUID } from 'node:crypto';
import { access, constants, realpath, rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Actor } from '../../users/access/actor.ts';
import { createDurableFiles } from '../../platform/durable-files.ts';
import { AppError } from '../../platform/errors.ts';
import { createUploadFiles, isComplete, type Upload, type UploadScope } from './upload-files.ts';
import { createUploadNames } from './upload-names.ts';
import { createParallelWrites, takeSmall } from './small-files.ts';
import { writeBody } from './write-body.ts';

/** Maximum size of a TUS upload, as in CVAT. */
export const maxUploadBytes = 25 * 1024 ** 3;

export interface UploadedFile {
  readonly path: string;
  /** Name that the client gave; may be a path on the client's disk. */
  readonly name: string;
  readonly sizeBytes: number;
  /** Set if the file is fetched from a bucket when the request runs. */
  readonly object?: { readonly storageId: number; readonly key: string };
}

interface HandOverOptions {
  readonly target?: string;
  /** True if the uploads can be handed over again. */
  readonly lent?: boolean;
}

interface ArrivingPart {
  /** No more bytes will come, complete or not. */
  isOver: boolean;
  /** The upload was removed while it was received: further bytes are dropped. */
  isGone: boolean;
  readonly stored: Promise<void>;
}

/** Size of an object in a cloud storage that the actor may see, in bytes. */
export type SizeOfObject = (actor: Actor, storageId: number, key: string, signal: AbortSignal) => Promise<number>;

const noObjects: SizeOfObject = () =>
  Promise.reject(new AppError('unavailable', 'Cannot read from a cloud storage: this service has none.'));

export type UploadStore = ReturnType<typeof createUploadStore>;

/** Incoming files below `<data directory>/data/uploads`. Acknowledged bytes survive a power cut. */
export function createUploadStore(
  directory: string,
  nowMs: () => number = Date.now,
  sizeOfObject: SizeOfObject = noObjects,
) {
  const receiving = new Map<string, ArrivingPart>();
  let lastSequence = 0;
  const nextSequence = () => (lastSequence = Math.max(lastSequence + 1, nowMs() * 1000));
  const newId = (userId: number) => `${userId}_${randomUUID()}`;
  const files = createUploadFiles(join(directory, 'open'));
  const { folderOf, bytesOf, read, list } = files;
  const names = createUploadNames(list);

  async function requireRoom(scope: UploadScope, userId: number, name: string, lengthBytes: number): Promise<void> {
    if (lengthBytes > maxUploadBytes) throw new AppError('too-large', 'The file is larger than 25 GiB, the maximum.');
    if (await names.has(scope, userId, name))
      throw new AppError('conflict', `The file "${name}" was already uploaded.`);
  }

  async function describe(scope: UploadScope, uploads: readonly Upload[]): Promise<void> {
    await files.describe(scope, uploads);
    names.add(scope, uploads);
  }

  async function create(scope: UploadScope, userId: number, name: string, lengthBytes: number): Promise<Upload> {
    await requireRoom(scope, userId, name, lengthBytes);
    const id = newId(userId);
    const upload = { id, userId, name, lengthBytes, offsetBytes: 0, sequence: nextSequence(), arrival: id };
    const disk = createDurableFiles();
    await disk.makeFolder(folderOf(scope));
    await disk.write(bytesOf(scope, id), '');
    await disk.sync();
    await describe(scope, [upload]);
    return upload;
  }

  /**
   * Accepts a file of this computer as a complete upload by a hard link, without a copy. Returns null if no readable
   * file of this length exists; its bytes are then sent.
   */
  async function adopt(
    scope: UploadScope,
    userId: number,
    file: { readonly name: string; readonly path: string; readonly lengthBytes: number },
  ): Promise<Upload | null> {
    const { name, path, lengthBytes } = file;
    await requireRoom(scope, userId, name, lengthBytes);
    const id = newId(userId);
    if (!(await hasSecondName(path, lengthBytes, bytesOf(scope, id)))) return null;
    const upload = { id, userId, name, lengthBytes, offsetBytes: lengthBytes, sequence: nextSequence(), arrival: id };
    await describe(scope, [upload]);
    return upload;
  }

  /** @throws AppError 404, or 403 for another user's upload */
  async function find(scope: UploadScope, id: string, userId: number): Promise<Upload> {
    // An interrupted chunk is still being written; its bytes count once they are on disk.
    const part = receiving.get(id);
    if (part?.isOver) await part.stored;
    // Only uploads that are a batch of one have an id that clients know.
    const [upload] = await read(scope, id);
    if (!upload)
      throw new AppError('not-found', 'There is no such upload. It was finished, or abandoned for more than a day.');
    if (upload.userId !== userId) throw new AppError('forbidden', 'This upload belongs to another user.');
    return upload;
  }

  /**
   * Appends to an upload and returns its new offset. Bytes that arrived before a connection broke are saved.
   * @throws AppError 409 if the offset differs from that of the upload, 413 beyond the declared length
   */
  async function append(
    scope: UploadScope,
    upload: Upload,
    offsetBytes: number,
    body: AsyncIterable<Uint8Array>,
  ): Promise<number> {
    if (offsetBytes !== upload.offsetBytes) {
      throw new AppError('conflict', `Upload offset mismatch: expected ${upload.offsetBytes}, got ${offsetBytes}.`);
    }
    if (receiving.has(upload.id))
      throw new AppError('conflict', 'Another chunk of this upload is being received. Request its offset.');
    const { promise: stored, resolve: endPart } = Promise.withResolvers<void>();
    const part: ArrivingPart = { isOver: false, isGone: false, stored };
    receiving.set(upload.id, part);
    const pieces = withEnd(body, () => (part.isOver = true));
    try {
      return await writeBody(bytesOf(scope, upload.id), offsetBytes, upload.lengthBytes, pieces, async (endBytes) => {
        if (!part.isGone) await describe(scope, [{ ...upload, offsetBytes: endBytes }]);
      });
    } finally {
      receiving.delete(upload.id);
      // Its last description may have been written after the removal.
      if (part.isGone) await files.remove(scope, [upload]);
      endPart();
    }
  }

  async function remove(scope: UploadScope, uploads: readonly Upload[]): Promise<void> {
    for (const { id } of uploads) {
      const part = receiving.get(id);
      if (part) part.isGone = true;
    }
    await files.remove(scope, uploads);
    names.forget(scope, uploads);
  }

  /**
   * Hands complete uploads to `take` in the order of their creation, as hard links in `target`, which the receiver
   * removes when done. The uploads are removed only after `take` succeeds, so a rejection or a crash leaves them
   * unchanged. With `lent` they always stay.
   * @throws AppError 400 if an upload is incomplete
   */
  async function handOver<Result>(
    scope: UploadScope,
    uploads: readonly Upload[],
    take: (files: readonly UploadedFile[]) => Result | Promise<Result>,
    { target = join(directory, 'claimed'), lent = false }: HandOverOptions = {},
  ): Promise<Result> {
    requireComplete(uploads);
    if (uploads.length === 0) return take([]);
    const named = uploads.map((upload) => ({ ...upload, bytes: bytesOf(scope, upload.id) }));
    const result = await withSecondNames(named, target, take);
    if (!lent) await remove(scope, uploads);
    return result;
  }

  /**
   * Lets `use` read a complete upload in place.
   * @throws AppError 400 if it is incomplete
   */
  async function look<Result>(
    scope: UploadScope,
    upload: Upload,
    use: (file: UploadedFile) => Promise<Result>,
  ): Promise<Result> {
    requireComplete([upload]);
    return use({ path: bytesOf(scope, upload.id), name: upload.name, sizeBytes: upload.lengthBytes });
  }

  const arrive = formUploads({ folderOf, bytesOf, describe, newId, nextSequence });
  /** An object of a bucket as a file, which the background request fetches. */
  async function objectFile(actor: Actor, storageId: number, key: string, signal: AbortSignal): Promise<UploadedFile> {
    const sizeBytes = await sizeOfObject(actor, storageId, key, signal);
    if (sizeBytes > maxUploadBytes) throw new AppError('too-large', `${key} is larger than 25 GiB, the maximum.`);
    const name = key.slice(key.lastIndexOf('/') + 1);
    return { path: join(directory, 'claimed', newId(actor.userId)), name, sizeBytes, object: { storageId, key } };
  }

  return { objectFile, create, adopt, find, list, append, arrive, remove, handOver, look };
}

/** Receives the files of one form, whose lengths are unknown. `keep` turns all of them into uploads at once. */
const formUploads =
  ({
    folderOf,
    bytesOf,
    describe,
    newId,
    nextSequence,
  }: Pick<ReturnType<typeof createUploadFiles>, 'folderOf' | 'bytesOf' | 'describe'> & {
    readonly newId: (userId: number) => string;
    readonly nextSequence: () => number;
  }) =>
  (scope: UploadScope, userId: number) => {
    const arrival = newId(userId);
    const disk = createDurableFiles();
    const uploads: Upload[] = [];
    const begun: string[] = [];
    const writes = createParallelWrites();
    return {
      async add(name: string, body: AsyncIterable<Uint8Array>): Promise<void> {
        if (begun.length === 0) await disk.makeFolder(folderOf(scope));
        const id = newId(userId);
        const sequence = nextSequence();
        begun.push(id);
        const path = bytesOf(scope, id);
        const { bytes, rest } = await takeSmall(body);
        if (rest === undefined) await writes.start(() => disk.writeSynced(path, bytes));
        const lengthBytes = rest === undefined ? bytes.length : await writeBody(path, 0, maxUploadBytes, rest);
        if (rest !== undefined) disk.written(path);
        uploads.push({ id, userId, name, lengthBytes, offsetBytes: lengthBytes, sequence, arrival });
      },
      async keep(): Promise<readonly Upload[]> {
        await writes.end();
        await disk.sync();
        await describe(scope, uploads);
        return uploads;
      },
      async discard(): Promise<void> {
        await writes.end().catch(() => undefined);
        for (const id of begun) await rm(bytesOf(scope, id), { force: true });
      },
    };
  };

/** Calls `take` with hard links in `target`; removes the links if it throws. */
async function withSecondNames<Result>(
  uploads: readonly (Pick<Upload, 'name' | 'lengthBytes'> & { readonly bytes: string })[],
  target: string,
  take: (files: readonly UploadedFile[]) => Result | Promise<Result>,
): Promise<Result> {
  const disk = createDurableFiles();
  await disk.makeFolder(target);
  const files: UploadedFile[] = [];
  try {
    for (const { name, lengthBytes } of uploads) {
      // A new name, which no attempt before a crash can have used.
      files.push({ path: join(target, `${randomUUID()}.part`), name, sizeBytes: lengthBytes });
    }
    await disk.linkAll(files.map(({ path }, index) => [uploads[index]?.bytes ?? '', path]));
    await disk.sync();
    return await take(files);
  } catch (error) {
    for (const { path } of files) await rm(path, { force: true });
    throw error;
  }
}

/** Creates a hard link `target` to a readable file of this length. Returns false if that is not possible. */
async function hasSecondName(path: string, lengthBytes: number, target: string): Promise<boolean> {
  try {
    // Resolved first: a hard link to a symbolic link would not refer to the file.
    const original = await realpath(path);
    await access(original, constants.R_OK);
    const found = await stat(original);
    if (!isAbsolute(path) || !found.isFile() || found.size !== lengthBytes || lengthBytes === 0) return false;
    const disk = createDurableFiles();
    await disk.makeFolder(dirname(target));
    await disk.link(original, target);
    disk.written(target);
    await disk.sync();
    return true;
  } catch {
    await rm(target, { force: true });
    return false;
  }
}

async function* withEnd(body: AsyncIterable<Uint8Array>, onEnd: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } finally {
    onEnd();
  }
}

function requireComplete(uploads: readonly Upload[]): void {
  const broken = uploads.filter((upload) => !isComplete(upload));
  if (broken.length === 0) return;
  const names = broken.slice(0, 5).map((upload) => `"${upload.name}"`);
  throw new AppError('invalid', `The upload of ${names.join(', ')} is not complete. Send the rest, then finish again.`);
}
