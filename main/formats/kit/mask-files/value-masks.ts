import { createRunWriter } from '../../../../preload/geometry/run-length.ts';
import { AppError } from '../../../platform/errors.ts';

/** Pixels of one value: a mask in the form of the model, and the number of pixels. */
export interface ValueMask {
  readonly points: number[];
  readonly area: number;
}

/** An image with more changes of value is noise. */
const maxRuns = 8_000_000;
const maxValues = 65_536;

interface Spans {
  /** Row, first and last column of each span. */
  readonly flat: number[];
  left: number;
  right: number;
  area: number;
}

function toMask({ flat, left, right, area }: Spans): ValueMask {
  const top = flat[0] ?? 0;
  const bottom = flat[flat.length - 3] ?? 0;
  const width = right - left + 1;
  const writer = createRunWriter();
  for (let index = 0; index < flat.length; index += 3) {
    const start = ((flat[index] ?? 0) - top) * width - left;
    writer.append(start + (flat[index + 1] ?? 0), start + (flat[index + 2] ?? 0) + 1);
  }
  const points = writer.finish(width * (bottom - top + 1));
  points.push(left, top, right, bottom);
  return { points, area };
}

/**
 * Splits an image into one mask per value, in ascending order, ignoring pixels of value `nothing`. Memory depends on
 * the number of changes along the rows, not of pixels.
 */
export function masksByValue(
  width: number,
  height: number,
  valueAt: (index: number) => number,
  nothing: number,
): Map<number, ValueMask> {
  const byValue = new Map<number, Spans>();
  let runs = 0;
  const add = (value: number, row: number, first: number, last: number): void => {
    let spans = byValue.get(value);
    if (!spans) byValue.set(value, (spans = { flat: [], left: first, right: last, area: 0 }));
    spans.flat.push(row, first, last);
    if (first < spans.left) spans.left = first;
    if (last > spans.right) spans.right = last;
    spans.area += last - first + 1;
    runs += 1;
  };
  for (let row = 0, index = 0; row < height; row += 1) {
    let first = 0;
    let value = valueAt(index);
    index += 1;
    for (let column = 1; column < width; column += 1, index += 1) {
      const next = valueAt(index);
      if (next === value) continue;
      if (value !== nothing) add(value, row, first, column - 1);
      first = column;
      value = next;
    }
    if (value !== nothing) add(value, row, first, width - 1);
    if (runs > maxRuns || byValue.size > maxValues)
      throw new AppError('invalid', 'the image is not a mask: its pixels change their value too often');
  }
  return new Map([...byValue].sort(([a], [b]) => a - b).map(([value, spans]) => [value, toMask(spans)]));
}
