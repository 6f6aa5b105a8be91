import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cocoKeypoints } from '../../main/formats/coco/keypoints/index.ts';
import { type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabelInfo } from '../../main/formats/kit/task-data.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene) => runImport(cocoKeypoints.importer, path, options);

const folder = join(sharedFixtures, 'coco/cvat-datumaro/coco_person_keypoints');
describe('COCO Keypoints of other tools', () => {
  const sublabels = (name: string): LabelInfo[] =>
    [1, 2, 3].map((number) => ({
      name: `${name}_${number}`,
      color: '',
      type: 'points',
      attributes: [],
      sublabels: [],
    }));
  const task: InMemoryTaskDataOptions = {
    frames: [
      { name: 'a.jpg', width: 10, height: 5, subset: 'train' },
      { name: 'b.jpg', width: 5, height: 10, subset: 'val' },
    ],
    labels: ['a', 'b'].map((name) => ({ name, type: 'skeleton', sublabels: sublabels(name) })),
  };
  it('are read with the points of the file or, where it names none, of the task', async () => {
    const { task: data, summary } = await read(folder, task);
    const seen = data.shapes.map(({ frame, label, elements = [] }) => [
      frame,
      label,
      elements.map((one) => [one.label, ...one.points, one.outside ? 0 : one.occluded ? 1 : 2].join(' ')),
    ]);
    expect(seen).toEqual([
      [0, 'b', ['b_1 0 0 0', 'b_2 0 2 1', 'b_3 4 1 2']],
      [1, 'a', ['a_1 1 2 2', 'a_2 3 4 2', 'a_3 2 3 2']],
      [1, 'b', ['b_1 2 4 2', 'b_2 4 4 2', 'b_3 4 2 2']],
    ]);
    expect(summary.badCount).toBe(0);
    expect(summary.losses.map(({ type, count }) => [type, count])).toEqual([
      ['outline', 1],
      ['attribute', 1],
      ['attribute', 1],
      ['outline', 1],
    ]);
  });
});
