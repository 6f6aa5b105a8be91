import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Handle } from '../../../renderer/canvas/shapes/behaviour.ts';
import type { ShapeRecord } from '../../../renderer/canvas/types.ts';
import { makeElement, makeShape } from '../../support/canvas-shape.ts';
import { driveEditor, type EditorDriver } from './support/editor-driver.ts';

const box = makeShape('box', 'rectangle', [50, 50, 150, 120]);
const polygon = makeShape('polygon', 'polygon', [200, 50, 300, 50, 300, 150, 200, 150]);
const mask = makeShape('mask', 'mask', [0, 100, 20, 220, 29, 229]);
const cuboid = makeShape(
  'cuboid',
  'cuboid',
  [20, 160, 20, 260, 120, 160, 120, 260, 40, 140, 40, 240, 140, 140, 140, 240],
);
const skeleton = makeShape('skeleton', 'skeleton', [], {
  labelId: 3,
  elements: [makeElement('head', 31, [200, 180]), makeElement('foot', 32, [240, 280])],
});

function driveSelected(...records: ShapeRecord[]): EditorDriver {
  const hand = driveEditor(records);
  hand.editor.selection.set(records.map(({ clientId }) => clientId));
  return hand;
}

function handle(hand: EditorDriver, id: string): Handle {
  const found = hand.editor.selected.handles().find((one) => one.id === id);
  if (found === undefined) throw new Error(`no handle ${id}`);
  return found;
}

const handleIds = (hand: EditorDriver): string[] => hand.editor.selected.handles().map(({ id }) => id);

function pull(
  hand: EditorDriver,
  id: string,
  by: readonly [number, number],
  modifiers: { shift?: boolean } = {},
): void {
  const { x, y } = handle(hand, id);
  hand.drag([x, y], [x + by[0], y + by[1]], modifiers);
}

describe('a path as a whole', () => {
  it('is scaled by a corner; the opposite one stays', () => {
    const hand = driveSelected(polygon);
    pull(hand, 'se', [50, 100]);
    expect(hand.shape('polygon').points).toEqual([200, 50, 350, 50, 350, 250, 200, 250]);
    expect(hand.last().kind).toBe('resize');
    hand.editor.undo();
    expect(hand.shape('polygon').points).toEqual(polygon.points);
  });

  it('keeps its proportions with Shift, and scales in one direction by a side', () => {
    const hand = driveSelected(polygon);
    pull(hand, 'se', [50, 50], { shift: true });
    expect(hand.shape('polygon').points).toEqual([200, 50, 350, 50, 350, 200, 200, 200]);
    pull(hand, 'w', [-30, 40]);
    expect(hand.shape('polygon').points).toEqual([170, 50, 350, 50, 350, 200, 170, 200]);
  });

  it('is rotated by its knob, with Shift in steps of 15 degrees', () => {
    const hand = driveSelected(polygon);
    const knob = handle(hand, 'rotate');
    hand.drag([knob.x, knob.y], [380, 104], { shift: true });
    expect(hand.shape('polygon').points).toEqual([300, 50, 300, 150, 200, 150, 200, 50]);
    expect(hand.last().kind).toBe('rotate');
  });

  it('cannot be flipped', () => {
    const hand = driveSelected(polygon);
    pull(hand, 'e', [-180, 0]);
    const [left = 0, , right = 0] = hand.shape('polygon').points;
    expect(left).toBe(200);
    expect(right).toBeGreaterThanOrEqual(left);
  });

  it('keeps its vertices accessible, and has no box if it is small', () => {
    const hand = driveEditor([polygon, makeShape('small', 'polygon', [10, 10, 22, 10, 16, 20])]);
    hand.editor.selection.set(['polygon']);
    pull(hand, 'v2', [20, 10]);
    expect(hand.shape('polygon').points).toEqual([200, 50, 300, 50, 320, 160, 200, 150]);
    hand.editor.selection.set(['small']);
    expect(handleIds(hand)).toEqual(['v0', 'v1', 'v2']);
  });

  it('a skeleton is scaled with its nodes; a cuboid is scaled, not rotated', () => {
    const hand = driveEditor([skeleton, cuboid]);
    hand.editor.selection.set(['skeleton']);
    pull(hand, 'nw', [-40, -50]);
    expect(hand.shape('skeleton').elements?.map(({ points }) => points)).toEqual([
      [160, 130],
      [240, 280],
    ]);
    hand.editor.selection.set(['cuboid']);
    expect(handleIds(hand)).not.toContain('rotate');
    pull(hand, 'e', [120, 0]);
    expect(hand.shape('cuboid').points.slice(0, 8)).toEqual([20, 160, 20, 260, 220, 160, 220, 260]);
  });
});

