import { expect, it } from 'vitest';
import { coco } from '../../main/formats/coco/index.ts';
import { detectFormat } from '../../main/formats/registry.ts';
import { folderOf, runImport } from './support/format-fixtures.ts';
import { attributeOf } from './support/scenes.ts';

const image = (id: number, patch: number, version = 1) => ({
  height: 512,
  id,
  license: 5,
  width: 769,
  file_name: `images/v${version}/patch${patch}/objects365_v${version}_0000000${id}.jpg`,
  url: 'https://example.org/photo.jpg',
});
const box = (id: number, imageId: number, category: number, more: Readonly<Record<string, number>> = {}) => ({
  id,
  iscrowd: 0,
  isfake: 0,
  area: 1200,
  isreflected: 0,
  bbox: [10.5, 20.25, 40, 30],
  image_id: imageId,
  category_id: category,
  ...more,
});
const table = {
  images: [image(1, 0), image(2, 16, 2)],
  annotations: [box(1, 1, 1, { isfake: 1 }), box(2, 1, 365, { isreflected: 1, iscrowd: 1 }), box(3, 2, 365)],
  categories: [
    { name: 'Person', id: 1 },
    { name: 'Table Tennis ', id: 365 },
  ],
  licenses: [{ id: 5, name: 'Attribution', url: '' }],
};
const marks = ['is_crowd', 'isfake', 'isreflected'].map((name) => attributeOf(name, 'checkbox'));

it('Objects365 is COCO: its patches are found, its flags are attributes, the rest is reported', async () => {
  const path = folderOf({ 'zhiyuan_objv2_train.json': JSON.stringify(table) });
  expect((await detectFormat({ path, name: 'objects365' })).map(({ name }) => name)).toEqual(['COCO 1.0']);
  // In the unpacked layout: one in the patch that the table names, the other in a folder of another name.
  const names = ['train/patch0/objects365_v1_00000001.jpg', 'train/all/objects365_v2_00000002.jpg'];
  const frames = names.map((name) => ({ name, width: 769, height: 512, subset: 'train' }));
  const labels = ['Person', 'Table Tennis'].map((name) => ({ name, attributes: marks }));
  const { task, summary } = await runImport(coco.importer, path, { frames, labels });
  const truths = (...of: string[]) => of.map((name) => ({ name, value: 'true' }));
  const found = { type: 'rectangle', points: [10.5, 20.25, 50.5, 50.25] };
  expect(task.shapes).toMatchObject([
    { ...found, frame: 0, label: 'Person', attributes: truths('isfake') },
    { ...found, frame: 0, label: 'Table Tennis', attributes: truths('is_crowd', 'isreflected') },
    { ...found, frame: 1, label: 'Table Tennis', attributes: [] },
  ]);
  expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
  expect(summary.warnings).toEqual([expect.stringMatching(/left out: license, url\.$/)]);
});

it('reports its flags if the labels have no attributes for them', async () => {
  const path = folderOf({ 'zhiyuan_objv2_val.json': JSON.stringify(table) });
  const frames = [1, 2].map((id) => ({ name: `objects365_v${id}_0000000${id}.jpg`, width: 769, height: 512 }));
  const labels = ['Person', 'Table Tennis'].map((name) => ({ name }));
  const { task, summary } = await runImport(coco.importer, path, { frames, labels });
  expect(task.shapes).toHaveLength(3);
  expect(summary.dropped.map(({ rule }) => rule)).toEqual([
    expect.stringContaining('isfake'),
    expect.stringContaining('is_crowd'),
    expect.stringContaining('isreflected'),
  ]);
});
