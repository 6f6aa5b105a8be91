import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fiftyOne } from '../../main/formats/fiftyone/index.ts';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { makeImage } from '../support/images.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';

const [width, height] = [320, 240];
const names = ['er 0.jpg', 'er 1.jpg'];
const frames = names.map((name) => ({ name: `deep/${name}`, width, height, subset: 'train' }));
const box = (label: string, points: readonly number[], more: Partial<LabeledShape> = {}): LabeledShape => ({
  type: 'rectangle',
  frame: 0,
  label,
  points,
  occluded: false,
  attributes: [],
  group: 0,
  z_order: 0,
  ...more,
});
const attribute = { mutable: false, input_type: 'text', default_value: '', values: [] } as const;
const labels = ['car', 'van'].map((name) => ({
  name,
  attributes: ['colour', 'seats', 'parked', 'id'].map((its) => ({ name: its, ...attribute })),
}));
const { signal } = new AbortController();
const run = () => ({ report: createFormatReport(), signal, progress: () => undefined, conv_mask_to_poly: false });

interface Read {
  readonly classes: readonly string[];
  readonly pictures: Readonly<Record<string, readonly unknown[]>>;
}
const folder = sharedFolder();
const written = join(folder, 'of fiftyone');
const python = await preparePython('requirements-readers.txt');
const pictures = await Promise.all(names.map((text) => makeImage({ width, height, text })));
const task = createInMemoryTaskData({
  frames,
  labels,
  images: new Map(pictures.map((bytes, index) => [index, { extension: '.jpg', bytes }])),
  shapes: [
    box('van', [10.5, 20, 110, 70.25], {
      score: 0.5,
      attributes: [
        { name: 'colour', value: 'red' },
        { name: 'id', value: '7' },
      ],
    }),
    box('car', [0, 0, 320, 240]),
  ],
});
const path = join(folder, 'export.zip');
const options = { ...run(), conv_mask_to_poly: false };
await fiftyOne.exporter.run({ path }, task, { ...options, save_images: true });
const { losses } = options.report.summary();
const read: Read = await python('read_fiftyone.py', [path, written]);

it('FiftyOne reads an exported data set: every box, its confidence and its attributes', () => {
  const shares = [10.5 / width, 20 / height, 99.5 / width, 50.25 / height];
  expect(read).toEqual({
    classes: ['car', 'van'],
    pictures: {
      'er 0.jpg': [
        { label: 'van', box: shares, confidence: 0.5, attributes: { colour: 'red' } },
        { label: 'car', box: [0, 0, 1, 1], confidence: null, attributes: {} },
      ],
      'er 1.jpg': [],
    },
  });
});

it('says that FiftyOne has no room for an attribute that has the name of one of its own fields', () => {
  const rule = 'FiftyOne has a field of its own of the name "id".';
  expect(losses).toEqual([{ type: 'attribute', label: 'van', rule, count: 1 }]);
});

it.each(['named', 'numbered'])('a data set that FiftyOne wrote is read, its classes %s', async (how) => {
  const task = createInMemoryTaskData({
    frames: names.map((name) => ({ name, width, height })),
    labels,
  });
  const name = 'labels.json';
  const options = { ...run(), conv_mask_to_poly: false };
  await fiftyOne.importer.run({ path: join(written, how, name), name }, task, options);
  const { bad, losses: unread, warnings } = options.report.summary();
  expect({ bad, unread, warnings }).toEqual({ bad: [], unread: [], warnings: [] });
  expect(
    task.shapes.map(({ frame, label, points, score, attributes }) => ({
      frame,
      label,
      points,
      score,
      // FiftyOne writes them in no order.
      attributes: attributes.toSorted((a, b) => a.name.localeCompare(b.name)),
    })),
  ).toEqual([
    {
      frame: 0,
      label: 'van',
      points: [32, 48, 128, 144],
      score: 0.75,
      attributes: [
        { name: 'colour', value: 'red' },
        { name: 'parked', value: 'true' },
        { name: 'seats', value: '4' },
      ],
    },
    { frame: 0, label: 'car', points: [160, 60, 200, 180], score: undefined, attributes: [] },
  ]);
});
