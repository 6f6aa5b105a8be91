import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { constants, crc32, deflateRawSync } from 'node:zlib';
import { AppError } from '../../platform/errors.ts';
import type { ByteSink } from './byte-writer.ts';
import { entryNameProblem } from './entry-name.ts';
import { centralHeader, endOfArchive, localHeader, method, type ZipRecord } from './zip-records.ts';

const bufferBytes = 1024 * 1024;
/** The buffer grows to its size: most archives are small, and a process that writes many of them is spared the rest. */
const firstBufferBytes = 64 * 1024;
/** Below this, a file is read at once and written with its final header. */
const smallFileBytes = 1024 * 1024;
/**
 * What may wait for the disk at once. A file system may write everything that waits before it ends another file's
 * sync: hundreds of megabytes at once would hold up the store's commits as long.
 */
const unsyncedBytes = 8 * 1024 * 1024;

/** A streamed entry: stored, its size open until `end`. */
export interface ZipEntryWriter extends ByteSink {
  write(chunk: Uint8Array): Promise<void>;
  end(): Promise<void>;
}

/**
 * Writes a zip file front to back. Await every call before the next one; while a streamed entry is open nothing else
 * can be added. Names are relative, with `/`; there are no directory entries, and the same content gives the same
 * bytes (all times are 1980-01-01).
 */
export interface ZipWriter {
  /** Adds an entry, deflated unless `store` is set or deflating does not make it smaller. */
  add(name: string, bytes: Uint8Array | string, options?: { readonly store?: boolean }): Promise<void>;
  /** Adds a file of this machine, stored, in chunks. */
  addFile(name: string, path: string): Promise<void>;
  beginEntry(name: string): Promise<ZipEntryWriter>;
  /** Writes the directory, flushes everything to the disk and closes the file. */
  finish(): Promise<void>;
  /** Closes and removes the file; safe to call at any time, also after `finish` (then it does nothing). */
  abort(): Promise<void>;
}

/** No more tables than the content can use: preparing them costs more than deflating a small file. */
function deflateOptions(bytes: number): { windowBits: number; memLevel: number; chunkSize: number } {
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(bytes)));
  return { windowBits, memLevel: Math.min(8, windowBits - 6), chunkSize: Math.min(64 * 1024, Math.max(1024, bytes)) };
}

/** Readers that guard against archives which unpack to terabytes refuse a larger ratio: 200 is a usual limit. */
const largestRatio = 150;

/** Fixed codes need 13 bits for at most 258 bytes, so that a picture of one colour stays below such limits. */
function deflate(content: Uint8Array): Buffer {
  const options = deflateOptions(content.length);
  const deflated = deflateRawSync(content, options);
  if (deflated.length * largestRatio >= content.length) return deflated;
  return deflateRawSync(content, { ...options, strategy: constants.Z_FIXED });
}

/** Appends to a file through one buffer, and can overwrite what it wrote before. */
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
    // Met by the next sync; without a handler the process would stop first.
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
    /** Everything is on the disk when this ends. */
    async sync(): Promise<void> {
      await flush();
      await syncing;
      await handle.sync();
    },
    /** Waits for what is under way: the file can be closed then. */
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
    if (state !== 'open') throw new Error(`The zip file cannot take an entry now: ${state}.`);
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
        if (state !== 'entry') throw new Error('The entry is not open any more.');
        crc = crc32(chunk, crc);
        sizeBytes += chunk.length;
        await file.append(chunk);
      },
      async end() {
        if (state !== 'entry') throw new Error('The entry is not open any more.');
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
      if (state !== 'open') throw new Error(`The zip file cannot be finished now: ${state}.`);
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
