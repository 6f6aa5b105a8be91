/**
 * Writes numbers as ASCII digits, without strings if possible. The functions return the position after their output.
 */

const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/** Every decimal of up to 15 digits survives the conversion to double and back. */
const maxExactUnits = 999_999_999_999_999;
const maxSmallInteger = 0x7fffffff;
/** Maximum bytes of a number with its comma. */
export const decimalBytes = 32;
/** Maximum bytes of a number with two decimals and no exponent. */
export const twoDecimalsBytes = 320;
/** Doubles above this cannot represent hundredths. */
export const maxCountedInHundredths = 1e13;

const minus = 0x2d;
const comma = 0x2c;
const dot = 0x2e;
const zero = 0x30;

/**
 * Writes a non-negative integer below 2³¹. The cases up to four digits are unrolled, because coordinates have no more.
 */
function writeDigits(target: Uint8Array, start: number, value: number): number {
  if (value >= 10_000) return writeManyDigits(target, start, value);
  let position = start;
  let rest = value;
  if (value >= 1000) {
    const thousands = (rest / 1000) | 0;
    target[position] = zero + thousands;
    position += 1;
    rest -= thousands * 1000;
  }
  if (value >= 100) {
    const hundreds = (rest / 100) | 0;
    target[position] = zero + hundreds;
    position += 1;
    rest -= hundreds * 100;
  }
  if (value >= 10) {
    const tens = (rest / 10) | 0;
    target[position] = zero + tens;
    position += 1;
    rest -= tens * 10;
  }
  target[position] = zero + rest;
  return position + 1;
}

function writeManyDigits(target: Uint8Array, start: number, value: number): number {
  let count = 5;
  while (count < 10 && value >= (powersOfTen[count] ?? 0)) count += 1;
  return writePadded(target, start, value, count);
}

function writeText(target: Uint8Array, start: number, text: string): number {
  for (let index = 0; index < text.length; index += 1) target[start + index] = text.charCodeAt(index);
  return start + text.length;
}

/** Writes exactly `width` digits of a non-negative integer below 2³¹, with leading zeros. */
function writePadded(target: Uint8Array, start: number, value: number, width: number): number {
  let rest = value;
  for (let position = start + width - 1; position >= start; position -= 1) {
    const quotient = (rest / 10) | 0;
    target[position] = zero + rest - quotient * 10;
    rest = quotient;
  }
  return start + width;
}

/** Writes 1..99 hundredths without a trailing zero. */
function writeHundredths(target: Uint8Array, start: number, hundredths: number): number {
  const tens = (hundredths / 10) | 0;
  const ones = hundredths - tens * 10;
  target[start] = dot;
  target[start + 1] = zero + tens;
  if (ones === 0) return start + 2;
  target[start + 2] = zero + ones;
  return start + 3;
}

/** Up to four characters that are written in one store. Later output overwrites the unused bytes. */
interface ShortTexts {
  /** The first character is in the lowest byte. */
  readonly words: Int32Array;
  readonly lengths: Uint8Array;
}

/** Fraction and comma of a fixed-point number in a list, by exponent and fraction. */
const listFractions: readonly ShortTexts[] = [0, 1, 2].map((exponent) =>
  shortTexts(powersOfTen[exponent] ?? 1, (target, fraction) => {
    const end = writeFraction(target, 0, fraction, exponent);
    target[end] = comma;
    return end + 1;
  }),
);
const listWholes = shortTexts(10_000, (target, whole) => writeDigits(target, 0, whole));

function shortTexts(count: number, write: (target: Uint8Array, value: number) => number): ShortTexts {
  const words = new Int32Array(count);
  const lengths = new Uint8Array(count);
  const text = new Uint8Array(decimalBytes);
  const view = new DataView(text.buffer);
  for (let value = 0; value < count; value += 1) {
    lengths[value] = write(text, value);
    words[value] = view.getInt32(0, true);
  }
  return { words, lengths };
}

/**
 * Writes units like {@link writeFixed} with a comma after each, including the last. `view` is a view of the target. The
 * target needs `decimalBytes` per number, because bytes after the end may be overwritten.
 */
export function writeFixedList(
  target: Uint8Array,
  view: DataView,
  start: number,
  units: Int32Array,
  exponent: number,
  from: number,
  to: number,
): number {
  const fractions = listFractions[exponent];
  const power = powersOfTen[exponent] ?? 1;
  const limit = fractions ? power * listWholes.words.length : 0;
  const { words, lengths } = listWholes;
  const fractionWords = (fractions ?? listWholes).words;
  const fractionLengths = (fractions ?? listWholes).lengths;
  let position = start;
  for (let index = from; index < to; index += 1) {
    const value = units[index]!;
    if (value >= 0 && value < limit) {
      const whole = (value / power) | 0;
      const fraction = value - whole * power;
      view.setInt32(position, words[whole]!, true);
      position += lengths[whole]!;
      view.setInt32(position, fractionWords[fraction]!, true);
      position += fractionLengths[fraction]!;
    } else {
      position = writeFixed(target, position, value, exponent);
      target[position] = comma;
      position += 1;
    }
  }
  return position;
}

