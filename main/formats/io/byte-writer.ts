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
/** Below this length, a loop over the characters is faster than a native call. */
const shortText = 48;

const comma = 0x2c;

/** ASCII text in words of four characters, the first in the lowest byte. */
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
 * Buffered text that is written to a sink in chunks of about 1 MB. Write calls are synchronous. Callers with much
 * output check `isFull` and await `drain()`, which limits memory to two chunks. At the end they await `flush()`.
 */
export interface ByteWriter {
  /** Writes ASCII text, one byte per character, unchecked. */
  ascii(text: string): void;
  /** Writes prepared ASCII text. Faster than {@link ascii} for repeated text. */
  piece(piece: AsciiPiece): void;
  /** Writes text as UTF-8; lone surrogates become U+FFFD. */
  text(text: string): void;
  /** Writes a finite number in its shortest exact form, like `String(value)`. */
  number(value: number): void;
  /** Writes integer units of 10^−exponent without trailing zeros: (12340, 2) gives 123.4. Exponent 0..9. */
  fixed(units: number, exponent: number): void;
  /** Writes at most two decimals, ties to even, without trailing zeros. The value equals `%.2f` of C and Python. */
  hundredths(value: number): void;
  /** Writes exactly two decimals, ties to even, like `%.2f` of C and Python. */
  twoDecimals(value: number): void;
  /** Writes the numbers from index `from` up to but not including `to` as {@link number} does, separated by commas. */
  numberList(values: ArrayLike<number>, from: number, to: number): void;
  /** Writes the units from index `from` up to but not including `to` as {@link fixed} does, separated by commas. */
  fixedList(units: Int32Array, exponent: number, from: number, to: number): void;
  /** True if a chunk is ready for {@link drain}. */
  readonly isFull: boolean;
  /** Passes the chunk to the sink and waits only for the previous one. */
  drain(): Promise<void>;
  flush(): Promise<void>;
}

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength);

export function createByteWriter(sink: ByteSink, chunkBytes = flushBytes): ByteWriter {
  // Grows up to a full chunk and is never shrunk: most files stay small.
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
    // The next drain or flush reports the error. Without a handler, the process would exit first.
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
      // The last word may extend past the end of the piece.
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
      // Drops the trailing comma.
      length = writeFixedList(buffer, view, length, units, exponent, from, to) - 1;
    },
    drain,
    async flush() {
      await drain();
      await waitForSink();
    },
  };
}

/** Receives a writer's chunks. The writer may reuse a chunk as soon as the promise resolves. */
export interface ByteSink {
  write(chunk: Uint8Array): Promise<void>;
}
