export const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Parses a finite decimal number; NaN for anything else. */
export function readNumber(text: string | undefined): number {
  const value = text !== undefined && decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}

const fewest = 2;
const most = 12;

/**
 * The number with the fewest decimals (at least two) that is the same for the format. Files hold numbers of two
 * decimals after a division or rotation, and this restores the original number.
 */
export function shortestDecimal(exact: number, isSame: (short: number) => boolean): number {
  for (let decimals = fewest; decimals < most; decimals += 1) {
    const short = Number(exact.toFixed(decimals)) + 0;
    if (isSame(short)) return short;
  }
  return exact;
}

/**
 * Converts a fraction of a side to pixels, so that the pixels give exactly the same fraction again. `parts` is 1, or
 * 100 for percent.
 */
export function pixelsOf(fraction: number, side: number, parts = 1): number {
  return shortestDecimal((fraction / parts) * side, (short) => fractionOf(short, side, parts) === fraction);
}

export function fractionOf(pixels: number, side: number, parts = 1): number {
  return (pixels / side) * parts;
}

/** Removes floating-point noise from sums of numbers with few decimals. */
export function withoutNoise(value: number): number {
  return Number(value.toFixed(9)) + 0;
}

/**
 * Adds or subtracts coordinates with few decimals without binary noise: 10.1 + 20.2 is 30.3. Values with more than six
 * decimals give the plain sum.
 */
export function addDecimals(a: number, b: number): number {
  const sum = a + b;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return Math.abs(rounded - sum) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b), 1) ? rounded : sum;
}

/** Points of an ellipse by its center and radii. A negative radius is the same ellipse. */
export const ellipsePoints = (cx: number, cy: number, rx: number, ry: number): number[] => [
  cx,
  cy,
  addDecimals(cx, Math.abs(rx)),
  addDecimals(cy, -Math.abs(ry)),
];

/** Nearest finite number: results for extreme coordinates can overflow doubles. */
export function finite(value: number): number {
  if (Number.isFinite(value)) return value;
  return value > 0 ? Number.MAX_VALUE : 0;
}
