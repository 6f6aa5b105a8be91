import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { AppError } from '../../platform/errors.ts';
import type { ByteSink } from './byte-writer.ts';
import { entryNameProblem } from './entry-name.ts';
import { centralHeader, endOfArchive, localHeader, method, type ZipRecord } from './zip-records.ts';

const bufferBytes = 1024 * 1024;
/** Initial size; the buffer grows. Most archives are small, and some processes write many of them. */
const firstBufferBytes = 64 * 1024;
/** Smaller files are read at once and written with their final header. */
const smallFileBytes = 1024 * 1024;
/**
 * Maximum of unsynced bytes. A file system may write all pending data before it completes another file's sync, so
 * hundreds of megabytes would delay commits of the store.
 */
const unsyncedBytes = 8 * 1024 * 1024;

/** A streamed, uncompressed entry. Its size is unknown until `end`. */
export interface ZipEntryWriter extends ByteSink {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/**
 * Writes a zip file from front to back. Await every call before the next. No other entry can be added while a streamed
 * one is open. Names are relative and use `/`. There are no directory entries, and equal content gives equal bytes (all
 * times are 1980-01-01).
 */
export interface ZipWriter {
  /** Adds an entry, deflated unless `store` is set or deflating does not shrink it. */
  add(name: string, bytes: Uint8Array | string, options?: { readonly store?: boolean }): Promise<void>;
  addFile(name: string, path: string): Promise<void>;
  beginEntry(name: string): Promise<ZipEntryWriter>;
  /** Writes the directory, syncs and closes the file. */
  finish(): Promise<void>;
  /** Closes and deletes the file. Can be called at any time; does nothing after `finish`. */
  abort(): Promise<void>;
}

/** Limits the tables to the content: preparing them costs more than deflating a small file. */
function deflateOptions(bytes: number): { windowBits: number; memLevel: number; chunkSize: number } {
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(bytes)));
  return { windowBits, memLevel: Math.min(8, windowBits - 6), chunkSize: Math.min(64 * 1024, Math.max(1024, bytes)) };
}

/** Readers that protect against zip bombs reject a larger ratio; 200 is a usual limit. */
const largestRatio = 150;

/** Fixed codes need 13 bits for at most 258 bytes, so a one-color image stays below such limits. */
function deflate(content: Uint8Array): Buffer {
  const options = deflateOptions(content.length);
  const deflated = deflateRawSync(content, options);
  if (deflated.length * largestRatio >= content.length) return deflated;
  return deflateRawSync(content, { ...options, strategy: constants.Z_FIXED });
}

/** Appends to a file through one buffer, and can overwrite earlier bytes. */
function createAppender(handle: FileHandle) {
  let buffer = Buffer.allocUnsafe(firstBufferBytes);
  let flushedBytes = 0;
  let length = 0;
  let waitingBytes = 0;
  let syncing: Promise<void> | undefined;
  const writeAll = async (chunk: Uint8Array, position: number): Promise<void> => {
    for (let done = 0; done < chunk.length;) {
      const { bytesWritten } = await handle.write(chunk, done, chunk.length - done, position + done);
      done += bytesWritten;
    }
    waitingBytes += chunk.length;
    if (waitingBytes < unsyncedBytes) return;
    await syncing;
    waitingBytes = 0;
    syncing = handle.datasync();
    // The next sync reports the error. Without a handler, the process would exit first.
    syncing.catch(() => {});
  };
  const flush = async (): Promise<void> => {
    if (length === 0) return;
    await writeAll(buffer.subarray(0, length), flushedBytes);
    flushedBytes += length;
    length = 0;
  };
  const makeRoom = (bytes: number): void => {
    if (bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.min(bufferBytes, Math.max(buffer.length * 2, bytes)));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };
  return {
    get position() {
      return flushedBytes + length;
    },
    flush,
    /** Resolves when all bytes are on disk. */
    async sync(): Promise<void> {
      await flush();
      await syncing;
      await handle.sync();
    },
    /** Waits for a pending sync, after which the file can be closed. */
    settle: async (): Promise<void> => void (await syncing?.catch(() => {})),
    async append(chunk: Uint8Array): Promise<void> {
      if (length + chunk.length > bufferBytes) await flush();
      if (chunk.length <= bufferBytes - length) {
        makeRoom(length + chunk.length);
        buffer.set(chunk, length);
        length += chunk.length;
        return;
      }
      await writeAll(chunk, flushedBytes);
      flushedBytes += chunk.length;
    },
    async overwrite(chunk: Uint8Array, position: number): Promise<void> {
      if (position >= flushedBytes) buffer.set(chunk, position - flushedBytes);
      else if (position + chunk.length <= flushedBytes) await writeAll(chunk, position);
      else {
        await flush();
        await writeAll(chunk, position);
      }
    },
  };
}

