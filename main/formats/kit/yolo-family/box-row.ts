import { readNumber, shortestDecimal } from '../short-decimals.ts';
import type { ImageSize } from '../task-data.ts';
import { sharesProblem } from '../units.ts';

/** A row `class cx cy w h` of a label file, with additions of some writers. */
interface BoxRow {
  readonly classIndex: number;
  /** Center, width and height as fractions of the image. */
  readonly cx: number;
  readonly cy: number;
  readonly w: number;
  readonly h: number;
  readonly score?: number;
  readonly trackId?: number;
}

const integer = /^\d{1,15}$/;

export function splitRow(line: string): string[] {
  const trimmed = line.trim();
  return trimmed === '' ? [] : trimmed.split(/\s+/);
}

/** Parses a class index, also if written as `2.0`; undefined for anything else. */
export function readClass(text: string | undefined): number | undefined {
  const value = readNumber(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** Parses a value after the row: an integer is a track id, a decimal a confidence. */
export function readExtra(extra: string | undefined): Pick<BoxRow, 'score' | 'trackId'> | string {
  if (extra === undefined) return {};
  if (integer.test(extra)) return { trackId: Number(extra) };
  const score = readNumber(extra);
  return score >= 0 && score <= 1
    ? { score }
    : `${JSON.stringify(extra)} is neither a track id nor a confidence from 0 to 1`;
}

/** Parses a row, or returns the reason why it cannot. A track id or a confidence may follow the box. */
export function readBoxRow(fields: readonly string[]): BoxRow | string {
  if (fields.length < 5 || fields.length > 6) return `a row must have 5 values, but has ${fields.length}`;
  const classIndex = readClass(fields[0]);
  if (classIndex === undefined) return `${JSON.stringify(fields[0])} is not a class number`;
  const values = readShares(fields.slice(1, 5));
  if (typeof values === 'string') return values;
  const [cx = 0, cy = 0, w = 0, h = 0] = values;
  if (w < 0 || h < 0) return 'the width or height is negative';
  const more = readExtra(fields[5]);
  return typeof more === 'string' ? more : { classIndex, cx, cy, w, h, ...more };
}

/** Decimals of a pixel needed to restore the six decimals of a row. */
function usefulDecimals(sizePixels: number): number {
  return Math.min(12, Math.max(2, Math.ceil(-Math.log10(sizePixels * 0.25e-6))));
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals)) + 0;
}

/** Box in pixels: x1, y1, x2, y2. Not clipped. */
export function boxPoints({ cx, cy, w, h }: BoxRow, { width, height }: ImageSize): number[] {
  const x = usefulDecimals(width);
  const y = usefulDecimals(height);
  return [
    rounded((cx - w / 2) * width, x),
    rounded((cy - h / 2) * height, y),
    rounded((cx + w / 2) * width, x),
    rounded((cy + h / 2) * height, y),
  ];
}

export function sixDecimals(value: number): string {
  const text = value.toFixed(6);
  return text === '-0.000000' ? '0.000000' : text;
}

/** `cx cy w h` of a box in pixels, as fractions of the image with six decimals. */
export function boxFields(points: readonly number[], { width, height }: ImageSize): string {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = points;
  const values = [(x1 + x2) / 2 / width, (y1 + y2) / 2 / height, Math.abs(x2 - x1) / width, Math.abs(y2 - y1) / height];
  return values.map(sixDecimals).join(' ');
}

/** Pairs of pixels as fractions of the image with six decimals. Points outside are moved to the border. */
export function pairFields(points: readonly number[], { width, height }: ImageSize): string[] {
  return points.map((value, index) =>
    sixDecimals(Math.min(1, Math.max(0, value / (index % 2 === 0 ? width : height)))),
  );
}

/** Parses numbers, or returns the reason why it cannot. */
export function readValues(fields: readonly string[]): readonly number[] | string {
  const values = fields.map(readNumber);
  const wrong = values.findIndex(Number.isNaN);
  return wrong < 0 ? values : `${JSON.stringify(fields[wrong])} is not a number`;
}

/** Parses fractions of the image, or returns the reason why it cannot. */
export function readShares(fields: readonly string[]): readonly number[] | string {
  const values = readValues(fields);
  return typeof values === 'string' ? values : (sharesProblem(values) ?? values);
}

/**
 * Pairs of fractions in pixels, rounded to the fewest decimals that give the same fractions again, because original
 * coordinates usually have two decimals.
 */
export function pairPixels(values: readonly number[], size: ImageSize): number[] {
  return values.map((value, index) => {
    const side = index % 2 === 0 ? size.width : size.height;
    const written = sixDecimals(value);
    return shortestDecimal(value * side, (short) => sixDecimals(short / side) === written);
  });
}
