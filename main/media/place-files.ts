import { randomUUID } from 'node:crypto';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { createDurableFiles, type DurableFiles } from '../platform/durable-files.ts';
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
 * are not in it. They are on the disk then. Nothing is taken away from its old place: after a crash everything can be
 * done again.
 */
export async function placeFiles(files: readonly Candidate[], placing: Placing): Promise<Map<string, string>> {
  const { staging, raw, names, signal } = placing;
  const disk = createDurableFiles();
  await disk.makeFolder(dirname(raw));
  disk.changed(staging);
  const placed = new Map<string, string>();
  for (const { file, origin } of files) {
    if (origin !== 'unpacked') continue;
    placed.set(file, relative(staging, file).split(sep).join('/'));
    disk.written(file, staging);
  }
  const uploads = files.filter(({ origin }) => origin === 'uploaded');
  const copies = placing.copy ? files.filter(({ origin }) => origin === 'local') : [];
  for (const { path, file } of [...uploads, ...copies]) placed.set(file, names.diskPath(path));
  await requireSpace(staging, await totalBytes(copies), `Copying ${copies.length} files`);
  let done = 0;
  await forEachConcurrently([...uploads, ...copies], concurrency, async ({ file, origin }) => {
    throwIfCancelled(signal, kept);
    const target = join(staging, placed.get(file) ?? '');
    if (dirname(target) !== staging) await disk.makeFolder(dirname(target));
    // What was uploaded is on the disk since it was answered.
    await (origin === 'uploaded' ? disk.link(file, target) : disk.copy(file, target));
    done += 1;
    placing.progress(done / (uploads.length + copies.length));
  });
  await disk.sync();
  throwIfCancelled(signal, kept);
  await giveName(disk, staging, raw);
  return placed;
}

/** What an earlier try left under the name goes when its replacement is on the disk, not before. */
async function giveName(disk: DurableFiles, staging: string, raw: string): Promise<void> {
  const present = await readdir(raw).catch(() => null);
  const aside = `${raw}.${randomUUID()}.part`;
  // Windows does not rename a folder to one that is there, be it empty.
  if (present?.length === 0) await rmdir(raw);
  else if (present) await disk.rename(raw, aside);
  await disk.rename(staging, raw);
  await disk.sync();
  await rm(aside, { recursive: true, force: true });
}

async function totalBytes(files: readonly Candidate[]): Promise<number> {
  let total = 0;
  for (const { file } of files) total += (await stat(file)).size;
  return total;
}
