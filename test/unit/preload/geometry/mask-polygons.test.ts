import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskFromBitmap, maskToRunLengths } from '../../../../preload/geometry/mask-runs.ts';
import { maskToPolygons, polygonsToMask } from '../../../../preload/geometry/mask-polygons.ts';
import { ellipseToMask } from '../../../../preload/geometry/polygon-raster.ts';
import { encodeBitmap, intersectionOverUnion } from '../../../../preload/geometry/run-length.ts';

const maskOf = (rows: readonly string[]): number[] =>
  maskFromBitmap(Uint8Array.from(rows.join(''), Number), rows[0]!.length, rows.length)!;

const likeness = (mask: readonly number[], polygons: readonly number[][], width: number, height: number): number => {
  const back = polygonsToMask(polygons, width, height);
  if (back === null) return 0;
  return intersectionOverUnion(maskToRunLengths(back, width, height), maskToRunLengths(mask, width, height));
};

describe('polygons of a mask', () => {
  it('follow the edges of the pixels', () => {
    expect(maskToPolygons(maskOf(['0000', '0110', '0110', '0000']))).toEqual([[3, 1, 3, 3, 1, 3, 1, 1]]);
    expect(maskToPolygons(maskOf(['1']))).toEqual([[1, 0, 1, 1, 0, 1, 0, 0]]);
  });

  it('are one for each part, with parts joined at corners', () => {
    expect(maskToPolygons(maskOf(['1001', '0000', '1100']))).toHaveLength(3);
    const diagonal = maskToPolygons(maskOf(['100', '010', '001']));
    expect(diagonal).toHaveLength(1);
    expect(likeness(maskOf(['100', '010', '001']), diagonal, 3, 3)).toBe(1);
  });

  it('preserve holes, and islands in holes', () => {
    const rows = ['1111111', '1000001', '1011101', '1010101', '1011101', '1000001', '1111111'];
    const polygons = maskToPolygons(maskOf(rows));
    expect(polygons).toHaveLength(2);
    expect(polygonsToMask(polygons, 7, 7)).toEqual(maskOf(rows));
  });

  it('drop parts smaller than the limit', () => {
    const mask = maskOf(['110001', '110000']);
    expect(maskToPolygons(mask, { minimumArea: 2 })).toHaveLength(1);
    expect(maskToPolygons(mask)).toHaveLength(2);
  });

  it('have few corners for a large smooth mask', () => {
    const mask = ellipseToMask([200, 150, 380, 30], 20, 400, 300)!;
    const [polygon, ...rest] = maskToPolygons(mask);
    expect(rest).toEqual([]);
    expect(polygon!.length / 2).toBeLessThan(80);
    expect(likeness(mask, [polygon!], 400, 300)).toBeGreaterThan(0.97);
  });

  it('cover at least 95 % of any mask and its surroundings', () => {
    const noise = fc
      .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 4 }))
      .chain(([width, height, zoom]) =>
        fc
          .uint8Array({ min: 0, max: 1, minLength: width * height, maxLength: width * height })
          .map((cells) => ({ width: width * zoom, height: height * zoom, zoom, columns: width, cells })),
      );
    fc.assert(
      fc.property(noise, ({ width, height, zoom, columns, cells }) => {
        const bitmap = new Uint8Array(width * height).map(
          (_, index) =>
            cells[Math.floor(Math.floor(index / width) / zoom) * columns + Math.floor((index % width) / zoom)]!,
        );
        const mask = maskFromBitmap(bitmap, width, height);
        if (mask === null) return;
        expect(likeness(mask, maskToPolygons(mask), width, height)).toBeGreaterThanOrEqual(0.95);
      }),
      { numRuns: 200 },
    );
  });

  it('are exact without tolerance', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 0, max: 1, minLength: 180, maxLength: 180 }), (bitmap) => {
        const mask = maskFromBitmap(bitmap, 15, 12);
        if (mask === null) return;
        const polygons = maskToPolygons(mask, { tolerance: 0 });
        expect(maskToRunLengths(polygonsToMask(polygons, 15, 12)!, 15, 12)).toEqual(encodeBitmap(bitmap, 15, 12));
      }),
    );
  });

  it('give no mask if no pixel is covered', () => {
    expect(polygonsToMask([], 10, 10)).toBeNull();
    expect(polygonsToMask([[20, 20, 30, 20, 30, 30]], 10, 10)).toBeNull();
  });
});
