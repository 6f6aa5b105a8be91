/** Values of a feature: texts, or numbers written as 32-bit floats. */
type Values = readonly (string | Buffer)[] | readonly number[];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

/** A field of Protocol Buffers that holds bytes or a message. */
const field = (number: number, content: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + 2), varint(content.length), content]);

function feature(values: Values): Buffer {
  if (values.every((value) => typeof value === 'number')) {
    const list = Buffer.alloc(4 * values.length);
    for (const [index, value] of values.entries()) list.writeFloatLE(value, 4 * index);
    return field(2, field(1, list));
  }
  return field(1, Buffer.concat(values.map((value) => field(1, Buffer.from(value as string)))));
}

/** CRC-32C as TensorFlow stores it: rotated and offset. */
function maskedSum(bytes: Buffer): Buffer {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0x82f63b78 : 0);
  }
  const whole = ~sum >>> 0;
  const stored = Buffer.alloc(4);
  stored.writeUInt32LE((((whole >>> 15) | (whole << 17)) + 0xa282ead8) >>> 0);
  return stored;
}

/** A TFRecord file of `tf.train.Example` messages, by the format's documentation. */
export function tfRecord(examples: readonly Readonly<Record<string, Values>>[]): Buffer {
  return Buffer.concat(
    examples.flatMap((features) => {
      const entries = Object.entries(features).map(([name, values]) =>
        field(1, Buffer.concat([field(1, Buffer.from(name)), field(2, feature(values))])),
      );
      const message = field(1, Buffer.concat(entries));
      const length = Buffer.alloc(8);
      length.writeBigUInt64LE(BigInt(message.length));
      return [length, maskedSum(length), message, maskedSum(message)];
    }),
  );
}
