/**
 * Run lengths as COCO stores them: column-major over the image (x outer, y inner), zeros first. Canonical form: no run
 * of length 0 except the first, and no trailing run of length 0.
 */
export interface RunLengths {
  readonly height: number;
  readonly width: number;
  readonly counts: readonly number[];
}

/** Collects set intervals in ascending order and converts them to canonical run lengths. */
export function createRunWriter() {
  const counts: number[] = [];
  let written = 0;
  return {
    /** Half-open interval that must not start before the end of the previous one. Ignores empty intervals. */
    append(start: number, end: number) {
      if (start >= end) return;
      if (start === written && counts.length > 0) counts[counts.length - 1]! += end - start;
      else counts.push(start - written, end - start);
      written = end;
    },
    finish(total: number): number[] {
      if (total > written || counts.length === 0) counts.push(total - written);
      return counts;
    },
  };
}

/** `bitmap` is row-major, width × height; any value but 0 is set. */
export function encodeBitmap(bitmap: ArrayLike<number>, width: number, height: number): RunLengths {
  const counts: number[] = [];
  let isSet = false;
  let run = 0;
  for (let x = 0; x < width; x += 1) {
    for (let y = 0, index = x; y < height; y += 1, index += width) {
      if ((bitmap[index] !== 0) === isSet) {
        run += 1;
      } else {
        counts.push(run);
        run = 1;
        isSet = !isSet;
      }
    }
  }
  if (run > 0 || counts.length === 0) counts.push(run);
  return { height, width, counts };
}

/** Row-major bitmap of width × height bytes, 1 for set pixels. */
export function decodeToBitmap({ height, width, counts }: RunLengths): Uint8Array {
  const bitmap = new Uint8Array(width * height);
  let position = 0;
  counts.forEach((run, index) => {
    const end = Math.min(position + run, bitmap.length);
    if (index % 2 === 1) {
      let x = Math.floor(position / height);
      let y = position - x * height;
      for (; position < end; position += 1) {
        bitmap[y * width + x] = 1;
        y += 1;
        if (y === height) {
          y = 0;
          x += 1;
        }
      }
    }
    position = end;
  });
  return bitmap;
}

/** Number of set pixels. Also valid for the row-major runs of a mask. */
export function areaOfCounts(counts: readonly number[]): number {
  let area = 0;
  for (let index = 1; index < counts.length; index += 2) area += counts[index]!;
  return area;
}

/** Tight box as x, y, width, height; all 0 if no pixel is set. */
export function boundingBoxOfRuns({ height, width, counts }: RunLengths): [number, number, number, number] {
  let left = width;
  let top = height;
  let right = -1;
  let bottom = -1;
  let position = 0;
  for (let index = 0; index < counts.length; index += 1) {
    const start = position;
    position += counts[index]!;
    if (index % 2 === 0 || position === start) continue;
    const firstColumn = Math.floor(start / height);
    const lastColumn = Math.floor((position - 1) / height);
    left = Math.min(left, firstColumn);
    right = Math.max(right, lastColumn);
    const spansColumns = firstColumn < lastColumn;
    top = Math.min(top, spansColumns ? 0 : start - firstColumn * height);
    bottom = Math.max(bottom, spansColumns ? height - 1 : position - 1 - lastColumn * height);
  }
  return right < 0 ? [0, 0, 0, 0] : [left, top, right - left + 1, bottom - top + 1];
}

/**
 * Iterates over two run lists of the same grid. Calls `visit` with each interval in which both are constant. Stops at
 * the end of the shorter list.
 */
function walkPair(
  first: readonly number[],
  second: readonly number[],
  visit: (length: number, inFirst: boolean, inSecond: boolean) => void,
): void {
  let i = 0;
  let j = 0;
  let leftInFirst = first[0] ?? 0;
  let leftInSecond = second[0] ?? 0;
  for (;;) {
    while (leftInFirst === 0 && i + 1 < first.length) leftInFirst = first[(i += 1)]!;
    while (leftInSecond === 0 && j + 1 < second.length) leftInSecond = second[(j += 1)]!;
    const step = Math.min(leftInFirst, leftInSecond);
    if (step <= 0) return;
    visit(step, i % 2 === 1, j % 2 === 1);
    leftInFirst -= step;
    leftInSecond -= step;
  }
}

/** A difference has the pixels of the first mask that are not in the others. */
type Merge = 'union' | 'intersection' | 'difference';

