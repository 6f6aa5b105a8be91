import {
  decimalBytes,
  maxCountedInHundredths,
  roundToHundredths,
  twoDecimalsBytes,
  writeDecimal,
  writeFixed,
  writeFixedList,
  writeTwoDecimals,
} from './decimal-digits.ts';

const flushBytes = 1024 * 1024;
const slackBytes = 64 * 1024;
/** Below this, a loop over the characters is faster than a call into the engine. */
const shortText = 48;

const comma = 0x2c;

/** ASCII text as it lies in memory, four characters to a word, the first in the lowest byte. */
interface AsciiPiece {
  readonly words: Int32Array;
  readonly length: number;
}

export function asciiPiece(text: string): AsciiPiece {
  const view = new DataView(new ArrayBuffer(Math.ceil(text.length / 4) * 4));
  for (let index = 0; index < text.length; index += 1) view.setUint8(index, text.charCodeAt(index));
  const words = Int32Array.from({ length: view.byteLength / 4 }, (_, index) => view.getInt32(4 * index, true));
  return { words, length: text.length };
}

/**
 * Text that grows in a buffer and goes to a sink in chunks of about 1 MB. The writing calls are synchronous; a caller
 * that produces much looks at `isFull` now and then and awaits `drain()`, so memory stays at two chunks; at the end it
 * awaits `flush()`.
 */
export interface ByteWriter {
  /** Text that is known to be ASCII: one byte a character, not checked. */
  ascii(text: string): void;
  /** The same for text that is written again and again: made ready once, it costs a few stores. */
  piece(piece: AsciiPiece): void;
  /** Any text, as UTF-8; lone surrogates become U+FFFD. */
  text(text: string): void;
  /** A finite number in its shortest exact form, the same digits as `String(value)`. */
  number(value: number): void;
  /** Whole units of 10^−exponent, without trailing zeros: (12340, 2) gives 123.4. Exponent 0..9. */
  fixed(units: number, exponent: number): void;
  /** At most two decimals, ties to even, no trailing zeros: the value that C's and Python's `%.2f` shows. */
  hundredths(value: number): void;
  /** Two decimals, always written, ties to even: the digits of C's and Python's `%.2f`. */
  twoDecimals(value: number): void;
  /** Numbers as {@link number} writes them, with commas between, from index `from` up to but not including `to`. */
  numberList(values: ArrayLike<number>, from: number, to: number): void;
  /** Units as {@link fixed} writes them, with commas between, from index `from` up to but not including `to`. */
  fixedList(units: Int32Array, exponent: number, from: number, to: number): void;
  /** A chunk is waiting. */
  readonly isFull: boolean;
  /** Hands the chunk to the sink and waits only until the one before it is written. */
  drain(): Promise<void>;
  /** Hands over everything and waits until it is written. */
  flush(): Promise<void>;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export function createByteWriter(sink: ByteSink, chunkBytes = flushBytes): ByteWriter {
  // It grows to a whole chunk and stays as large: most files never need one.
  let buffer = Buffer.allocUnsafe(slackBytes);
  let view = viewOf(buffer);
  let spare: Buffer<ArrayBuffer> | undefined;
  let length = 0;
  let writing: Promise<void> | undefined;

  const reserve = (bytes: number): void => {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
    view = viewOf(buffer);
  };

  const waitForSink = async (): Promise<void> => {
    const pending = writing;
    writing = undefined;
    await pending;
  };

  const drain = async (): Promise<void> => {
    await waitForSink();
    if (length === 0) return;
    const full = buffer;
    const handed = sink.write(full.subarray(0, length));
    // Met by the next drain or flush; without a handler the process would stop first.
    handed.catch(() => {});
    writing = handed;
    buffer = spare ?? Buffer.allocUnsafe(full.length);
    view = viewOf(buffer);
    spare = full;
    length = 0;
  };

  return {
    get isFull() {
      return length >= chunkBytes;
    },
    ascii(text) {
      const count = text.length;
      reserve(count);
      if (count > shortText) {
        length += buffer.write(text, length, 'latin1');
        return;
      }
      for (let index = 0; index < count; index += 1) buffer[length + index] = text.charCodeAt(index);
      length += count;
    },
    piece(piece) {
      const { words } = piece;
      // The last word may be written beyond the piece's end.
      reserve(4 * words.length);
      for (let index = 0; index < words.length; index += 1) view.setInt32(length + 4 * index, words[index] ?? 0, true);
      length += piece.length;
    },
    text(text) {
      reserve(text.length * 3);
      length += buffer.write(text, length, 'utf8');
    },
    number(value) {
      reserve(decimalBytes);
      length = writeDecimal(buffer, length, value);
    },
    fixed(units, exponent) {
      reserve(decimalBytes);
      length = writeFixed(buffer, length, units, exponent);
    },
    hundredths(value) {
      reserve(decimalBytes);
      const isCounted = value < maxCountedInHundredths && value > -maxCountedInHundredths;
      length = isCounted
        ? writeFixed(buffer, length, roundToHundredths(value), 2)
        : writeDecimal(buffer, length, value);
    },
    twoDecimals(value) {
      reserve(twoDecimalsBytes);
      length = writeTwoDecimals(buffer, length, value);
    },
    numberList(values, from, to) {
      reserve((to - from) * decimalBytes);
      const target = buffer;
      let position = length;
      for (let index = from; index < to; index += 1) {
        if (index > from) {
          target[position] = comma;
          position += 1;
        }
        position = writeDecimal(target, position, values[index] ?? 0);
      }
      length = position;
    },
    fixedList(units, exponent, from, to) {
      if (from >= to) return;
      reserve((to - from) * decimalBytes);
      // Without the comma behind the last one.
      length = writeFixedList(buffer, view, length, units, exponent, from, to) - 1;
    },
    drain,
    async flush() {
      await drain();
      await waitForSink();
    },
  };
}

/** Where a writer's chunks go. The chunk may be reused by the writer as soon as the promise resolves. */
export interface ByteSink {
  write(chunk: Uint8Array): Promise<void>;
}
