import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isValidMask,
  maskArea,
  maskFromBitmap,
  maskFromRunLengths,
  maskProblem,
  maskToBitmap,
  maskToRunLengths,
} from '../../../../preload/geometry/mask-runs.ts';
import { rectangleToRunLengths } from '../../../../preload/geometry/polygon-raster.ts';
import {
  areaOfCounts,
  boundingBoxOfRuns,
  compressCounts,
  decodeToBitmap,
  decompressCounts,
  encodeBitmap,
  intersectionOverUnion,
  mergeRunLengths,
  runLengthsProblem,
} from '../../../../preload/geometry/run-length.ts';
import { runLengthVectors } from '../../../support/run-length-vectors.ts';

const bitmapOf = (rows: readonly string[]): Uint8Array => Uint8Array.from(rows.join(''), Number);

const bitmaps = fc.tuple(fc.integer({ min: 1, max: 17 }), fc.integer({ min: 1, max: 17 })).chain(([width, height]) =>
  fc.record({
    width: fc.constant(width),
    height: fc.constant(height),
    bitmap: fc.oneof(
      fc.uint8Array({ min: 0, max: 1, minLength: width * height, maxLength: width * height }),
      fc.boolean().map((value) => new Uint8Array(width * height).fill(value ? 1 : 0)),
    ),
  }),
);

const pairs = bitmaps.chain((first) =>
  fc.tuple(
    fc.constant(first),
    fc.uint8Array({ min: 0, max: 1, minLength: first.bitmap.length, maxLength: first.bitmap.length }),
  ),
);

describe('COCO run lengths', () => {
  it('go down the columns and start with a run of zeros', () => {
    const runs = encodeBitmap(bitmapOf(['0110', '0100', '1001']), 4, 3);
    expect(runs).toEqual({ height: 3, width: 4, counts: [2, 3, 1, 1, 4, 1] });
    expect(areaOfCounts(runs.counts)).toBe(5);
    expect(boundingBoxOfRuns(runs)).toEqual([0, 0, 4, 3]);
    expect(encodeBitmap(bitmapOf(['11', '11']), 2, 2).counts).toEqual([0, 4]);
    expect(encodeBitmap(bitmapOf(['00', '00']), 2, 2).counts).toEqual([4]);
    expect(boundingBoxOfRuns(encodeBitmap(bitmapOf(['00', '00']), 2, 2))).toEqual([0, 0, 0, 0]);
  });

  it('reproduce the original bitmap', () => {
    fc.assert(
      fc.property(bitmaps, ({ width, height, bitmap }) => {
        const runs = encodeBitmap(bitmap, width, height);
        expect(decodeToBitmap(runs)).toEqual(bitmap);
        expect(runLengthsProblem(runs)).toBeNull();
        expect(areaOfCounts(runs.counts)).toBe(bitmap.reduce((sum, value) => sum + value, 0));
      }),
    );
  });

  it('merge like the bitmaps', () => {
    fc.assert(
      fc.property(pairs, ([{ width, height, bitmap }, other]) => {
        const first = encodeBitmap(bitmap, width, height);
        const second = encodeBitmap(other, width, height);
        const union = bitmap.map((value, index) => value | other[index]!);
        const shared = bitmap.map((value, index) => value & other[index]!);
        expect(mergeRunLengths([first, second])).toEqual(encodeBitmap(union, width, height));
        expect(mergeRunLengths([first, second], 'intersection')).toEqual(encodeBitmap(shared, width, height));
        const sharedArea = shared.reduce((sum, value) => sum + value, 0);
        const unionArea = union.reduce((sum, value) => sum + value, 0);
        expect(intersectionOverUnion(first, second)).toBe(unionArea === 0 ? 0 : sharedArea / unionArea);
      }),
    );
  });

  it('compare a detection with a crowd by the area of the detection', () => {
    const detection = rectangleToRunLengths([0, 0, 4, 4], 10, 10);
    const crowd = rectangleToRunLengths([2, 0, 10, 10], 10, 10);
    expect(intersectionOverUnion(detection, crowd, true)).toBe(0.5);
    expect(intersectionOverUnion(detection, crowd)).toBe(8 / 88);
  });

  it('refuse to merge masks of different images', () => {
    const small = encodeBitmap([1], 1, 1);
    expect(() => mergeRunLengths([small, encodeBitmap([1, 1], 2, 1)])).toThrow(/1×1 and 2×1/u);
  });

  it('have a printable form that reproduces every list of runs', () => {
    expect(compressCounts([5])).toBe('5');
    expect(compressCounts([31, 1, 31])).toBe('o01o0');
    expect(compressCounts([26, 4, 8, 6, 6, 7])).toBe('j0482N1');
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2 ** 33 })), (counts) => {
        expect(decompressCounts(compressCounts(counts))).toEqual(counts);
      }),
    );
  });

  it('report errors in a printable form', () => {
    expect(() => decompressCounts('o')).toThrow(/middle of a run/u);
    expect(() => decompressCounts('1 1')).toThrow(/Character 2/u);
    expect(() => decompressCounts('O')).toThrow(/negative/u);
    expect(() => decompressCounts('o'.repeat(40))).toThrow(/too long/u);
    expect(runLengthsProblem({ height: 2, width: 2, counts: [1, 2] })).toMatch(/cover 3 pixels.*= 4/u);
    expect(runLengthsProblem({ height: 1, width: 1, counts: [0.5, 0.5] })).toMatch(/0\.5/u);
  });
});

