import { randomUUID } from 'node:crypto';
import { closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

export type DurableFiles = ReturnType<typeof createDurableFiles>;

/**
 * The one place that brings files to the disk. Until a file is synced a power cut may leave it empty or torn, and until
 * its folder is synced it may have no name. So whatever the store is going to name is written here and synced before the
 * row is committed, and what it replaces is removed afterwards. Not for what can be made anew (caches, previews), for
 * logs, and for files that only a running process needs.
 *
 * Collects what belongs together, so that it is written first and synced at once: that costs a fraction of one by one.
 */
export function createDurableFiles() {
  const contents = new Set<string>();
  const folders = new Set<string>();

  const files = {
    /** Makes a folder with the parents that it lacks. */
    async makeFolder(path: string): Promise<void> {
      const first = await mkdir(path, { recursive: true, mode: 0o700 });
      // Of a folder that is there already, too: whoever has just made it may not have synced it yet.
      for (const parent of parentsUpTo(path, dirname(first ?? path))) folders.add(parent);
    },
    /** Fails where there is such a file. */
    async write(file: string, content: string | Uint8Array): Promise<void> {
      await writeFile(file, content, { flag: 'wx', mode: 0o600 });
      files.written(file);
    },
    /** Fails where there is such a file. Keeps the time of the last change. */
    async copy(from: string, to: string): Promise<void> {
      // Shares the blocks on file systems that can.
      await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      const { atime, mtime } = await stat(from);
      await utimes(to, atime, mtime);
      files.written(to);
    },
    /** A second name for a file whose content is on the disk; a copy where the file system has no second names. */
    async link(from: string, to: string): Promise<void> {
      try {
        await link(from, to);
        folders.add(dirname(to));
      } catch (error) {
        if (!hasNoLinks(error)) throw error;
        await files.copy(from, to);
      }
    },
    /** Files and folders change places and names as a whole; what stood at `to` is replaced. */
    async rename(from: string, to: string): Promise<void> {
      await rename(from, to);
      folders.add(dirname(from)).add(dirname(to));
    },
    /** Another writer filled in this file. `within`: the folder up to which the parents may be as new. */
    written(file: string, within = dirname(file)): void {
      contents.add(file);
      for (const parent of parentsUpTo(file, within)) folders.add(parent);
    },
    /** The same for a folder, with everything in it. */
    async writtenBelow(folder: string): Promise<void> {
      folders.add(folder).add(dirname(folder));
      for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
        const path = join(entry.parentPath, entry.name);
        if (entry.isDirectory()) folders.add(path);
        else if (entry.isFile()) contents.add(path);
      }
    },
    /** Names in this folder have changed. */
    changed: (folder: string): void => void folders.add(folder),
    /** Everything so far is on the disk when this ends: first what the files hold, then their names. */
    async sync(): Promise<void> {
      await eachOf(contents, syncContent);
      contents.clear();
      await eachOf(folders, syncFolder);
      folders.clear();
    },
  };
  return files;
}

/** Gives a finished file its place, whole, in a folder that is made where it lacks. */
export async function moveIntoPlace(from: string, to: string): Promise<void> {
  const files = createDurableFiles();
  await files.makeFolder(dirname(to));
  await moveWhole(files, from, to);
}

/** What the file holds comes first: a name that came before would stand for a torn file. */
async function moveWhole(files: DurableFiles, from: string, to: string): Promise<void> {
  files.written(from);
  await files.sync();
  await files.rename(from, to);
  await files.sync();
}

/**
 * Replaces a file in a folder that is on the disk: after a power cut it is the old one or the new one, whole. `produce` fills a temporary file beside
 * it; nothing remains when that fails.
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

/** For the few bytes that are written before the program runs: keys and settings. */
export function replaceFileSync(file: string, content: string | Uint8Array): void {
  writeBeside(file, content, (temporary) => renameSync(temporary, file));
}

/** The same as `moveIntoPlace`, for a store that is not open yet and in threads that wait for nothing else. */
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

/** Makes a file where none is. False, and nothing changed, where there is one. */
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

/** Makes a folder with the parents that it lacks. */
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

/** FAT, some network drives, another disk, or as many names as the file system allows. */
const hasNoLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK'].includes(String(codeOf(error)));

/** More only queue up before the threads that all file operations of the process share. */
const concurrency = 8;

async function eachOf(paths: ReadonlySet<string>, work: (path: string) => Promise<void>): Promise<void> {
  const waiting = paths.values();
  let isOver = false;
  const lane = async () => {
    for (const path of waiting) {
      if (isOver) return;
      await work(path).catch((error: unknown) => {
        isOver = true;
        throw error;
      });
    }
  };
  // All lanes end before an error is reported: nothing is under way then.
  const ended = await Promise.allSettled(Array.from({ length: Math.min(concurrency, paths.size) }, lane));
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Windows flushes only what may be written; elsewhere a copy may be read-only, as its original was. */
const flushMode = process.platform === 'win32' ? 'r+' : 'r';

async function syncContent(file: string): Promise<void> {
  const handle = await open(file, flushMode);
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** Windows keeps names by itself and cannot open folders. */
const hasFolderSync = process.platform !== 'win32';
/** Some network file systems keep names by themselves, too. */
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

/** The names in a folder are on the disk. */
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
