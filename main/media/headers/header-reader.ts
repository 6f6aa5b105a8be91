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

/** Error code for folders, pipes, sockets and devices. */
export const notAFile = 'ENOTFILE';

/** Opens `source` for the duration of `use`. File errors (`ENOENT`, `EACCES`…) are thrown unchanged. */
export async function withHeaderReader<Result>(
  source: string | Uint8Array,
  use: (reader: HeaderReader) => Promise<Result>,
): Promise<Result> {
  if (typeof source !== 'string') return use(bufferReader(source));
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

function bufferReader(bytes: Uint8Array): HeaderReader {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { sizeBytes: buffer.length, at: (offset, length) => buffer.subarray(offset, offset + length) };
}
