import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskFromBitmap } from '../../../preload/geometry/mask-runs.ts';
import type { ShapeRecord } from '../../../renderer/canvas/types.ts';
import { makeElement, makeShape } from '../../support/canvas-shape.ts';
import { driveEditor, type EditorDriver } from './support/editor-driver.ts';

const pick = (hand: EditorDriver, x: number, y: number): string | null => hand.editor.hits.pick({ x, y })?.id ?? null;

describe('the object under the pointer', () => {
  it('is the polygon itself, not the box around it', () => {
    const hand = driveEditor([makeShape('hook', 'polygon', [0, 0, 100, 0, 100, 100, 80, 100, 80, 20, 0, 20])]);
    expect(pick(hand, 90, 90)).toBe('hook');
    expect(pick(hand, 40, 60)).toBeNull();
  });

  it('follows the rotation of boxes and ellipses', () => {
    const hand = driveEditor([
      makeShape('box', 'rectangle', [100, 100, 200, 120], { rotation: 90 }),
      makeShape('ellipse', 'ellipse', [300, 110, 350, 100], { rotation: 90 }),
    ]);
    expect(pick(hand, 150, 150)).toBe('box');
    expect(pick(hand, 195, 110)).toBeNull();
    expect(pick(hand, 300, 150)).toBe('ellipse');
    expect(pick(hand, 340, 110)).toBeNull();
  });

  it('is reached within the same screen distance at every zoom', () => {
    const hand = driveEditor([makeShape('line', 'polyline', [50, 50, 150, 50])]);
    expect(pick(hand, 100, 57)).toBe('line');
    expect(pick(hand, 100, 60)).toBeNull();
    hand.editor.view.set({ scale: 4, offsetX: 0, offsetY: 0, rotation: 0 });
    expect(pick(hand, 100, 57)).toBeNull();
    expect(pick(hand, 100, 51.5)).toBe('line');
  });

  it('is a mask at its pixels, and not in its holes', () => {
    const isSet = (x: number, y: number): boolean => x < 5 || y < 5 || x >= 25 || y >= 25;
    const bitmap = new Uint8Array(30 * 30).map((_, at) => (isSet(at % 30, Math.floor(at / 30)) ? 1 : 0));
    const points = maskFromBitmap(bitmap, 30, 30, { left: 100, top: 100 })!;
    const hand = driveEditor([makeShape('mask', 'mask', points)]);
    expect(pick(hand, 102, 115)).toBe('mask');
    expect(pick(hand, 115, 115)).toBeNull();
  });

  it('is a skeleton at its elements, its edges and between them', () => {
    const elements = [makeElement('a', 31, [100, 100]), makeElement('b', 32, [100, 200])];
    const hand = driveEditor([makeShape('person', 'skeleton', [], { labelId: 3, elements })]);
    expect(pick(hand, 105, 150)).toBe('person');
    expect(pick(hand, 130, 150)).toBeNull();
  });

  it('is a cuboid on each of its faces', () => {
    const points = [100, 100, 100, 200, 200, 100, 200, 200, 140, 60, 140, 160, 240, 60, 240, 160];
    const hand = driveEditor([makeShape('cuboid', 'cuboid', points)]);
    expect(pick(hand, 150, 150)).toBe('cuboid');
    expect(pick(hand, 220, 120)).toBe('cuboid');
    expect(pick(hand, 170, 80)).toBe('cuboid');
    expect(pick(hand, 110, 70)).toBeNull();
  });

  it('is the smallest of those with the same z order', () => {
    const hand = driveEditor([
      makeShape('small', 'rectangle', [90, 90, 110, 110]),
      makeShape('large', 'rectangle', [50, 50, 150, 150]),
      makeShape('middle', 'rectangle', [80, 80, 120, 120]),
    ]);
    expect(pick(hand, 100, 100)).toBe('small');
    expect(pick(hand, 85, 85)).toBe('middle');
  });
});

describe('the spatial index', () => {
  const boxes = fc.array(
    fc.tuple(fc.nat(380), fc.nat(280), fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })),
    { maxLength: 40 },
  );
  const recordOf = (place: number, [x, y, width, height]: readonly [number, number, number, number]): ShapeRecord =>
    makeShape(`shape-${place}`, 'rectangle', [x, y, x + width, y + height]);

  it('finds the same as a check of every shape after any additions, changes and removals', () => {
    const change = fc.record({
      place: fc.nat(60),
      kind: fc.constantFrom('put', 'hide', 'remove'),
      box: boxes.map(([box]) => box),
    });
    fc.assert(
      fc.property(boxes, fc.array(change, { maxLength: 20 }), fc.nat(300), fc.nat(200), (initial, changes, x, y) => {
        const hand = driveEditor(initial.map((box, place) => recordOf(place, box)));
        const region = { left: x, top: y, right: x + 60, bottom: y + 60 };
        hand.editor.index.search(region);
        for (const { place, kind, box } of changes) {
          const id = `shape-${place}`;
          if (kind === 'remove') hand.editor.scene.apply([], [id]);
          else if (box !== undefined) {
            hand.editor.scene.apply([{ ...recordOf(place, box), hidden: kind === 'hide' }], []);
          }
        }
        const expected = hand
          .shapes()
          .filter(({ hidden, points: [x1 = 0, y1 = 0, x2 = 0, y2 = 0] }) => {
            return !hidden && x1 <= region.right && x2 >= region.left && y1 <= region.bottom && y2 >= region.top;
          })
          .map(({ clientId }) => clientId);
        expect(hand.editor.index.search(region).sort()).toEqual(expected.sort());
      }),
    );
  });
});
