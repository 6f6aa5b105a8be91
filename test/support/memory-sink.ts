import type { ByteSink } from '../../main/formats/io/byte-writer.ts';

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