describe('masks of the annotation model', () => {
  it('follow the rows of their tight box', () => {
    const bitmap = bitmapOf(['00000', '00110', '00010', '00000']);
    expect(maskFromBitmap(bitmap, 5, 4)).toEqual([0, 2, 1, 1, 2, 1, 3, 2]);
    expect(maskFromBitmap(bitmap, 5, 4, { left: 10, top: 20 })).toEqual([0, 2, 1, 1, 12, 21, 13, 22]);
    expect(maskFromBitmap(bitmapOf(['00']), 2, 1)).toBeNull();
    expect(maskToBitmap([0, 2, 1, 1, 2, 1, 3, 2])).toEqual({
      left: 2,
      top: 1,
      width: 2,
      height: 2,
      bitmap: bitmapOf(['11', '01']),
    });
    expect(maskArea([0, 2, 1, 1, 2, 1, 3, 2])).toBe(3);
  });

  it('are converted to COCO run lengths and back', () => {
    fc.assert(
      fc.property(bitmaps, ({ width, height, bitmap }) => {
        const mask = maskFromBitmap(bitmap, width, height);
        const runs = encodeBitmap(bitmap, width, height);
        expect(maskFromRunLengths(runs)).toEqual(mask);
        if (mask === null) return;
        expect(isValidMask(mask)).toBe(true);
        expect(maskToRunLengths(mask, width, height)).toEqual(runs);
      }),
      { numRuns: 500 },
    );
  });

  it('are clipped at the image', () => {
    fc.assert(
      fc.property(
        bitmaps,
        fc.integer({ min: -9, max: 9 }),
        fc.integer({ min: -9, max: 9 }),
        ({ width, height, bitmap }, left, top) => {
          const mask = maskFromBitmap(bitmap, width, height, { left, top });
          if (mask === null) return;
          const image = new Uint8Array(100);
          bitmap.forEach((value, index) => {
            const x = left + (index % width);
            const y = top + Math.floor(index / width);
            if (x >= 0 && x < 10 && y >= 0 && y < 10) image[y * 10 + x] = value;
          });
          expect(maskToRunLengths(mask, 10, 10)).toEqual(encodeBitmap(image, 10, 10));
        },
      ),
    );
  });

  it('are refused with a reason if runs and box disagree', () => {
    expect(maskProblem([0, 4, 0, 0, 1, 1])).toBeNull();
    expect(maskProblem([0, 3, 0, 0, 1, 1])).toMatch(/cover 3 pixels, its box has 2 × 2 = 4/u);
    expect(maskProblem([0, 0, 1, 1])).toMatch(/at least one run/u);
    expect(maskProblem([1, 3, 3, 0, 0])).toMatch(/ends before it starts/u);
    expect(maskProblem([0.5, 0.5, 0, 0, 0, 0])).toMatch(/Run 1/u);
    expect(maskProblem([1, 0, 0, 0.5, 0])).toMatch(/whole numbers/u);
  });
});

describe('vectors of pycocotools', () => {
  runLengthVectors(join(import.meta.dirname, '../../../fixtures/run-lengths.json'));
});
