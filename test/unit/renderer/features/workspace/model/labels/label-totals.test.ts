import { describe, expect, it } from 'vitest';
import { createScene } from '../../../../../../../renderer/canvas/scene.ts';
import type { SceneRecord } from '../../../../../../../renderer/canvas/types.ts';
import { createLabelTotals } from '../../../../../../../renderer/features/workspace/model/labels/label-totals.ts';
import { makeShape } from '../../../../../../support/canvas-shape.ts';
import { below, createRandom } from '../../../../../../support/random.ts';

const box = (id: number, more: Partial<SceneRecord> = {}): SceneRecord => ({
  ...makeShape(`${id}`, 'rectangle', [0, 0, 5, 5]),
  ...(more as object),
});

function counted(records: readonly SceneRecord[], labelId: number) {
  const own = records.filter((one) => one.labelId === labelId && one.suggestion !== true && one.filteredOut !== true);
  return { count: own.length, shown: own.filter(({ hidden }) => !hidden).length };
}

describe('totals of labels', () => {
  it('equal a count of all objects, after any edits', () => {
    const random = createRandom(7);
    const scene = createScene();
    const totals = createLabelTotals(scene);
    totals.subscribe(() => {});
    const some = (id: number): SceneRecord =>
      box(id, { labelId: below(random, 4), hidden: random() < 0.3, suggestion: random() < 0.2 });
    for (let step = 0; step < 400; step += 1) {
      const kind = random();
      if (kind < 0.05)
        scene.reset(
          Array.from({ length: below(random, 30) }, (_, id) => some(id)),
          0,
        );
      else if (kind < 0.15) {
        const hiddenLabel = below(random, 5);
        scene.setFilter(hiddenLabel === 4 ? null : ({ labelId }) => labelId !== hiddenLabel);
      } else scene.apply([some(below(random, 40)), some(below(random, 40))], [`${below(random, 40)}`]);
      const labels = [0, 1, 2, 3];
      expect(labels.map((label) => totals.of(label))).toEqual(labels.map((label) => counted(scene.all(), label)));
      expect(totals.count()).toBe(labels.reduce((sum, label) => sum + counted(scene.all(), label).count, 0));
    }
  });

  it('read only the edited objects, and are unchanged if no number changes', () => {
    const scene = createScene();
    scene.reset(
      Array.from({ length: 10_000 }, (_, id) => box(id, { labelId: id % 300 })),
      0,
    );
    let read = 0;
    const totals = createLabelTotals({
      subscribe: scene.subscribe,
      all: scene.all,
      get(id) {
        read += 1;
        return scene.get(id);
      },
    });
    totals.subscribe(() => {});
    const before = [totals.of(5), totals.of(6)];
    scene.apply([{ ...box(5), labelId: 5, zOrder: 3 } as SceneRecord], []);
    expect([totals.of(5), totals.of(6)].map((total, index) => total === before[index])).toEqual([true, true]);
    scene.apply([{ ...box(5), labelId: 6 }], []);
    expect([totals.of(5).count, totals.of(6).count]).toEqual([33, 35]);
    expect(read).toBe(2);
  });

  it('are counted again after a return', () => {
    const scene = createScene();
    const totals = createLabelTotals(scene);
    const stop = totals.subscribe(() => {});
    stop();
    scene.apply([box(1)], []);
    totals.subscribe(() => {});
    expect(totals.of(1).count).toBe(1);
  });
});
