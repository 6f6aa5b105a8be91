import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Parses jump from segment to segment; most files give everything in the first window. */
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

/** Code of the error for folders, pipes, sockets and devices. */
export const notAFile = 'ENOTFILE';

/** Opens `source` for the time of `use`. File errors (`ENOENT`, `EACCES`…) come through as they are. */
export async function withHeaderReader<Result>(
  source: string | Uint8Array,
  use: (reader: HeaderReader) => Promise<Result>,
): Promise<Result> {
  if (typeof source !== 'string') return use(bufferReader(source));
  // A pipe that took the file's name would be waited for for ever. Windows has no such flag, and no such pipes.
  const handle = await open(source, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) {
      const code = facts.isDirectory() ? 'EISDIR' : notAFile;
      throw Object.assign(new Error(`${source} is no file.`), { code });
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

function bufferReader(bytes: Uint8Array): HeaderReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { sizeBytes: buffer.length, at: (offset, length) => buffer.subarray(offset, offset + length) };
}
