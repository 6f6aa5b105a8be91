import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxCentre, boxCorners } from '../../../renderer/canvas/geometry/box.ts';
import { decodeMask, movedMask } from '../../../renderer/canvas/geometry/mask.ts';
import { createMaskPainting } from '../../../renderer/canvas/geometry/mask-painting.ts';
import { nearestEdge } from '../../../renderer/canvas/geometry/path.ts';
import {
  bearing,
  clampShift,
  rotatePoint,
  snapToEighth,
  squareCorner,
} from '../../../renderer/canvas/geometry/point.ts';
import {
  bitmapTransform,
  heldView,
  imageToScreen,
  rotatedView,
  screenToImage,
  viewOfBox,
  zoomedView,
} from '../../../renderer/canvas/geometry/view-transform.ts';
import { resizeBox } from '../../../renderer/canvas/shapes/resize-box.ts';
import type { Point, View, ViewRotation } from '../../../renderer/canvas/types.ts';

const coordinate = fc.double({ min: -2000, max: 2000, noNaN: true });
const point = fc.record({ x: coordinate, y: coordinate });
const rotation = fc.constantFrom<ViewRotation>(0, 90, 180, 270);
const view: fc.Arbitrary<View> = fc.record({
  scale: fc.double({ min: 0.01, max: 40, noNaN: true }),
  offsetX: coordinate,
  offsetY: coordinate,
  rotation,
});

function expectSamePoint(a: Point, b: Point, digits = 5): void {
  expect(a.x).toBeCloseTo(b.x, digits);
  expect(a.y).toBeCloseTo(b.y, digits);
}

describe('the view', () => {
  it('maps to the screen and back', () => {
    fc.assert(
      fc.property(view, point, (at, image) => expectSamePoint(screenToImage(at, imageToScreen(at, image)), image)),
    );
  });

  it('zooms to the point under the pointer, within its limits', () => {
    fc.assert(
      fc.property(view, point, fc.double({ min: 0.01, max: 100, noNaN: true }), (from, at, scale) => {
        const to = zoomedView(from, scale, at);
        expect(to.scale).toBeGreaterThanOrEqual(0.01);
        expect(to.scale).toBeLessThanOrEqual(40);
        expectSamePoint(imageToScreen(to, screenToImage(from, at)), at, 4);
      }),
    );
  });

  it('rotates about the centre, and four quarter turns are none', () => {
    const host = { width: 800, height: 600 };
    fc.assert(
      fc.property(view, (from) => {
        const once = rotatedView(from, 1, host);
        expectSamePoint(screenToImage(once, { x: 400, y: 300 }), screenToImage(from, { x: 400, y: 300 }), 3);
        const around = rotatedView(rotatedView(rotatedView(once, 1, host), 1, host), 1, host);
        expect(around.rotation).toBe(from.rotation);
        expect(around.offsetX).toBeCloseTo(from.offsetX, 3);
      }),
    );
  });

  it('fits a box into the host with its margin', () => {
    const box = { left: 100, top: 50, right: 300, bottom: 150 };
    const at = viewOfBox(box, { width: 800, height: 600 }, 0, 50);
    expect(at.scale).toBe(3.5);
    expectSamePoint(imageToScreen(at, boxCentre(box)), { x: 400, y: 300 });
    expect(viewOfBox(box, { width: 800, height: 600 }, 90, 50).scale).toBe(2.5);
  });

  it('never loses the image', () => {
    const lost: View = { scale: 1, offsetX: 5000, offsetY: -5000, rotation: 0 };
    const held = heldView(lost, { width: 400, height: 300 }, { width: 800, height: 600 }, 48);
    expect(imageToScreen(held, { x: 0, y: 300 })).toEqual({ x: 752, y: 48 });
  });

  it('moves a bitmap to the position of a new drawing', () => {
    fc.assert(
      fc.property(view, view, point, (from, other, image) => {
        const to = { ...other, rotation: from.rotation };
        const { scale, x, y } = bitmapTransform(from, to);
        const drawn = imageToScreen(from, image);
        const wanted = imageToScreen(to, image);
        expect(Math.abs(drawn.x * scale + x - wanted.x)).toBeLessThan(1e-3);
        expect(Math.abs(drawn.y * scale + y - wanted.y)).toBeLessThan(1e-3);
      }),
    );
  });
});

