import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rotatedRectangleToPolygon } from '../../../../preload/geometry/geometry.ts';
import { maskArea, maskBox, maskProblem } from '../../../../preload/geometry/mask-runs.ts';
import {
  createPolygonRasterizer,
  ellipseToMask,
  polygonArea,
  polygonsToRunLengths,
  polygonToRunLengths,
} from '../../../../preload/geometry/polygon-raster.ts';
import { areaOfCounts, boundingBoxOfRuns, runLengthsProblem } from '../../../../preload/geometry/run-length.ts';

/** Results of the COCO API for polygons of this test: size as width, height; ring; counts. */
const vectors: [name: string, width: number, height: number, points: number[], counts: number[]][] = [
  [
    'a quadrilateral',
    14,
    12,
    [1.5, 2, 11, 3.25, 8.4, 10.1, 3, 8],
    [26, 4, 8, 6, 6, 7, 5, 7, 6, 6, 6, 7, 5, 7, 5, 4, 8, 1, 44],
  ],
  [
    'a triangle that leaves the image on three sides',
    9,
    9,
    [-3, -2, 12, 4, 4, 13],
    [0, 5, 4, 7, 2, 9, 1, 8, 1, 8, 1, 8, 2, 7, 2, 7, 3, 5, 1],
  ],
  [
    'an arch',
    12,
    10,
    [1, 1, 10, 1, 10, 8, 6, 8, 6, 4, 4, 4, 4, 8, 1, 8],
    [11, 7, 3, 7, 3, 7, 3, 3, 7, 3, 7, 7, 3, 7, 3, 7, 3, 7, 22],
  ],
  ['a bow tie', 8, 8, [1, 1, 6, 6, 6, 1, 1, 6], [9, 4, 5, 2, 14, 2, 5, 4, 19]],
  [
    'a sliver',
    20,
    6,
    [0.3, 5.7, 19.6, 0.2, 19.9, 1.4],
    [11, 1, 22, 1, 16, 1, 5, 1, 5, 1, 10, 1, 5, 1, 5, 1, 4, 1, 5, 1, 5, 1, 4, 2, 4, 1, 5],
  ],
  ['repeated vertices', 7, 7, [2, 2, 2, 2, 5, 2, 5, 5, 5, 5, 2, 5], [16, 3, 4, 3, 4, 3, 16]],
];

/**
 * A naive implementation of the definition: dense points along every edge on a grid five times finer, then the
 * crossings.
 */
function denseRunLengths(points: readonly number[], width: number, height: number): number[] {
  const fine = points.map((value) => Math.trunc(value * 5 + 0.5));
  const dense: [number, number][] = [];
  for (let index = 0; index < fine.length; index += 2) {
    let [x0, y0] = [fine[index]!, fine[index + 1]!];
    let [x1, y1] = [fine[(index + 2) % fine.length]!, fine[(index + 3) % fine.length]!];
    const dx = Math.abs(x1 - x0);
    const dy = Math.abs(y1 - y0);
    const isTurned = (dx >= dy && x0 > x1) || (dx < dy && y0 > y1);
    if (isTurned) [x0, y0, x1, y1] = [x1, y1, x0, y0];
    const slope = dx >= dy ? (y1 - y0) / dx : (x1 - x0) / dy;
    const line: [number, number][] = [];
    for (let d = 0; d <= Math.max(dx, dy); d += 1) {
      if (dx >= dy) line.push([x0 + d, Math.trunc(y0 + slope * d + 0.5)]);
      else line.push([Math.trunc(x0 + slope * d + 0.5), y0 + d]);
    }
    dense.push(...(isTurned ? line.toReversed() : line));
  }
  const positions: number[] = [];
  for (let index = 1; index < dense.length; index += 1) {
    const [x0, y0] = dense[index - 1]!;
    const [x1, y1] = dense[index]!;
    if (x0 === x1) continue;
    const x = (Math.min(x0, x1) + 0.5) / 5 - 0.5;
    if (!Number.isInteger(x) || x < 0 || x > width - 1) continue;
    const y = Math.ceil(Math.min(height, Math.max(0, (Math.min(y0, y1) + 0.5) / 5 - 0.5)));
    positions.push(x * height + y);
  }
  positions.push(width * height);
  positions.sort((a, b) => a - b);
  const runs = positions.map((position, index) => position - (positions[index - 1] ?? 0));
  const counts = [runs[0]!];
  for (let index = 1; index < runs.length; index += 1) {
    if (runs[index]! > 0) {
      counts.push(runs[index]!);
    } else {
      index += 1;
      if (index < runs.length) counts[counts.length - 1]! += runs[index]!;
    }
  }
  return counts;
}

