import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { distanceToPolyline, shoelaceArea } from '../../../preload/geometry/geometry.ts';
import { maskArea } from '../../../preload/geometry/mask-runs.ts';
import { unitedPolygon } from '../../../renderer/canvas/geometry/polygon-union.ts';
import { areaTypes, asType, unitedMask } from '../../../renderer/canvas/shapes/shape-rings.ts';
import { simplified } from '../../../renderer/canvas/geometry/simplify-path.ts';
import { makeShape } from '../../support/canvas-shape.ts';

const image = { width: 200, height: 100 };
const square = (left: number, top: number, size: number): number[] => {
  const [right, bottom] = [left + size, top + size];
  return [left, top, right, top, right, bottom, left, bottom];
};
const maskOf = (points: readonly number[]): readonly number[] =>
  asType(makeShape('p', 'polygon', points), 'mask', image)[0]?.points ?? [];

describe('conversion of areas', () => {
  it('keeps their pixels', () => {
    const box = makeShape('b', 'rectangle', [10, 10, 60, 50]);
    for (const type of areaTypes) {
      const [once] = asType(box, type, image);
      if (once === undefined) throw new Error('Something is left.');
      const [back] = asType(makeShape('x', type, once.points, { rotation: once.rotation }), 'rectangle', image);
      expect(back).toEqual({ points: [10, 10, 60, 50], rotation: 0 });
    }
    expect(maskArea(asType(box, 'mask', image)[0]?.points ?? [])).toBe(2000);
    const [ellipse] = asType(box, 'ellipse', image);
    const mask = asType(makeShape('e', 'ellipse', ellipse?.points ?? []), 'mask', image)[0]?.points ?? [];
    expect(maskArea(mask) / (Math.PI * 25 * 20)).toBeCloseTo(1, 1);
  });

  it('keeps the rotation of box and ellipse, and creates one polygon for each part of a mask', () => {
    const box = makeShape('b', 'rectangle', [10, 10, 60, 50], { rotation: 30 });
    expect(asType(box, 'ellipse', image)).toEqual([{ points: [35, 30, 60, 10], rotation: 30 }]);
    expect(asType(box, 'polygon', image)[0]).toMatchObject({ rotation: 0 });
    const parts = unitedMask([maskOf(square(10, 10, 20)), maskOf(square(100, 10, 20))]) ?? [];
    expect(asType(makeShape('m', 'mask', parts), 'polygon', image)).toHaveLength(2);
  });

  it('drops areas without a pixel', () => {
    expect(asType(makeShape('p', 'polygon', square(10.1, 10.1, 0.2)), 'mask', image)).toEqual([]);
  });
});

describe('union of areas', () => {
  it('joins masks with the pixels of all', () => {
    const united = unitedMask([maskOf(square(10, 10, 20)), maskOf(square(20, 20, 20))]) ?? [];
    expect(maskArea(united)).toBe(700);
    expect(unitedMask([])).toBeNull();
  });

  it('joins polygons that overlap or share an edge, with exactly their corners', () => {
    const united = unitedPolygon([square(10, 10, 20), square(30, 10, 20)]);
    expect('ring' in united && shoelaceArea(united.ring)).toBe(800);
    const overlapping = unitedPolygon([square(10, 10, 20), square(20, 20, 20)]);
    expect('ring' in overlapping && shoelaceArea(overlapping.ring)).toBe(700);
    expect('ring' in overlapping && overlapping.ring).toHaveLength(16);
  });

  it('refuses separate areas', () => {
    expect(unitedPolygon([square(10, 10, 20), square(40, 10, 20)])).toEqual({ problem: 'apart' });
  });

  it('keeps the hole between them, and existing holes', () => {
    const sides = [
      [0, 0, 60, 0, 60, 10, 0, 10],
      [0, 50, 60, 50, 60, 60, 0, 60],
      [0, 0, 10, 0, 10, 60, 0, 60],
      [50, 0, 60, 0, 60, 60, 50, 60],
    ];
    const frame = unitedPolygon(sides);
    const ring = 'ring' in frame ? frame.ring : [];
    expect(shoelaceArea(ring)).toBe(3600 - 1600);
    const wider = unitedPolygon([ring, square(40, 20, 40)]);
    // The square covers 10 × 40 pixels on the right, and 10 × 10 more at the bottom.
    expect('ring' in wider && shoelaceArea(wider.ring)).toBe(2000 + 1600 - 500);
  });
});

it('simplified paths stay within the distance of the original, with their ends and at least three corners', () => {
  const coordinate = fc.integer({ min: 0, max: 100 });
  const points = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 30 });
  fc.assert(
    fc.property(points, fc.integer({ min: 1, max: 20 }), fc.boolean(), (pairs, tolerance, closed) => {
      const path = pairs.flat();
      const fewer = simplified(path, tolerance, closed);
      expect(fewer.length).toBeLessThanOrEqual(path.length);
      expect(fewer.length).toBeGreaterThanOrEqual(closed ? 6 : 4);
      if (!closed) expect([fewer.slice(0, 2), fewer.slice(-2)]).toEqual([path.slice(0, 2), path.slice(-2)]);
      for (const [x, y] of pairs) expect(distanceToPolyline(x, y, fewer, closed)).toBeLessThanOrEqual(tolerance + 1e-9);
    }),
  );
  expect(simplified([0, 0, 5, 0.2, 10, 0], 1, false)).toEqual([0, 0, 10, 0]);
  expect(simplified([0, 0, 5, 0.2, 10, 0, 10, 10], 1, true)).toEqual([0, 0, 10, 0, 10, 10]);
});
