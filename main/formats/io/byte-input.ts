import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AppError } from '../../platform/errors.ts';
import type { LocalRange, Source } from './source.ts';

const chunkBytes = 1024 * 1024;
const scratchBytes = 64 * 1024;

/** Sequential bytes for a reader that has its own buffer. */
export interface ByteInput {
  /** Reads up to `length` bytes to `offset` of the target. Returns 0 at the end, after verifying the checksum. */
  read(target: Buffer, offset: number, length: number): Promise<number>;
  /** Reads and drops the rest, so that the checksum is verified. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

async function finishReading(read: ByteInput['read']): Promise<void> {
  const scratch = Buffer.allocUnsafe(scratchBytes);
  while ((await read(scratch, 0, scratch.length)) > 0);
}

/** Returns the chunks of a range. The next chunk is read into a second buffer while the caller uses the current one. */
function readAhead(handle: FileHandle, range: LocalRange, from: number): () => Promise<Buffer | undefined> {
  const stop = range.offset + range.sizeBytes;
  let next = range.offset + from;
  // Most files are small and are read in sequence, so buffers are no larger than the range.
  const bufferBytes = Math.min(chunkBytes, Math.max(0, stop - next));
  let target = Buffer.allocUnsafe(bufferBytes);
  let other = Buffer.allocUnsafe(stop - next > chunkBytes ? bufferBytes : 0);
  const start = (): Promise<Buffer> | undefined => {
    if (next >= stop) return undefined;
    const into = target;
    const reading = handle.read(into, 0, Math.min(chunkBytes, stop - next), next).then(({ bytesRead }) => {
      if (bytesRead === 0)
        throw new AppError(
          'invalid',
          'The file became shorter while it was read. Try again when the file is complete.',
        );
      return into.subarray(0, bytesRead);
    });
    // The next call awaits this promise, but a reader that stops early never does.
    reading.catch(() => {});
    return reading;
  };
  let pending = start();
  return async () => {
    if (!pending) return undefined;
    const chunk = await pending;
    next += chunk.length;
    [target, other] = [other, target];
    pending = start();
    return chunk;
  };
}

/** Opens the bytes of a range from `from`. The checksum is verified when the full range was read. */
export async function openRangeInput(range: LocalRange, from = 0): Promise<ByteInput> {
  const handle = await open(range.path, 'r');
  const nextChunk = readAhead(handle, range, from);
  const verifies = range.crc32 !== undefined && from === 0;
  let current: Buffer | undefined = Buffer.alloc(0);
  let used = 0;
  let crc = 0;
  const advance = async (): Promise<void> => {
    current = await nextChunk();
    used = 0;
    if (current && verifies) crc = crc32(current, crc);
    if (!current && verifies && crc !== range.crc32) {
      throw new AppError(
        'invalid',
        'The archive is damaged: a checksum does not match. Nothing was imported; get a fresh copy.',
      );
    }
  };
  const read: ByteInput['read'] = async (target, offset, length) => {
    if (current && used === current.length) await advance();
    if (!current) return 0;
    const copied = current.copy(target, offset, used, Math.min(current.length, used + length));
    used += copied;
    return copied;
  };
  return { read, finish: () => finishReading(read), close: () => handle.close() };
}

export function streamInput(stream: AsyncIterable<Uint8Array>): ByteInput {
  const iterator = stream[Symbol.asyncIterator]();
  let current: Uint8Array | undefined = new Uint8Array();
  let used = 0;
  const read: ByteInput['read'] = async (target, offset, length) => {
    while (current && used === current.length) {
      const { value, done } = await iterator.next();
      current = done ? undefined : value;
      used = 0;
    }
    if (!current) return 0;
    const end = Math.min(current.length, used + length);
    target.set(current.subarray(used, end), offset);
    const copied = end - used;
    used = end;
    return copied;
  };
  return {
    read,
    finish: () => finishReading(read),
    close: async () => {
      current = undefined;
      await iterator.return?.();
    },
  };
}

/** Opens an entry as input: directly from disk if it is uncompressed there, else as a stream. */
export async function openByteInput(source: Source, path: string): Promise<ByteInput> {
  const range = await source.localPath(path);
  return range ? openRangeInput(range) : streamInput(source.stream(path));
}
