import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';

/** Bytes per write to disk. Network chunks are small, and each write needs another thread. */
const bufferBytes = 1024 * 1024;
/**
 * Bytes per sync, while the next ones arrive. A file system may write all pending data before it completes the sync of
 * another file, so hundreds of megabytes at once would delay the store's commits.
 */
const syncedBytes = 16 * 1024 * 1024;

/** Used again: a new buffer for each small file made the garbage collector run for each of them. */
const spareBuffers: Buffer[] = [];
const maxSpareBuffers = 4;

/**
 * Writes a request's body at `position` of a file, at most up to `limitBytes`, and returns the end position. Bytes that
 * arrived before an error stay. Chunks are consumed: their memory is released before the next is read. `kept` is called
 * from time to time, and at the end even after an error, with the offset up to which the bytes are on disk. Without it
 * the caller has to sync the rest.
 * @throws AppError 413 beyond the limit
 */
export async function writeBody(
  path: string,
  position: number,
  limitBytes: number,
  body: AsyncIterable<Uint8Array>,
  kept?: (endBytes: number) => Promise<void>,
): Promise<number> {
  const file = await open(path, position === 0 ? 'w' : 'r+', 0o600);
  const buffer = spareBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes);
  let end = position;
  let filled = 0;
  const disk = createSyncs(position, async (upTo) => {
    await file.datasync();
    await kept?.(upTo);
  });
  const flush = async (): Promise<void> => {
    const length = filled;
    filled = 0;
    await writeAll(file, buffer.subarray(0, length), end);
    end += length;
    if (end - disk.begunUpTo() >= syncedBytes) await disk.begin(end);
  };
  try {
    try {
      for await (const piece of body) {
        if (end + filled + piece.byteLength > limitBytes) throw tooManyBytes();
        for (let done = 0; done < piece.byteLength;) {
          const part = piece.subarray(done, done + bufferBytes - filled);
          buffer.set(part, filled);
          filled += part.byteLength;
          done += part.byteLength;
          if (filled === bufferBytes) await flush();
        }
        letGo(piece);
      }
    } finally {
      try {
        await flush();
        if (kept && end > disk.begunUpTo()) await disk.begin(end);
      } finally {
        await disk.end();
      }
    }
  } finally {
    if (spareBuffers.length < maxSpareBuffers) spareBuffers.push(buffer);
    await file.close();
  }
  return end;
}

/** Runs syncs one after the other, while further bytes arrive. */
function createSyncs(position: number, sync: (upTo: number) => Promise<void>) {
  let begun = position;
  let running: Promise<void> = Promise.resolve();
  return {
    begunUpTo: () => begun,
    /** Waits for the previous sync, and throws if it failed. */
    async begin(upTo: number): Promise<void> {
      await running;
      begun = upTo;
      running = sync(upTo);
      // The error reaches the next caller that awaits it.
      running.catch(() => undefined);
    },
    end: () => running,
  };
}

/**
 * Releases the memory of a chunk at once. Otherwise the garbage collector would scan the heap every few dozen
 * megabytes, which took half of the CPU time of an upload. Skips chunks that share their buffer.
 */
function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

const tooManyBytes = () => new AppError('too-large', 'The upload is longer than its declared length.');

/** Repeats short writes: on a full disk a write may be partial without an error. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}
