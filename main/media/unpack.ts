import { createWriteStream } from 'node:fs';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { backupKindOf } from '../../preload/contract/backup-kind.ts';
import type { Source } from '../formats/io/source.ts';
import type { SourceFile } from '../formats/kit/plugin.ts';
import { AppError, isStorageFull } from '../platform/errors.ts';
import { forEachConcurrently, throwIfCancelled } from './cancellation.ts';
import { type Candidate, isHidden, type Skipped } from './scan.ts';
import { isArchiveName } from './identify.ts';
import type { NameAllocator } from './safe-path.ts';
import { storageError } from './storage-errors.ts';

/** Opens an untrusted archive as a safe tree; see `formats/io/source.ts`. */
export type OpenSource = (file: SourceFile) => Promise<Source>;

export interface Unpacking {
  readonly openSource: OpenSource;
  readonly target: string;
  readonly names: NameAllocator;
  /** Prefix for the names of all entries, for example `photos/`. */
  readonly prefix: string;
  readonly signal?: AbortSignal | undefined;
  readonly progress: (fraction: number) => void;
}

export interface Unpacked {
  readonly candidates: Candidate[];
  readonly skipped: Skipped[];
}

/** Smaller entries are read at once, larger ones streamed. */
const smallEntryBytes = 4 * 1024 * 1024;
const concurrency = 4;
const kept = 'The uploaded files are kept.';

/**
 * Writes an archive's files below `target`, under portable names. A damaged entry is listed and excluded; an archive
 * that cannot be opened is listed itself. Throws `storage-full` if the disk is or would become full, and `cancelled`.
 */
export async function unpackArchive(archive: Candidate, unpacking: Unpacking): Promise<Unpacked> {
  let source: Source;
  try {
    source = await unpacking.openSource({ path: archive.file, name: archive.path });
  } catch (error) {
    if (isStorageFull(error)) throw storageError(error, `Cannot unpack ${archive.path}: the disk is full. ${kept}`);
    if (error instanceof AppError && error.code === 'invalid') {
      return { candidates: [], skipped: [{ name: archive.path, reason: error.message }] };
    }
    throw error;
  }
  try {
    if (source.kind === 'file') {
      return {
        candidates: [],
        skipped: [{ name: archive.path, reason: `${archive.path} is not an archive, despite its name.` }],
      };
    }
    const kind = source.kind === 'zip' ? backupKindOf((name) => source.has(name)) : null;
    if (kind !== null) {
      const way = 'Restore it: New task › From a backup, or limner restore. No task was created from its images.';
      return {
        candidates: [],
        skipped: [{ name: archive.path, reason: `${archive.path} is the backup of a ${kind}. ${way}` }],
      };
    }
    return await unpackEntries(archive, source, unpacking);
  } finally {
    await source.close();
  }
}

async function unpackEntries(archive: Candidate, source: Source, unpacking: Unpacking): Promise<Unpacked> {
  const { target, names, prefix, signal } = unpacking;
  const skipped: Skipped[] = source.warnings.map((reason) => ({ name: archive.path, reason }));
  const entries = source.entries.filter(({ path }) => !isHidden(path));
  const totalBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  await requireSpace(target, totalBytes, archive.path);
  let doneBytes = 0;
  const advance = (bytes: number): void => {
    doneBytes += bytes;
    unpacking.progress(totalBytes === 0 ? 1 : Math.min(1, doneBytes / totalBytes));
  };
  const places: (Candidate | undefined)[] = [];
  await forEachConcurrently(entries, concurrency, async (entry, index) => {
    throwIfCancelled(signal, kept);
    const path = names.uniqueName(`${prefix}${entry.path}`);
    if (isArchiveName(entry.path)) {
      skipped.push({ name: path, reason: `${path} is an archive inside an archive; unpack it first.` });
      return;
    }
    const file = join(target, names.diskPath(path));
    try {
      await mkdir(dirname(file), { recursive: true });
      if (entry.sizeBytes <= smallEntryBytes) {
        await writeFile(file, await source.read(entry.path), { flag: 'wx' });
        advance(entry.sizeBytes);
      } else {
        const bytes = counted(source.stream(entry.path), advance);
        await pipeline(bytes, createWriteStream(file, { flags: 'wx' }), signal ? { signal } : {});
      }
      places[index] = { path, file, origin: 'unpacked' };
    } catch (error) {
      await rm(file, { force: true });
      throwIfCancelled(signal, kept);
      const isTooLong = (error as { code?: unknown }).code === 'ENAMETOOLONG';
      if (!isTooLong && !(error instanceof AppError && error.code === 'invalid')) {
        throw storageError(
          error,
          `Cannot unpack ${archive.path}: the disk became full. ${kept} Free some space and try again.`,
        );
      }
      const reason = isTooLong ? `The path of ${path} is too long for this disk.` : (error as AppError).message;
      skipped.push({ name: path, reason });
    }
  });
  // In the archive's own order, which `predefined` sorting keeps.
  return { candidates: places.filter((place) => place !== undefined), skipped };
}

async function* counted(stream: AsyncIterable<Buffer>, advance: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const part of stream) {
    advance(part.length);
    yield part;
  }
}

/** Throws before the first write if the disk cannot hold `bytes` more. */
export async function requireSpace(directory: string, bytes: number, what: string): Promise<void> {
  const { bavail, bsize, blocks } = await statfs(directory);
  const freeBytes = bavail * bsize;
  // Some network file systems do not report their size.
  if (bytes <= freeBytes || blocks === 0) return;
  const megabytes = (count: number): string => `${Math.ceil(count / 1_000_000).toLocaleString('en')} MB`;
  throw new AppError(
    'storage-full',
    `${what} needs ${megabytes(bytes)} and the disk has ${megabytes(freeBytes)} free. ${kept} Free some space and try again.`,
  );
}
