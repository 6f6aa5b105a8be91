import { readSync, writeSync } from 'node:fs';
import { encodeFrame, frameHeaderBytes, frameSizes, type Frame } from '../message-frames.ts';
import type { Question, Statement } from '../messages.ts';

/** The socket to Limner, which is the fourth of the process's files. */
const descriptor = 3;

/**
 * The plug-in's side of the socket. Calls wait until the bytes are through: a plug-in that is faster than the store is
 * slowed down by that, and may ask for frames and shapes in a plain loop.
 */
export interface Channel {
  say(statement: Statement): void;
  /** A question that cannot be answered ends the process: Limner says why. */
  ask(question: Question): { readonly value: unknown; readonly attachment: Buffer };
  /** Waits for the next message. */
  receive(): Frame;
}

/** A socket that does not block answers "try again": some systems make it so. */
function again<Result>(call: () => Result): Result {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    try {
      return call();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}

function write(bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += again(() => writeSync(descriptor, bytes, done));
}

function readExactly(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let done = 0; done < count;) {
    const read = again(() => readSync(descriptor, bytes, done, count - done, null));
    if (read === 0) process.exit(0);
    done += read;
  }
  return bytes;
}

export function openChannel(): Channel {
  const receive = (): Frame => {
    const { textBytes, attachmentBytes } = frameSizes(readExactly(frameHeaderBytes));
    const message = JSON.parse(readExactly(textBytes).toString('utf8')) as unknown;
    return { message, attachment: readExactly(attachmentBytes) };
  };
  return {
    receive,
    say: (statement) => write(encodeFrame(statement)),
    ask(question) {
      write(encodeFrame(question));
      const { message, attachment } = receive();
      return { value: (message as { value?: unknown }).value, attachment };
    },
  };
}
