import { expect, it } from 'vitest';
import { fitToFrame } from '../../../../preload/geometry/frame-fit.ts';

const size = { width: 100, height: 80 };

it('clips a line on the border, and does not drop it as outside', () => {
  expect(fitToFrame({ type: 'polyline', points: [100, 10, 100, 90] }, size)).toEqual({
    fit: 'cut',
    points: [100, 10, 100, 80],
  });
});

it('removes rounding errors of six-decimal fractions without calling the shape clipped', () => {
  expect(fitToFrame({ type: 'rectangle', points: [-0.00005, 0, 100.00005, 80] }, size)).toEqual({
    fit: 'inside',
    points: [0, 0, 100, 80],
  });
});

it('clips a box that is larger than a rounding error outside', () => {
  expect(fitToFrame({ type: 'rectangle', points: [-1, 0, 50, 40] }, size)).toEqual({
    fit: 'cut',
    points: [0, 0, 50, 40],
  });
});
