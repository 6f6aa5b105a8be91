import type { Readable } from 'node:stream';

/** Above the size of a request body of any client. */
const maxDiscardedBytes = 128 * 1024 * 1024;

export interface RequestBytes {
  readonly pieces: AsyncIterable<Uint8Array>;
  /**
   * Reads and drops the rest of the body. Call before an early answer, for example because the disk is full: a client
   * that is still sending would otherwise see a broken connection instead of the answer.
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
        // The client disconnected.
      }
    },
  };
}

/** Iterates without destroying the stream on an early exit, so that the rest can be read and the request answered. */
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
