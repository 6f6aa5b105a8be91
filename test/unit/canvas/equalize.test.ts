import fc from 'fast-check';
import { expect, test } from 'vitest';
import { brightnessOf, equalizing } from '../../../renderer/canvas/geometry/equalize.ts';

const grey = (values: readonly number[]): Uint8ClampedArray =>
  Uint8ClampedArray.from(values.flatMap((value) => [value, value, value, 255]));

test('spreads the few brightness values of an image from black to white', () => {
  const table = equalizing(grey([100, 100, 101, 101, 102, 102]));
  expect([100, 101, 102].map((value) => table?.[value])).toEqual([0, 0.5, 1]);
});

test('an image with all brightnesses equally often is unchanged', () => {
  const table = equalizing(grey(Array.from({ length: 256 }, (_, value) => value)));
  for (const [value, next] of (table ?? []).entries()) expect(next).toBeCloseTo(value / 255, 6);
  expect(table).toHaveLength(256);
});

test('an image of one brightness is unchanged; transparent pixels do not count', () => {
  expect(equalizing(grey([7, 7, 7]))).toBeNull();
  expect(equalizing(new Uint8ClampedArray(0))).toBeNull();
  expect(equalizing(Uint8ClampedArray.from([9, 9, 9, 255, 200, 200, 200, 0]))).toBeNull();
});

test('no brighter pixel becomes darker than another, and the darkest becomes black, the lightest white', () => {
  const pixel = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255));
  fc.assert(
    fc.property(fc.array(pixel, { minLength: 1, maxLength: 200 }), (pixels) => {
      const table = equalizing(Uint8ClampedArray.from(pixels.flatMap((one) => [...one, 255])));
      const values = pixels.map(([red, green, blue]) => Math.round(brightnessOf(red, green, blue)));
      const spread = values.toSorted((a, b) => a - b).map((value) => table?.[value] ?? 0);
      expect(spread).toEqual(spread.toSorted((a, b) => a - b));
      if (table !== null) expect([spread[0], spread.at(-1)]).toEqual([0, 1]);
    }),
  );
});
