import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { writeAtomically } from './atomic-write.ts';
import { unlessAborted } from './cancellation.ts';

export interface MediaCacheOptions {
  readonly directory: string;
  readonly maxBytes: number;
}

/** The folder's size is looked at after this share of the limit was written, and brought down by twice as much. */
const trimShare = 0.1;
/** A temporary file of this age was left behind by a crash. */
const abandonedAfterMs = 60 * 60 * 1000;
/** The time of last use is kept no finer than this, to save writes. */
const touchAfterMs = 60 * 1000;

/**
 * Files that can be made again, kept in one folder up to `maxBytes`; those that were not used for longest go first.
 * Several processes and threads may share the folder.
 */
export function createMediaCache({ directory, maxBytes }: MediaCacheOptions) {
  const { once, cancelAll } = createSharedRuns();
  /** The first look comes with the first file: what an earlier run left counts too. */
  let writtenBytes = Number.POSITIVE_INFINITY;
  let trimming: Promise<void> | undefined;

  const noteWritten = async (bytes: number): Promise<void> => {
    writtenBytes += bytes;
    if (writtenBytes < maxBytes * trimShare) return;
    writtenBytes = 0;
    trimming ??= trimMediaCache({ directory, maxBytes: maxBytes * (1 - 2 * trimShare) }).finally(() => {
      trimming = undefined;
    });
    await trimming;
  };

  return {
    /**
     * The bytes stored under `key`, a relative path with `/`, or made by `produce`. When the disk is full or the folder
     * read-only the bytes are given without being kept.
     */
    bytes: (key: string, produce: (signal: AbortSignal) => Promise<Buffer>, signal?: AbortSignal) =>
      once(
        key,
        async (ended) => {
          const path = join(directory, key);
          const kept = await readFile(path).catch(() => undefined);
          if (kept) {
            await touch(path);
            return kept;
          }
          const bytes = await produce(ended);
          try {
            await writeAtomically(path, (temporary) => writeFile(temporary, bytes));
            await noteWritten(bytes.length);
          } catch (error) {
            if (!isStorageFull(error) && !isReadOnly(error)) throw error;
          }
          return bytes;
        },
        signal,
      ),
    /** The path of the file stored under `key`, or made by `produce`, which fills the temporary path it is given. */
    file: (key: string, produce: (temporary: string, signal: AbortSignal) => Promise<void>, signal?: AbortSignal) =>
      once(
        key,
        async (ended) => {
          const path = join(directory, key);
          if (await touch(path)) return path;
          await writeAtomically(path, (temporary) => produce(temporary, ended));
          await noteWritten((await stat(path)).size);
          return path;
        },
        signal,
      ),
    /** Whether `key` is stored; who asks for it uses it. */
    has: (key: string): Promise<boolean> => touch(join(directory, key)),
    /** Cancels what is being made and waits for its end. */
    close: cancelAll,
  };
}

interface SharedRun {
  readonly result: Promise<unknown>;
  /** Ends the run when nobody waits for it any more. */
  readonly controller: AbortController;
  waiting: number;
}

/** One run a key: whoever asks while it is under way waits for it, and it is cancelled when all of them have gone. */
function createSharedRuns() {
  const running = new Map<string, SharedRun>();

  function start(key: string, run: (signal: AbortSignal) => Promise<unknown>): SharedRun {
    const controller = new AbortController();
    const result = run(controller.signal).finally(() => {
      if (running.get(key) === started) running.delete(key);
    });
    // Those who wait meet its error; there may be none left.
    result.catch(() => {});
    const started: SharedRun = { result, controller, waiting: 0 };
    running.set(key, started);
    return started;
  }

  async function cancelAll(): Promise<void> {
    const runs = [...running.values()];
    const reason = new AppError('cancelled', 'These media are being removed, or Limner is stopping.');
    for (const { controller } of runs) controller.abort(reason);
    await Promise.allSettled(runs.map(({ result }) => result));
  }

  async function once<Result>(
    key: string,
    run: (signal: AbortSignal) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    signal?.throwIfAborted();
    const shared = running.get(key) ?? start(key, run);
    shared.waiting += 1;
    try {
      // Each key is used with one of the cache's two methods only, so the result has the type that is asked for.
      return await unlessAborted(shared.result as Promise<Result>, signal);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0 && running.get(key) === shared) {
        running.delete(key);
        shared.controller.abort(signal?.reason);
      }
    }
  }

  return { once, cancelAll };
}

function isReadOnly(error: unknown): boolean {
  return ['EROFS', 'EACCES', 'EPERM'].includes(String((error as { code?: unknown } | null)?.code));
}

/** Notes that the file was used now. False when there is no such file. */
async function touch(path: string): Promise<boolean> {
  try {
    const now = Date.now();
    const { mtimeMs } = await stat(path);
    if (now - mtimeMs > touchAfterMs) await utimes(path, now / 1000, now / 1000).catch(() => undefined);
    return true;
  } catch {
    return false;
  }
}

interface CachedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly usedMs: number;
}

async function listFiles(directory: string): Promise<CachedFile[]> {
  const items = await readdir(directory, { withFileTypes: true, recursive: true }).catch(() => []);
  const files: CachedFile[] = [];
  for (const item of items) {
    if (!item.isFile()) continue;
    const path = join(item.parentPath, item.name);
    // Another thread may remove it between listing and looking.
    const found = await stat(path).catch(() => undefined);
    if (found) files.push({ path, sizeBytes: found.size, usedMs: found.mtimeMs });
  }
  return files;
}

/** Removes the files that were not used for longest until the folder holds at most `maxBytes`. */
async function trimMediaCache({ directory, maxBytes }: MediaCacheOptions): Promise<void> {
  const files = await listFiles(directory);
  const isPart = (file: CachedFile) => file.path.endsWith('.part');
  const abandoned = files.filter((file) => isPart(file) && Date.now() - file.usedMs > abandonedAfterMs);
  for (const { path } of abandoned) await removeIfPossible(path);
  const kept = files.filter((file) => !isPart(file)).sort((a, b) => a.usedMs - b.usedMs);
  let total = kept.reduce((sum, file) => sum + file.sizeBytes, 0);
  for (const { path, sizeBytes } of kept) {
    if (total <= maxBytes) return;
    if (await removeIfPossible(path)) total -= sizeBytes;
  }
}

/** Windows refuses to remove a file that is being sent to somebody: it goes at the next turn. */
async function removeIfPossible(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}
