import { readSync } from 'node:fs';

/** A protobuf field: a number, or a range of the file. */
export interface Field {
  readonly number: number;
  readonly tagAt: number;
  readonly value: number;
  /** Range of strings, bytes and messages; both are 0 for numbers. */
  readonly start: number;
  readonly end: number;
}

export class BrokenModel extends Error {}

const windowBytes = 256 * 1024;
const longestText = 4 * 1024 * 1024;

export type MessageReader = ReturnType<typeof createMessageReader>;

/**
 * Lazy reader of a protobuf file. Unread parts such as the weights are never loaded.
 * @throws BrokenModel if the file is not a valid message
 */
export function createMessageReader(handle: number, fileBytes: number) {
  let window = Buffer.alloc(0);
  let windowStart = 0;

  function byteAt(position: number): number {
    const index = position - windowStart;
    if (index >= 0 && index < window.length) return window[index] ?? 0;
    if (position >= fileBytes) throw new BrokenModel('it is truncated');
    const next = Buffer.alloc(Math.min(windowBytes, fileBytes - position));
    window = next.subarray(0, readSync(handle, next, 0, next.length, position));
    windowStart = position;
    if (window.length === 0) throw new BrokenModel('it is truncated');
    return window[0] ?? 0;
  }

  /** Numbers above 2^53 lose precision; no relevant number is that large. */
  function varint(position: number): { value: number; next: number } {
    let value = 0n;
    for (let index = 0; index < 10; index += 1) {
      const byte = byteAt(position + index);
      value |= BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), next: position + index + 1 };
    }
    throw new BrokenModel('it contains a number that is too long');
  }

  return {
    fileBytes,
    *fields(start: number, end: number): Generator<Field> {
      let position = start;
      while (position < end) {
        const tagAt = position;
        const tag = varint(position);
        const number = Math.floor(tag.value / 8);
        if (number < 1) throw new BrokenModel('it contains a field without a number');
        const wire = tag.value % 8;
        if (wire === 0) {
          const read = varint(tag.next);
          position = read.next;
          yield { number, tagAt, value: read.value, start: 0, end: 0 };
        } else if (wire === 2) {
          const length = varint(tag.next);
          position = length.next + length.value;
          if (length.value < 0 || position > end)
            throw new BrokenModel('it contains a part that is longer than the file');
          yield { number, tagAt, value: 0, start: length.next, end: position };
        } else if (wire === 1 || wire === 5) {
          position = tag.next + (wire === 1 ? 8 : 4);
        } else {
          throw new BrokenModel('it is not a protobuf message');
        }
        if (position > end) throw new BrokenModel('it is truncated inside a part');
      }
    },
    bytes(start: number, end: number): Buffer {
      if (end - start > longestText) throw new BrokenModel('it contains a text of many megabytes');
      const bytes = Buffer.alloc(end - start);
      for (let done = 0; done < bytes.length;) {
        const count = readSync(handle, bytes, done, bytes.length - done, start + done);
        if (count === 0) throw new BrokenModel('it is truncated');
        done += count;
      }
      return bytes;
    },
    text(field: Field): string {
      return this.bytes(field.start, field.end).toString('utf8');
    },
  };
}

export function varintBytes(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  do {
    const more = rest >> 7n;
    bytes.push(Number(rest & 0x7fn) | (more > 0n ? 0x80 : 0));
    rest = more;
  } while (rest > 0n);
  return Buffer.from(bytes);
}

/** A length-delimited field with its tag. */
export const partBytes = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varintBytes(number * 8 + 2), varintBytes(content.length), content]);
