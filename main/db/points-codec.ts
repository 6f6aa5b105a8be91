/**
 * Lossless encoding of coordinates as BLOBs.
 *
 * A row is a header byte and one varint per number (7 bits per byte, least significant first). A varint encodes the
 * number times 10^exponent, minus an earlier number (`stride` places before it), in zig-zag code. If a number is not a
 * decimal of at most six places, the row is the header and Float64 values, little-endian. No points are an empty blob.
 *
 * Header: bits 0–2 exponent (7 = Float64), bits 3–4 stride (0 = no difference), bit 5 set if 32 bits do not hold every
 * number and every difference.
 */
const float64Tag = 7;
const highestExponent = 6;
const wideFlag = 32;
const powersOfTen = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

/** Differences of numbers up to this fit 32-bit arithmetic. */
const narrowLimit = 2 ** 30 - 1;
/** Differences of numbers up to this, doubled by the zig-zag code, are exact doubles. */
const wideLimit = 2 ** 51;

/** Maximum bytes of a row with `count` numbers. */
export const maximumEncodedLength = (count: number): number => 1 + 8 * count;

/** Sign, exponent and size that all numbers of a row can share: the header without its stride, or 7 for Float64. */
function findScale(points: ArrayLike<number>): number {
  let exponent = 0;
  let power = 1;
  let largest = 0;
  for (let index = 0; index < points.length; index += 1) {
    const value = points[index]!;
    while (Math.round(value * power) / power !== value) {
      exponent += 1;
      if (exponent > highestExponent) return float64Tag;
      power = powersOfTen[exponent]!;
    }
    const size = value < 0 ? -value : value;
    if (size > largest) largest = size;
    else if (value === 0 && 1 / value < 0) return float64Tag;
  }
  const largestFixed = largest * power;
  if (largestFixed <= narrowLimit) return exponent;
  return largestFixed <= wideLimit ? exponent | wideFlag : float64Tag;
}

const varintLength = (code: number): number =>
  code < 0x80 ? 1 : code < 0x4000 ? 2 : code < 0x20_0000 ? 3 : code < 0x1000_0000 ? 4 : 5;

/**
 * Returns the stride with the smallest result. Mask runs are small, or close to the run before the last; polygon points
 * are close to the previous point.
 */
function bestStrideOfIntegers(points: ArrayLike<number>): number {
  let plainSize = 0;
  let stepSize = 0;
  let pairSize = 0;
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < points.length; index += 1) {
    const value = points[index]! | 0;
    plainSize += varintLength(((value << 1) ^ (value >> 31)) >>> 0);
    const step = value - last;
    stepSize += varintLength(((step << 1) ^ (step >> 31)) >>> 0);
    const pairStep = value - beforeLast;
    pairSize += varintLength(((pairStep << 1) ^ (pairStep >> 31)) >>> 0);
    beforeLast = last;
    last = value;
  }
  if (pairSize <= plainSize && pairSize <= stepSize) return 2;
  return plainSize <= stepSize ? 0 : 1;
}

/** Writes a 32-bit integer, small ones of either sign in one byte; returns the offset after it. */
function putStep(buffer: Uint8Array, start: number, step: number): number {
  let offset = start;
  let code = ((step << 1) ^ (step >> 31)) >>> 0;
  while (code > 127) {
    buffer[offset] = (code & 127) | 128;
    offset += 1;
    code >>>= 7;
  }
  buffer[offset] = code;
  return offset + 1;
}

function writeNarrow(
  buffer: Uint8Array,
  start: number,
  points: ArrayLike<number>,
  power: number,
  stride: number,
): number {
  let offset = start;
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < points.length; index += 1) {
    const scaled = points[index]! * power;
    const value = (scaled < 0 ? scaled - 0.5 : scaled + 0.5) | 0;
    const step = stride === 2 ? value - beforeLast : stride === 1 ? value - last : value;
    beforeLast = last;
    last = value;
    offset = putStep(buffer, offset, step);
  }
  return offset;
}

/** The same loop again, for the output of `decodeFixed`: see `readNarrow` for the reason. */
function writeFixed(buffer: Uint8Array, start: number, units: Int32Array, count: number): number {
  let offset = start;
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < count; index += 1) {
    const value = units[index]!;
    const step = value - beforeLast;
    beforeLast = last;
    last = value;
    offset = putStep(buffer, offset, step);
  }
  return offset;
}

