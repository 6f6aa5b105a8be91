import { randomUUID } from 'node:crypto';
import { closeSync, openSync, read, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const readAt = promisify(read);
const pieceBytes = 256 * 1024;

export type TemporaryBuffer = ReturnType<typeof createTemporaryBuffer>;

/**
 * A temporary file for output that is written quickly, is too large for memory, and is read at the receiver's speed. It
 * is deleted after the last read.
 */
export function createTemporaryBuffer(folder: string) {
  const file = join(folder, `answer-${randomUUID()}.part`);
  const descriptor = openSync(file, 'wx+', 0o600);
  // If the system can unlink open files, nothing remains regardless of how the program ends.
  if (process.platform !== 'win32') rmSync(file);
  let sizeBytes = 0;
  let isOpen = true;

  function drop(): void {
    if (!isOpen) return;
    isOpen = false;
    closeSync(descriptor);
    rmSync(file, { force: true });
  }

  return {
    drop,
    write(bytes: Uint8Array): void {
      for (let done = 0; done < bytes.byteLength;) {
        done += writeSync(descriptor, bytes, done, bytes.byteLength - done, sizeBytes + done);
      }
      sizeBytes += bytes.byteLength;
    },
    /** Returns the written data as a stream. Call once. */
    leave(): ReadableStream<Uint8Array<ArrayBuffer>> {
      let position = 0;
      return new ReadableStream(
        {
          async pull(controller) {
            const buffer = new Uint8Array(Math.min(pieceBytes, sizeBytes - position));
            const { bytesRead } = await readAt(descriptor, buffer, 0, buffer.byteLength, position);
            position += bytesRead;
            if (bytesRead > 0) controller.enqueue(buffer.subarray(0, bytesRead));
            if (bytesRead > 0 && position < sizeBytes) return;
            drop();
            controller.close();
          },
          cancel: drop,
        },
        { highWaterMark: 1 },
      );
    },
  };
}
