import { AppError } from '../../platform/errors.ts';
import { visitMask } from '../../../preload/geometry/mask-runs.ts';
import type { ImageSize } from '../kit/task-data.ts';

/** Bit counts for the four kinds of block length, and for values. */
const lengthBits = [3, 4, 8, 16] as const;
const wordBits = 8;
const channels = 4;

function createBitWriter() {
  const bytes: number[] = [];
  let current = 0;
  let filled = 0;
  return {
    write(value: number, bits: number): void {
      for (let bit = bits - 1; bit >= 0; bit -= 1) {
        current = (current << 1) | (Math.floor(value / 2 ** bit) % 2);
        filled += 1;
        if (filled === 8) {
          bytes.push(current);
          current = 0;
          filled = 0;
        }
      }
    },
    bytes: (): number[] => (filled === 0 ? bytes : [...bytes, current << (8 - filled)]),
  };
}

/**
 * Encodes a mask as Label Studio's brush: RGBA of the full image, 255 where it is set, as a bit stream. Header: number
 * of bytes (32 bits), bits per value − 1 (5), bits of four kinds of length − 1 (4 each). Blocks: 1 for a repeated
 * value, kind of length (2), length − 1, value(s).
 */
export function encodeBrush(mask: readonly number[], size: ImageSize): number[] {
  const { width, height } = size;
  const out = createBitWriter();
  const total = width * height;
  out.write(total * channels, 32);
  out.write(wordBits - 1, 5);
  for (const bits of lengthBits) out.write(bits - 1, 4);
  const longest = 2 ** 16;
  const repeat = (pixels: number, value: number): void => {
    for (let left = pixels * channels; left > 0; left -= longest) {
      const length = Math.min(left, longest);
      const kind = lengthBits.findIndex((bits) => length <= 2 ** bits);
      out.write(1, 1);
      out.write(kind, 2);
      out.write(length - 1, lengthBits[kind] ?? 16);
      out.write(value, wordBits);
    }
  };
  let position = 0;
  visitMask(mask, size, (row, start, end) => {
    repeat(row * width + start - position, 0);
    repeat(end - start, 255);
    position = row * width + end;
  });
  repeat(total - position, 0);
  return out.bytes();
}

/** Reads bits in order. Throws `AppError('invalid')` past the end. */
function createBitReader(bytes: Uint8Array): (bits: number) => number {
  let position = 0;
  return (bits) => {
    if (position + bits > bytes.length * 8) throw new AppError('invalid', 'the brush is truncated');
    let value = 0;
    for (let left = bits; left > 0;) {
      const offset = position & 7;
      const take = Math.min(8 - offset, left);
      const part = ((bytes[position >> 3] ?? 0) >> (8 - offset - take)) & ((1 << take) - 1);
      value = value * 2 ** take + part;
      position += take;
      left -= take;
    }
    return value;
  };
}

/**
 * Decodes a brush to row-major pixels, 1 where alpha is above one half. Throws `AppError('invalid')` if it is truncated
 * or of another size than the image.
 */
export function decodeBrush(bytes: Uint8Array, { width, height }: ImageSize): Uint8Array {
  const read = createBitReader(bytes);
  const count = read(32);
  const bitsOfWord = read(5) + 1;
  const bitsOfLengths = [read(4) + 1, read(4) + 1, read(4) + 1, read(4) + 1];
  if (count !== width * height * channels)
    throw new AppError(
      'invalid',
      `the brush has ${count} values, the image of ${width} × ${height} needs ${width * height * channels}`,
    );
  const half = 2 ** (bitsOfWord - 1);
  const bitmap = new Uint8Array(width * height);
  let position = 0;
  while (position < count) {
    const isRepeated = read(1) === 1;
    const length = read(bitsOfLengths[read(2)] ?? 16) + 1;
    const end = Math.min(count, position + length);
    if (isRepeated) {
      if (read(bitsOfWord) >= half) {
        // Only the fourth value (alpha) of each pixel matters.
        bitmap.fill(1, Math.ceil((position - 3) / channels), Math.floor((end - 4) / channels) + 1);
      }
      position = end;
      continue;
    }
    for (; position < end; position += 1) {
      const isSet = read(bitsOfWord) >= half;
      if (isSet && position % channels === channels - 1) bitmap[(position - 3) / channels] = 1;
    }
  }
  return bitmap;
}
