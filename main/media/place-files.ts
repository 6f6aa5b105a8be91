import { constants } from 'node:fs';
import { copyFile, link, mkdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import type { Candidate } from './collect.ts';
import type { NameAllocator } from './safe-path.ts';
import { requireSpace } from './unpack.ts';

export interface Placing {
  /** Holds the unpacked files already; becomes `raw`. */
  readonly staging: string;
  readonly raw: string;
  /** Gave the unpacked files their places in the staging folder. */
  readonly names: NameAllocator;
  /** Whether local files are copied, instead of used where they are. */
  readonly copy: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Reports 0..1. */
  readonly progress: (fraction: number) => void;
}

const concurrency = 4;
const kept = 'The given files are kept as they were.';

/**
 * Brings files below `raw`: uploaded ones by a second name for the same bytes, local ones copied if wanted; unpacked ones
 * lie in the staging folder. Returns where each file (by its absolute path before) lies below `raw`; files used in place
 * are not in it. Nothing is taken away from its old place: after a crash everything can be done again.
 */
export async function placeFiles(files: readonly Candidate[], placing: Placing): Promise<Map<string, string>> {
  const { staging, raw, names, signal } = placing;
  const placed = new Map<string, string>();
  for (const { file, origin } of files) {
    if (origin === 'unpacked') placed.set(file, relative(staging, file).split(sep).join('/'));
  }
  const uploads = files.filter(({ origin }) => origin === 'uploaded');
  const copies = placing.copy ? files.filter(({ origin }) => origin === 'local') : [];
  for (const { path, file } of [...uploads, ...copies]) placed.set(file, names.diskPath(path));
  await requireSpace(staging, await totalBytes(copies), `Copying ${copies.length} files`);
  let done = 0;
  await forEachConcurrently([...uploads, ...copies], concurrency, async ({ file, origin }) => {
    throwIfCancelled(signal, kept);
    const target = join(staging, placed.get(file) ?? '');
    await mkdir(dirname(target), { recursive: true });
    await (origin === 'uploaded' ? linkOrCopy(file, target) : copy(file, target));
    done += 1;
    placing.progress(done / (uploads.length + copies.length));
  });
  // An empty folder may stand there from an earlier try.
  await rm(raw, { recursive: true, force: true });
  await rename(staging, raw);
  return placed;
}

async function totalBytes(files: readonly Candidate[]): Promise<number> {
  let total = 0;
  for (const { file } of files) total += (await stat(file)).size;
  return total;
}

/** A second name for the same file where the file system can do that. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copy(from, to));
}

async function copy(from: string, to: string): Promise<void> {
  // Shares the blocks on file systems that can.
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
}
