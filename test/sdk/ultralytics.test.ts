import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LabeledShape, LabelInfo } from '../../main/formats/kit/task-data.ts';
import { exportTo, exporterOf, shapeOf } from '../formats/support/format-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { frameImages, height, width } from './images.ts';
import { preparePython } from './python.ts';

interface ReadObject {
  readonly label: string;
  readonly center: readonly number[];
  readonly size: readonly number[];
  readonly outline?: readonly (readonly number[])[];
  readonly points?: readonly (readonly number[])[];
  readonly seen?: readonly number[];
}
interface ReadPicture {
  readonly picture: string;
  readonly size: readonly number[];
  readonly objects: readonly ReadObject[];
}
interface Read {
  readonly problem?: string;
  readonly names: readonly string[];
  readonly train: readonly ReadPicture[];
  readonly val: readonly ReadPicture[];
}

const shape = (
  type: LabeledShape['type'],
  label: string,
  points: readonly number[],
  more: Partial<LabeledShape> = {},
): LabeledShape => shapeOf({ type, label, points, ...more });
const joint = (label: string, points: readonly number[], more: Partial<LabeledShape> = {}) =>
  shape('points', label, points, more);

const plain = (name: string): LabelInfo => ({ name, color: '', type: 'any', attributes: [], sublabels: [] });
const body: LabelInfo = {
  ...plain('body'),
  type: 'skeleton',
  sublabels: ['head', 'hand', 'foot'].map((name) => ({ ...plain(name), type: 'points' })),
};
const skeleton = shape('skeleton', 'body', [], {
  elements: [
    joint('head', [100, 40]),
    joint('hand', [140, 80], { occluded: true }),
    joint('foot', [0, 0], { outside: true }),
  ],
});
const box = { label: 'car', center: [60, 45], size: [100, 50] };
const corners = [[10, 20], [110, 20], [110, 70], [10, 70]]; // prettier-ignore
const triangle = [[50, 50], [150, 50], [150, 150]]; // prettier-ignore

/** One object of a kind on the training image; the validation image has none. */
const cases: readonly {
  readonly format: string;
  readonly task: string;
  readonly drawn: LabeledShape;
  readonly found: ReadObject;
}[] = [
  { format: 'Detection', task: 'detect', drawn: shape('rectangle', 'car', [10, 20, 110, 70]), found: box },
  {
    format: 'Segmentation',
    task: 'segment',
    drawn: shape('polygon', 'van', triangle.flat()),
    found: { label: 'van', center: [100, 100], size: [100, 100], outline: triangle },
  },
  {
    format: 'Oriented Bounding Boxes',
    task: 'obb',
    drawn: shape('rectangle', 'car', [10, 20, 110, 70]),
    found: { ...box, outline: corners },
  },
  {
    format: 'Oriented Bounding Boxes',
    task: 'obb',
    // A quarter turn of a box that is twice as wide as high.
    drawn: shape('rectangle', 'car', [100, 100, 200, 150], { rotation: 90 }),
    found: {
      label: 'car',
      center: [150, 125],
      size: [50, 100],
      outline: [[175, 75], [175, 175], [125, 175], [125, 75]], // prettier-ignore
    },
  },
  {
    format: 'Pose',
    task: 'pose',
    drawn: skeleton,
    found: { label: 'body', center: [120, 60], size: [40, 40], points: [[100, 40], [140, 80], [0, 0]], seen: [2, 1, 0] }, // prettier-ignore
  },
  {
    format: 'Detection',
    task: 'detect',
    drawn: shape('rectangle', 'car', [300, 200, 400, 300]),
    found: { label: 'car', center: [310, 220], size: [20, 40] },
  },
  {
    format: 'Segmentation',
    task: 'segment',
    drawn: shape('polygon', 'van', [280, 40, 380, 40, 380, 80, 280, 80]),
    found: {
      label: 'van',
      center: [300, 60],
      size: [40, 40],
      outline: [[280, 40], [320, 40], [320, 80], [280, 80]], // prettier-ignore
    },
  },
  {
    format: 'Oriented Bounding Boxes',
    task: 'obb',
    drawn: shape('rectangle', 'car', [270, 100, 330, 140], { rotation: 90 }),
    found: {
      label: 'car',
      center: [300, 120],
      size: [40, 60],
      outline: [[320, 90], [320, 150], [280, 150], [280, 90]], // prettier-ignore
    },
  },
  {
    format: 'Oriented Bounding Boxes',
    task: 'obb',
    drawn: shape('rectangle', 'car', [290, 100, 350, 140], { rotation: 180 }),
    found: {
      label: 'car',
      center: [305, 120],
      size: [30, 40],
      outline: [[320, 140], [290, 140], [290, 100], [320, 100]], // prettier-ignore
    },
  },
  {
    format: 'Pose',
    task: 'pose',
    drawn: shape('skeleton', 'body', [], {
      elements: [joint('head', [300, 40]), joint('hand', [322, 80]), joint('foot', [400, 100])],
    }),
    found: {
      label: 'body',
      center: [310, 60],
      size: [20, 40],
      points: [[300, 40], [320, 80], [320, 100]], // prettier-ignore
      seen: [2, 2, 0],
    },
  },
];
const keyOf = (index: number): string => `${index} ${cases[index]?.task ?? ''}`;

