import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cocoPanoptic } from '../../main/formats/coco/panoptic/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene) => runImport(cocoPanoptic.importer, path, options);

const folder = join(sharedFixtures, 'coco/cvat-datumaro/coco_panoptic');
describe('COCO Panoptic of other tools', () => {
  it('becomes masks', async () => {
    const { task, summary } = await read(folder, {
      frames: [
        { name: 'a.jpg', width: 10, height: 5, subset: 'train' },
        { name: 'b.jpg', width: 5, height: 10, subset: 'val' },
      ],
      labels: [{ name: 'a' }, { name: 'b' }],
    });
    expect(task.shapes).toMatchObject([
      { type: 'mask', frame: 0, label: 'a', points: [0, 25, 0, 0, 4, 4] },
      { type: 'mask', frame: 1, label: 'a', points: [0, 20, 0, 0, 1, 9] },
      { type: 'mask', frame: 1, label: 'b', points: [0, 20, 2, 0, 3, 9] },
    ]);
    expect(summary.losses).toEqual([]);
    expect(summary.warnings).toEqual([expect.stringContaining('a.png has 5 × 5 pixels for 10 × 5')]);
  });
});
