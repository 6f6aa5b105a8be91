import { randomUUID } from 'node:crypto';
import { readdir, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { createDurableFiles, type DurableFiles } from '../platform/durable-files.ts';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import type { Candidate } from './scan.ts';
import type { NameAllocator } from './safe-path.ts';
import { requireSpace } from './unpack.ts';

export interface FileMoves {
  /** Already has the unpacked files; is renamed to `raw`. */
  readonly staging: string;
  readonly raw: string;
  readonly names: NameAllocator;
  readonly copy: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly progress: (fraction: number) => void;
}

const concurrency = 4;
const kept = 'The given files are unchanged.';

/**
 * Places files below `raw`: uploads as hard links, local files as copies if `copy` is set; unpacked files are already
 * in the staging folder. Returns the path of each file below `raw` by its old absolute path, without files used in
 * place. All files are synced to disk. Nothing is removed from its old location, so a crash loses nothing.
 */
export async function moveFiles(files: readonly Candidate[], placing: FileMoves): Promise<Map<string, string>> {
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
    // Uploads were synced to disk before their request was answered.
    await (origin === 'uploaded' ? disk.link(file, target) : disk.copy(file, target));
    done += 1;
    placing.progress(done / (uploads.length + copies.length));
  });
  await disk.sync();
  throwIfCancelled(signal, kept);
  await giveName(disk, staging, raw);
  return placed;
}

/** Replaces the result of an earlier attempt. It is deleted only when its replacement is on the disk. */
async function giveName(disk: DurableFiles, staging: string, raw: string): Promise<void> {
  const present = await readdir(raw).catch(() => null);
  const aside = `${raw}.${randomUUID()}.part`;
  // Windows does not rename a folder to an existing one, even an empty one.
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
