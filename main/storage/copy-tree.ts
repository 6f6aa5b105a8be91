import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readlink, rm, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createDurableFiles } from '../platform/durable-files.ts';
import { AppError } from '../platform/errors.ts';
import { createWatchedStream } from '../platform/watched-stream.ts';
import type { JobRun } from '../platform/worker-job.ts';

/** Fingerprint by name: size, time and inode of the original, which reveal later changes. */
export type CopiedFiles = ReadonlyMap<string, string>;

export interface TreeCopy {
  readonly from: string;
  readonly to: string;
  readonly known: CopiedFiles;
  /** True if writers are active, so that files may disappear during the copy. */
  readonly isBusy: boolean;
}

type Run = Pick<JobRun, 'progress' | 'checkCancelled'>;

interface Found {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link';
  readonly signature: string;
  readonly sizeBytes: number;
}

/**
 * Makes `to` equal to `from`. Every copied file is synced, read back and compared with the original. Returns the copied
 * files for a second pass.
 */
export async function copyTree({ from, to, known, isBusy }: TreeCopy, run: Run): Promise<Map<string, string>> {
  const found = await listTree(from);
  const wanted = found.filter(({ name, kind, signature }) => kind === 'file' && known.get(name) !== signature);
  const totalBytes = wanted.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  await removeOthers(to, new Set(found.map(({ name }) => name)));
  const files = createDurableFiles();
  const copied = new Map<string, string>();
  const sums = new Map<string, string>();
  let doneBytes = 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const one of found) {
    run.checkCancelled();
    const target = join(to, one.name);
    if (one.kind === 'folder') await mkdir(target, { recursive: true, mode: 0o700 });
    else if (one.kind === 'link') await copyLink(join(from, one.name), target);
    else if (known.get(one.name) === one.signature) copied.set(one.name, one.signature);
    else {
      const sum = await copyFile(join(from, one.name), target, run).catch((error: unknown) => {
        if (isBusy && (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
        throw error;
      });
      doneBytes += one.sizeBytes;
      run.progress(share(doneBytes, totalBytes) / 2, 'Copying');
      if (sum === null) continue;
      sums.set(one.name, sum);
      copied.set(one.name, one.signature);
    }
  }
  await files.writtenBelow(to);
  await files.sync();
  await compare(to, sums, run);
  return copied;
}

const share = (done: number, total: number): number => (total === 0 ? 1 : Math.min(1, done / total));

async function compare(to: string, sums: ReadonlyMap<string, string>, run: Run): Promise<void> {
  let compared = 0;
  for (const [name, sum] of sums) {
    run.checkCancelled();
    const hash = createHash('sha256');
    const file = createReadStream(join(to, name), { highWaterMark: 256 * 1024 });
    await pipeline(file, createWatchedStream(run.checkCancelled), hash);
    if (hash.digest('hex') !== sum) {
      const message = `The copy ${join(to, name)} was read back and differs from the original: the disk is not reliable. Nothing was changed.`;
      throw new AppError('storage-broken', message);
    }
    compared += 1;
    run.progress(0.5 + share(compared, sums.size) / 2, 'Reading the copy back');
  }
}

/** Lists folders before their content. Skips sockets and other special files, which belong to a running process. */
async function listTree(root: string): Promise<Found[]> {
  const found: Found[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await entriesIn(join(root, folder))) {
      const name = folder === '' ? entry.name : join(folder, entry.name);
      const facts = await lstat(join(root, name), { bigint: true }).catch(() => null);
      if (facts === null) continue;
      const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'link' : null;
      if (kind === null) continue;
      const signature = `${facts.size}-${facts.mtimeNs}-${facts.ino}`;
      found.push({ name, kind, signature, sizeBytes: Number(facts.size) });
      if (kind === 'folder') await visit(name);
    }
  };
  await visit('');
  return found;
}

async function entriesIn(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Deletes files of an earlier pass that no longer exist in the source. */
async function removeOthers(to: string, names: ReadonlySet<string>): Promise<void> {
  for (const { name } of (await listTree(to)).toReversed())
    if (!names.has(name)) await rm(join(to, name), { recursive: true, force: true });
}

async function copyLink(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await symlink(await readlink(from), to);
}

/** Returns the SHA-256 of the read bytes. */
async function copyFile(from: string, to: string, { checkCancelled }: Run): Promise<string> {
  const facts = await lstat(from);
  const hash = createHash('sha256');
  const count = createWatchedStream((chunk) => {
    checkCancelled();
    hash.update(chunk);
  });
  await rm(to, { recursive: true, force: true });
  await pipeline(
    createReadStream(from, { highWaterMark: 256 * 1024 }),
    count,
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  );
  await chmod(to, facts.mode & 0o777);
  await utimes(to, facts.atime, facts.mtime);
  return hash.digest('hex');
}

export async function measureTree(root: string): Promise<{ files: number; sizeBytes: number }> {
  const files = (await listTree(root)).filter(({ kind }) => kind === 'file');
  return { files: files.length, sizeBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
}
