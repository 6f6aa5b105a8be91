import { describe, expect, it } from 'vitest';
import { cocoResultsImporter } from '../../main/formats/coco/results/index.ts';
import { cocoRleExporter } from '../../main/formats/coco/index.ts';
import { decompressCounts } from '../../preload/geometry/run-length.ts';
import { fileOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const read = (path: string, options = scene, more: Record<string, unknown> = {}) =>
  runImport(cocoResultsImporter, path, options, { options: more });
const row = { image_id: 1, category_id: 2, bbox: [10, 20, 5, 6], score: 0.25 };

describe('COCO detection results', () => {
  it('become boxes, masks and skeletons with their scores', async () => {
    const rows = [
      row,
      { image_id: 2, category_id: 1, segmentation: { size: [48, 64], counts: '02' }, score: 0.5 },
      { image_id: 2, category_id: 1, segmentation: { size: [48, 64], counts: [0, 2, 3070] }, score: 1 },
      { image_id: '3', category_id: 4, keypoints: [1, 2, 2, 3, 4, 1, 0, 0, 0], score: 0.75 },
    ];
    const { task, summary } = await read(fileOf('results.json', JSON.stringify(rows)));
    expect(task.shapes).toMatchObject([
      { type: 'rectangle', label: 'tall tree', frame: 0, points: [10, 20, 15, 26], score: 0.25 },
      { type: 'mask', label: 'car', frame: 1, points: [0, 2, 0, 0, 0, 1], score: 1 },
      { type: 'skeleton', label: 'body', frame: 2, score: 0.75, elements: [{ label: 'head', points: [1, 2] }, {}, {}] },
    ]);
    // "02" covers two pixels of 3072: the row is reported, the others are imported.
    expect(summary.invalid).toMatchObject([{ file: 'results.json', at: '[1].segmentation.counts' }]);
  });

  it('report how ids were interpreted, which options change', async () => {
    const frames = [5, 2, 9].map((number) => ({
      name: `COCO_val2014_00000000000${number}.jpg`,
      width: 64,
      height: 48,
    }));
    const path = fileOf('r.json', JSON.stringify([2, 9].map((id) => ({ ...row, image_id: id }))));
    const named = await read(path, { ...scene, frames });
    expect(named.task.shapes.map(({ frame }) => frame)).toEqual([1, 2]);
    expect(named.summary.warnings.join()).toContain('the numbers at the end of the image names');
    const counted = await read(path, { ...scene, frames }, { image_ids: 'position' });
    expect(counted.task.shapes.map(({ frame }) => frame)).toEqual([1]);
    expect(counted.summary.invalid).toMatchObject([{ at: '[1].image_id' }]);
    const labels = [{ name: 'bicycle' }, { name: 'dog' }];
    const coco = fileOf('r.json', JSON.stringify([row, { ...row, category_id: 18 }]));
    const auto = await read(coco, { ...scene, labels });
    expect(auto.task.shapes.map(({ label }) => label)).toEqual(['bicycle', 'dog']);
    const own = await read(coco, { ...scene, labels }, { category_ids: 'task' });
    expect(own.task.shapes.map(({ label }) => label)).toEqual(['dog']);
    await expect(read(coco, scene, { image_ids: 'guess' })).rejects.toThrow('image_ids');
  });

  it('use the tables of the dataset beside them', async () => {
    const path = await zipOf({
      'instances_val.json': JSON.stringify({
        images: [{ id: 77, file_name: 'a b/Ünïcode 写.png', width: 64, height: 48 }],
        categories: [{ id: 0, name: 'car' }],
        annotations: [{ id: 1 }],
      }),
      'notes.json': '{"a": 1}',
      'results.json': JSON.stringify([
        { ...row, image_id: 77, category_id: 0 },
        { ...row, image_id: 1 },
      ]),
    });
    const { task, summary } = await read(path);
    expect(task.shapes).toMatchObject([{ label: 'car', frame: 1 }]);
    expect(summary.invalid).toMatchObject([{ file: 'results.json', at: '[1].image_id' }]);
  });

  it('are refused if they are of another format', async () => {
    for (const text of ['{}', 'x', '[', ''])
      await expect(read(fileOf('a.json', text)), text).rejects.toMatchObject({ code: 'invalid' });
    const { task, summary } = await read(
      fileOf('a.json', '[1, null, {"image_id": {}}, {"image_id": 1, "category_id": []}]'),
    );
    expect(task.shapes).toEqual([]);
    expect(summary.invalidCount).toBe(4);
  });
});

it('COCO with compressed run lengths is COCO with masks as strings and no crowds', async () => {
  const shapes = [shapeOf({ type: 'mask', label: 'car', points: [0, 2, 1, 1, 3, 4, 4, 5] })];
  const { entries, summary } = await runExport(cocoRleExporter, { ...scene, shapes });
  const file = JSON.parse(entries.get('annotations/instances_default.json') ?? '') as {
    annotations: { iscrowd: number; segmentation: { counts: string; size: number[] } }[];
  };
  expect(file.annotations).toMatchObject([{ iscrowd: 0, area: 3, segmentation: { size: [48, 64] } }]);
  const counts = decompressCounts(file.annotations[0]?.segmentation.counts ?? '');
  expect(counts.reduce((sum, run) => sum + run, 0)).toBe(48 * 64);
  expect(summary.dropped).toEqual([]);
});
