import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LabelInfo, LabeledShape } from '../../main/formats/kit/task-data.ts';
import { exportTo, exporterOf, shapeOf } from '../formats/support/format-fixtures.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { preparePython } from './python.ts';

const folder = sharedFolder();
const python = await preparePython('requirements-readers.txt');

const redShape = (type: LabeledShape['type'], label: string, points: readonly number[]): LabeledShape =>
  shapeOf({ type, label, points, attributes: [{ name: 'colour', value: 'red' }] });

interface Picture {
  readonly name: string;
  readonly labels: readonly (Partial<LabelInfo> & Pick<LabelInfo, 'name'>)[];
  readonly shapes: readonly LabeledShape[];
}

/** Exports one image of a subset `train` with its shapes and the tag `sunny`, without pixels; a script reads it. */
async function readBack(format: string, script: string, { name, ...scene }: Picture): Promise<unknown> {
  const path = join(folder, `${format}.zip`);
  await exportTo(path, exporterOf(format), {
    ...scene,
    frames: [{ name, width: 320, height: 240, subset: 'train' }],
    tags: [{ frame: 0, label: 'sunny', attributes: [], group: 0 }],
  });
  return python(script, [path, join(folder, format)]);
}

it("V7's own parser reads an exported dataset: boxes, outlines, lines, points, ellipses and tags", async () => {
  const read = await readBack('V7 Darwin JSON 2.0', 'read_darwin.py', {
    name: 'deep/a.jpg',
    labels: ['car', 'road', 'nose', 'wheel', 'sunny'].map((name) => ({ name })),
    shapes: [
      redShape('rectangle', 'car', [10, 20, 110.5, 70]),
      redShape('polygon', 'road', [50, 50, 150, 50, 150, 150]),
      redShape('polyline', 'road', [1, 2, 30, 40]),
      redShape('points', 'nose', [5, 6]),
      redShape('ellipse', 'wheel', [100, 100, 120, 90]),
    ],
  });
  const at = (x: number, y: number) => ({ x, y });
  const extras = { attributes: ['colour:red'] };
  expect(read).toEqual([
    {
      picture: '/deep/a.jpg',
      size: [320, 240],
      annotations: [
        { label: 'car', kind: 'bounding_box', data: { x: 10, y: 20, w: 100.5, h: 50 }, extras },
        {
          label: 'road',
          kind: 'polygon',
          data: {
            paths: [[at(50, 50), at(150, 50), at(150, 150)]],
            bounding_box: { x: 50, y: 50, w: 100, h: 100 },
          },
          extras,
        },
        { label: 'road', kind: 'line', data: { path: [at(1, 2), at(30, 40)] }, extras },
        { label: 'nose', kind: 'keypoint', data: at(5, 6), extras },
        { label: 'wheel', kind: 'ellipse', data: { angle: 0, center: at(100, 100), radius: at(20, 10) }, extras },
        { label: 'sunny', kind: 'tag', data: {}, extras: {} },
      ],
    },
  ]);
});

it("Supervisely's own classes read an exported dataset: boxes, outlines, lines, points, masks and tags", async () => {
  const colour = { name: 'colour', mutable: false, input_type: 'text', default_value: '', values: [] };
  const read = await readBack('Supervisely 1.0', 'read_supervisely.py', {
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
  const red = [['colour', 'red']];
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
});
