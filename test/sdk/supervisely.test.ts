import { join } from 'node:path';
import { expect, it } from 'vitest';
import { supervisely } from '../../main/formats/supervisely/index.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { redShape, writeOnePicture } from './one-picture.ts';
import { preparePython } from './python.ts';

const folder = sharedFolder();
const colour = { name: 'colour', mutable: false, input_type: 'text', default_value: '', values: [] };

it("Supervisely's own classes read an exported data set: boxes, outlines, lines, points, masks and tags", async () => {
  const python = await preparePython('requirements-readers.txt');
  const path = join(folder, 'supervisely.zip');
  await writeOnePicture(supervisely.exporter, path, {
    name: 'a.jpg',
    labels: ['car', 'road', 'sunny'].map((name) => ({ name, attributes: [colour] })),
    shapes: [
      redShape('rectangle', 'car', [10, 20, 110, 70]),
      redShape('polygon', 'road', [50, 50, 150, 50, 150, 150, 50, 150]),
      redShape('polyline', 'road', [1, 2, 30, 40]),
      redShape('points', 'car', [5, 6]),
      redShape('mask', 'road', [0, 400, 200, 100, 219, 119]),
    ],
  });
  const read = await python('read_supervisely.py', [path, join(folder, 'supervisely')]);
  const red = [['colour', 'red']];
  // Its boxes and outlines are of whole pixels, the last one with them; lines and points have no area.
  expect(read).toEqual({
    'a.jpg.json': {
      size: [240, 320],
      objects: [
        ['car', 'rectangle', [10, 20, 110, 70], 101 * 51, red],
        ['road', 'polygon', [50, 50, 150, 150], 100 * 100, red],
        ['road', 'line', [1, 2, 30, 40], 0, red],
        ['car', 'point', [5, 6, 5, 6], 0, red],
        ['road', 'bitmap', [200, 100, 219, 119], 400, red],
      ],
      tags: ['sunny'],
    },
  });
}, 300_000);