export async function createZipWriter(path: string): Promise<ZipWriter> {
  const handle = await open(path, 'w');
  const file = createAppender(handle);
  const names = new Set<string>();
  const directory: Buffer[] = [];
  let state: 'open' | 'entry' | 'finished' | 'aborted' = 'open';

  const claim = (name: string): Buffer => {
    if (state !== 'open') throw new Error(`Cannot add an entry to the zip file now: ${state}.`);
    const problem = entryNameProblem(name);
    if (problem !== undefined)
      throw new AppError('invalid', `The archive cannot hold a file named "${name}": ${problem}.`);
    if (names.has(name))
      throw new AppError(
        'invalid',
        `The archive would hold two files named "${name}". Rename one of the images and export again.`,
      );
    names.add(name);
    return Buffer.from(name, 'utf8');
  };

  const record = (entry: ZipRecord): void => {
    directory.push(centralHeader(entry));
  };

  const add: ZipWriter['add'] = async (name, bytes, { store = false } = {}) => {
    const rawName = claim(name);
    const content = typeof bytes === 'string' ? Buffer.from(bytes, 'utf8') : bytes;
    const deflated = store || content.length === 0 ? undefined : deflate(content);
    const smaller = deflated !== undefined && deflated.length < content.length;
    const data = smaller ? deflated : content;
    const entry: ZipRecord = {
      rawName,
      method: smaller ? method.deflated : method.stored,
      crc: crc32(content),
      compressedBytes: data.length,
      sizeBytes: content.length,
      offset: file.position,
    };
    await file.append(localHeader(entry, false));
    await file.append(data);
    record(entry);
  };

  const beginEntry = async (name: string): Promise<ZipEntryWriter> => {
    const rawName = claim(name);
    state = 'entry';
    const offset = file.position;
    let crc = 0;
    let sizeBytes = 0;
    const header = (): ZipRecord => ({
      rawName,
      method: method.stored,
      crc,
      compressedBytes: sizeBytes,
      sizeBytes,
      offset,
    });
    await file.append(localHeader(header(), true));
    return {
      async write(chunk) {
        if (state !== 'entry') throw new Error('The entry is no longer open.');
        crc = crc32(chunk, crc);
        sizeBytes += chunk.length;
        await file.append(chunk);
      },
      async end() {
        if (state !== 'entry') throw new Error('The entry is no longer open.');
        await file.overwrite(localHeader(header(), true), offset);
        record(header());
        state = 'open';
      },
    };
  };

  const addFile = async (name: string, source: string): Promise<void> => {
    if ((await stat(source)).size <= smallFileBytes) {
      await add(name, await readFile(source), { store: true });
      return;
    }
    const input = await open(source, 'r');
    try {
      const entry = await beginEntry(name);
      const chunk = Buffer.allocUnsafe(bufferBytes);
      for (;;) {
        const { bytesRead } = await input.read(chunk, 0, chunk.length, null);
        if (bytesRead === 0) break;
        await entry.write(chunk.subarray(0, bytesRead));
      }
      await entry.end();
    } finally {
      await input.close();
    }
  };

  return {
    add,
    addFile,
    beginEntry,
    async finish() {
      if (state !== 'open') throw new Error(`Cannot finish the zip file now: ${state}.`);
      const directoryOffset = file.position;
      for (const header of directory) await file.append(header);
      await file.append(endOfArchive(directory.length, file.position - directoryOffset, directoryOffset));
      await file.sync();
      await handle.close();
      state = 'finished';
    },
    async abort() {
      if (state === 'finished' || state === 'aborted') return;
      state = 'aborted';
      await file.settle();
      await handle.close();
      await rm(path, { force: true });
    },
  };
}
