import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';

/** Pieces from the network are small, and each write to the disk is a turn through another thread. */
const bufferBytes = 1024 * 1024;
/**
 * What the disk gets at once, while as much arrives behind it. A file system may write everything that waits before it
 * ends another file's sync: hundreds of megabytes at once would hold up the store's commits as long.
 */
const syncedBytes = 16 * 1024 * 1024;

/**
 * Writes a request's body at `position` of a file, and never beyond `limitBytes`; gives the end position. What arrived
 * before an error stays. Pieces are taken over: what one held is gone when the next is asked for. `kept` is told now and
 * then, and at the end whatever it is, up to where the bytes are on the disk; without it whoever calls brings the rest
 * there.
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
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
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
    await file.close();
  }
  return end;
}

/** Syncs beside what goes on arriving, one after the other. */
function createSyncs(position: number, sync: (upTo: number) => Promise<void>) {
  let begun = position;
  let running: Promise<void> = Promise.resolve();
  return {
    begunUpTo: () => begun,
    /** Waits for the sync before this one, and fails where that has failed. */
    async begin(upTo: number): Promise<void> {
      await running;
      begun = upTo;
      running = sync(upTo);
      // Whoever waits for it next is told.
      running.catch(() => undefined);
    },
    end: () => running,
  };
}

/**
 * Gives the memory of a piece back now: pieces that wait for the collector make it walk through the whole heap every few
 * dozen megabytes, which took half of an upload's processor time. Not where other bytes lie beside it.
 */
function letGo({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}

const tooManyBytes = () => new AppError('too-large', 'There are more bytes than the upload has room for.');

/** One write may take less than everything, without an error, when the disk gets full. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}
