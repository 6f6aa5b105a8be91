import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mot } from '../../main/formats/mot/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { inOrder, scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene, more: Record<string, unknown> = {}) =>
  runImport(mot.importer, path, options, { options: more });

const fixtures = join(sharedFixtures, 'mot/cvat-datumaro');
describe('MOT of other tools', () => {
  it.each(['mot_seq', 'mot_seq_with_seqinfo'])('%s', async (name) => {
    const labels = Array.from({ length: 10 }, (_, index) => ({ name: `label_${index}` }));
    const { task, summary } = await read(join(fixtures, name), {
      frames: [{ name: '000001.jpg', width: 16, height: 16 }],
      labels,
    });
    expect(summary).toMatchObject({ badCount: 0, losses: [], warnings: [] });
    expect(inOrder(task.shapes)).toMatchObject([
      { frame: 0, type: 'rectangle', label: 'label_2', points: [0, 4, 4, 12], occluded: false },
    ]);
  });
});
