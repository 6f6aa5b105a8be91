import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { partBytes, varintBytes } from './message-reader.ts';
import type { OnnxFile, OnnxValue } from './read-onnx.ts';

const elementNumbers: Readonly<Record<string, number>> = { float32: 1, uint8: 2, int32: 6, int64: 7, float16: 10 };

/**
 * Writes the model with symbolic instead of fixed sizes, because some exporters write the sizes of their example image.
 * Image channels stay.
 */
export async function writeWithFreeSizes(source: string, file: OnnxFile, target: string): Promise<void> {
  const { graph, places } = file;
  const pieces: (Buffer | { readonly start: number; readonly end: number })[] = [];
  let position = graph.start;
  for (const { field, value } of places) {
    pieces.push({ start: position, end: field.tagAt }, partBytes(field.number, freeValue(value)));
    position = field.end;
  }
  pieces.push({ start: position, end: graph.end });
  const length = pieces.reduce(
    (sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.end - piece.start),
    0,
  );
  const { size } = await stat(source);
  const all = [
    { start: 0, end: graph.tagAt },
    Buffer.concat([varintBytes(7 * 8 + 2), varintBytes(length)]),
    ...pieces,
    { start: graph.end, end: size },
  ];
  async function* bytes(): AsyncGenerator<Buffer> {
    for (const piece of all) {
      if (Buffer.isBuffer(piece)) yield piece;
      else if (piece.end > piece.start) yield* createReadStream(source, { start: piece.start, end: piece.end - 1 });
    }
  }
  await pipeline(Readable.from(bytes()), createWriteStream(target, { mode: 0o600 }));
}

function freeValue({ name, type, dimensions }: OnnxValue): Buffer {
  const sizes = (dimensions ?? []).map((dimension, index) => {
    const isChannels = index === 1 && typeof dimension === 'number';
    const content = isChannels
      ? Buffer.concat([varintBytes(8), varintBytes(dimension)])
      : partBytes(2, Buffer.from(`${name}_${index}`));
    return partBytes(1, content);
  });
  const tensor = Buffer.concat([
    varintBytes(8),
    varintBytes(elementNumbers[type] ?? 1),
    partBytes(2, Buffer.concat(sizes)),
  ]);
  return Buffer.concat([partBytes(1, Buffer.from(name)), partBytes(2, partBytes(1, tensor))]);
}
