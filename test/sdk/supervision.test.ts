import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';
import { createTenPictures, type ArrangedExport } from './images.ts';

interface Read {
  readonly problem?: string;
  readonly classes: readonly string[];
  readonly pictures: number;
  readonly boxes: readonly (readonly [label: string, corners: readonly number[]])[];
  readonly pixels: Readonly<Record<string, number>>;
  readonly sizes: readonly string[];
  readonly labelme?: {
    readonly files: number;
    readonly pictures: number;
    readonly shapes: readonly (readonly [type: string, label: string, points: readonly number[][]])[];
  };
}

interface Case extends ArrangedExport {
  readonly what: string;
  readonly reader: string;
  readonly images: string;
  readonly annotations: string;
  readonly found: Partial<Read>;
}

const car = ['car', [10, 20, 110, 70]] as const;
const van = ['van', [200, 100, 220, 120]] as const;
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);
const train = { parts: [{ name: 'train', share: 1 }] };

const cases: readonly Case[] = [
  {
    what: 'COCO: labels in an order, one of them renamed, masks as boxes',
    format: 'COCO 1.0',
    exportOptions: {
      split: train,
      labels: [{ name: 'van', as: 'truck' }, { name: 'car' }],
      shapes: { mask: 'rectangle' },
    },
    reader: 'coco',
    images: 'images/train',
    annotations: 'annotations/instances_train.json',
    found: {
      classes: ['truck', 'car'],
      pictures: 10,
      boxes: [...times(4, ['truck', van[1]] as const), ...times(9, car)],
    },
  },
  {
    what: 'YOLO Detection: boxes of masks, the smallest area, no picture without objects, PNG copies at half their size',
    format: 'Ultralytics YOLO Detection 1.0',
    exportOptions: {
      split: train,
      shapes: { mask: 'rectangle', polygon: 'rectangle' },
      minimum_area: 17,
      images: { longest_side: 160, format: 'png' },
      names: 'numbered',
    },
    onlyAnnotated: true,
    reader: 'yolo',
    images: 'images/train',
    annotations: 'labels/train',
    found: {
      classes: ['car', 'van', 'tree'],
      pictures: 9,
      sizes: ['160x120'],
      boxes: [...times(9, ['car', [5, 10, 55, 35]] as const), ...times(4, ['van', [100, 50, 110, 60]] as const)],
    },
  },
  {
    what: 'YOLO Segmentation: polygons of boxes and masks',
    format: 'Ultralytics YOLO Segmentation 1.0',
    exportOptions: { split: train, shapes: { rectangle: 'polygon', mask: 'polygon' }, labels: [{ name: 'car' }] },
    reader: 'yolo',
    images: 'images/train',
    annotations: 'labels/train',
    found: { classes: ['car'], boxes: times(9, car) },
  },
  {
    what: 'YOLO Oriented Bounding Boxes: boxes of masks',
    format: 'Ultralytics YOLO Oriented Bounding Boxes 1.0',
    exportOptions: { split: train, shapes: { mask: 'rectangle' }, labels: [{ name: 'car' }, { name: 'van' }] },
    reader: 'yolo-obb',
    images: 'images/train',
    annotations: 'labels/train',
    found: { classes: ['car', 'van'], boxes: [...times(9, car), ...times(4, van)] },
  },
  {
    what: 'PASCAL VOC: two labels as one, frames chosen',
    format: 'PASCAL VOC 1.1',
    exportOptions: {
      frames: '0-4',
      labels: [
        { name: 'car', as: 'vehicle' },
        { name: 'van', as: 'vehicle' },
      ],
      shapes: { mask: 'rectangle' },
    },
    reader: 'voc',
    images: 'JPEGImages',
    annotations: 'Annotations',
    found: {
      classes: ['vehicle'],
      pictures: 5,
      // It counts pixels from 1, like PASCAL and unlike current writers of the format.
      boxes: [
        ...times(5, ['vehicle', [9, 19, 110, 70]] as const),
        ...times(4, ['vehicle', [199, 99, 220, 120]] as const),
      ],
    },
  },
  {
    what: 'labelme JSON: polygons of boxes',
    format: 'labelme JSON 1.0',
    exportOptions: { frames: '4', shapes: { rectangle: 'polygon' } },
    reader: 'labelme',
    images: 'default',
    annotations: 'default',
    found: {
      classes: ['car', 'tree'],
      pictures: 1,
      labelme: {
        files: 1,
        pictures: 1,
        shapes: [
          [
            'polygon',
            'car',
            [
              [10, 20],
              [110, 20],
              [110, 70],
              [10, 70],
            ],
          ],
          [
            'polygon',
            'tree',
            [
              [0, 0],
              [4, 0],
              [4, 4],
              [0, 4],
            ],
          ],
        ],
      },
    },
  },
  {
    what: 'CreateML: boxes of polygons',
    format: 'CreateML 1.0',
    exportOptions: { frames: '4', shapes: { polygon: 'rectangle' } },
    reader: 'createml',
    images: 'default',
    annotations: 'default/*.json',
    found: { classes: ['car', 'tree'], boxes: [car, ['tree', [0, 0, 4, 4]]] },
  },
];

const folder = sharedFolder();
const python = await preparePython('requirements-readers.txt');
const write = await createTenPictures();
const jobs: string[][] = [];
for (const [index, one] of cases.entries()) {
  const path = join(folder, `${index}.zip`);
  await write(path, one);
  jobs.push([path, one.what, one.reader, one.images, one.annotations]);
}
const read = await python<Readonly<Record<string, Read>>>('read_supervision.py', [JSON.stringify(jobs)]);

const sorted = (boxes: Read['boxes'] | undefined) => boxes?.map((box) => JSON.stringify(box)).toSorted();

it.each(cases)('supervision reads $what', ({ what, found: { boxes, ...found } }) => {
  expect(read[what]?.problem).toBeUndefined();
  expect(read[what]).toMatchObject(found);
  if (boxes) expect(sorted(read[what]?.boxes)).toEqual(sorted(boxes));
});
