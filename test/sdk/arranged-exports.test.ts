import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { exportTo, exporterOf } from '../formats/support/format-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable, preparePython } from './python.ts';
import { createTenPictures, height, shapes, width, type ArrangedExport } from './images.ts';

interface Read {
  readonly problem?: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly boxes: readonly (readonly [type: string, label: string, box: readonly number[]])[];
  readonly items: number;
  readonly pictures: number;
  readonly labels: readonly string[];
  readonly sizes: Readonly<Record<string, number>>;
  readonly subsets: Readonly<Record<string, number>>;
}

interface Case extends ArrangedExport {
  readonly what: string;
  readonly reader: string;
  readonly found: Partial<Read>;
}

const split = {
  parts: [
    { name: 'train', share: 8 },
    { name: 'val', share: 2 },
  ],
};

const cases: readonly Case[] = [
  {
    what: 'a split',
    format: 'COCO 1.0',
    reader: 'coco_instances',
    exportOptions: { split },
    found: { subsets: { train: 8, val: 2 }, pictures: 10 },
  },
  {
    what: 'a stratified split',
    format: 'Ultralytics YOLO Detection 1.0',
    reader: 'yolo',
    exportOptions: {
      split: {
        parts: [
          { name: 'train', share: 1 },
          { name: 'val', share: 1 },
        ],
        stratified: true,
      },
    },
    // Its reader skips the one image without objects.
    found: { subsets: { train: 5, val: 4 }, counts: { 'bbox car': 9 } },
  },
  {
    what: 'masks and polygons as boxes, and the smallest area',
    format: 'YOLO 1.1',
    reader: 'yolo',
    exportOptions: { shapes: { mask: 'rectangle', polygon: 'rectangle' }, minimum_area: 17 },
    found: { counts: { 'bbox car': 9, 'bbox van': 4 } },
  },
  {
    what: 'boxes and masks as polygons',
    format: 'Datumaro 1.0',
    reader: 'datumaro',
    exportOptions: { shapes: { rectangle: 'polygon', mask: 'polygon' } },
    found: { counts: { 'polygon car': 9, 'polygon van': 4, 'polygon tree': 1 } },
  },
  {
    what: 'labels in an order, two of them as one',
    format: 'COCO 1.0',
    reader: 'coco_instances',
    exportOptions: {
      labels: [{ name: 'tree' }, { name: 'car', as: 'vehicle' }, { name: 'van', as: 'vehicle' }],
      shapes: { mask: 'rectangle' },
    },
    found: { labels: ['tree', 'vehicle'], counts: { 'polygon tree': 1, 'bbox tree': 1, 'bbox vehicle': 13 } },
  },
  {
    what: 'frames with objects of the chosen label only, numbered',
    format: 'CVAT for images 1.1',
    reader: 'cvat',
    exportOptions: { labels: [{ name: 'van' }], names: 'numbered' },
    onlyAnnotated: true,
    found: { items: 4, counts: { 'mask van': 4 }, labels: ['van'] },
  },
  {
    what: 'pictures and objects at half their size',
    format: 'COCO 1.0',
    reader: 'coco_instances',
    exportOptions: { frames: '0', images: { longest_side: 160, format: 'png' }, labels: [{ name: 'car' }] },
    found: { sizes: { '160x120': 1 }, boxes: [['bbox', 'car', [5, 10, 50, 25]]] },
  },
];

const folder = sharedFolder();
const requirements = 'requirements-datasets.txt';
const python = await preparePython(requirements);
const write = await createTenPictures();
const jobs: [string, string, string][] = [];
for (const { what, reader, ...written } of cases) {
  const path = join(folder, `${what}.zip`);
  await write(path, written);
  jobs.push([path, what, reader]);
}
const read = await python<Readonly<Record<string, Read>>>('read_dataset.py', [JSON.stringify(jobs)]);

// Datumaro treats class 0 as none; pycocotools uses numbers unchanged.
it('pycocotools reads classes that begin at 0', async () => {
  const path = join(folder, 'from zero.zip');
  const task = {
    frames: [{ name: 'a.jpg', width, height }],
    labels: [{ name: 'car' }, { name: 'van' }],
    shapes: shapes.slice(0, 1),
  };
  await exportTo(path, exporterOf('COCO 1.0'), task, false, { first_class_id: 0 });
  const script = [
    'import io, json, sys, zipfile, contextlib',
    'from pycocotools.coco import COCO',
    'coco = COCO()',
    'coco.dataset = json.loads(zipfile.ZipFile(sys.argv[1]).read("annotations/instances_default.json"))',
    'with contextlib.redirect_stdout(io.StringIO()): coco.createIndex()',
    'names = {one["id"]: one["name"] for one in coco.loadCats(coco.getCatIds())}',
    'print(json.dumps([names, [one["category_id"] for one in coco.loadAnns(coco.getAnnIds())]]))',
  ].join('\n');
  const program = await prepareExecutable('python', requirements);
  const { stdout } = await promisify(execFile)(program, ['-c', script, path]);
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toEqual([{ 0: 'car', 1: 'van' }, [0]]);
});

it.each(cases)('datumaro reads $what as $format', ({ what, found }) => {
  expect(read[what]?.problem).toBeUndefined();
  expect(read[what]).toMatchObject(found);
});
