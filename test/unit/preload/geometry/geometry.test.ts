import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  boundingBox,
  boxIntersectionOverUnion,
  convexHull,
  distanceToPolyline,
  distanceToSegment,
  isPointInPolygon,
  minimumAreaRectangle,
  rotatedRectangleToPolygon,
  rotatePoint,
  shoelaceArea,
  signedPolygonArea,
} from '../../../../preload/geometry/geometry.ts';
import {
  isSimplePolygon,
  polygonIntersectionArea,
  polygonIntersectionOverUnion,
} from '../../../../preload/geometry/polygon-overlap.ts';

const coordinate = fc.double({ min: -100, max: 100, noNaN: true });
const square = [0, 0, 4, 0, 4, 4, 0, 4];

describe('the box of a shape', () => {
  it('encloses a rotated rectangle and a rotated ellipse', () => {
    expect(boundingBox({ type: 'rectangle', points: [0, 0, 4, 2] })).toEqual({ left: 0, top: 0, right: 4, bottom: 2 });
    const turned = boundingBox({ type: 'rectangle', points: [0, 0, 4, 2], rotation: 90 })!;
    expect(turned.left).toBeCloseTo(1, 12);
    expect(turned.bottom).toBeCloseTo(3, 12);
    const ellipse = boundingBox({ type: 'ellipse', points: [10, 10, 14, 8], rotation: 90 })!;
    expect(ellipse.left).toBeCloseTo(8, 12);
    expect(ellipse.top).toBeCloseTo(6, 12);
    expect(boundingBox({ type: 'ellipse', points: [10, 10, 14, 8] })).toEqual({
      left: 6,
      top: 8,
      right: 14,
      bottom: 12,
    });
  });

  it('ends at the outer edges of the last pixels of a mask', () => {
    const box = { left: 3, top: 2, right: 5, bottom: 3 };
    expect(boundingBox({ type: 'mask', points: [0, 2, 3, 2, 4, 2] })).toEqual(box);
  });

  it('counts the visible elements of a skeleton', () => {
    const elements = [
      { type: 'points' as const, points: [1, 2] },
      { type: 'points' as const, points: [5, 9] },
      { type: 'points' as const, points: [50, 90], outside: true },
    ];
    expect(boundingBox({ type: 'skeleton', points: [], elements })).toEqual({ left: 1, top: 2, right: 5, bottom: 9 });
    expect(boundingBox({ type: 'skeleton', points: [], elements: elements.slice(2) })!.left).toBe(50);
  });

  it('is missing for an empty shape', () => {
    expect(boundingBox({ type: 'polygon', points: [] })).toBeNull();
    expect(boundingBox({ type: 'skeleton', points: [], elements: [] })).toBeNull();
    expect(boundingBox({ type: 'rectangle', points: [1, 2] })).toBeNull();
  });
});

describe('points and distances', () => {
  it('rotate clockwise on screen', () => {
    const [x, y] = rotatePoint(2, 0, 0, 0, 90);
    expect(x).toBeCloseTo(0, 12);
    expect(y).toBeCloseTo(2, 12);
    expect(rotatedRectangleToPolygon([0, 0, 4, 2], 0)).toEqual([0, 0, 4, 0, 4, 2, 0, 2]);
    const corners = rotatedRectangleToPolygon([0, 0, 4, 2], 90);
    [3, -1, 3, 3, 1, 3, 1, -1].forEach((value, index) => expect(corners[index]).toBeCloseTo(value, 12));
  });

  it('are classified as inside or outside, also in holes', () => {
    expect(isPointInPolygon(2, 2, square)).toBe(true);
    expect(isPointInPolygon(5, 2, square)).toBe(false);
    const bridged = [...square, 0, 0, 1, 1, 1, 3, 3, 3, 3, 1, 1, 1];
    expect(isPointInPolygon(2, 2, bridged)).toBe(false);
    expect(isPointInPolygon(0.5, 2, bridged)).toBe(true);
    expect(isPointInPolygon(0, 0, [])).toBe(false);
  });

  it('have distances to the nearest point of a line', () => {
    expect(distanceToSegment(5, 5, 0, 0, 10, 0)).toBe(5);
    expect(distanceToSegment(13, 4, 0, 0, 10, 0)).toBe(5);
    expect(distanceToSegment(3, 4, 0, 0, 0, 0)).toBe(5);
    expect(distanceToPolyline(-1, 2, square)).toBeGreaterThan(2);
    expect(distanceToPolyline(-1, 2, square, true)).toBe(1);
    expect(distanceToPolyline(3, 4, [0, 0])).toBe(5);
    expect(distanceToPolyline(3, 4, [])).toBe(Infinity);
  });

  it('give areas with a sign for the direction', () => {
    expect(signedPolygonArea(square)).toBe(16);
    expect(signedPolygonArea([0, 0, 0, 4, 4, 4, 4, 0])).toBe(-16);
    expect(shoelaceArea([0, 0, 4, 0])).toBe(0);
    const far = square.map((value) => value + 1e9);
    expect(shoelaceArea(far)).toBe(16);
  });
});

