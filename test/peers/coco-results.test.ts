import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cocoClasses } from '../../main/formats/coco/results/result-tables.ts';
import { cocoResultsImporter } from '../../main/formats/coco/results/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabelInfo } from '../../main/formats/kit/task-data.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { pointOf } from '../formats/support/scenes.ts';

const read = (path: string, options: InMemoryTaskDataOptions) => runImport(cocoResultsImporter, path, options);
const folder = join(sharedFixtures, 'coco/cocoapi_results');
describe('results of the COCO API', () => {
  const ids = (name: string): number[] => [
    ...new Set(
      (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { image_id: number }[]).map(({ image_id }) => image_id),
    ),
  ];
  const names = [...cocoClasses().values()];
  const taskFor = (
    name: string,
    labels: readonly (Partial<LabelInfo> & { name: string })[] = names.map((one) => ({ name: one })),
  ) => ({
    frames: ids(name).map((id) => ({ name: `COCO_val2014_${String(id).padStart(12, '0')}.jpg` })),
    labels,
  });

  it('boxes', async () => {
    const name = 'instances_val2014_fakebbox100_results.json';
    const { task, summary } = await read(join(folder, name), taskFor(name));
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toHaveLength(734);
    expect(task.shapes[0]).toMatchObject({
      type: 'rectangle',
      label: 'dog',
      points: [258.15, 41.29, 606.41, 285.07],
      score: 0.236,
    });
  });

  it('masks', async () => {
    const name = 'instances_val2014_fakesegm100_results.json';
    const { task, summary } = await read(join(folder, name), taskFor(name));
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toHaveLength(734);
    expect(new Set(task.shapes.map(({ type }) => type))).toEqual(new Set(['mask']));
  });

  it('key points', async () => {
    const name = 'person_keypoints_val2014_fakekeypoints100_results.json';
    const sublabels = Array.from({ length: 17 }, (_, index) => pointOf(`p${index}`));
    const labels = [{ name: 'person', type: 'skeleton', sublabels }];
    const { task, summary } = await read(join(folder, name), taskFor(name, labels));
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toHaveLength(125);
    expect(task.shapes[0]?.elements?.[0]).toMatchObject({ label: 'p0', points: [36, 181], outside: false });
  });

  it('captions are unsupported, which the report says', async () => {
    const name = 'captions_val2014_fakecap_results.json';
    const { task, summary } = await read(join(folder, name), taskFor(name));
    expect(task.shapes).toEqual([]);
    expect(summary.dropped).toEqual([{ type: 'caption', label: '', rule: expect.any(String), count: 1000 }]);
  });
});
