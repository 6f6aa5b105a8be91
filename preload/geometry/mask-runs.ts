import { areaOfCounts, boundingBoxOfRuns, createRunWriter, type RunLengths } from './run-length.ts';

/**
 * Masks of the annotation model: row-major run lengths over an inclusive box (zeros first), then left, top, right,
 * bottom.
 */
export interface MaskBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly width: number;
  readonly height: number;
}

export interface MaskBitmap {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** Row-major over the box, 1 for set pixels. */
  readonly bitmap: Uint8Array;
}

export function maskBox(mask: readonly number[]): MaskBox {
  const end = mask.length;
  const left = mask[end - 4] ?? 0;
  const top = mask[end - 3] ?? 0;
  const right = mask[end - 2] ?? -1;
  const bottom = mask[end - 1] ?? -1;
  return { left, top, right, bottom, width: right - left + 1, height: bottom - top + 1 };
}

/** Describes the problem of an imported mask; null for a valid one. */
export function maskProblem(mask: readonly number[]): string | null {
  if (mask.length < 5) return 'A mask needs at least one run and the four numbers of its box.';
  const box = maskBox(mask);
  if (![box.left, box.top, box.right, box.bottom].every((value) => Number.isSafeInteger(value))) {
    return 'The box of a mask must consist of whole numbers.';
  }
  if (box.width < 1 || box.height < 1) return 'The box of a mask ends before it starts.';
  let total = 0;
  for (let index = 0; index < mask.length - 4; index += 1) {
    const run = mask[index]!;
    if (!Number.isSafeInteger(run) || run < 0)
      return `Run ${index + 1} of the mask must be a whole number of at least 0.`;
    total += run;
  }
  if (total === box.width * box.height) return null;
  return `The runs of the mask cover ${total} pixels, its box has ${box.width} × ${box.height} = ${box.width * box.height}.`;
}

export const isValidMask = (mask: readonly number[]): boolean => maskProblem(mask) === null;

/** Calls `visit` with each run of set pixels in the image: row, first column, column after the last. */
export function visitMask(
  mask: readonly number[],
  { width, height }: { readonly width: number; readonly height: number },
  visit: (row: number, start: number, end: number) => void,
): void {
  const box = maskBox(mask);
  let position = 0;
  for (let index = 0; index < mask.length - 4; index += 1) {
    let start = position;
    position += mask[index] ?? 0;
    if (index % 2 === 0) continue;
    while (start < position) {
      const line = Math.floor(start / box.width);
      const stop = Math.min(position, (line + 1) * box.width);
      const row = line + box.top;
      const from = Math.max(0, start - line * box.width + box.left);
      const to = Math.min(width, stop - line * box.width + box.left);
      if (row >= 0 && row < height && from < to) visit(row, from, to);
      start = stop;
    }
  }
}

export const maskArea = (mask: readonly number[]): number => areaOfCounts(mask.slice(0, -4));

interface Placement {
  readonly lineLength: number;
  readonly lineCount: number;
  readonly offsetInLine: number;
  readonly lineOffset: number;
}

/** Moves line-major runs into another grid, clipped to it. */
function placeRuns(counts: readonly number[], lineLength: number, target: Placement): number[] {
  const writer = createRunWriter();
  let position = 0;
  for (let index = 0; index < counts.length; index += 1) {
    let start = position;
    position += counts[index]!;
    if (index % 2 === 0) continue;
    while (start < position) {
      const line = Math.floor(start / lineLength);
      const lineStart = line * lineLength;
      const stop = Math.min(position, lineStart + lineLength);
      const targetLine = line + target.lineOffset;
      if (targetLine >= 0 && targetLine < target.lineCount) {
        const from = Math.max(0, start - lineStart + target.offsetInLine);
        const to = Math.min(target.lineLength, stop - lineStart + target.offsetInLine);
        writer.append(targetLine * target.lineLength + from, targetLine * target.lineLength + to);
      }
      start = stop;
    }
  }
  return writer.finish(target.lineLength * target.lineCount);
}

/** Set runs of every line, as flat lists of ascending boundaries. */
function* boundariesByLine(counts: readonly number[], lineLength: number, lineCount: number): Generator<number[]> {
  let line = 0;
  let lineEnd = lineLength;
  let boundaries: number[] = [];
  let position = 0;
  for (let index = 0; index < counts.length; index += 1) {
    let start = position;
    position += counts[index]!;
    while (start < position) {
      const stop = Math.min(position, lineEnd);
      if (index % 2 === 1) boundaries.push(start - lineEnd + lineLength, stop - lineEnd + lineLength);
      start = stop;
      if (stop < lineEnd) continue;
      yield boundaries;
      boundaries = [];
      line += 1;
      lineEnd += lineLength;
    }
  }
  if (line < lineCount && boundaries.length > 0) yield boundaries;
}

/**
 * Transposes line-major runs. Processes only changes between neighbouring lines, so the cost depends on the number of
 * runs and not of pixels.
 */