describe('the smallest rectangle around points', () => {
  it('reconstructs a rotated rectangle', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 1, max: 60 }),
        fc.double({ min: 0, max: 359, noNaN: true }),
        (width, height, rotation) => {
          const found = minimumAreaRectangle(rotatedRectangleToPolygon([10, 20, 10 + width, 20 + height], rotation))!;
          const [x1, y1, x2, y2] = found.points;
          expect((x1 + x2) / 2).toBeCloseTo(10 + width / 2, 6);
          expect((y1 + y2) / 2).toBeCloseTo(20 + height / 2, 6);
          const sides = [x2 - x1, y2 - y1].sort((a, b) => a - b);
          expect(sides[0]).toBeCloseTo(Math.min(width, height), 6);
          expect(sides[1]).toBeCloseTo(Math.max(width, height), 6);
          expect(found.rotation).toBeGreaterThanOrEqual(0);
          expect(found.rotation).toBeLessThan(90);
        },
      ),
    );
  });

  it('encloses every point', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 20 }), (pairs) => {
        const found = minimumAreaRectangle(pairs.flat());
        if (found === null) return;
        const [x1, y1, x2, y2] = found.points;
        for (const [x, y] of pairs) {
          const [u, v] = rotatePoint(x, y, (x1 + x2) / 2, (y1 + y2) / 2, -found.rotation);
          expect(u).toBeGreaterThan(x1 - 1e-6);
          expect(u).toBeLessThan(x2 + 1e-6);
          expect(v).toBeGreaterThan(y1 - 1e-6);
          expect(v).toBeLessThan(y2 + 1e-6);
        }
      }),
    );
    expect(minimumAreaRectangle([])).toBeNull();
    expect(convexHull([0, 0, 4, 0, 2, 2, 4, 4, 0, 4, 2, 0])).toEqual([0, 0, 4, 0, 4, 4, 0, 4]);
  });
});

describe('intersection over union', () => {
  it('compares boxes', () => {
    const box = { left: 0, top: 0, right: 10, bottom: 10 };
    expect(boxIntersectionOverUnion(box, box)).toBe(1);
    expect(boxIntersectionOverUnion(box, { left: 5, top: 5, right: 15, bottom: 15 })).toBe(25 / 175);
    expect(boxIntersectionOverUnion(box, { left: 10, top: 0, right: 20, bottom: 10 })).toBe(0);
  });

  it('compares polygons, also concave ones', () => {
    expect(polygonIntersectionOverUnion(square, square)).toBe(1);
    const arch = [0, 0, 6, 0, 6, 6, 4, 6, 4, 2, 2, 2, 2, 6, 0, 6];
    expect(polygonIntersectionArea(arch, [0, 3, 6, 3, 6, 5, 0, 5])).toBeCloseTo(8, 12);
    expect(polygonIntersectionArea(square, [4, 0, 8, 0, 8, 4])).toBe(0);
    const diamond = [2, -1, 5, 2, 2, 5, -1, 2];
    expect(polygonIntersectionArea(square, diamond)).toBeCloseTo(14, 12);
    expect(polygonIntersectionOverUnion(square, diamond)).toBeCloseTo(14 / 20, 12);
  });

  it('does not compare polygons that cross or touch themselves or have no area', () => {
    expect(isSimplePolygon(square)).toBe(true);
    expect(isSimplePolygon([...square, 0, 4])).toBe(true);
    expect(isSimplePolygon([0, 0, 4, 4, 4, 0, 0, 4])).toBe(false);
    expect(isSimplePolygon([0, 0, 2, 2, 4, 4])).toBe(false);
    expect(isSimplePolygon([0, 0, 4, 0, 4, 4, 2, 0, 0, 4])).toBe(false);
    expect(isSimplePolygon([0, 0, 8, 0, 4, 0, 4, 4])).toBe(false);
    expect(polygonIntersectionOverUnion(square, [0, 0, 4, 4, 4, 0, 0, 4])).toBe(0);
  });

  it('agrees with boxes for any two rectangles drawn as polygons', () => {
    const side = fc.integer({ min: 1, max: 30 });
    const place = fc.integer({ min: 0, max: 30 });
    const boxes = fc
      .tuple(place, place, side, side)
      .map(([left, top, width, height]) => ({ left, top, right: left + width, bottom: top + height }));
    fc.assert(
      fc.property(boxes, boxes, (first, second) => {
        const toPolygon = (box: typeof first): number[] =>
          rotatedRectangleToPolygon([box.left, box.top, box.right, box.bottom], 0);
        expect(polygonIntersectionOverUnion(toPolygon(first), toPolygon(second))).toBeCloseTo(
          boxIntersectionOverUnion(first, second),
          10,
        );
      }),
    );
  });
});