const coordinate = fc.oneof(
  fc.integer({ min: -12, max: 40 }),
  fc.integer({ min: -240, max: 800 }).map((value) => value / 20),
  fc.double({ min: -12, max: 40, noNaN: true }),
);
const rings = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 }).map((pairs) => pairs.flat());

describe('rasterization of polygons compared with the COCO API', () => {
  it.each(vectors)('gives the same runs for %s', (_name, width, height, points, counts) => {
    expect(polygonToRunLengths(points, width, height).counts).toEqual(counts);
    expect(polygonArea(points, width, height)).toBe(areaOfCounts(counts));
  });

  it('gives the same as the dense definition for any ring', () => {
    const rasterizer = createPolygonRasterizer();
    fc.assert(
      fc.property(rings, fc.integer({ min: 1, max: 33 }), fc.integer({ min: 1, max: 33 }), (points, width, height) => {
        const runs = rasterizer.runLengths(points, width, height);
        expect(runs.counts).toEqual(denseRunLengths(points, width, height));
        expect(rasterizer.area(points, width, height)).toBe(areaOfCounts(runs.counts));
      }),
      { numRuns: 1000 },
    );
  });

  it('stays exact with more corners than its first buffers hold', () => {
    const points: number[] = [];
    for (let index = 0; index < 900; index += 1) points.push((index * 37) % 301, (index * 91) % 211);
    expect(polygonToRunLengths(points, 300, 200).counts).toEqual(denseRunLengths(points, 300, 200));
  });

  it('accepts coordinates far outside the image', () => {
    const points = [-1e12, -1e12, 1e12, -1e12, 1e12, 1e12, -1e12, 1e12];
    expect(polygonArea(points, 640, 480)).toBe(640 * 480);
    expect(polygonArea([0, -1e300, 10, 1e300, 640, 1e300, 640, -1e300], 640, 480)).toBeGreaterThan(630 * 479);
  });

  it('gives an empty mask for no polygon', () => {
    expect(polygonsToRunLengths([], 4, 3)).toEqual({ height: 3, width: 4, counts: [12] });
    expect(polygonToRunLengths([], 4, 3).counts).toEqual([12]);
  });
});

describe('rectangles and ellipses as pixels', () => {
  it('preserve the area of a rotated rectangle', () => {
    const corners = rotatedRectangleToPolygon([20, 40, 80, 60], 90);
    expect(boundingBoxOfRuns(polygonToRunLengths(corners, 100, 100))).toEqual([40, 20, 20, 60]);
    expect(polygonArea(rotatedRectangleToPolygon([20, 40, 80, 60], 30), 100, 100)).toBeGreaterThan(1180);
    expect(polygonArea(rotatedRectangleToPolygon([20, 40, 80, 60], 30), 100, 100)).toBeLessThan(1220);
  });

  it('draw an ellipse with its outline about the rounded centre', () => {
    expect(ellipseToMask([2, 2, 3, 1], 0, 5, 5)).toEqual([0, 9, 1, 1, 3, 3]);
    expect(maskBox(ellipseToMask([50, 40, 80, 30], 0, 100, 100)!)).toMatchObject({
      left: 20,
      top: 30,
      right: 80,
      bottom: 50,
    });
    expect(maskBox(ellipseToMask([50, 40, 80, 30], 90, 100, 100)!)).toMatchObject({
      left: 40,
      top: 10,
      right: 60,
      bottom: 70,
    });
  });

  it('rotate an ellipse clockwise on screen', () => {
    const box = maskBox(ellipseToMask([50, 50, 90, 48], 45, 100, 100)!);
    expect(box.left).toBeLessThan(24);
    expect(box.top).toBeLessThan(24);
    const mask = ellipseToMask([50, 50, 90, 48], 45, 50, 50)!;
    expect(maskArea(mask)).toBeGreaterThan(100);
    expect(ellipseToMask([50, 50, 90, 48], -45, 45, 45)).toBeNull();
  });

  it('are always valid masks with the area of the ellipse', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 15, max: 40 }),
        fc.integer({ min: 15, max: 40 }),
        fc.double({ min: 0, max: 360, noNaN: true }),
        (a, b, rotation) => {
          const mask = ellipseToMask([60, 60, 60 + a, 60 - b], rotation, 120, 120)!;
          expect(maskProblem(mask)).toBeNull();
          const ideal = Math.PI * (a + 0.5) * (b + 0.5);
          expect(Math.abs(maskArea(mask) - ideal) / ideal).toBeLessThan(0.02);
        },
      ),
    );
  });

  it('clip an ellipse at the image', () => {
    const mask = ellipseToMask([0, 0, 10, -10], 0, 8, 8)!;
    expect(maskBox(mask)).toMatchObject({ left: 0, top: 0, right: 7, bottom: 7 });
    expect(runLengthsProblem({ height: 8, width: 8, counts: mask.slice(0, -4) })).toBeNull();
  });
});