describe('points', () => {
  it('have bearings from up, clockwise', () => {
    const centre = { x: 10, y: 10 };
    expect(
      [
        { x: 10, y: 0 },
        { x: 20, y: 10 },
        { x: 10, y: 20 },
        { x: 0, y: 10 },
      ].map((to) => bearing(centre, to)),
    ).toEqual([0, 90, 180, 270]);
  });

  it('snap to the nearest of eight directions without getting farther than the pointer', () => {
    fc.assert(
      fc.property(point, point, (from, to) => {
        const snapped = snapToEighth(from, to);
        const dx = Math.abs(snapped.x - from.x);
        const dy = Math.abs(snapped.y - from.y);
        expect(Math.min(dx, dy, Math.abs(dx - dy))).toBeLessThan(1e-6);
        expect(Math.hypot(dx, dy)).toBeLessThanOrEqual(Math.hypot(to.x - from.x, to.y - from.y) + 1e-9);
      }),
    );
  });

  it('span squares towards the pointer', () => {
    expect(squareCorner({ x: 100, y: 100 }, { x: 70, y: 110 })).toEqual({ x: 70, y: 130 });
  });

  it('stay within the image, unless they were outside already', () => {
    const image = { width: 100, height: 100 };
    const box = { left: 10, top: 10, right: 30, bottom: 30 };
    expect(clampShift(box, 500, -500, image)).toEqual({ x: 70, y: -10 });
    expect(clampShift({ ...box, right: 130 }, 50, 5, image)).toEqual({ x: 50, y: 5 });
  });
});

describe('paths', () => {
  const square = [0, 0, 10, 0, 10, 10, 0, 10];

  it('find the nearest edge, the closing one only if they are closed', () => {
    expect(nearestEdge(square, -1, 5, true)).toMatchObject({ index: 3, distance: 1 });
    expect(nearestEdge(square, -1, 5, false)?.index).not.toBe(3);
  });
});

it('resizing a rotated box keeps the opposite corner on screen', () => {
  const degrees = fc.integer({ min: 0, max: 359 });
  fc.assert(
    fc.property(degrees, point, (turn, to) => {
      const box = { left: 100, top: 100, right: 300, bottom: 200 };
      const corner = (of: typeof box, place: number): Point =>
        rotatePoint(boxCorners(of)[place] ?? { x: 0, y: 0 }, boxCentre(of), turn);
      const resized = resizeBox(box, turn, 'se', to, false);
      const anchor = corner(box, 0);
      const corners = [0, 1, 2, 3].map((place) => corner(resized, place));
      const nearest = Math.min(...corners.map(({ x, y }) => Math.hypot(x - anchor.x, y - anchor.y)));
      expect(nearest).toBeLessThan(1e-6);
      const reached = Math.min(...corners.map(({ x, y }) => Math.hypot(x - to.x, y - to.y)));
      expect(reached).toBeLessThan(1e-6);
    }),
  );
});

describe('masks', () => {
  const bits = fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 12 })).chain(([width, height]) =>
    fc.record({
      width: fc.constant(width),
      pixels: fc.uint8Array({ minLength: width * height, maxLength: width * height, max: 1 }),
    }),
  );

  it('have an outline as long as the borders of their pixels', () => {
    fc.assert(
      fc.property(bits, ({ width, pixels }) => {
        const height = pixels.length / width;
        const at = (x: number, y: number): number =>
          x < 0 || y < 0 || x >= width || y >= height ? 0 : (pixels[y * width + x] ?? 0);
        let borders = 0;
        for (let y = 0; y <= height; y += 1) {
          for (let x = 0; x <= width; x += 1) {
            if (at(x, y) !== at(x - 1, y)) borders += 1;
            if (at(x, y) !== at(x, y - 1)) borders += 1;
          }
        }
        const runs: number[] = [];
        let run = 0;
        let value = 0;
        for (const pixel of pixels) {
          if (pixel === value) run += 1;
          else {
            runs.push(run);
            run = 1;
            value = pixel;
          }
        }
        const { contour } = decodeMask([...runs, run, 0, 0, width - 1, height - 1]);
        let length = 0;
        for (let index = 0; index < contour.length; index += 4) {
          length += Math.abs((contour[index + 2] ?? 0) - (contour[index] ?? 0));
          length += Math.abs((contour[index + 3] ?? 0) - (contour[index + 1] ?? 0));
        }
        expect(length).toBe(borders);
      }),
    );
  });

  it('move only by their box', () => {
    expect(movedMask([0, 4, 10, 20, 11, 21], 5, -3)).toEqual([0, 4, 15, 17, 16, 18]);
  });

  it('are unchanged by a conversion to a bitmap and back', () => {
    const painting = createMaskPainting({ width: 50, height: 40 });
    const points = [1, 2, 1, 4, 10, 10, 13, 11];
    painting.load(points);
    expect(painting.toPoints()).toEqual(points);
  });

  it('revert exactly the changes of a stroke', () => {
    const painting = createMaskPainting({ width: 60, height: 60 });
    painting.load([0, 100, 5, 5, 14, 14]);
    const before = painting.toPoints();
    painting.beginStroke();
    painting.segment({ x: 10, y: 10 }, { x: 50, y: 50 }, { diameter: 7, form: 'square' }, 1);
    const patch = painting.endStroke();
    const after = painting.toPoints();
    expect(after).not.toEqual(before);
    if (patch === null) throw new Error('the stroke painted nothing');
    painting.restore(patch, 'before');
    expect(painting.toPoints()).toEqual(before);
    painting.restore(patch, 'after');
    expect(painting.toPoints()).toEqual(after);
  });
});