/** Handles the rare cases of {@link writeDecimal}. */
function writeRareDecimal(target: Uint8Array, start: number, value: number): number {
  const hundredths = Math.round(value * 100);
  const isExact = hundredths / 100 === value && hundredths <= maxExactUnits && hundredths >= -maxExactUnits;
  // `JSON.stringify` gives the digits of `String`, which would also cache thousands of texts.
  return isExact ? writeFixed(target, start, hundredths, 2) : writeText(target, start, JSON.stringify(value));
}

/** Writes a finite number with the digits of `String(value)`; minus zero becomes 0. */
export function writeDecimal(target: Uint8Array, start: number, value: number): number {
  // Fast path: most coordinates are positive, below a few thousand, and have up to two decimals.
  if (!(value >= 0 && value < 20_000_000)) return writeRareDecimal(target, start, value);
  const units = (value * 100 + 0.5) | 0;
  if (units / 100 !== value) return writeRareDecimal(target, start, value);
  const whole = value | 0;
  const position = writeDigits(target, start, whole);
  const hundredths = units - whole * 100;
  return hundredths === 0 ? position : writeHundredths(target, position, hundredths);
}

/** Writes `units / 10^exponent` without trailing zeros. Units are below 2⁵³, the exponent is 0..9. */
export function writeFixed(target: Uint8Array, start: number, units: number, exponent: number): number {
  let position = start;
  let magnitude = units;
  if (units < 0) {
    target[position] = minus;
    position += 1;
    magnitude = -units;
  }
  if (magnitude > maxSmallInteger) return writeLargeFixed(target, position, magnitude, exponent);
  if (exponent === 2) {
    const whole = (magnitude / 100) | 0;
    position = writeDigits(target, position, whole);
    const hundredths = magnitude - whole * 100;
    return hundredths === 0 ? position : writeHundredths(target, position, hundredths);
  }
  const power = powersOfTen[exponent] ?? 1;
  const whole = (magnitude / power) | 0;
  position = writeDigits(target, position, whole);
  return writeFraction(target, position, magnitude - whole * power, exponent);
}

function writeLargeFixed(target: Uint8Array, start: number, magnitude: number, exponent: number): number {
  const power = powersOfTen[exponent] ?? 1;
  const whole = Math.floor(magnitude / power);
  return writeFraction(target, writeText(target, start, String(whole)), magnitude - whole * power, exponent);
}

function writeFraction(target: Uint8Array, start: number, fraction: number, exponent: number): number {
  if (fraction === 0) return start;
  let width = exponent;
  let digits = fraction;
  while (digits % 10 === 0) {
    digits /= 10;
    width -= 1;
  }
  target[start] = dot;
  return writePadded(target, start + 1, digits, width);
}

/** True if a value is exactly between two hundredths. In binary, only odd multiples of 1/8 are. */
function isTieOfHundredths(value: number): boolean {
  return Number.isInteger(value * 8) && !Number.isInteger(value * 4);
}

/** Rounds the exact binary value to hundredths, ties to even; never minus zero. */
export function roundToHundredths(value: number): number {
  const scaled = value * 100;
  const lower = Math.floor(scaled);
  const fraction = scaled - lower;
  if (Math.abs(fraction - 0.5) > 1e-4) return (fraction < 0.5 ? lower : lower + 1) + 0;
  if (isTieOfHundredths(value)) return (lower % 2 === 0 ? lower : lower + 1) + 0;
  return Math.round(Number(value.toFixed(2)) * 100) + 0;
}

/** Writes exactly two decimals. Values that round to zero keep their minus sign, as in C. */
export function writeTwoDecimals(target: Uint8Array, start: number, value: number): number {
  let position = start;
  if (value < 0 || Object.is(value, -0)) {
    target[position] = minus;
    position += 1;
  }
  const magnitude = Math.abs(value);
  // Truncation is exact, so the hundredths of the rest are those of the value.
  const truncated = Math.trunc(magnitude);
  const hundredths = roundToHundredths(magnitude - truncated);
  const whole = hundredths === 100 ? truncated + 1 : truncated;
  const isSmall = whole <= maxSmallInteger;
  position = isSmall ? writeDigits(target, position, whole) : writeText(target, position, String(BigInt(whole)));
  target[position] = dot;
  return writePadded(target, position + 1, hundredths === 100 ? 0 : hundredths, 2);
}