/** Formats with one image folder per class. */
const classification = 'Ultralytics YOLO Classification 1.0';
const imageNet = 'ImageNet 1.0';
const visDrone = 'VisDrone 1.0';

const folder = sharedFolder();
const python = await preparePython('requirements-readers.txt');
const images = await frameImages(2);
const jobs: string[][] = [];
for (const [index, { format, task, drawn }] of cases.entries()) {
  const path = join(folder, `${index}.zip`);
  const labels = task === 'pose' ? [body] : [plain('car'), plain('van')];
  const names = ['train', 'val'].map((subset, frame) => ({ name: `deep/er ${frame}.jpg`, width, height, subset }));
  await exportTo(
    path,
    exporterOf(`Ultralytics YOLO ${format} 1.0`),
    { frames: names, labels, images, shapes: [drawn] },
    true,
  );
  jobs.push([path, keyOf(index), task]);
}
for (const format of [classification, imageNet]) {
  const path = join(folder, `${format}.zip`);
  const classed = [
    ['train', 'car'],
    ['train', 'van'],
    ['val', 'van'],
  ] as const;
  const data = {
    frames: classed.map(([subset], frame) => ({ name: `${frame}.jpg`, width, height, subset })),
    labels: [plain('car'), plain('van')],
    images: new Map(classed.map((_one, frame) => [frame, images.get(0)!])),
    tags: classed.map(([, label], frame) => ({ frame, label, attributes: [], group: 0 })),
  };
  await exportTo(path, exporterOf(format), data, true);
  jobs.push([path, format, 'classify']);
}
const path = join(folder, `${visDrone}.zip`);
const data = {
  frames: ['train', 'val'].map((subset, frame) => ({ name: `${frame}.jpg`, width, height, subset })),
  labels: ['ignored regions', 'pedestrian', 'car', 'motor'].map(plain),
  images,
  shapes: [
    shape('rectangle', 'pedestrian', [10, 20, 110, 70]),
    shape('rectangle', 'ignored regions', [0, 0, 40, 40]),
    shape('rectangle', 'motor', [12.4, 30.6, 50.5, 60.2], { occluded: true }),
    shape('rectangle', 'car', [100, 100, 200, 150], { score: 0.5 }),
  ],
};
await exportTo(path, exporterOf(visDrone), data, true);
jobs.push([path, visDrone, 'visdrone']);
const read = await python<Readonly<Record<string, Read>>>('read_ultralytics.py', [JSON.stringify(jobs)]);

it.each(cases.map((one, index) => [one.format, one.task, index, one] as const))(
  'Ultralytics loads %s to train %s (%i)',
  (_format, task, index, { found }) => {
    const size = [width, height];
    expect(read[keyOf(index)]).toEqual({
      names: task === 'pose' ? ['body'] : ['car', 'van'],
      train: [{ picture: 'er 0.jpg', size, objects: [found] }],
      val: [{ picture: 'er 1.jpg', size, objects: [] }],
    });
  },
);

const classes = [
  ['0.jpg', 'car'],
  ['1.jpg', 'van'],
  ['2.jpg', 'van'],
];

it('Ultralytics loads Classification to train classify', () => {
  const [first, second, third] = classes;
  expect(read[classification]).toEqual({ names: ['car', 'van'], train: [first, second], val: [third] });
});

it('Ultralytics loads ImageNet, whose images it divides itself, to train classify', () => {
  const { names, train, val } = read[imageNet]!;
  expect(names).toEqual(['car', 'van']);
  expect([...train, ...val].toSorted()).toEqual(classes);
});

it("Ultralytics' own converter reads VisDrone with integer boxes and ignored regions", () => {
  const { names, train, val } = read[visDrone]!;
  expect(names.slice(0, 4)).toEqual(['pedestrian', 'people', 'bicycle', 'car']);
  const size = [width, height];
  const objects = [
    { label: 'pedestrian', center: [60, 45], size: [100, 50] },
    { label: 'motor', center: [31.5, 45.5], size: [39, 29] },
    { label: 'car', center: [150, 125], size: [100, 50] },
  ];
  expect(train).toEqual([{ picture: '0.jpg', size, objects }]);
  expect(val).toEqual([{ picture: '1.jpg', size, objects: [] }]);
});
