/** A feature of `tf.train.Example`: one of three kinds of lists. */
export interface Feature {
  readonly bytes: readonly Buffer[];
  readonly numbers: readonly number[];
}

export class MessageError extends Error {}

const wire = { varint: 0, double: 1, bytes: 2, float: 5 } as const;

interface Field {
  readonly number: number;
  readonly type: number;
  /** Value of a varint; otherwise, the bytes. */
  readonly value: bigint;
  readonly content: Buffer;
}

function readVarint(bytes: Buffer, start: number): { readonly value: bigint; readonly end: number } {
  let value = 0n;
  for (let index = start, shift = 0n; index < bytes.length && shift < 70n; index += 1, shift += 7n) {
    const byte = bytes[index] ?? 0;
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end: index + 1 };
  }
  throw new MessageError('a number has no end');
}

/** Iterates the fields of a Protocol Buffers message. */
function* fieldsOf(bytes: Buffer): Generator<Field> {
  const none = Buffer.alloc(0);
  for (let at = 0; at < bytes.length;) {
    const key = readVarint(bytes, at);
    const number = Number(key.value >> 3n);
    const type = Number(key.value & 7n);
    at = key.end;
    if (type === wire.varint) {
      const { value, end } = readVarint(bytes, at);
      yield { number, type, value, content: none };
      at = end;
      continue;
    }
    let length = type === wire.double ? 8 : type === wire.float ? 4 : -1;
    if (type === wire.bytes) {
      const { value, end } = readVarint(bytes, at);
      length = Number(value);
      at = end;
    }
    if (length < 0 || at + length > bytes.length) throw new MessageError('a field extends beyond its message');
    yield { number, type, value: 0n, content: bytes.subarray(at, at + length) };
    at += length;
  }
}

/** Numbers of a list, packed or unpacked. */
function numbersOf(list: Buffer, isFloat: boolean): number[] {
  const numbers: number[] = [];
  for (const { number, type, value, content } of fieldsOf(list)) {
    if (number !== 1) continue;
    if (isFloat) for (let at = 0; at + 4 <= content.length; at += 4) numbers.push(content.readFloatLE(at));
    else if (type === wire.varint) numbers.push(Number(BigInt.asIntN(64, value)));
    else
      for (let at = 0; at < content.length;) {
        const { value: packed, end } = readVarint(content, at);
        numbers.push(Number(BigInt.asIntN(64, packed)));
        at = end;
      }
  }
  return numbers;
}

function featureOf(bytes: Buffer): Feature {
  for (const { number, content } of fieldsOf(bytes)) {
    if (number === 1) {
      const list = [...fieldsOf(content)].filter((field) => field.number === 1).map((field) => field.content);
      return { bytes: list, numbers: [] };
    }
    if (number === 2 || number === 3) return { bytes: [], numbers: numbersOf(content, number === 2) };
  }
  return { bytes: [], numbers: [] };
}

/** Features of a serialized `tf.train.Example` by name. Throws `MessageError`. */
export function readExample(bytes: Buffer): ReadonlyMap<string, Feature> {
  const features = new Map<string, Feature>();
  for (const { number, content } of fieldsOf(bytes)) {
    if (number !== 1) continue;
    for (const entry of fieldsOf(content)) {
      if (entry.number !== 1) continue;
      let name = '';
      let feature: Feature = { bytes: [], numbers: [] };
      for (const part of fieldsOf(entry.content)) {
        if (part.number === 1) name = part.content.toString('utf8');
        if (part.number === 2) feature = featureOf(part.content);
      }
      features.set(name, feature);
    }
  }
  return features;
}