function writeWide(buffer: Uint8Array, start: number, points: ArrayLike<number>, power: number): number {
  let offset = start;
  let last = 0;
  let beforeLast = 0;
  for (let index = 0; index < points.length; index += 1) {
    const value = Math.round(points[index]! * power);
    const step = value - beforeLast;
    beforeLast = last;
    last = value;
    let code = step < 0 ? -2 * step - 1 : 2 * step;
    while (code > 127) {
      buffer[offset] = (code % 128) + 128;
      offset += 1;
      code = Math.floor(code / 128);
    }
    buffer[offset] = code;
    offset += 1;
  }
  return offset;
}

function writeFloat64(buffer: Uint8Array, start: number, points: ArrayLike<number>): number {
  const view = new DataView(buffer.buffer, buffer.byteOffset + start, 8 * points.length);
  for (let index = 0; index < points.length; index += 1) view.setFloat64(8 * index, points[index]!, true);
  return start + 8 * points.length;
}

/**
 * Writes a row at `offset` and returns the offset after it. The buffer needs `maximumEncodedLength` bytes from there;
 * RangeError if it is shorter.
 */
export function encodePointsInto(buffer: Uint8Array, offset: number, points: ArrayLike<number>): number {
  if (points.length === 0) return offset;
  if (buffer.length - offset < maximumEncodedLength(points.length)) {
    throw new RangeError(`A row of ${points.length} numbers needs ${maximumEncodedLength(points.length)} bytes.`);
  }
  const scale = findScale(points);
  if (scale === float64Tag) {
    buffer[offset] = float64Tag;
    return writeFloat64(buffer, offset + 1, points);
  }
  const power = powersOfTen[scale & 7]!;
  if ((scale & wideFlag) !== 0) {
    buffer[offset] = scale | (2 << 3);
    return writeWide(buffer, offset + 1, points, power);
  }
  const stride = scale === 0 ? bestStrideOfIntegers(points) : 2;
  buffer[offset] = scale | (stride << 3);
  return writeNarrow(buffer, offset + 1, points, power, stride);
}

/**
 * Writes a row whose numbers are units[0 … count − 1] / 10^exponent at `offset`, and returns the offset after it. Units
 * have at most 30 bits, and the exponent is at most 6. RangeError if the buffer is shorter than `maximumEncodedLength`.
 */
export function encodeFixedInto(
  buffer: Uint8Array,
  offset: number,
  units: Int32Array,
  count: number,
  exponent: number,
): number {
  if (count === 0) return offset;
  if (buffer.length - offset < maximumEncodedLength(count)) {
    throw new RangeError(`A row of ${count} numbers needs ${maximumEncodedLength(count)} bytes.`);
  }
  buffer[offset] = exponent | (2 << 3);
  return writeFixed(buffer, offset + 1, units, count);
}

/** Encodes one row. In a loop over many rows `encodePointsInto` saves the copy. */
export function encodePoints(points: ArrayLike<number>): Uint8Array {
  const buffer = new Uint8Array(maximumEncodedLength(points.length));
  return buffer.slice(0, encodePointsInto(buffer, 0, points));
}

const damaged = (): RangeError => new RangeError('The stored coordinates of an object are damaged and cannot be read.');

export function countPoints(blob: Uint8Array): number {
  if (blob.length === 0) return 0;
  if ((blob[0]! & 7) === float64Tag) return (blob.length - 1) / 8;
  let count = 0;
  for (let index = 1; index < blob.length; index += 1) if (blob[index]! < 128) count += 1;
  return count;
}

function readNarrowFixed(blob: Uint8Array, start: number, end: number, target: Int32Array | Float64Array): number {
  const stride = (blob[start]! >> 3) & 3;
  let last = 0;
  let beforeLast = 0;
  let count = 0;
  for (let offset = start + 1; offset < end;) {
    let code = blob[offset]!;
    offset += 1;
    if (code > 127) {
      if (offset === end) throw damaged();
      // Two bytes are the common case: a step within some eighty pixels, in hundredths.
      let byte = blob[offset]!;
      offset += 1;
      code = (code & 127) | ((byte & 127) << 7);
      for (let shift = 14; byte > 127; shift += 7) {
        if (offset === end) throw damaged();
        byte = blob[offset]!;
        offset += 1;
        code |= (byte & 127) << shift;
      }
    }
    const step = (code >>> 1) ^ -(code & 1);
    const value = (stride === 2 ? beforeLast + step : stride === 1 ? last + step : step) | 0;
    beforeLast = last;
    last = value;
    target[count] = value;
    count += 1;
  }
  return count;
}

