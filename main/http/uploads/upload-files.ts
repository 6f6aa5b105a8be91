import { readdir, readFile, rm, writeFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDurableFiles, replaceFile } from '../../platform/durable-files.ts';

/** What an upload is for, for example `tasks-12-data`: also the name of a folder. */
export type UploadScope = string;

export interface Upload {
  /** `<user id>_<uuid>` */
  readonly id: string;
  readonly userId: number;
  /** As the client named the file. */
  readonly name: string;
  readonly lengthBytes: number;
  /** So many bytes of it are on the disk. */
  readonly offsetBytes: number;
  /** Grows from upload to upload, over restarts too. */
  readonly sequence: number;
  /** Uploads that arrived in one form share it: it names the file that describes them. */
  readonly arrival: string;
}

/**
 * Where open uploads lie: each as its bytes (`<id>.part`), and described, those of one form together, in
 * `<arrival>.json`. What a description says is on the disk: it is written when the bytes are, and replaced as a whole. So
 * an upload goes on after a crash and after a power cut where it stands there; bytes beyond are not trusted, and bytes
 * without a description were never answered.
 */
export function createUploadFiles(directory: string) {
  const folderOf = (scope: UploadScope) => join(directory, scope);
  const bytesOf = (scope: UploadScope, id: string) => join(folderOf(scope), `${id}.part`);
  const descriptionOf = (scope: UploadScope, arrival: string) => join(folderOf(scope), `${arrival}.json`);

  /** The uploads of one arrival; none where there is no such arrival. */
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
    /** All uploads of one arrival, when their bytes are on the disk. */
    async describe(scope: UploadScope, uploads: readonly Upload[]): Promise<void> {
      const [first] = uploads;
      if (!first) return;
      const text = JSON.stringify(uploads);
      const file = descriptionOf(scope, first.arrival);
      await replaceFile(file, (temporary) => writeFile(temporary, text, { mode: 0o600 }));
    },
    /** Uploads of one arrival go together. They do not come back after a power cut. */
    async remove(scope: UploadScope, uploads: readonly Upload[]): Promise<void> {
      if (uploads.length === 0) return;
      for (const arrival of new Set(uploads.map((upload) => upload.arrival))) {
        await rm(descriptionOf(scope, arrival), { force: true });
      }
      for (const { id } of uploads) await rm(bytesOf(scope, id), { force: true });
      const disk = createDurableFiles();
      disk.changed(folderOf(scope));
      await disk.sync();
    },
  };
}

const dayMs = 24 * 60 * 60 * 1000;
/** After this long nobody continues an upload. */
const openMs = dayMs;
/** After this long, work that took files over has ended without removing them. */
const claimedMs = 7 * dayMs;

/** Removes uploads that were left behind below the folder of the upload store. */
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
 * Of a folder: the latest of its own and its files' times. A person's file that got a second name here may have been
 * written long ago: what counts is when it got that.
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
