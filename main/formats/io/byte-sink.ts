/** Where a writer's chunks go. The chunk may be reused by the writer as soon as the promise resolves. */
export interface ByteSink {
  write(chunk: Uint8Array): Promise<void>;
}

/** A sink that keeps everything in memory: for small documents and tests. */
export function createMemorySink(): ByteSink & { bytes: () => Buffer; text: () => string } {
  const chunks: Buffer[] = [];
  const bytes = (): Buffer => Buffer.concat(chunks);
  return {
    write: async (chunk) => {
      chunks.push(Buffer.from(chunk));
    },
    bytes,
    text: () => bytes().toString('utf8'),
  };
}