describe('several shapes', () => {
  it('are scaled together, as one command', () => {
    const hand = driveSelected(box, polygon);
    pull(hand, 'sw', [-25, 100]);
    expect(hand.commands).toHaveLength(1);
    expect(hand.shape('polygon').points).toEqual([190, 50, 300, 50, 300, 250, 190, 250]);
    expect(hand.shape('box').points).toEqual([25, 50, 135, 190]);
    hand.editor.undo();
    expect(hand.shape('box').points).toEqual(box.points);
    expect(hand.shape('polygon').points).toEqual(polygon.points);
  });

  it('are rotated together: boxes get a rotation', () => {
    const hand = driveSelected(box, polygon);
    const knob = handle(hand, 'rotate');
    hand.drag([knob.x, knob.y], [390, 101], { shift: true });
    expect(hand.shape('box')).toMatchObject({ rotation: 90, points: [140, -10, 240, 60] });
    expect(hand.shape('polygon').points).toEqual([225, 125, 225, 225, 125, 225, 125, 125]);
  });

  it('with a mask among them can only be moved', () => {
    const hand = driveSelected(box, mask);
    expect(handleIds(hand)).toEqual([]);
    hand.drag([100, 100], [110, 105]);
    expect(hand.shape('box').points).toEqual([60, 55, 160, 125]);
    expect(hand.shape('mask').points).toEqual([0, 100, 30, 225, 39, 234]);
  });

  it('exclude locked or pinned ones', () => {
    const locked = makeShape('locked', 'rectangle', [10, 200, 40, 230], { locked: true });
    const pinned = makeShape('pinned', 'rectangle', [60, 200, 90, 230], { pinned: true });
    const hand = driveSelected(box, polygon, locked, pinned);
    pull(hand, 'se', [50, 50]);
    expect(hand.last().changes.map(({ clientId }) => clientId)).toEqual(['box', 'polygon']);
  });

  it('more than 200 are moved without objects, and have no handles', () => {
    const many = Array.from({ length: 201 }, (_, place) =>
      makeShape(`s${place}`, 'rectangle', [place, 10, place + 20, 40]),
    );
    const hand = driveEditor(many);
    hand.editor.selection.all();
    expect(hand.editor.selected.objects()).toEqual([]);
    expect(handleIds(hand)).toEqual([]);
    hand.drag([100, 20], [110, 40]);
    expect(hand.last().changes).toHaveLength(201);
    expect(hand.shape('s7').points).toEqual([17, 30, 37, 60]);
  });

  it('are restored when the gesture is cancelled, and follow their records afterwards', () => {
    const hand = driveSelected(box, polygon);
    const corner = handle(hand, 'se');
    hand.move(corner.x, corner.y);
    hand.down(corner.x, corner.y);
    hand.move(corner.x + 60, corner.y + 60);
    expect(hand.editor.toolView().drafts).toHaveLength(2);
    hand.editor.tools.current().cancel();
    hand.up(corner.x + 60, corner.y + 60);
    expect(hand.commands).toEqual([]);
    expect(handle(hand, 'se')).toEqual(corner);
    hand.editor.commands.update(['polygon'], { points: [200, 50, 320, 50, 320, 170] });
    expect(handle(hand, 'se')).toMatchObject({ x: corner.x + 20, y: corner.y + 20 });
  });

  it('have their handles at the displayed position', () => {
    const hand = driveSelected(box, polygon);
    hand.editor.view.set({ scale: 2, offsetX: 30, offsetY: 10, rotation: 90 });
    // Six screen pixels beyond the bounds.
    expect(handle(hand, 'se')).toMatchObject({ x: 303, y: 153 });
    pull(hand, 'se', [25, 50]);
    expect(hand.shape('box').points).toEqual([50, 50, 160, 155]);
  });
});

it('undo restores every dragged shape exactly', () => {
  const step = fc.record({
    ids: fc.subarray(['box', 'polygon', 'cuboid', 'skeleton', 'mask'], { minLength: 1 }),
    place: fc.nat(20),
    by: fc.tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -80, max: 80 })),
    shift: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
      const records = [box, polygon, cuboid, skeleton, mask];
      const hand = driveEditor(records);
      for (const { ids, place, by, shift } of steps) {
        hand.editor.selection.set(ids);
        const handles = hand.editor.selected.handles();
        const grip = handles[place % Math.max(1, handles.length)];
        if (grip !== undefined) hand.drag([grip.x, grip.y], [grip.x + by[0], grip.y + by[1]], { shift });
      }
      for (const shape of hand.shapes()) {
        for (const value of [...shape.points, ...(shape.elements ?? []).flatMap(({ points }) => points)]) {
          expect(value).not.toBeNaN();
        }
      }
      while (hand.editor.undo() !== null);
      expect(hand.shapes()).toEqual(records);
    }),
    { numRuns: 150 },
  );
});
