import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { supervisely } from '../../main/formats/supervisely/index.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable } from './python.ts';

const folder = sharedFolder();
const colour = { name: 'colour', mutable: false, input_type: 'text', default_value: '', values: [] };
const shape = (type: LabeledShape['type'], label: string, points: readonly number[]): LabeledShape => ({
  type,
  frame: 0,
  label,
  points,
  occluded: false,
  attributes: [{ name: 'colour', value: 'red' }],
  group: 0,
  z_order: 0,
});

it("Supervisely's own classes read an exported data set: boxes, outlines, lines, points, masks and tags", async () => {
  const python = await prepareExecutable('python', 'requirements-readers.txt');
  const path = join(folder, 'supervisely.zip');
  const data = createInMemoryTaskData({
    frames: [{ name: 'a.jpg', width: 320, height: 240, subset: 'train' }],
    labels: ['car', 'road', 'sunny'].map((name) => ({ name, attributes: [colour] })),
    shapes: [
      shape('rectangle', 'car', [10, 20, 110, 70]),
      shape('polygon', 'road', [50, 50, 150, 50, 150, 150, 50, 150]),
      shape('polyline', 'road', [1, 2, 30, 40]),
      shape('points', 'car', [5, 6]),
      shape('mask', 'road', [0, 400, 200, 100, 219, 119]),
    ],
    tags: [{ frame: 0, label: 'sunny', attributes: [], group: 0 }],
  });
  const { signal } = new AbortController();
  const report = createFormatReport();
  await supervisely.exporter.run({ path }, data, { report, signal, progress: () => undefined, save_images: false });
  const script = join(import.meta.dirname, 'read_supervisely.py');
  const { stdout } = await promisify(execFile)(python, [script, path, join(folder, 'supervisely')]);
  const red = [['colour', 'red']];
  // Its boxes and outlines are of whole pixels, the last one with them; lines and points have no area.
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}')).toEqual({
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
