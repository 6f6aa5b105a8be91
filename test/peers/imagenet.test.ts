import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageNet } from '../../main/formats/imagenet/index.ts';
import type { Tag } from '../../main/formats/kit/task-data.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene) => runImport(imageNet.importer, path, options);

const pairs = (tags: readonly Tag[]) => tags.map(({ frame, label }) => [frame, label]);

const fixture = join(sharedFixtures, 'imagenet/cvat-datumaro');
describe('ImageNet of other tools', () => {
  it('folders of labels', async () => {
    for (const names of [
      ['label_0_1.jpg', 'label_0_2.jpg', 'label_1_1.jpg'],
      ['label_0/label_0_1.jpg', 'label_0/label_0_2.jpg', 'label_1/label_1_1.jpg'],
    ]) {
      const { task, summary } = await read(fixture, {
        frames: names.map((name) => ({ name })),
        labels: [{ name: 'label_0' }, { name: 'label_1' }],
      });
      expect(summary.badCount).toBe(0);
      expect(pairs(task.tags)).toEqual([
        [0, 'label_0'],
        [1, 'label_0'],
        [2, 'label_1'],
      ]);
    }
  });
});
