import { shortestDecimal } from '../short-decimals.ts';
import { readNumber, sixDecimals } from './box-row.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Pairs of pixels as fractions of the image, with six decimals. Not clipped. */
export function pairFields(points: readonly number[], { width, height }: Size): string[] {
  return points.map((value, index) => sixDecimals(value / (index % 2 === 0 ? width : height)));
}

/** Reads fields as numbers, or says which is none. */
export function readValues(fields: readonly string[]): readonly number[] | string {
  const values = fields.map(readNumber);
  const wrong = values.findIndex(Number.isNaN);
  return wrong < 0 ? values : `${JSON.stringify(fields[wrong])} is not a number`;
}

/**
 * Pixels of pairs of fractions: with so few decimals that they give the same fractions when they are written again,
 * because coordinates of two decimals are the usual ones.
 */
export function pairPixels(values: readonly number[], size: Size): number[] {
  return values.map((value, index) => {
    const side = index % 2 === 0 ? size.width : size.height;
    const written = sixDecimals(value);
    return shortestDecimal(value * side, (short) => sixDecimals(short / side) === written);
  });
}
