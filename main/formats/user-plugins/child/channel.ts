import { readSync, writeSync } from 'node:fs';
import { encodeFrame, frameHeaderBytes, frameSizes, type Frame } from '../message-frames.ts';
import type { Question, Statement } from '../messages.ts';

/** File descriptor of the socket to Limner, the fourth of the process. */
const descriptor = 3;

/**
 * The plug-in's side of the socket. Calls block until all bytes are written. This slows down a plug-in that is faster
 * than the store, and lets it request frames and shapes synchronously.
 */
export interface Channel {
  say(statement: Statement): void;
  /** If Limner cannot answer, it ends the process and reports the reason. */
  ask(question: Question): { readonly value: unknown; readonly attachment: Buffer };
  receive(): Frame;
}

/** Retries a call on EAGAIN, because some systems make the socket non-blocking. */
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
