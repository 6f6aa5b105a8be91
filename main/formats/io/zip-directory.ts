import { type FileHandle, open } from 'node:fs/promises';
import { type Entry, fromRandomAccessReaderPromise, RandomAccessReader, type ZipFile } from 'yauzl';
import { AppError } from '../../platform/errors.ts';
import { createNameChecker } from './entry-name.ts';
import type { SourceFile, SourceLimits } from './source.ts';
import { createZipNames } from './zip-names.ts';
import { method } from './zip-records.ts';

/** Validated data of one file in the central directory. */
export interface ZipItem {
  readonly path: string;
  readonly method: number;
  readonly crc: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  readonly headerOffset: number;
  /** The entry's data ends before this offset, which is the next header or the directory. */
  endLimit: number;
}

const localHeaderBytes = 30;
const windowBytes = 256 * 1024;
const fileTypeMask = 0o170000;
const directoryType = 0o040000;
const regularType = 0o100000;
const unixSystem = 3;

/** Unsupported compression methods (PKWARE APPNOTE 4.4.5). */
const otherMethods: Readonly<Record<number, string>> = {
  1: 'Shrink',
  6: 'Implode',
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  20: 'Zstandard',
  93: 'Zstandard',
  95: 'xz',
  98: 'PPMd',
};

function refusal(file: SourceFile, reason: string, cause?: unknown): AppError {
  return new AppError('invalid', `Cannot open ${file.name}: ${reason}.`, undefined, { cause });
}

/** Reads larger windows of the file, because yauzl requests a few bytes at a time. */
class WindowReader extends RandomAccessReader {
  readonly #handle: FileHandle;
  readonly #fileBytes: number;
  #window = Buffer.alloc(0);
  #start = 0;

