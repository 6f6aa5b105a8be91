import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { vggFace2 } from '../../main/formats/vggface2/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene) => runImport(vggFace2.importer, path, options);

function byKind(shapes: readonly LabeledShape[]): LabeledShape[] {
  return shapes.toSorted((a, b) => (`${a.frame} ${a.type} ${a.label}` < `${b.frame} ${b.type} ${b.label}` ? -1 : 1));
}

const fixture = join(sharedFixtures, 'vggface2/cvat-datumaro');
describe('VGGFace2 of other tools', () => {
  it('two subsets', async () => {
    const names = ['n000001/0001_01', 'n000002/0001_01', 'n000002/0002_01', 'n000003/0003_01'];
    const frames = names.map((name, index) => ({ name: `${name}.jpg`, subset: index < 3 ? 'train' : 'test' }));
    const labels = ['n000001', 'n000002', 'n000003'].map((name) => ({ name }));
    const { task, summary } = await read(fixture, { frames, labels });
    expect(summary).toMatchObject({ badCount: 0, losses: [], warnings: [] });
    expect(
      byKind(task.shapes).map(({ frame, type, label, points }) => [frame, type, label, points.slice(0, 4)]),
    ).toEqual([
      [0, 'points', 'n000001', [2.787, 2.898, 2.965, 2.79]],
      [0, 'rectangle', 'n000001', [2, 2, 3, 4]],
      [1, 'points', 'n000002', [2.3, 4.9, 2.9, 4.93]],
      [1, 'rectangle', 'n000002', [2, 4, 4, 6]],
      [2, 'points', 'n000002', [1.2, 3.8, 1.8, 3.82]],
      [2, 'rectangle', 'n000002', [1, 3, 2, 4]],
      [3, 'points', 'n000003', [0.2, 2.8, 0.8, 2.9]],
      [3, 'rectangle', 'n000003', [1, 1, 2, 2]],
    ]);
  });
});
