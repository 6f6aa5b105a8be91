export const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** A finite decimal number, NaN for anything else. */
export function readNumber(text: string | undefined): number {
  const value = text !== undefined && decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

const fewest = 2;
const most = 12;

/**
 * The number with so few decimals, two at least, that it is still the same for the format: files hold what a number of
 * two decimals became when it was divided or turned, and that number is to come back.
 */
export function shortestDecimal(exact: number, isSame: (short: number) => boolean): number {
  for (let decimals = fewest; decimals < most; decimals += 1) {
    const short = Number(exact.toFixed(decimals)) + 0;
    if (isSame(short)) return short;
  }
  return exact;
}

/** Pixels of a fraction of a side; `parts` is 1, or 100 for percent. They give exactly the same fraction again. */
export function pixelsOf(fraction: number, side: number, parts = 1): number {
  return shortestDecimal((fraction / parts) * side, (short) => fractionOf(short, side, parts) === fraction);
}

export function fractionOf(pixels: number, side: number, parts = 1): number {
  return (pixels / side) * parts;
}

/** Sums of numbers with few decimals have noise of their own, far behind the last decimal. */
export function withoutNoise(value: number): number {
  return Number(value.toFixed(9)) + 0;
}

/**
 * Adds or subtracts coordinates that have few decimals without the noise of binary fractions: 10.1 + 20.2 is 30.3.
 * Values with more than six decimals are left as the plain sum.
 */
export function addDecimals(a: number, b: number): number {
  const sum = a + b;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return Math.abs(rounded - sum) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1) ? rounded : sum;
}

/** The nearest number that JSON can hold: results of absurd coordinates may lie beyond the doubles. */
export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  return value > 0 ? Number.MAX_VALUE : 0;
}
