import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { Arrangement } from '../../preload/contract/schema/arrangement.ts';
import { maskFromBitmap } from '../../preload/contract/mask-runs.ts';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { FrameImage, LabeledShape } from '../../main/formats/kit/task-data.ts';
import { createFormatRegistry } from '../../main/formats/registry.ts';
import { arrangeTaskData } from '../../main/transfer/arrangement/arrange-task-data.ts';
import { createPictureCopier } from '../../main/transfer/arrangement/copy-picture.ts';
import { makeImage } from '../support/images.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable } from './python.ts';

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

const [width, height] = [320, 240];
const shape = (frame: number, label: string, type: LabeledShape['type'], points: readonly number[]): LabeledShape => ({
  type,
  frame,
  label,
  points,
  occluded: false,
  attributes: [],
  group: 0,
  z_order: 0,
});
const solid = maskFromBitmap(new Uint8Array(400).fill(1), 20, 20, { left: 200, top: 100 }) ?? [];
/** Ten pictures: a car as a box on each but the last, a van as a mask on four, a tree as a small polygon on one. */
const shapes = [
  ...Array.from({ length: 9 }, (_unused, frame) => shape(frame, 'car', 'rectangle', [10, 20, 110, 70])),
  ...[0, 1, 2, 3].map((frame) => shape(frame, 'van', 'mask', solid)),
  shape(4, 'tree', 'polygon', [0, 0, 4, 0, 4, 4, 0, 4]),
];

interface Case {
  readonly what: string;
  readonly format: string;
  readonly reader: string;
  readonly arrangement: Arrangement;
  readonly onlyAnnotated?: boolean;
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
    arrangement: { split },
    found: { subsets: { train: 8, val: 2 }, pictures: 10 },
  },
  {
    what: 'a stratified split',
    format: 'Ultralytics YOLO Detection 1.0',
    reader: 'yolo',
    arrangement: {
      split: {
        parts: [
          { name: 'train', share: 1 },
          { name: 'val', share: 1 },
        ],
        stratified: true,
      },
    },
    // Its reader passes over the one picture without objects.
    found: { subsets: { train: 5, val: 4 }, counts: { 'bbox car': 9 } },
  },
  {
    what: 'masks and polygons as boxes, and the smallest area',
    format: 'YOLO 1.1',
    reader: 'yolo',
    arrangement: { shapes: { mask: 'rectangle', polygon: 'rectangle' }, minimum_area: 17 },
    found: { counts: { 'bbox car': 9, 'bbox van': 4 } },
  },
  {
    what: 'boxes and masks as polygons',
    format: 'Datumaro 1.0',
    reader: 'datumaro',
    arrangement: { shapes: { rectangle: 'polygon', mask: 'polygon' } },
    found: { counts: { 'polygon car': 9, 'polygon van': 4, 'polygon tree': 1 } },
  },
  {
    what: 'labels in an order, two of them as one',
    format: 'COCO 1.0',
    reader: 'coco_instances',
    arrangement: {
      labels: [{ name: 'tree' }, { name: 'car', as: 'vehicle' }, { name: 'van', as: 'vehicle' }],
      shapes: { mask: 'rectangle' },
    },
    found: { labels: ['tree', 'vehicle'], counts: { 'polygon tree': 1, 'bbox tree': 1, 'bbox vehicle': 13 } },
  },
  {
    what: 'frames with objects of the chosen label only, numbered',
    format: 'CVAT for images 1.1',
    reader: 'cvat',
    arrangement: { labels: [{ name: 'van' }], names: 'numbered' },
    onlyAnnotated: true,
    found: { items: 4, counts: { 'mask van': 4 }, labels: ['van'] },
  },
  {
    what: 'pictures and objects at half their size',
    format: 'COCO 1.0',
    reader: 'coco_instances',
    arrangement: { frames: '0', images: { longest_side: 160, format: 'png' }, labels: [{ name: 'car' }] },
    found: { sizes: { '160x120': 1 }, boxes: [['bbox', 'car', [5, 10, 50, 25]]] },
  },
];

const folder = sharedFolder();
let read: Readonly<Record<string, Read>> = {};
let fromZero: unknown;
beforeAll(async () => {
  const python = await prepareExecutable('python', 'requirements-datasets.txt');
  const registry = createFormatRegistry();
  const pictures = await Promise.all(
    shapes.slice(0, 10).map((_unused, index) => makeImage({ width, height, text: `${index}` })),
  );
  const images = new Map<number, FrameImage>(pictures.map((bytes, index) => [index, { extension: '.jpg', bytes }]));
  const jobs: [string, string, string, string][] = [];
  for (const { what, format, reader, arrangement, onlyAnnotated = false } of cases) {
    const report = createFormatReport();
    const plain = createInMemoryTaskData({
      frames: pictures.map((_unused, index) => ({ name: `${index}.jpg`, width, height })),
      labels: [{ name: 'car' }, { name: 'van' }, { name: 'tree' }],
      images,
      shapes,
    });
    const { view } = arrangeTaskData(plain, {
      arrangement,
      onlyAnnotated,
      report,
      copyPicture: createPictureCopier(arrangement.images),
      checkCancelled: () => undefined,
    });
    const path = join(folder, `${what}.zip`);
    await registry.findExporter(format)!.run({ path }, view, {
      report,
      signal: new AbortController().signal,
      progress: () => undefined,
      save_images: true,
    });
    jobs.push([path, reader, what, join(folder, what)]);
  }
  fromZero = JSON.parse(await countedFromZero(python));
  const { stdout } = await promisify(execFile)(python, [
    join(import.meta.dirname, 'read_dataset.py'),
    JSON.stringify(jobs),
  ]);
  read = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}') as typeof read;
}, 300_000);

/** Datumaro takes class 0 for none; pycocotools takes numbers as they are. */
async function countedFromZero(python: string): Promise<string> {
  const path = join(folder, 'from zero.zip');
  const task = createInMemoryTaskData({
    frames: [{ name: 'a.jpg', width, height }],
    labels: [{ name: 'car' }, { name: 'van' }],
    shapes: shapes.slice(0, 1),
  });
  await createFormatRegistry()
    .findExporter('COCO 1.0')!
    .run({ path }, task, {
      report: createFormatReport(),
      signal: new AbortController().signal,
      progress: () => undefined,
      save_images: false,
      first_class_id: 0,
    });
  const script = [
    'import io, json, sys, zipfile, contextlib',
    'from pycocotools.coco import COCO',
    'coco = COCO()',
    'coco.dataset = json.loads(zipfile.ZipFile(sys.argv[1]).read("annotations/instances_default.json"))',
    'with contextlib.redirect_stdout(io.StringIO()): coco.createIndex()',
    'names = {one["id"]: one["name"] for one in coco.loadCats(coco.getCatIds())}',
    'print(json.dumps([names, [one["category_id"] for one in coco.loadAnns(coco.getAnnIds())]]))',
  ].join('\n');
  const { stdout } = await promisify(execFile)(python, ['-c', script, path]);
  return stdout.trim().split('\n').at(-1) ?? '';
}

it('pycocotools reads classes that begin at 0', () => {
  expect(fromZero).toEqual([{ 0: 'car', 1: 'van' }, [0]]);
});

it.each(cases)('datumaro reads $what as $format', ({ what, found }) => {
  expect(read[what]?.problem).toBeUndefined();
  expect(read[what]).toMatchObject(found);
});
