import { join } from 'node:path';
import { expect, it } from 'vitest';
import { fiftyOne } from '../../main/formats/fiftyone/index.ts';
import { exportTo, runImport, shapeOf } from '../formats/support/format-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { frameImages, height, width } from './images.ts';
import { preparePython } from './python.ts';

const names = ['er 0.jpg', 'er 1.jpg'];
const attribute = { mutable: false, input_type: 'text', default_value: '', values: [] } as const;
const labels = ['car', 'van'].map((name) => ({
  name,
  attributes: ['colour', 'seats', 'parked', 'id'].map((its) => ({ name: its, ...attribute })),
}));

interface Read {
  readonly classes: readonly string[];
  readonly pictures: Readonly<Record<string, readonly unknown[]>>;
}
const folder = sharedFolder();
const written = join(folder, 'of fiftyone');
const python = await preparePython('requirements-readers.txt');
const path = join(folder, 'export.zip');
const scene = {
  frames: names.map((name) => ({ name: `deep/${name}`, width, height, subset: 'train' })),
  labels,
  images: await frameImages(2),
  shapes: [
    shapeOf({
      type: 'rectangle',
      label: 'van',
      points: [10.5, 20, 110, 70.25],
      score: 0.5,
      attributes: [
        { name: 'colour', value: 'red' },
        { name: 'id', value: '7' },
      ],
    }),
    shapeOf({ type: 'rectangle', label: 'car', points: [0, 0, 320, 240] }),
  ],
};
const { dropped } = (await exportTo(path, fiftyOne.exporter, scene, true)).summary;
const read: Read = await python('read_fiftyone.py', [path, written]);

it('FiftyOne reads an exported dataset: every box, its confidence and its attributes', () => {
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

it('reports an attribute with the name of a field of FiftyOne', () => {
  const rule = 'FiftyOne has its own field "id".';
  expect(dropped).toEqual([{ type: 'attribute', label: 'van', rule, count: 1 }]);
});

it.each(['named', 'numbered'])('reads a dataset that FiftyOne wrote, its classes %s', async (how) => {
  const frames = names.map((name) => ({ name, width, height }));
  const options = { conv_mask_to_poly: false };
  const path = join(written, how, 'labels.json');
  const { task, summary } = await runImport(fiftyOne.importer, path, { frames, labels }, { options });
  const { invalid, dropped: unread, warnings } = summary;
  expect({ invalid, unread, warnings }).toEqual({ invalid: [], unread: [], warnings: [] });
  expect(
    task.shapes.map(({ frame, label, points, score, attributes }) => ({
      frame,
      label,
      points,
      score,
      // FiftyOne writes attributes in no particular order.
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