/** The same loop again: one loop for lists and typed arrays is four times slower in V8. */
function readNarrow(blob: Uint8Array, power: number): number[] {
  const stride = (blob[0]! >> 3) & 3;
  const end = blob.length;
  // Allocated with the final size: growing the list number by number takes twice the time.
  const points: number[] = [];
  points.length = countPoints(blob);
  let count = 0;
  let last = 0;
  let beforeLast = 0;
  for (let offset = 1; offset < end;) {
    let byte = blob[offset]!;
    offset += 1;
    let code = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      if (offset === end) throw damaged();
      byte = blob[offset]!;
      offset += 1;
      code |= (byte & 127) << shift;
    }
    const step = (code >>> 1) ^ -(code & 1);
    const value = (stride === 2 ? beforeLast + step : stride === 1 ? last + step : step) | 0;
    beforeLast = last;
    last = value;
    points[count] = value / power;
    count += 1;
  }
  return points;
}

function readWide(blob: Uint8Array, target: Float64Array | number[], power: number): number {
  let last = 0;
  let beforeLast = 0;
  let count = 0;
  for (let offset = 1; offset < blob.length;) {
    let code = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = blob[offset];
      if (byte === undefined) throw damaged();
      offset += 1;
      code += (byte & 127) * scale;
      if (byte < 128) break;
    }
    const value = beforeLast + (code % 2 === 0 ? code / 2 : -(code + 1) / 2);
    beforeLast = last;
    last = value;
    target[count] = value / power;
    count += 1;
  }
  return count;
}

function readFloat64(blob: Uint8Array): number[] {
  if (blob.length % 8 !== 1) throw damaged();
  const view = new DataView(blob.buffer, blob.byteOffset + 1, blob.length - 1);
  return Array.from({ length: view.byteLength / 8 }, (_, index) => view.getFloat64(8 * index, true));
}

/** The numbers of a row, bit for bit. RangeError for a row that this codec cannot have written. */
export function decodePoints(blob: Uint8Array): number[] {
  if (blob.length === 0) return [];
  const header = blob[0]!;
  if ((header & 7) === float64Tag) return readFloat64(blob);
  const power = powersOfTen[header & 7]!;
  if ((header & wideFlag) === 0) return readNarrow(blob, power);
  const points: number[] = [];
  readWide(blob, points, power);
  return points;
}

export interface FixedPoints {
  readonly count: number;
  /** The numbers are target[0 … count − 1] / 10^exponent. */
  readonly exponent: number;
}

/**
 * The numbers of a row as integers in units of 10^−exponent, for a writer of decimal digits. Null for a Float64 row, or
 * if the numbers are too large for an Int32Array target. RangeError if the target is too short.
 */
export function decodeFixed(blob: Uint8Array, target: Int32Array | Float64Array): FixedPoints | null {
  if (blob.length === 0) return { count: 0, exponent: 0 };
  const header = blob[0]!;
  const exponent = header & 7;
  if (exponent === float64Tag) return null;
  if ((header & wideFlag) !== 0) {
    if (!(target instanceof Float64Array)) return null;
    return { count: withinTarget(readWide(blob, target, 1), target), exponent };
  }
  return { count: withinTarget(readNarrowFixed(blob, 0, blob.length, target), target), exponent };
}

/** The same for the row `bytes[start .. end]`, without a view of it. */
export function decodeFixedIn(bytes: Uint8Array, start: number, end: number, target: Int32Array): FixedPoints | null {
  if (start === end) return { count: 0, exponent: 0 };
  const header = bytes[start]!;
  // Wide numbers exceed the target. Float64 rows have a tag in place of the exponent.
  if ((header & wideFlag) !== 0 || (header & 7) === float64Tag) return null;
  return { count: withinTarget(readNarrowFixed(bytes, start, end, target), target), exponent: header & 7 };
}

/** The language ignores writes past the end of a typed array, so the count is compared. */
function withinTarget(count: number, target: Int32Array | Float64Array): number {
  if (count > target.length) throw new RangeError(`The row has ${count} numbers, the target holds ${target.length}.`);
  return count;
}