  constructor(handle: FileHandle, fileBytes: number) {
    super();
    this.#handle = handle;
    this.#fileBytes = fileBytes;
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (this.#copy(buffer, offset, length, position)) callback(null, length);
    else void this.#readThenCopy(buffer, offset, length, position, callback);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  #copy(buffer: Buffer, offset: number, length: number, position: number): boolean {
    const from = position - this.#start;
    if (from < 0 || from + length > this.#window.length) return false;
    this.#window.copy(buffer, offset, from, from + length);
    return true;
  }

  async #readThenCopy(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): Promise<void> {
    let failure: Error | null = null;
    try {
      await this.#fill(position, length);
      if (!this.#copy(buffer, offset, length, position)) failure = new Error('unexpected end of file');
    } catch (error) {
      failure = error instanceof Error ? error : new Error('the file cannot be read');
    }
    callback(failure, failure ? 0 : length);
  }

  async #fill(position: number, length: number): Promise<void> {
    const window = Buffer.allocUnsafe(Math.max(Math.min(windowBytes, this.#fileBytes - position), length));
    let filled = 0;
    while (filled < window.length) {
      const { bytesRead } = await this.#handle.read(window, filled, window.length - filled, position + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    this.#window = window.subarray(0, filled);
    this.#start = position;
  }
}

function itemType(entry: Entry): number {
  const isUnix = entry.versionMadeBy >>> 8 === unixSystem;
  return isUnix ? (entry.externalFileAttributes >>> 16) & fileTypeMask : 0;
}

function checkItem(file: SourceFile, item: ZipItem, entry: Entry): void {
  const refuse = (reason: string): never => {
    throw refusal(file, `"${item.path}" in it ${reason}`);
  };
  const type = itemType(entry);
  if (type !== 0 && type !== regularType) refuse('is a link or a device');
  if ((entry.generalPurposeBitFlag & 0x2041) !== 0)
    refuse('is encrypted; unpack the archive and pack it again without a password');
  if (item.method !== method.stored && item.method !== method.deflated)
    refuse(
      `is compressed with ${otherMethods[item.method] ?? `method ${item.method}`}, and only Deflate is read; unpack the archive and choose the folder, or pack it again as a zip with the method Deflate`,
    );
  if (item.method === method.stored && item.sizeBytes !== item.compressedBytes) {
    refuse(`states two different sizes, ${item.compressedBytes} and ${item.sizeBytes} bytes, for the same data`);
  }
}

/**
 * Entries must be consecutive and before the directory. Zip bombs use overlapping entries to expand a few bytes to
 * terabytes.
 */
function checkOverlaps(
  file: SourceFile,
  items: readonly ZipItem[],
  nameLengths: readonly number[],
  directoryOffset: number,
): void {
  const order = items
    .map((_item, index) => index)
    .toSorted((a, b) => (items[a]?.headerOffset ?? 0) - (items[b]?.headerOffset ?? 0));
  for (const [position, index] of order.entries()) {
    const item = items[index];
    if (!item) continue;
    const next = items[order[position + 1] ?? -1];
    item.endLimit = next?.headerOffset ?? directoryOffset;
    const shortest = localHeaderBytes + (nameLengths[index] ?? 0) + item.compressedBytes;
    if (item.headerOffset + shortest > item.endLimit)
      throw refusal(file, `"${item.path}" in it overlaps with another part of the archive`);
  }
}

export interface ZipListing {
  readonly items: ReadonlyMap<string, ZipItem>;
  readonly warnings: readonly string[];
}

async function collect(file: SourceFile, zip: ZipFile, limits: SourceLimits): Promise<ZipListing> {
  const directoryOffset = zip.readEntryCursor as unknown as number;
  const names = createNameChecker(file.name);
  const items: ZipItem[] = [];
  const nameLengths: number[] = [];
  let total = 0;
  let packed = 0;
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) entries.push(entry);
  const { nameOf, warnings } = createZipNames(file, entries);
  for (const entry of entries) {
    const stated = nameOf(entry);
    if (stated.endsWith('/')) {
      if (itemType(entry) !== 0 && itemType(entry) !== directoryType)
        throw refusal(file, `"${stated}" in it is a link or a device`);
      names.folder(stated);
      continue;
    }
    const path = names.file(stated);
    const item: ZipItem = {
      path,
      method: entry.compressionMethod,
      crc: entry.crc32,
      compressedBytes: entry.compressedSize,
      sizeBytes: entry.uncompressedSize,
      headerOffset: entry.relativeOffsetOfLocalHeader,
      endLimit: 0,
    };
    checkItem(file, item, entry);
    total += item.sizeBytes;
    packed += item.compressedBytes;
    if (total > limits.maxTotalBytes) throw refusal(file, 'it unpacks to more than the allowed size');
    items.push(item);
    nameLengths.push(entry.fileNameRaw.length);
  }
  if (total > limits.ratioExemptBytes && total > packed * limits.maxRatio)
    throw refusal(file, `it unpacks to ${total} bytes, more than ${limits.maxRatio} times its size`);
  checkOverlaps(file, items, nameLengths, directoryOffset);
  return { items: new Map(items.map((item) => [item.path, item])), warnings };
}

/** Reads and checks the complete central directory before any entry is used. */
export async function listZip(file: SourceFile, limits: SourceLimits): Promise<ZipListing> {
  const handle = await open(file.path, 'r');
  try {
    const { size } = await handle.stat();
    const reader = new WindowReader(handle, size);
    const zip = await fromRandomAccessReaderPromise(reader, size, {
      autoClose: false,
      decodeStrings: false,
      // Checked below, after checks with more specific messages.
      validateEntrySizes: false,
    });
    if (zip.entryCount > limits.maxEntries) throw refusal(file, `it has more than ${limits.maxEntries} files`);
    return await collect(file, zip, limits);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const reason = error instanceof Error ? error.message.replace(/[.\s]+$/, '') : 'unknown';
    throw refusal(file, `it is not a zip archive, or it is damaged or cut off (${reason})`, error);
  } finally {
    await handle.close();
  }
}
