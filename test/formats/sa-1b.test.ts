import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { sa1b } from '../../main/formats/sa-1b/index.ts';
import { fileOf, folderOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, scene } from './support/scenes.ts';

const write = (options: InMemoryTaskDataOptions) => runExport(sa1b.exporter, options);
const read = (path: string, more: Record<string, unknown> = {}, task: InMemoryTaskDataOptions = scene) =>
  runImport(sa1b.importer, path, task, { options: { conv_mask_to_poly: false, ...more } });
const readText = (text: string, more: Record<string, unknown> = {}, task: InMemoryTaskDataOptions = scene) =>
  read(fileOf('sa_1.json', text), more, task);

const tiny = { ...scene, frames: [{ name: 'sa_1.jpg', width: 4, height: 3 }] };
const image = { image_id: 1, width: 4, height: 3, file_name: 'sa_1.jpg' };
/** Column by column: 4 pixels off, 2 on, 6 off. */
const mask = (more: object = {}) => ({
  id: 1,
  segmentation: { size: [3, 4], counts: [4, 2, 6] },
  area: 2,
  bbox: [1, 1, 1, 2],
  predicted_iou: 0.9,
  ...more,
});
const text = (annotations: unknown) => JSON.stringify({ image, annotations });

describe('SA-1B', () => {
  it("writes the dataset's fields for a mask", async () => {
    const shapes = [shapeOf({ type: 'mask', label: 'car', points: [0, 2, 1, 1, 1, 2], score: 0.9 })];
    const { entries } = await write({ ...tiny, shapes });
    expect(JSON.parse(entries.get('default/sa_1.json') ?? '')).toEqual({
      image,
      annotations: [
        {
          id: 1,
          segmentation: { size: [3, 4], counts: '426' },
          area: 2,
          bbox: [1, 1, 1, 2],
          predicted_iou: 0.9,
          stability_score: 1,
          crop_box: [0, 0, 4, 3],
          point_coords: [[1.5, 2]],
          label: 'car',
        },
      ],
    });
  });

  const details = { stability_score: 0.97, point_coords: [[2.5, 1]], crop_box: [0, 0, 3, 3] };

  it('stores how a mask was made as attributes, and exports them', async () => {
    const labels = [{ name: 'car', attributes: Object.keys(details).map((name) => attributeOf(name)) }];
    const { task, summary } = await readText(text([mask({ label: 'car', ...details })]), {}, { ...tiny, labels });
    expect(task.shapes[0]?.attributes).toEqual(
      Object.entries(details).map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    );
    expect(summary.dropped).toEqual([]);
    const { entries } = await write({ ...tiny, labels, shapes: [...task.shapes] });
    expect(JSON.parse(entries.get('default/sa_1.json') ?? '').annotations).toMatchObject([details]);
  });

  it('reports it if the label has no attributes for it, and ignores empty values', async () => {
    const usual = { stability_score: 1, point_coords: [[1.5, 2]], crop_box: [0, 0, 4, 3] };
    const { summary } = await readText(
      text([mask({ label: 'car', ...details }), mask({ label: 'car', ...usual })]),
      {},
      tiny,
    );
    expect(summary.dropped.map(({ type, label, count }) => [type, label, count])).toEqual([
      ['attribute', 'car', 1],
      ['attribute', 'car', 1],
      ['attribute', 'car', 1],
    ]);
    expect(summary.dropped.map(({ rule }) => rule).join()).toContain('stability_score');
  });

  it('has no labels: the user selects one if there are several', async () => {
    await expect(readText(text([mask()]), {}, tiny)).rejects.toThrow('the option label');
    const expected = [{ type: 'mask', points: [0, 2, 1, 1, 1, 2], score: 0.9 }];
    expect((await readText(text([mask()]), { label: 'tall tree' }, tiny)).task.shapes).toMatchObject([
      { label: 'tall tree', ...expected[0] },
    ]);
    for (const labels of [[{ name: 'thing' }], [{ name: 'car' }, { name: 'object' }]]) {
      const { task } = await readText(text([mask()]), {}, { ...tiny, labels });
      expect(task.shapes).toMatchObject([{ label: labels.at(-1)?.name, ...expected[0] }]);
    }
  });

  it('reports every loss', async () => {
    const label = 'car';
    const bad = [
      'text',
      mask({ label: 'plane' }),
      ...[
        { size: [4, 3], counts: [4, 2, 6] },
        { size: [3, 4], counts: [4, 2] },
        { size: [3, 4], counts: [12] },
        { size: [1e9, 1e9], counts: '0' },
        null,
      ].map((segmentation) => mask({ label, segmentation, bbox: null })),
    ];
    const { task, summary } = await readText(
      text([...bad, mask({ label }), mask({ label, segmentation: [[0, 0, 3, 0, 3, 2]] })]),
      {},
      tiny,
    );
    expect(task.shapes.map(({ type }) => type)).toEqual(['mask', 'polygon']);
    expect(summary.invalid.map(({ at }) => at.replace(/\..*/, ''))).toEqual(
      bad.map((_, index) => `annotations[${index}]`),
    );
    // An invalid metric is dropped; the mask is imported.
    const unmeasured = `\uFEFF${text([mask({ label }), mask({ label })]).replace('0.9', 'NaN')}`;
    const { task: masks, summary: found } = await readText(unmeasured, {}, tiny);
    expect([masks.shapes.length, found.invalid]).toEqual([2, []]);
    const files = {
      'sa_1.json': text([mask({ label })]),
      'sa_2.json': text([mask({ label })]).replace('sa_1', 'sa_2'),
      'other.json': '{}',
    };
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task: whole, summary: mixed } = await read(path, {}, tiny);
      expect(whole.shapes).toHaveLength(1);
      expect(mixed.invalid).toMatchObject([{ file: 'sa_2.json', reason: expect.stringContaining('not in the task') }]);
      expect(mixed.warnings).toEqual([expect.stringContaining('other.json was left out')]);
    }
    await expect(readText('[]')).rejects.toThrow('Nothing was imported');
  });
});
