import { type FileHandle, open } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { crc32, createInflateRaw, inflateRawSync } from 'node:zlib';
import { AppError } from '../../platform/errors.ts';
import { tooLargeToRead, unknownEntry } from './source-single-file.ts';
import type { LocalRange, Source, SourceFile, SourceLimits } from './source.ts';
import { listZip, type ZipItem } from './zip-directory.ts';
import { method } from './zip-records.ts';

const localHeaderBytes = 30;
const localSignature = 0x04034b50;
const chunkBytes = 256 * 1024;
const windowBytes = 128 * 1024;

function damaged(file: SourceFile, path: string, reason: string, cause?: unknown): AppError {
  return new AppError(
    'invalid',
    `"${path}" in ${file.name} is damaged: ${reason}. Nothing was imported; get a fresh copy of the archive.`,
    undefined,
    { cause },
  );
}

/** Bytes at an offset of the archive; undefined beyond its end. Valid only until the next read. */
type ReadBytes = (offset: number, bytes: number) => Promise<Buffer | undefined>;

/** Reads larger blocks, because small files are adjacent and requested in sequence. */
function createWindowedReader(handle: FileHandle, fileBytes: number): ReadBytes {
  let window = Buffer.alloc(0);
  let start = 0;
  return async (offset, bytes) => {
    if (offset >= start && offset + bytes <= start + window.length) {
      return window.subarray(offset - start, offset - start + bytes);
    }
    const target = Buffer.allocUnsafe(Math.max(Math.min(windowBytes, fileBytes - offset), bytes));
    let filled = 0;
    while (filled < target.length) {
      const { bytesRead } = await handle.read(target, filled, target.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    if (bytes <= windowBytes) {
      window = target.subarray(0, filled);
      start = offset;
    }
    return filled < bytes ? undefined : target.subarray(0, bytes);
  };
}

/** Offset of the entry's data, after its local header, whose lengths are stated only there. */
async function dataStart(readBytes: ReadBytes, file: SourceFile, item: ZipItem): Promise<number> {
  const header = await readBytes(item.headerOffset, localHeaderBytes);
  if (header?.readUInt32LE(0) !== localSignature)
    throw damaged(file, item.path, 'its header is not at the position in the directory');
  const start = item.headerOffset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + item.compressedBytes > item.endLimit)
    throw damaged(file, item.path, 'its data overlaps with the next entry');
  return start;
}

function inflate(file: SourceFile, item: ZipItem, data: Buffer): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(item.sizeBytes, 1) });
  } catch (cause) {
    throw damaged(file, item.path, 'its compressed data cannot be read, or is larger than stated', cause);
  }
}

function verify(file: SourceFile, item: ZipItem, sizeBytes: number, crc: number): void {
  if (sizeBytes !== item.sizeBytes)
    throw damaged(file, item.path, `it has ${sizeBytes} bytes instead of the stated ${item.sizeBytes}`);
  if (crc !== item.crc) throw damaged(file, item.path, 'its checksum does not match');
}

async function readItem(readBytes: ReadBytes, file: SourceFile, item: ZipItem): Promise<Buffer> {
  const data = await readBytes(await dataStart(readBytes, file, item), item.compressedBytes);
  if (!data) throw damaged(file, item.path, 'the archive ends before the end of its data');
  const content = item.method === method.stored ? Buffer.from(data) : inflate(file, item, data);
  verify(file, item, content.length, crc32(content));
  return content;
}

async function* streamItem(readBytes: ReadBytes, file: SourceFile, item: ZipItem): AsyncGenerator<Buffer> {
  const start = await dataStart(readBytes, file, item);
  let sizeBytes = 0;
  let crc = 0;
  if (item.compressedBytes > 0) {
    const raw = createReadStream(file.path, {
      start,
      end: start + item.compressedBytes - 1,
      highWaterMark: chunkBytes,
    });
    // zlib needs at least 64 bytes.
    const chunkSize = Math.min(chunkBytes, Math.max(64, item.sizeBytes));
    const content: Readable =
      item.method === method.stored ? raw : pipeline(raw, createInflateRaw({ chunkSize }), () => {});
    try {
      // Node types a binary stream's chunks as any.
      for await (const chunk of content as AsyncIterable<Buffer>) {
        sizeBytes += chunk.length;
        if (sizeBytes > item.sizeBytes) throw damaged(file, item.path, 'it is larger than stated');
        crc = crc32(chunk, crc);
        yield chunk;
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw damaged(file, item.path, 'its compressed data cannot be read', error);
    } finally {
      raw.destroy();
    }
  }
  verify(file, item, sizeBytes, crc);
}

/** Opens a zip archive in place. Nothing is unpacked to disk; size and checksum of every entry are verified. */
export async function openZip(file: SourceFile, limits: SourceLimits): Promise<Source> {
  const { items, warnings } = await listZip(file, limits);
  const handle = await open(file.path, 'r');
  const readBytes = createWindowedReader(handle, (await handle.stat()).size);
  const itemOf = (path: string): ZipItem => {
    const item = items.get(path);
    if (!item) throw unknownEntry(file.name, path);
    return item;
  };
  return {
    kind: 'zip',
    name: file.name,
    entries: [...items.values()].map(({ path, sizeBytes }) => ({ path, sizeBytes })),
    warnings,
    has: (path) => items.has(path),
    async read(path, maxBytes = limits.maxReadBytes) {
      const item = itemOf(path);
      if (item.sizeBytes > maxBytes) throw tooLargeToRead(path, item.sizeBytes, maxBytes);
      return readItem(readBytes, file, item);
    },
    stream: (path) => streamItem(readBytes, file, itemOf(path)),
    async localPath(path): Promise<LocalRange | undefined> {
      const item = itemOf(path);
      if (item.method !== method.stored) return undefined;
      return {
        path: file.path,
        offset: await dataStart(readBytes, file, item),
        sizeBytes: item.sizeBytes,
        crc32: item.crc,
      };
    },
    close: () => handle.close(),
  };
}
