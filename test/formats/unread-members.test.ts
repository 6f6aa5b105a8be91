import { describe, expect, it } from 'vitest';
import { fileOf, importerOf, runImport, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const task = { ...scene, frames: [{ name: 'a.jpg', width: 100, height: 80 }], labels: [{ name: 'car' }] };
const json = JSON.stringify;

async function reportOf(format: string, path: string) {
  const options = { options: { conv_mask_to_poly: false } };
  const { task: filled, summary } = await runImport(importerOf(format), path, task, options);
  expect([...filled.shapes]).toHaveLength(1);
  return [...summary.dropped.map(({ label, rule }) => `${label}: ${rule}`), ...summary.warnings].join('\n');
}

const corners = [
  { x: 1, y: 2 },
  { x: 11, y: 2 },
  { x: 11, y: 12 },
  { x: 1, y: 12 },
];

describe('unused members of a file', () => {
  it('are reported in labelme JSON, of shapes and of the image', async () => {
    const shape = { label: 'car', points: [[1, 2], [30, 40]], shape_type: 'rectangle', flags: {}, colour: 'red' }; // prettier-ignore
    const file = { version: '5', flags: {}, imagePath: 'a.jpg', imageData: null, weather: 'rain', shapes: [shape] };
    const said = await reportOf('labelme JSON 1.0', fileOf('a.json', json(file)));
    expect(said).toContain('car: A task has no field for the member "colour".');
    expect(said).toContain('These members of images were left out: weather.');
  });

  it.each([
    ['read from its bytes', ''],
    ['left to JSON.parse', ',"segmentation":[[1,2,3,4,5,6]],"segmentation":[[1,2,3,4,5,7]]'],
  ])('are reported in COCO, %s', async (_, more) => {
    const annotation = `{"id":1,"image_id":1,"category_id":1,"bbox":[1,2,3,4],"caption":"red","ignore":0${more}}`;
    const tables = '"images":[{"id":1,"file_name":"a.jpg"}],"categories":[{"id":1,"name":"car"}]';
    const said = await reportOf('COCO 1.0', fileOf('a.json', `{${tables},"annotations":[${annotation}]}`));
    expect(said).toBe(
      'car: A task has no field for the member "caption".\ncar: A task has no field for the member "ignore".',
    );
  });

  it('are reported in CreateML', async () => {
    const annotation = { label: 'car', coordinates: { x: 20, y: 20, width: 10, height: 10 }, note: 'parked' };
    const said = await reportOf(
      'CreateML 1.0',
      fileOf('a.json', json([{ image: 'a.jpg', annotations: [annotation] }])),
    );
    expect(said).toBe('car: A task has no field for the member "note".');
  });

  it('are reported in VoTT', async () => {
    const region = { id: 'x', type: 'RECTANGLE', tags: ['car'], points: corners, note: 'parked' };
    const said = await reportOf(
      'VoTT JSON 1.0',
      fileOf('a.json', json({ asset: { name: 'a.jpg' }, regions: [region] })),
    );
    expect(said).toBe('car: A task has no field for the member "note".');
  });

  it('are reported in Label Studio, where users write notes', async () => {
    const value = { x: 1, y: 2, width: 10, height: 10, rotation: 0, rectanglelabels: ['car'] };
    const size = { original_width: 100, original_height: 80, image_rotation: 0 };
    const result = { id: 'r', from_name: 'label', to_name: 'image', type: 'rectanglelabels', ...size, value };
    const annotations = [{ result: [{ ...result, meta: { text: ['look again'] } }] }];
    const said = await reportOf(
      'Label Studio JSON 1.0',
      fileOf('a.json', json([{ data: { image: 'a.jpg' }, annotations }])),
    );
    expect(said).toBe('car: A task has no field for the member "text".');
  });

  it('are reported in SA-1B', async () => {
    const segmentation = { size: [80, 100], counts: [81, 2, 7917] };
    const annotation = { id: 1, segmentation, area: 2, bbox: [1, 1, 1, 2], predicted_iou: 0.9, label: 'car', tag: 'x' };
    const image = { image_id: 1, width: 100, height: 80, file_name: 'a.jpg' };
    const said = await reportOf('SA-1B JSON 1.0', fileOf('a.json', json({ image, annotations: [annotation] })));
    expect(said).toBe('car: A task has no field for the member "tag".');
  });

  it('are reported in DOTA, of the image, and in KITTI, of how much of a box is clipped', async () => {
    const dota = { 'labelTxt/a.txt': 'imagesource:GoogleEarth\ngsd:0.1\n1 1 20 1 20 20 1 20 car 0\n' };
    expect(await reportOf('DOTA 1.0', await zipOf(dota))).toContain('imagesource, gsd');
    const kitti = { 'default/label_2/a.txt': 'car 0.50 0 -1 10 10 30 30 -1 -1 -1 -1 -1 -1 -1\n' };
    expect(await reportOf('KITTI 1.0', await zipOf(kitti))).toContain('The label has no attribute "truncated".');
  });
});
