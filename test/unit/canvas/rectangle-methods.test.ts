import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundingBox } from '../../../preload/geometry/geometry.ts';
import { rectangleOnEdge } from '../../../renderer/canvas/geometry/rectangle.ts';
import { makeShape } from '../../support/canvas-shape.ts';
import { driveTool } from './support/editor-driver.ts';

const extreme = { labelId: 1, rectangleMethod: 'extreme' } as const;
const rotated = { labelId: 1, rectangleMethod: 'rotated' } as const;

describe('a rectangle by four extreme points', () => {
  it('is the box around them, in any order of the clicks', () => {
    const hand = driveTool('rectangle', extreme);
    hand.clicks([100, 20], [160, 60], [90, 120]);
    expect(hand.shapes()).toEqual([]);
    hand.click(40, 70);
    expect(hand.shapes().map(({ type, points, rotation }) => [type, points, rotation])).toEqual([
      ['rectangle', [40, 20, 160, 120], 0],
    ]);
    expect(hand.drawings).toEqual(['start rectangle', 'done rectangle']);
    expect(hand.editor.tools.current().id).toBe('rectangle');
  });

  it('shows the box so far, and its size', () => {
    const hand = driveTool('rectangle', extreme);
    hand.clicks([100, 20]);
    hand.move(160, 60);
    const view = hand.editor.tools.current().view();
    expect(view.drafts[0]?.shape).toMatchObject({ type: 'rectangle', points: [100, 20, 160, 60] });
    expect(view.size).toEqual({ width: 60, height: 40 });
  });

  it('undoes and redoes its points, and is cancelled by Escape', () => {
    const hand = driveTool('rectangle', extreme);
    hand.clicks([100, 20], [160, 60], [300, 120]);
    hand.editor.undo();
    hand.editor.undo();
    hand.editor.redo();
    hand.clicks([90, 120], [40, 70]);
    expect(hand.shapes().map(({ points }) => points)).toEqual([[40, 20, 160, 120]]);
    hand.clicks([10, 10]);
    expect(hand.editor.tools.current().cancel()).toBe(true);
    expect(hand.drawings.at(-1)).toBe('cancelled rectangle');
    expect(hand.shapes()).toHaveLength(1);
  });

  it('is not finished before it has all four, nor with an empty box', () => {
    const hand = driveTool('rectangle', extreme);
    hand.clicks([10, 20], [50, 20], [70, 20]);
    expect(hand.editor.tools.current().finish()).toBe(false);
    hand.click(90, 20);
    expect(hand.refusals).toEqual(['canvas.refused.tooFew.extreme', 'canvas.refused.noExtent']);
    hand.click(90, 20, { button: 2 });
    hand.click(90, 80);
    expect(hand.shapes().map(({ points }) => points)).toEqual([[10, 20, 90, 80]]);
  });

  it('continues with its method when another one is selected during the drawing', () => {
    const hand = driveTool('rectangle', extreme);
    hand.clicks([100, 20], [160, 60]);
    hand.tool('rectangle', { rectangleMethod: 'corners' });
    hand.clicks([90, 120], [40, 70]);
    hand.drag([200, 200], [260, 240]);
    expect(hand.shapes().map(({ points }) => points)).toEqual([
      [40, 20, 160, 120],
      [200, 200, 260, 240],
    ]);
  });

  it('is refused with a label for another kind, and keeps its points', () => {
    const hand = driveTool('rectangle', { ...extreme, labelId: 2 });
    hand.clicks([100, 20], [160, 60], [90, 120], [40, 70]);
    expect(hand.refusals[0]).toContain('canvas.refused.otherType');
    expect(hand.shapes()).toEqual([]);
    hand.tool('rectangle', extreme);
    hand.editor.tools.current().finish();
    expect(hand.shapes()).toHaveLength(1);
  });
});

describe('a rotated rectangle', () => {
  it('is based on an edge and extends to the third point', () => {
    const hand = driveTool('rectangle', rotated);
    hand.clicks([100, 100], [180, 160]);
    hand.click(150, 200);
    const [shape] = hand.shapes();
    expect(shape?.rotation).toBeCloseTo(36.87, 2);
    const [left = 0, top = 0, right = 0, bottom = 0] = shape?.points ?? [];
    expect([right - left, bottom - top]).toEqual([expect.closeTo(100, 1), expect.closeTo(50, 1)]);
    expect(hand.drawings).toEqual(['start rectangle', 'done rectangle']);
  });

  it('snaps its edge to eight directions with Ctrl', () => {
    const hand = driveTool('rectangle', rotated);
    hand.click(100, 100);
    hand.click(180, 104, { mod: true });
    hand.click(150, 140);
    expect(hand.shapes().map(({ points, rotation }) => [points, rotation])).toEqual([[[100, 100, 180, 140], 0]]);
  });

  it('keeps the ends of its edge within its bounds', () => {
    const place = fc.record({ x: fc.integer({ min: 0, max: 500 }), y: fc.integer({ min: 0, max: 500 }) });
    fc.assert(
      fc.property(place, place, place, (a, b, c) => {
        fc.pre(Math.hypot(a.x - b.x, a.y - b.y) > 1);
        const { points, rotation } = rectangleOnEdge([a.x, a.y, b.x, b.y, c.x, c.y]);
        const box = boundingBox(makeShape('one', 'rectangle', points, { rotation }));
        for (const { x, y } of [a, b]) {
          expect(x).toBeGreaterThan((box?.left ?? Infinity) - 0.2);
          expect(x).toBeLessThan((box?.right ?? -Infinity) + 0.2);
          expect(y).toBeGreaterThan((box?.top ?? Infinity) - 0.2);
          expect(y).toBeLessThan((box?.bottom ?? -Infinity) + 0.2);
        }
      }),
    );
  });
});

describe('an ellipse', () => {
  const drawn = (options: { readonly labelId: number; readonly rectangleMethod: 'extreme' | 'rotated' }) =>
    driveTool('ellipse', options);

  it('by four extreme points touches their box', () => {
    const hand = drawn(extreme);
    hand.clicks([100, 20], [160, 60], [90, 120], [40, 70]);
    expect(hand.shapes().map(({ type, points, rotation }) => [type, points, rotation])).toEqual([
      ['ellipse', [100, 70, 160, 20], 0],
    ]);
  });

  it('by three points has the first two on its axis, and the third on the side', () => {
    const hand = drawn(rotated);
    hand.clicks([100, 100], [180, 160]);
    hand.click(110, 170);
    const [shape] = hand.shapes();
    expect(shape?.type).toBe('ellipse');
    expect(shape?.rotation).toBeCloseTo(36.87, 2);
    const [x = 0, y = 0, right = 0, top = 0] = shape?.points ?? [];
    expect([x, y, right - x, y - top].map(Math.round)).toEqual([140, 130, 50, 50]);
    expect(hand.drawings).toEqual(['start ellipse', 'done ellipse']);
  });
});
