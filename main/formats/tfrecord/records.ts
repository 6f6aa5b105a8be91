const headBytes = 12;
const footBytes = 4;
/** Limit for a record, which holds an image and its boxes. */
const maxRecordBytes = 512 * 1024 * 1024;

const polynomial = 0x82f63b78;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = (value >>> 1) ^ (value & 1 ? polynomial : 0);
  return value >>> 0;
});

/** CRC-32C, rotated and offset as TensorFlow stores it. */
function maskedSum(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ (table[(sum ^ byte) & 0xff] ?? 0);
  const whole = (sum ^ 0xffffffff) >>> 0;
  return (((whole >>> 15) | (whole << 17)) + 0xa282ead8) >>> 0;
}

/** Thrown when a file of records ends early or is damaged. */
export class RecordsError extends Error {}

/**
 * Iterates the records of a TFRecord file: length, checksum, content, checksum. Holds one record in memory. Throws
 * `RecordsError` for a truncated file or a wrong checksum.
 */
export async function* readRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let held = 0;
  let wanted = headBytes;
  let length: number | undefined;
  const take = (count: number): Buffer => {
    const all = parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts);
    parts = [all.subarray(count)];
    held -= count;
    return all.subarray(0, count);
  };
  for await (const chunk of chunks) {
    parts.push(chunk);
    held += chunk.length;
    while (held >= wanted) {
      if (length === undefined) {
        const head = take(headBytes);
        if (maskedSum(head.subarray(0, 8)) !== head.readUInt32LE(8)) throw new RecordsError('a length is damaged');
        length = Number(head.readBigUInt64LE(0));
        if (length > maxRecordBytes) throw new RecordsError(`a record has ${length} bytes`);
        wanted = length + footBytes;
        continue;
      }
      const whole = take(wanted);
      const content = whole.subarray(0, length);
      if (maskedSum(content) !== whole.readUInt32LE(length)) throw new RecordsError('a record is damaged');
      length = undefined;
      wanted = headBytes;
      yield content;
    }
  }
  if (held > 0) throw new RecordsError('the file ends within a record');
}
