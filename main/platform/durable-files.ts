import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

export type DurableFiles = ReturnType<typeof createDurableFiles>;

/**
 * Writes files durably; the only place that syncs. Until a file is synced, a power failure may leave it empty or
 * incomplete, and until its folder is synced it may have no name. So files that the store refers to are written here
 * and synced before the row is committed, and replaced files are deleted afterwards. Not for reproducible files
 * (caches, previews), for logs, and for temporary files.
 *
 * Collects related files, so that they are written first and synced together, which is much faster than one by one.
 */
export function createDurableFiles() {
  const contents = new Set<string>();
  const folders = new Set<string>();

  const files = {
    async makeFolder(path: string): Promise<void> {
      const first = await mkdir(path, { recursive: true, mode: 0o700 });
      // Includes existing folders: their creator may not have synced them yet.
      for (const parent of parentsUpTo(path, dirname(first ?? path))) folders.add(parent);
    },
    /** Throws if the file exists. */
    async write(file: string, content: string | Uint8Array): Promise<void> {
      await writeFile(file, content, { flag: 'wx', mode: 0o600 });
      files.written(file);
    },
    /**
     * Writes and syncs a new file at once, through one handle. For many small files: several calls at the same time
     * share the file system's commits. Its name is synced by `sync`.
     */
    async writeSynced(file: string, content: Uint8Array): Promise<void> {
      folders.add(dirname(file));
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.writeFile(content);
        await handle.datasync();
      } finally {
        await handle.close();
      }
    },
    /** Throws if the file exists. Keeps the modification time. */
    async copy(from: string, to: string): Promise<void> {
      // Shares the blocks on file systems that support it.
      await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      const { atime, mtime } = await stat(from);
      await utimes(to, atime, mtime);
      files.written(to);
    },
    /** Creates a hard link to a synced file; a copy if the file system has no hard links. */
    async link(from: string, to: string): Promise<void> {
      try {
        await link(from, to);
        folders.add(dirname(to));
      } catch (error) {
        if (!hasNoLinks(error)) throw error;
        await files.copy(from, to);
      }
    },
    linkAll: (pairs: Iterable<readonly [from: string, to: string]>): Promise<void> =>
      eachOf(pairs, ([from, to]) => files.link(from, to)),
    /** Deletes files, which may be missing. */
    removeAll: (paths: Iterable<string>): Promise<void> =>
      eachOf(paths, async (path) => {
        folders.add(dirname(path));
        await unlink(path).catch((error: unknown) => {
          if (codeOf(error) !== 'ENOENT') throw error;
        });
      }),
    /** Renames files and folders atomically; replaces an existing `to`. */
    async rename(from: string, to: string): Promise<void> {
      await rename(from, to);
      folders.add(dirname(from)).add(dirname(to));
    },
    /** Marks a file that other code wrote, and its folders up to `within`, which may be new. */
    written(file: string, within = dirname(file)): void {
      contents.add(file);
      for (const parent of parentsUpTo(file, within)) folders.add(parent);
    },
    /** The same for a folder and its contents. */
    async writtenBelow(folder: string): Promise<void> {
      folders.add(folder).add(dirname(folder));
      for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isDirectory()) folders.add(path);
        else if (entry.isFile()) contents.add(path);
      }
    },
    changed: (folder: string): void => void folders.add(folder),
    /** Syncs everything so far: first the contents of files, then their names. */
    async sync(): Promise<void> {
      await eachOf(contents, syncContent);
      contents.clear();
      await eachOf(folders, syncFolder);
      folders.clear();
    },
  };
  return files;
}

/** Moves a complete file into place atomically; creates the folder if it is missing. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  const files = createDurableFiles();
  await files.makeFolder(dirname(to));
  await moveWhole(files, from, to);
}

/** Syncs the contents before the name, because otherwise the name might refer to an incomplete file. */
async function moveWhole(files: DurableFiles, from: string, to: string): Promise<void> {
  files.written(from);
  await files.sync();
  await files.rename(from, to);
  await files.sync();
}

/**
 * Replaces a file in a synced folder: after a power failure it is the old one or the new one, complete. `produce` fills
 * a temporary file beside it, which is deleted after an error.
 */
export async function replaceFile(file: string, produce: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${file}.${randomUUID()}.part`;
  try {
    await produce(temporary);
    await moveWhole(createDurableFiles(), temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** For small files written before the program runs: keys and settings. */
export function replaceFileSync(file: string, content: string | Uint8Array): void {
  writeBeside(file, content, (temporary) => renameSync(temporary, file));
}

/** The synchronous form of `moveIntoPlace`, for a store that is not open yet and for threads without other work. */
export function moveIntoPlaceSync(from: string, to: string): void {
  const descriptor = openSync(from, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(from, to);
  syncFolderSync(dirname(to));
}

/** Creates a file. Returns false, without a change, if it exists. */
export function createFileSync(file: string, content: string | Uint8Array): boolean {
  return writeBeside(file, content, (temporary) => {
    try {
      linkSync(temporary, file);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  });
}

export function makeFolderSync(path: string): void {
  const first = makeFolder(path);
  if (first !== undefined) for (const parent of parentsUpTo(path, dirname(first))) syncFolderSync(parent);
}

function writeBeside<Result>(file: string, content: string | Uint8Array, place: (temporary: string) => Result): Result {
  makeFolderSync(dirname(file));
  const temporary = `${file}.${process.pid}.tmp`;
  // Readable by the owner only, from its first byte on.
  rmSync(temporary, { force: true });
  const descriptor = openSync(temporary, 'wx', 0o600);
  try {
    try {
      writeFileSync(descriptor, content);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    return place(temporary);
  } finally {
    rmSync(temporary, { force: true });
    syncFolderSync(dirname(file));
  }
}

/** Folders from that of `path` up to `top`, both included. */
function parentsUpTo(path: string, top: string): string[] {
  const parents = [dirname(path)];
  for (let parent = dirname(path); parent !== top && parent.length > top.length; parent = dirname(parent)) {
    parents.push(dirname(parent));
  }
  return parents;
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** FAT, some network drives, another disk, or the file system's limit of links. */
const hasNoLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(String(codeOf(error)));

/** More would only queue for the threads that all file operations of the process share. */
const concurrency = 8;

async function eachOf<Item>(items: Iterable<Item>, work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items[Symbol.iterator]();
  let isOver = false;
  const lane = async () => {
    for (let next = waiting.next(); next.done !== true; next = waiting.next()) {
      if (isOver) return;
      await work(next.value).catch((error: unknown) => {
        isOver = true;
        throw error;
      });
    }
  };
  // Waits for all lanes before an error is reported, so that no operation is still running.
  const ended = await Promise.allSettled(Array.from({ length: concurrency }, lane));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Windows flushes only writable files; on other systems a copy may be read-only like its original. */
const flushMode = process.platform === 'win32' ? 'r+' : 'r';

async function syncContent(file: string): Promise<void> {
  const handle = await open(file, flushMode);
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Windows persists names automatically and cannot open folders. */
const hasFolderSync = process.platform !== 'win32';
/** Some network file systems also persist names automatically. */
const isKeptAnyway = (error: unknown): boolean => ['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'].includes(String(codeOf(error)));

async function syncFolder(folder: string): Promise<void> {
  if (!hasFolderSync) return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (error) {
    if (!isKeptAnyway(error)) throw error;
  } finally {
    await handle.close();
  }
}

export function syncFolderSync(folder: string): void {
  if (!hasFolderSync) return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    if (!isKeptAnyway(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}
