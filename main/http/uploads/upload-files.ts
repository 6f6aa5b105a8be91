import { readdir, readFile, rm, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurableFiles, replaceFile } from '../../platform/durable-files.ts';

/** Purpose of an upload, for example `tasks-12-data`; also the name of a folder. */
export type UploadScope = string;

export interface Upload {
  /** `<user id>_<uuid>` */
  readonly id: string;
  readonly userId: number;
  readonly name: string;
  readonly lengthBytes: number;
  readonly offsetBytes: number;
  /** Increases with each upload, across restarts too. */
  readonly sequence: number;
  /** Id of the upload batch: uploads of one form share it, and it names the file that describes them. */
  readonly arrival: string;
}

export const isComplete = (upload: Upload): boolean => upload.offsetBytes === upload.lengthBytes;

/**
 * Open uploads: each has its bytes in `<id>.part`, and each batch a description in `<arrival>.json`. A description is
 * replaced atomically, and only after its bytes are on disk. So an upload can be resumed after a crash or power cut at
 * the described offset. Bytes beyond that offset are not trusted; bytes without a description were never acknowledged.
 */
export function createUploadFiles(directory: string) {
  const folderOf = (scope: UploadScope) => join(directory, scope);
  const bytesOf = (scope: UploadScope, id: string) => join(folderOf(scope), `${id}.part`);
  const descriptionOf = (scope: UploadScope, arrival: string) => join(folderOf(scope), `${arrival}.json`);

  async function read(scope: UploadScope, arrival: string): Promise<Upload[]> {
    try {
      // Written by `describe`.
      return JSON.parse(await readFile(descriptionOf(scope, arrival), 'utf8')) as Upload[];
    } catch {
      return [];
    }
  }

  return {
    folderOf,
    bytesOf,
    read,
    async list(scope: UploadScope, userId: number): Promise<Upload[]> {
      const names = await readdir(folderOf(scope)).catch(() => []);
      const arrivals = names.filter((name) => name.startsWith(`${userId}_`) && name.endsWith('.json'));
      const uploads = await Promise.all(arrivals.map((name) => read(scope, name.slice(0, -'.json'.length))));
      return uploads.flat().sort((a, b) => a.sequence - b.sequence);
    },
    /** Saves the description of a batch. Call once its bytes are on disk. */
    async describe(scope: UploadScope, uploads: readonly Upload[]): Promise<void> {
      const [first] = uploads;
      if (!first) return;
      const text = JSON.stringify(uploads);
      const file = descriptionOf(scope, first.arrival);
      await replaceFile(file, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
    },
    /** Removes the uploads together with the descriptions of their batches. They do not return after a power cut. */
    async remove(scope: UploadScope, uploads: readonly Upload[]): Promise<void> {
      if (uploads.length === 0) return;
      const disk = createDurableFiles();
      const arrivals = new Set(uploads.map(({ arrival }) => arrival));
      await disk.removeAll(Array.from(arrivals, (arrival) => descriptionOf(scope, arrival)));
      await disk.removeAll(uploads.map(({ id }) => bytesOf(scope, id)));
      await disk.sync();
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;
/** Age after which an open upload counts as abandoned. */
const openMs = dayMs;
/** Age after which the receiver of claimed files has ended without removing them. */
const claimedMs = 7 * dayMs;

export async function removeAbandonedUploads(directory: string, nowMs: number): Promise<void> {
  const removeIfOlder = async (path: string, ageMs: number) => {
    if ((await lastChangeMs(path)) < nowMs - ageMs) await rm(path, { recursive: true, force: true });
  };
  for (const path of await childrenOf(join(directory, 'open'))) await removeIfOlder(path, openMs);
  const claimed = await childrenOf(join(directory, 'claimed'));
  const takenOver = (await childrenOf(directory)).filter((path) => !/[\\/](open|claimed)$/.test(path));
  for (const path of [...claimed, ...takenOver]) await removeIfOlder(path, claimedMs);
}

async function childrenOf(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.map((name) => join(folder, name));
}

/**
 * Time of the last change of a folder and its files. Uses ctime because a hard-linked file of the user may be old: the
 * time of the link counts.
 */
async function lastChangeMs(path: string): Promise<number> {
  const times = await Promise.all(
    [path, ...(await childrenOf(path))].map(async (one) => {
      const found = await stat(one).catch(() => undefined);
      return Math.max(found?.mtimeMs ?? 0, found?.ctimeMs ?? 0);
    }),
  );
  return Math.max(...times);
}
