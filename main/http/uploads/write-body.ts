import { type FileHandle, open } from 'node:fs/promises';
import { AppError } from '../../platform/errors.ts';

/** Pieces from the network are small, and each write to the disk is a turn through another thread. */
const bufferBytes = 1024 * 1024;

/**
 * Writes a request's body at `position` of a file, and never beyond `limitBytes`; gives the end position. What arrived
 * before an error stays.
 * @throws AppError 413 beyond the limit
 */
export async function writeBody(
  path: string,
  position: number,
  limitBytes: number,
  body: AsyncIterable<Uint8Array>,
): Promise<number> {
  const file = await open(path, position === 0 ? 'w' : 'r+', 0o600);
  const buffer = Buffer.allocUnsafeSlow(bufferBytes);
  let end = position;
  let filled = 0;
  const flush = async (): Promise<void> => {
    const length = filled;
    filled = 0;
    await writeAll(file, buffer.subarray(0, length), end);
    end += length;
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
      }
    } finally {
      await flush();
    }
  } finally {
    await file.close();
  }
  return end;
}

function tooManyBytes(): AppError {
  const message = 'There are more bytes than the upload has room for.';
  return new AppError('too-large', message, { detail: message });
}

/** One write may take less than everything, without an error, when the disk gets full. */
async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.byteLength - done, position + done);
    done += bytesWritten;
  }
}
