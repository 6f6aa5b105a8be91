import { join } from 'node:path';
import { expect, it } from 'vitest';
import { maskToPolygons } from '../../preload/geometry/mask-polygons.ts';
import {
  entriesOf,
  exporterOf,
  exportTo,
  folderOf,
  importerOf,
  runImport,
} from '../formats/support/format-fixtures.ts';
import { attributeOf } from '../formats/support/scenes.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';

interface Judged {
  readonly stated: number;
  readonly read: number;
  readonly different: number;
}

const task = {
  frames: [{ name: 'a.jpg', width: 100, height: 80 }],
  labels: [{ name: 'cat', attributes: [attributeOf('is_crowd', 'checkbox')] }],
};
const folder = sharedFolder();
const readers = await preparePython('requirements-readers.txt');
const coco = await preparePython();
const options = { options: { conv_mask_to_poly: false } };

it('pycocotools finds the same crowds and the same pixels before and after', async () => {
  const triangle = [[10, 10, 30, 10, 30, 30]];
  const counts = [1610, 20, 60, 20, 6290];
  const base = { image_id: 1, category_id: 1, bbox: [10, 10, 20, 20] };
  const annotations = [
    { ...base, id: 1, bbox: [20, 10, 2, 20], area: 40, iscrowd: 0, segmentation: { size: [80, 100], counts } },
    { ...base, id: 2, bbox: [20, 10, 2, 20], area: 40, iscrowd: 1, segmentation: { size: [80, 100], counts } },
    { ...base, id: 3, area: 200, iscrowd: 1, segmentation: triangle },
    { ...base, id: 4, area: 200, iscrowd: 0, segmentation: triangle },
    { ...base, id: 5, area: 400, iscrowd: 1, segmentation: [] },
    { ...base, id: 6, bbox: [20, 10, 2, 20], area: 40, iscrowd: 0, segmentation: [{ size: [80, 100], counts }] },
  ];
  const images = [{ id: 1, file_name: 'a.jpg', width: 100, height: 80 }];
  const file = { images, categories: [{ id: 1, name: 'cat' }], annotations };
  const before = folderOf({ 'annotations/instances_default.json': JSON.stringify(file) });
  const { task: filled } = await runImport(importerOf('COCO 1.0'), before, task, options);
  const path = join(folder, 'coco.zip');
  await exportTo(path, exporterOf('COCO 1.0'), { ...task, shapes: filled.shapes });
  const after = folderOf(Object.fromEntries(await entriesOf(path)));
  const [stated, written] = await Promise.all(
    [before, after].map((one) => coco<{ annotations: readonly object[] }>('read_coco.py', [one, one])),
  );
  const told = (read: typeof stated) => (read?.annotations ?? []).map((one) => JSON.stringify(one)).toSorted();
  expect(told(written)).toEqual(told(stated));
  expect(told(written)).toHaveLength(annotations.length);
});

it('supervision fills the polygon of a Roboflow annotation in VOC like its import', async () => {
  const polygon = '<polygon><x1>10</x1><y1>10</y1><x2>30</x2><y2>10</y2><x3>30</x3><y3>30</y3></polygon>';
  const box = '<bndbox><xmin>10</xmin><ymin>10</ymin><xmax>30</xmax><ymax>30</ymax></bndbox>';
  const size = '<size><width>100</width><height>80</height><depth>3</depth></size>';
  const object = `<object><name>cat</name>${box}${polygon}</object>`;
  const path = folderOf({ 'a.xml': `<annotation><filename>a.jpg</filename>${size}${object}</annotation>` });
  // Supervision counts VOC pixels from 1.
  const oneBased = { options: { ...options.options, one_based: 'true' } };
  const { task: filled } = await runImport(importerOf('PASCAL VOC 1.1'), path, task, oneBased);
  const outlines = filled.shapes.map(({ points }) => points);
  expect(await readers<Judged>('judge_outlines.py', ['voc', path, JSON.stringify(outlines)])).toEqual({
    stated: 231,
    read: 231,
    different: 0,
  });
});

const square = (x: number, y: number, side: number) => [
  { x, y },
  { x: x + side, y },
  { x: x + side, y: y + side },
  { x, y: y + side },
];

it.each([
  ['two parts', [square(10, 10, 20), square(60, 10, 20)], 0],
  // Pixels on an edge may belong to the hole or to its surroundings.
  ['two parts and a hole', [square(10, 10, 20), square(60, 10, 20), square(15, 15, 10)], 60],
])('darwin-py and upolygon draw a polygon of V7 like its import: %s', async (_, paths, edge) => {
  const annotation = { id: '1', name: 'cat', slot_names: ['0'], polygon: { paths } };
  const slot = { type: 'image', slot_name: '0', width: 100, height: 80, source_files: [{ file_name: 'a.jpg' }] };
  const file = { version: '2.0', item: { name: 'a.jpg', path: '/', slots: [slot] }, annotations: [annotation] };
  const path = folderOf({ 'a.json': JSON.stringify(file) });
  const { task: filled } = await runImport(importerOf('V7 Darwin JSON 2.0'), path, task, options);
  const outlines = filled.shapes.flatMap(({ type, points }) => (type === 'mask' ? maskToPolygons(points) : [points]));
  const judged = await readers<Judged>('judge_outlines.py', ['darwin', path, JSON.stringify(outlines)]);
  expect(judged.different).toBeLessThanOrEqual(edge);
  expect(judged.stated).toBeGreaterThan(700);
});
