import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { openImages } from '../../main/formats/open-images/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { inOrder } from '../formats/support/scenes.ts';

const read = (folder: string, options: InMemoryTaskDataOptions) =>
  runImport(openImages.importer, join(sharedFixtures, 'open_images/cvat-datumaro', folder), options, {
    options: { conv_mask_to_poly: false },
  });

describe('Open Images of other tools', () => {
  it('v6', async () => {
    const frames = [
      { name: 'a.jpg', subset: 'train', width: 8, height: 5 },
      { name: 'b.jpg', subset: 'train', width: 0, height: 0 },
      { name: 'c.jpg', subset: 'test', width: 5, height: 10 },
      { name: 'd.png', subset: 'validation', width: 8, height: 5 },
    ];
    const labels = [0, 1, 2, 3].map((number) => ({ name: `Generic label #${number}` }));
    const { task, summary } = await read('v6', { frames, labels });
    expect(task.tags.map(({ frame, label }) => [frame, label]).toSorted()).toEqual([
      [0, 'Generic label #0'],
      [2, 'Generic label #1'],
      [2, 'Generic label #3'],
    ]);
    expect(
      inOrder(task.shapes).map(({ frame, type, label, points, group, occluded, score }) => [
        frame,
        type,
        label,
        points,
        group,
        occluded,
        score,
      ]),
    ).toEqual([
      [1, 'rectangle', 'Generic label #0', [1.6, 0.6, 8, 1], 1, false, undefined],
      [1, 'mask', 'Generic label #0', [0, 4, 0, 0, 1, 1], 1, false, undefined],
      [2, 'rectangle', 'Generic label #3', [3.5, 0, 4, 5], 0, true, 0.7],
    ]);
    expect(summary.invalidCount).toBe(0);
    expect(summary.dropped.map(({ type }) => type)).toEqual(['tag', 'attribute']);
  });

  it('v5 has images only', async () => {
    const { task, summary } = await read('v5', {
      frames: [{ name: 'aa.jpg' }, { name: 'cc.jpg' }],
      labels: [{ name: '/m/0' }],
    });
    expect(task.shapes).toEqual([]);
    expect(summary.invalidCount).toBe(0);
  });
});
