import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Parsers jump from segment to segment; most files need only the first window. */
const firstWindowBytes = 4096;
const laterWindowBytes = 2048;

/** Random access to the bytes of a file or a buffer, for parsers that need only a few of them. */
export interface HeaderReader {
  readonly sizeBytes: number;
  /**
   * Up to `length` bytes from `offset`: fewer at the end of the file. The buffer is valid until the next call of `at`.
   */
  at(offset: number, length: number): Buffer | Promise<Buffer>;
}

/** Bytes that are read by range, as those of an object in a bucket. */
export interface RangeSource {
  readonly sizeBytes: number;
  read(offset: number, length: number): Promise<Buffer>;
}

/** Each read of a range is a request. */
const rangeBytes = 32 * 1024;

/** Error code for folders, pipes, sockets and devices. */
export const notAFile = 'ENOTFILE';

/** Opens `source` for the duration of `use`. File errors (`ENOENT`, `EACCES`…) are thrown unchanged. */
export async function withHeaderReader<Result>(
  source: string | Uint8Array | RangeSource,
  use: (reader: HeaderReader) => Promise<Result>,
): Promise<Result> {
  if (source instanceof Uint8Array) return use(bufferReader(source));
  if (typeof source !== 'string') return use(rangeReader(source));
  // A pipe under the file's name would block forever. Windows has neither this flag nor such pipes.
  const handle = await open(source, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) {
      const code = facts.isDirectory() ? 'EISDIR' : notAFile;
      throw Object.assign(new Error(`${source} is not a file.`), { code });
    }
    const sizeBytes = facts.size;
    let windowStart = 0;
    let window: Buffer = Buffer.alloc(0);
    const load = async (offset: number, length: number): Promise<Buffer> => {
      const wanted = Math.max(length, offset === 0 ? firstWindowBytes : laterWindowBytes);
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, offset);
      windowStart = offset;
      window = buffer.subarray(0, bytesRead);
      return window.subarray(0, length);
    };
    return await use({
      sizeBytes,
      at: (offset, length) => {
        const end = Math.min(offset + length, sizeBytes);
        if (offset >= end) return Buffer.alloc(0);
        if (offset >= windowStart && end <= windowStart + window.length) {
          return window.subarray(offset - windowStart, end - windowStart);
        }
        return load(offset, end - offset);
      },
    });
  } finally {
    await handle.close();
  }
}

function rangeReader({ sizeBytes, read }: RangeSource): HeaderReader {
  let windowStart = 0;
  let window: Buffer = Buffer.alloc(0);
  return {
    sizeBytes,
    async at(offset, length) {
      const end = Math.min(offset + length, sizeBytes);
      if (offset >= end) return Buffer.alloc(0);
      if (offset < windowStart || end > windowStart + window.length) {
        window = await read(offset, Math.min(Math.max(end - offset, rangeBytes), sizeBytes - offset));
        windowStart = offset;
      }
      return window.subarray(offset - windowStart, end - windowStart);
    },
  };
}

function bufferReader(bytes: Uint8Array): HeaderReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { sizeBytes: buffer.length, at: (offset, length) => buffer.subarray(offset, offset + length) };
}
