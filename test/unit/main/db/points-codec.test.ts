import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countPoints,
  decodeFixed,
  decodePoints,
  encodePoints,
  encodeFixedInto,
  encodePointsInto,
  maximumEncodedLength,
} from '../../../../main/db/points-codec.ts';

const bitsOf = (points: readonly number[]): string => Buffer.from(Float64Array.from(points).buffer).toString('hex');

const expectExact = (points: readonly number[]): Uint8Array => {
  const blob = encodePoints(points);
  expect(bitsOf(decodePoints(blob))).toBe(bitsOf(points));
  expect(countPoints(blob)).toBe(points.length);
  expect(blob.length).toBeLessThanOrEqual(maximumEncodedLength(points.length));
  return blob;
};

const decimals = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.array(fc.maxSafeInteger()))
  .map(([digits, list]) => list.map((value) => Number((value % 10 ** 11) + `e-${digits}`)));

describe('coordinates in the store', () => {
  it('are preserved bit for bit, for any doubles', () => {
    fc.assert(fc.property(fc.array(fc.double({ noNaN: true })), (points) => void expectExact(points)));
    fc.assert(fc.property(fc.array(fc.maxSafeInteger()), (points) => void expectExact(points)));
    fc.assert(
      fc.property(decimals, (points) => void expectExact(points)),
      { numRuns: 500 },
    );
    const pixels = fc.array(fc.integer({ min: -100_000, max: 900_000 }).map((value) => value / 100));
    fc.assert(fc.property(pixels, (points) => void expectExact(points)));
    const mixed = fc.array(fc.oneof(fc.integer(), fc.float({ noNaN: true }), fc.constantFrom(0, -0, 0.1, 0.3, 1e-7)));
    fc.assert(fc.property(mixed, (points) => void expectExact(points)));
  });

  it('are preserved at the limits of the number range', () => {
    for (const value of [-0, 0.1 + 0.2, 2 ** 30, -(2 ** 30), 2 ** 30 - 1, 2 ** 31, 2 ** 51, -(2 ** 51), 2 ** 51 + 1]) {
      expectExact([value]);
      expectExact([value, -value, value, -value, 0, 0]);
    }
    for (const value of [
      2 ** 53,
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      Infinity,
      -Infinity,
      1e21,
      1073741.823,
      99999.999999,
    ]) {
      expectExact([value, 0, -value]);
    }
    expect(decodePoints(encodePoints([Number.NaN]))).toEqual([Number.NaN]);
    expectExact([]);
  });

  it('need few bytes: two for a step of a polygon, about one for a run of a mask', () => {
    const polygon = Array.from({ length: 48 }, (_, index) => 300 + Math.round(Math.sin(index) * 2000) / 100);
    expect(expectExact(polygon).length).toBeLessThan(2.5 * 48);
    const mask = Array.from({ length: 400 }, (_, index) => (index % 2 === 0 ? 200 : 300) + (index % 3));
    expect(expectExact(mask).length).toBeLessThan(1.1 * 400);
    const noisyRuns = Array.from({ length: 400 }, (_, index) => (index * 37) % 61);
    expect(expectExact(noisyRuns).length).toBe(401);
    expect(expectExact([10, 20, 30, 40]).length).toBe(5);
    expect(expectExact([Math.PI, Math.E]).length).toBe(17);
  });

  it('are written in sequence into a buffer, and nowhere else', () => {
    const rows = [[1.25, 2.5, 3.75, 4], [], [Math.PI], [7, 8]];
    const buffer = new Uint8Array(200).fill(0xaa);
    let offset = 3;
    const blobs = rows.map((row) => {
      const start = offset;
      offset = encodePointsInto(buffer, offset, row);
      return buffer.subarray(start, offset);
    });
    expect(blobs.map(decodePoints)).toEqual(rows);
    expect(buffer.subarray(0, 3)).toEqual(new Uint8Array(3).fill(0xaa));
    expect(buffer.subarray(offset).every((byte) => byte === 0xaa)).toBe(true);
    expect(() => encodePointsInto(new Uint8Array(8), 0, [1])).toThrow(/needs 9 bytes/u);
    expect(encodePoints(Float64Array.of(1.5, 2))).toEqual(encodePoints([1.5, 2]));
  });

  it('are available as integers and a decimal exponent', () => {
    const target = new Int32Array(8);
    expect(decodeFixed(encodePoints([1.25, -2.5, 3]), target)).toEqual({ count: 3, exponent: 2 });
    expect([...target.subarray(0, 3)]).toEqual([125, -250, 300]);
    expect(decodeFixed(encodePoints([7, 8]), target)).toEqual({ count: 2, exponent: 0 });
    expect(decodeFixed(encodePoints([]), target)).toEqual({ count: 0, exponent: 0 });
    expect(decodeFixed(encodePoints([Math.PI]), target)).toBeNull();
    expect(() => decodeFixed(encodePoints([1, 2, 3]), new Int32Array(2))).toThrow(/3 numbers, the target holds 2/u);
  });

  it('are written from integers and a decimal exponent too', () => {
    const unit = fc.integer({ min: -(2 ** 30 - 1), max: 2 ** 30 - 1 });
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), fc.integer({ min: 0, max: 6 }), (units, exponent) => {
        const buffer = new Uint8Array(3 + 1 + 8 * units.length);
        const end = encodeFixedInto(buffer, 3, Int32Array.from(units), units.length, exponent);
        expect(decodePoints(buffer.subarray(3, end))).toEqual(units.map((value) => value / 10 ** exponent || 0));
      }),
    );
    expect(() => encodeFixedInto(new Uint8Array(8), 0, Int32Array.of(1), 1, 0)).toThrow(/needs 9 bytes/u);
  });

  it('need a Float64Array as integers beyond 32 bits', () => {
    const blob = encodePoints([4000.123456, 5]);
    expect(decodeFixed(blob, new Int32Array(2))).toBeNull();
    const target = new Float64Array(2);
    expect(decodeFixed(blob, target)).toEqual({ count: 2, exponent: 6 });
    expect([...target]).toEqual([4_000_123_456, 5_000_000]);
  });

  it('as integers equal the doubles', () => {
    fc.assert(
      fc.property(decimals, (points) => {
        const target = new Float64Array(points.length);
        const fixed = decodeFixed(encodePoints(points), target);
        if (fixed === null) return;
        expect(bitsOf([...target].map((value) => value / 10 ** fixed.exponent))).toBe(bitsOf(points));
      }),
    );
  });

  it('are refused if the row is damaged', () => {
    const varints = encodePoints([1000, 2000]);
    expect(() => decodePoints(varints.subarray(0, varints.length - 1))).toThrow(/damaged/u);
    const wide = encodePoints([2 ** 40]);
    expect(() => decodePoints(wide.subarray(0, wide.length - 1))).toThrow(/damaged/u);
    const doubles = encodePoints([Math.PI]);
    expect(() => decodePoints(doubles.subarray(0, doubles.length - 1))).toThrow(/damaged/u);
  });
});
