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

export function requestBytes(request: Request): RequestBytes {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = request.body?.getReader();

  async function* read(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const next = await reader?.read();
      if (next === undefined || next.done) return;
      yield next.value;
    }
  }

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
