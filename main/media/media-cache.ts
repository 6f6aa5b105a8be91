import { readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessAborted } from '../platform/aborting.ts';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { writeAtomically } from './atomic-write.ts';

export interface MediaCacheOptions {
  readonly directory: string;
  readonly maxBytes: number;
}

/** Share of the limit that may be written before the folder is measured. A trim leaves twice this share free. */
const trimShare = 0.1;
/** Temporary files older than this were left by a crash. */
const abandonedAfterMs = 60 * 60 * 1000;
/** Resolution of the time of last use; a coarse one saves writes. */
const touchAfterMs = 60 * 1000;

/**
 * Reproducible files in one folder of up to `maxBytes`; the least recently used are deleted first. Several processes
 * and threads may share the folder.
 */
export function createMediaCache({ directory, maxBytes }: MediaCacheOptions) {
  const { once, cancelAll } = createSharedRuns();
  /** The first write measures the folder, because it may have files of an earlier run. */
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
     * The bytes stored under `key`, a relative path with `/`, or created by `produce`. If the disk is full or the
     * folder read-only, the bytes are returned without being stored.
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
    /** The path of the file stored under `key`, or created by `produce`, which fills the given temporary path. */
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
    /** True if `key` is stored; also marks it as used. */
    has: (key: string): Promise<boolean> => touch(join(directory, key)),
    /** Cancels running productions and waits until they have ended. */
    close: cancelAll,
  };
}

interface SharedRun {
  readonly result: Promise<unknown>;
  readonly controller: AbortController;
  waiting: number;
}

/** One run per key: all callers share it, and it is cancelled when the last one has left. */
function createSharedRuns() {
  const running = new Map<string, SharedRun>();

  function start(key: string, run: (signal: AbortSignal) => Promise<unknown>): SharedRun {
    const controller = new AbortController();
    const result = run(controller.signal).finally(() => {
      if (running.get(key) === started) running.delete(key);
    });
    // Callers receive this error; there may be none left.
    result.catch(() => {});
    const started: SharedRun = { result, controller, waiting: 0 };
    running.set(key, started);
    return started;
  }

  async function cancelAll(): Promise<void> {
    const runs = [...running.values()];
    const reason = new AppError('cancelled', 'The media are being deleted, or Limner is stopping.');
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
      // Each key is used with only one of the cache's two methods, so the result has the expected type.
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

/** Marks the file as used now. False if there is no such file. */
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
    // Another thread may remove it between listing and stat.
    const found = await stat(path).catch(() => undefined);
    if (found) files.push({ path, sizeBytes: found.size, usedMs: found.mtimeMs });
  }
  return files;
}

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

/** Windows cannot delete a file while it is being sent; the next trim deletes it. */
async function removeIfPossible(path: string): Promise<boolean> {
  return rm(path, { force: true }).then(
    () => true,
    () => false,
  );
}
