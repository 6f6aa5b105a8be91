import type { Readable } from 'node:stream';

/** As much as one request of a client may hold. */
const maxDiscardedBytes = 128 * 1024 * 1024;

/** The bytes of a request's body as they arrive. */
export interface RequestBytes {
  readonly pieces: AsyncIterable<Uint8Array>;
  /**
   * Reads what is left and drops it. Call before an answer that comes early, for example because the disk is full: a
   * client that is still sending would see a broken connection instead of the answer.
   */
  discard(): Promise<void>;
}

export function requestBytes({
  raw,
  body,
}: {
  readonly raw: Request;
  readonly body: Readable | undefined;
}): RequestBytes {
  const read = body ? () => piecesOf(body) : readerOf(raw);

  return {
    pieces: read(),
    async discard() {
      let discardedBytes = 0;
      try {
        for await (const piece of read()) {
          discardedBytes += piece.byteLength;
          if (discardedBytes > maxDiscardedBytes) return;
        }
      } catch {
        // The client is gone: nobody waits for the answer.
      }
    },
  };
}

/** Whoever stops early leaves the rest to be read, and the connection to be answered. */
const piecesOf = (body: Readable): AsyncIterable<Uint8Array> => body.iterator({ destroyOnReturn: false });

function readerOf({ body }: Request): () => AsyncGenerator<Uint8Array> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = body?.getReader();
  return async function* read() {
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) return;
      yield next.value;
    }
  };
}
