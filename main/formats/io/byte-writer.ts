import type { ByteSink } from './byte-sink.ts';

const flushBytes = 1024 * 1024;
const maxNumberBytes = 32;
const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/** Every decimal of up to 15 digits survives the way to a double and back. */
const maxExactUnits = 999_999_999_999_999;
const maxSmallInteger = 0x7fffffff;

/**
 * Text that grows in a buffer and goes to a sink in chunks of about 1 MB. The writing calls are synchronous; a caller
 * that produces much looks at `isFull` now and then and awaits `flush()`, so memory stays at one chunk.
 */
export interface ByteWriter {
  /** Text that is known to be ASCII: one byte a character, not checked. */
  ascii(text: string): void;
  /** Any text, as UTF-8; lone surrogates become U+FFFD. */
  text(text: string): void;
  /** A finite number in its shortest exact form, the same digits as `String(value)`. */
  number(value: number): void;
  /** `units / 10^exponent` without trailing zeros: (12340, 2) gives 123.4. Integers only, exponent 0..9. */
  fixed(units: number, exponent: number): void;
  /** At most two decimals, ties to even, no trailing zeros: the value that C's and Python's `%.2f` shows. */
  hundredths(value: number): void;
  /** Two decimals, always written, ties to even: the digits of C's and Python's `%.2f`. */
  twoDecimals(value: number): void;
  /** `count` units from `from` on, each as {@link fixed} writes it, with commas between. */
  fixedList(units: ArrayLike<number>, exponent: number, from: number, to: number): void;
  /** Numbers as {@link number} writes them, with commas between. */
  numberList(values: ArrayLike<number>, from: number, to: number): void;
  /** More than a chunk is waiting. */
  readonly isFull: boolean;
  flush(): Promise<void>;
}

/** True where `value` lies exactly between two hundredths: only odd multiples of 1/8 do, in binary. */
function isTieOfHundredths(value: number): boolean {
  return Number.isInteger(value * 8) && !Number.isInteger(value * 4);
}

function roundToHundredths(value: number): number {
  const scaled = value * 100;
  const fraction = scaled - Math.floor(scaled);
  if (Math.abs(fraction - 0.5) > 1e-4) return Math.round(scaled);
  if (!isTieOfHundredths(value)) return Math.round(Number(value.toFixed(2)) * 100);
  const lower = Math.floor(scaled);
  return lower % 2 === 0 ? lower : lower + 1;
}

export function createByteWriter(sink: ByteSink, chunkBytes = flushBytes): ByteWriter {
  let buffer = Buffer.allocUnsafe(chunkBytes + 65_536);
  let length = 0;

  const reserve = (bytes: number): void => {
    if (length + bytes <= buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(buffer.length * 2, length + bytes));
    buffer.copy(larger, 0, 0, length);
    buffer = larger;
  };

  /** Digits of a non-negative integer below 2³¹. */
  const digits = (value: number): void => {
    let count = 1;
    while (count < 10 && value >= (powersOfTen[count] ?? Infinity)) count += 1;
    let position = length + count;
    length = position;
    let rest = value;
    while (position > length - count) {
      const quotient = (rest / 10) | 0;
      position -= 1;
      buffer[position] = 48 + rest - quotient * 10;
      rest = quotient;
    }
  };

  const integer = (value: number): void => {
    if (value <= maxSmallInteger) digits(value);
    else length += buffer.write(String(value), length, 'latin1');
  };

  const paddedFraction = (value: number, width: number): void => {
    let rest = value;
    for (let position = length + width - 1; position >= length; position -= 1) {
      const quotient = Math.floor(rest / 10);
      buffer[position] = 48 + rest - quotient * 10;
      rest = quotient;
    }
    length += width;
  };

  const unitsWithoutReserve = (units: number, exponent: number): void => {
    let magnitude = units;
    if (units < 0) {
      buffer[length] = 45;
      length += 1;
      magnitude = -units;
    }
    const power = powersOfTen[exponent] ?? 1;
    const whole = magnitude <= maxSmallInteger ? (magnitude / power) | 0 : Math.floor(magnitude / power);
    let fraction = magnitude - whole * power;
    integer(whole);
    if (fraction === 0) return;
    let width = exponent;
    while (fraction % 10 === 0) {
      fraction /= 10;
      width -= 1;
    }
    buffer[length] = 46;
    length += 1;
    paddedFraction(fraction, width);
  };

  const numberWithoutReserve = (value: number): void => {
    const hundredths = Math.round(value * 100);
    const exact = hundredths / 100 === value && hundredths <= maxExactUnits && hundredths >= -maxExactUnits;
    if (exact) unitsWithoutReserve(hundredths === 0 ? 0 : hundredths, 2);
    else length += buffer.write(String(value), length, 'latin1');
  };

  return {
    get isFull() {
      return length >= chunkBytes;
    },
    ascii(text) {
      reserve(text.length);
      length += buffer.write(text, length, 'latin1');
    },
    text(text) {
      reserve(text.length * 3);
      length += buffer.write(text, length, 'utf8');
    },
    number(value) {
      reserve(maxNumberBytes);
      numberWithoutReserve(value);
    },
    fixed(units, exponent) {
      reserve(maxNumberBytes);
      unitsWithoutReserve(units, exponent);
    },
    hundredths(value) {
      reserve(maxNumberBytes);
      const units = roundToHundredths(value);
      if (units <= maxExactUnits && units >= -maxExactUnits) unitsWithoutReserve(units === 0 ? 0 : units, 2);
      else numberWithoutReserve(value);
    },
    twoDecimals(value) {
      reserve(maxNumberBytes);
      const hundredths = roundToHundredths(value);
      const magnitude = Math.abs(hundredths);
      if (magnitude > maxExactUnits) {
        length += buffer.write(value.toFixed(2), length, 'latin1');
        return;
      }
      if (value < 0 || Object.is(value, -0)) {
        buffer[length] = 45;
        length += 1;
      }
      const whole = Math.floor(magnitude / 100);
      integer(whole);
      buffer[length] = 46;
      length += 1;
      paddedFraction(magnitude - whole * 100, 2);
    },
    fixedList(units, exponent, from, to) {
      reserve((to - from) * maxNumberBytes);
      for (let index = from; index < to; index += 1) {
        if (index > from) {
          buffer[length] = 44;
          length += 1;
        }
        unitsWithoutReserve(units[index] ?? 0, exponent);
      }
    },
    numberList(values, from, to) {
      reserve((to - from) * maxNumberBytes);
      for (let index = from; index < to; index += 1) {
        if (index > from) {
          buffer[length] = 44;
          length += 1;
        }
        numberWithoutReserve(values[index] ?? 0);
      }
    },
    async flush() {
      if (length === 0) return;
      const full = buffer;
      const end = length;
      length = 0;
      await sink.write(full.subarray(0, end));
    },
  };
}