const isMerged: Readonly<Record<Merge, (inFirst: boolean, inSecond: boolean) => boolean>> = {
  union: (inFirst, inSecond) => inFirst || inSecond,
  intersection: (inFirst, inSecond) => inFirst && inSecond,
  difference: (inFirst, inSecond) => inFirst && !inSecond,
};

function mergePair(first: readonly number[], second: readonly number[], how: Merge): number[] {
  const merged = isMerged[how];
  const counts: number[] = [];
  let isSet = false;
  let run = 0;
  walkPair(first, second, (length, inFirst, inSecond) => {
    const value = merged(inFirst, inSecond);
    if (value !== isSet) {
      counts.push(run);
      run = 0;
      isSet = value;
    }
    run += length;
  });
  counts.push(run);
  return counts;
}

function assertSameSize(first: RunLengths, second: RunLengths): void {
  if (first.height === second.height && first.width === second.width) return;
  throw new RangeError(
    `Masks of different images cannot be combined: ${first.width}×${first.height} and ${second.width}×${second.height}.`,
  );
}

/** Union, intersection or difference of masks of one image. Requires at least one; throws RangeError if sizes differ. */
export function mergeRunLengths(masks: readonly RunLengths[], how: Merge = 'union'): RunLengths {
  const [first, ...rest] = masks;
  if (first === undefined) throw new RangeError('At least one mask is needed to merge.');
  let counts = first.counts;
  for (const next of rest) {
    assertSameSize(first, next);
    counts = mergePair(counts, next.counts, how);
  }
  return { height: first.height, width: first.width, counts };
}

function intersectionArea(first: RunLengths, second: RunLengths): number {
  assertSameSize(first, second);
  let area = 0;
  walkPair(first.counts, second.counts, (length, inFirst, inSecond) => {
    if (inFirst && inSecond) area += length;
  });
  return area;
}

/** With `isCrowd` the denominator is the area of the detection alone, as in the COCO evaluation. */
export function intersectionOverUnion(detection: RunLengths, truth: RunLengths, isCrowd = false): number {
  const shared = intersectionArea(detection, truth);
  if (shared === 0) return 0;
  const detectionArea = areaOfCounts(detection.counts);
  return shared / (isCrowd ? detectionArea : detectionArea + areaOfCounts(truth.counts) - shared);
}

const arithmeticShiftBy5 = (value: number): number => (value === (value | 0) ? value >> 5 : Math.floor(value / 32));

/** COCO's compressed form: differences to the run before last, in 5-bit groups, least significant first. */
export function compressCounts(counts: readonly number[]): string {
  let text = '';
  for (let index = 0; index < counts.length; index += 1) {
    let rest = counts[index]! - (index > 2 ? counts[index - 2]! : 0);
    for (let more = true; more;) {
      let group = rest & 31;
      rest = arithmeticShiftBy5(rest);
      more = (group & 16) === 0 ? rest !== 0 : rest !== -1;
      if (more) group |= 32;
      text += String.fromCharCode(group + 48);
    }
  }
  return text;
}

/** Throws RangeError for invalid text. */
export function decompressCounts(text: string): number[] {
  const counts: number[] = [];
  let value = 0;
  let scale = 1;
  for (let index = 0; index < text.length; index += 1) {
    const group = text.charCodeAt(index) - 48;
    if (group < 0 || group > 63)
      throw new RangeError(`Character ${index + 1} of the run lengths is not allowed there.`);
    value += (group & 31) * scale;
    scale *= 32;
    if ((group & 32) !== 0) {
      if (scale > 2 ** 50) throw new RangeError(`The run that ends after character ${index + 1} is too long.`);
      continue;
    }
    if ((group & 16) !== 0) value -= scale;
    if (counts.length > 2) value += counts[counts.length - 2]!;
    if (value < 0) throw new RangeError(`Run ${counts.length + 1} has a negative length.`);
    counts.push(value);
    value = 0;
    scale = 1;
  }
  if (scale !== 1) throw new RangeError('The run lengths end in the middle of a run.');
  return counts;
}

/** Describes the problem of imported run lengths; null for valid ones. */
export function runLengthsProblem({ height, width, counts }: RunLengths): string | null {
  let total = 0;
  for (const run of counts) {
    if (!Number.isInteger(run) || run < 0) return `Invalid run length ${run}. It must be a whole number of at least 0.`;
    total += run;
  }
  if (total === height * width) return null;
  return `The runs cover ${total} pixels, the image has ${width} × ${height} = ${height * width}.`;
}
