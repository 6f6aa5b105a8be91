import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createScene } from '../../../renderer/canvas/scene.ts';
import { createSpatialIndex } from '../../../renderer/canvas/spatial-index.ts';
import type { SceneRecord, ShapeRecord } from '../../../renderer/canvas/types.ts';
import { makeShape } from '../../support/canvas-shape.ts';

const box = (id: number, zOrder: number, at: number): ShapeRecord =>
  makeShape(`c${id}`, 'rectangle', [at, at, at + 10, at + 10], { zOrder });

const edit = fc.record({
  upsert: fc.array(fc.tuple(fc.nat(30), fc.integer({ min: -2, max: 2 }), fc.nat(500)), { maxLength: 70 }),
  remove: fc.array(fc.nat(30), { maxLength: 5 }),
  isRead: fc.boolean(),
});

/** Reads through a new scene, which must sort everything. */
function orderOf(edits: readonly (readonly [readonly ShapeRecord[], readonly string[]])[]): readonly SceneRecord[] {
  const scene = createScene();
  scene.reset([], 0);
  for (const [upsert, remove] of edits) scene.apply(upsert, remove);
  return scene.all();
}

test('records are in drawing order after every edit, however many it changes', () => {
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 12 }), (edits) => {
      const scene = createScene();
      scene.reset([], 0);
      const done: [ShapeRecord[], string[]][] = [];
      for (const { upsert, remove, isRead } of edits) {
        const shapes = upsert.map(([id, zOrder, at]) => box(id, zOrder, at));
        const ids = remove.map((id) => `c${id}`);
        scene.apply(shapes, ids);
        done.push([shapes, ids]);
        if (isRead) expect(scene.all()).toEqual(orderOf(done));
      }
      expect(scene.all()).toEqual(orderOf(done));
    }),
    { numRuns: 300 },
  );
});

test('an index that was built in parts finds the same as one that is built at once', () => {
  const shapes = Array.from({ length: 5000 }, (_, id) => box(id, 0, (id * 37) % 900));
  const [one, other] = [createScene(), createScene()];
  const [pieces, whole] = [createSpatialIndex(one), createSpatialIndex(other)];
  for (const scene of [one, other]) scene.reset(shapes, 0);
  // A budget of zero is enough for the first part only.
  expect(pieces.prepare(0)).toBe(false);
  for (const scene of [one, other]) scene.apply([box(7, 0, 450)], ['c9']);
  let steps = 0;
  while (!pieces.prepare(0.1)) steps += 1;
  expect(steps).toBeGreaterThan(0);
  const area = { left: 440, top: 440, right: 470, bottom: 470 };
  expect(new Set(pieces.search(area))).toEqual(new Set(whole.search(area)));
  expect(pieces.bounds('c9')).toBeUndefined();
  expect(pieces.size()).toBe(4999);
});