function transposeRuns(counts: readonly number[], lineLength: number, lineCount: number): number[] {
  const changedPlaces: number[] = [];
  const changedLines: number[] = [];
  const firstOfPlace = new Int32Array(lineLength + 1);
  let before: number[] = [];
  let line = 0;
  const compare = (now: number[]): void => {
    let i = 0;
    let j = 0;
    let openAt = -1;
    while (i < before.length || j < now.length) {
      const a = before[i] ?? Infinity;
      const b = now[j] ?? Infinity;
      if (a <= b) i += 1;
      if (b <= a) j += 1;
      if (a === b) continue;
      const boundary = Math.min(a, b);
      if (openAt < 0) {
        openAt = boundary;
        continue;
      }
      for (let place = openAt; place < boundary; place += 1) {
        changedPlaces.push(place);
        changedLines.push(line);
        firstOfPlace[place + 1]! += 1;
      }
      openAt = -1;
    }
  };
  for (const now of boundariesByLine(counts, lineLength, lineCount)) {
    compare(now);
    before = now;
    line += 1;
  }
  if (line < lineCount) compare([]);

  for (let place = 0; place < lineLength; place += 1) firstOfPlace[place + 1]! += firstOfPlace[place]!;
  const next = firstOfPlace.slice();
  const lines = new Int32Array(changedLines.length);
  for (let index = 0; index < changedPlaces.length; index += 1) {
    const place = changedPlaces[index]!;
    lines[next[place]!] = changedLines[index]!;
    next[place]! += 1;
  }
  const writer = createRunWriter();
  for (let place = 0; place < lineLength; place += 1) {
    const base = place * lineCount;
    const end = firstOfPlace[place + 1]!;
    for (let index = firstOfPlace[place]!; index < end; index += 2) {
      writer.append(base + lines[index]!, base + (index + 1 < end ? lines[index + 1]! : lineCount));
    }
  }
  return writer.finish(lineLength * lineCount);
}

/** COCO run lengths over the image, clipped to it. */
export function maskToRunLengths(mask: readonly number[], imageWidth: number, imageHeight: number): RunLengths {
  const box = maskBox(mask);
  const byColumn = transposeRuns(mask.slice(0, -4), box.width, box.height);
  const counts = placeRuns(byColumn, box.height, {
    lineLength: imageHeight,
    lineCount: imageWidth,
    offsetInLine: box.top,
    lineOffset: box.left,
  });
  return { height: imageHeight, width: imageWidth, counts };
}

/** Mask with a tight box; null if no pixel is set. */
export function maskFromRunLengths(runs: RunLengths): number[] | null {
  const [x, y, width, height] = boundingBoxOfRuns(runs);
  if (width === 0) return null;
  const byColumn = placeRuns(runs.counts, runs.height, {
    lineLength: height,
    lineCount: width,
    offsetInLine: -y,
    lineOffset: -x,
  });
  const mask = transposeRuns(byColumn, height, width);
  mask.push(x, y, x + width - 1, y + height - 1);
  return mask;
}

/** Pixels in the mask's box as a row-major bitmap. */
export function maskToBitmap(mask: readonly number[]): MaskBitmap {
  const { left, top, width, height } = maskBox(mask);
  const bitmap = new Uint8Array(width * height);
  let position = 0;
  for (let index = 0; index < mask.length - 4; index += 1) {
    const start = position;
    position += mask[index]!;
    if (index % 2 === 1) bitmap.fill(1, start, position);
  }
  return { left, top, width, height, bitmap };
}

/** First and last row and column with a set pixel; null without one. */
function tightBox(bitmap: ArrayLike<number>, width: number, height: number): MaskBox | null {
  let left = width;
  let right = -1;
  let top = -1;
  let bottom = -1;
  for (let y = 0; y < height; y += 1) {
    const row = y * width;
    let x = 0;
    while (x < width && bitmap[row + x] === 0) x += 1;
    if (x === width) continue;
    if (top < 0) top = y;
    bottom = y;
    if (x < left) left = x;
    x = width - 1;
    while (x > right && bitmap[row + x] === 0) x -= 1;
    if (x > right) right = x;
  }
  return top < 0 ? null : { left, top, right, bottom, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * Mask of a row-major bitmap (any value but 0 is set), with a tight box; null if no pixel is set. `origin` is the
 * position of the bitmap's first pixel in the image.
 */
export function maskFromBitmap(
  bitmap: ArrayLike<number>,
  width: number,
  height: number,
  origin: { readonly left: number; readonly top: number } = { left: 0, top: 0 },
): number[] | null {
  const box = tightBox(bitmap, width, height);
  if (box === null) return null;
  const mask: number[] = [];
  let isSet = false;
  let run = 0;
  for (let y = box.top; y <= box.bottom; y += 1) {
    for (let index = y * width + box.left, end = y * width + box.right; index <= end; index += 1) {
      if ((bitmap[index] !== 0) === isSet) {
        run += 1;
      } else {
        mask.push(run);
        run = 1;
        isSet = !isSet;
      }
    }
  }
  mask.push(run, box.left + origin.left, box.top + origin.top, box.right + origin.left, box.bottom + origin.top);
  return mask;
}
