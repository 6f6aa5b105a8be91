import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { widerFace } from '../../main/formats/widerface/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { inOrder, scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene) => runImport(widerFace.importer, path, options);

const fixture = join(sharedFixtures, 'widerface/cvat-datumaro');
describe('WiderFace of other tools', () => {
  it('two subsets', async () => {
    const frames = ['0_Parade_image_01', '1_Handshaking_image_02', '0_Parade_image_03'].map((name, index) => ({
      name: `${name}.jpg`,
      subset: index < 2 ? 'train' : 'val',
      width: 15,
      height: 10,
    }));
    const { task, summary } = await read(fixture, { frames, labels: [{ name: 'face' }] });
    expect(summary.badCount).toBe(0);
    expect(inOrder(task.shapes).map(({ frame, points }) => [frame, points])).toEqual([
      [0, [1, 2, 3, 4]],
      [1, [1, 1, 3, 3]],
      [1, [5, 1, 7, 3]],
      [2, [0, 0, 1, 1]],
      [2, [3, 2, 4, 4]],
      [2, [5, 6, 6, 7]],
    ]);
    expect(summary.losses.map(({ type, label }) => `${type} ${label}`)).toContain('tag Parade');
  });
});
