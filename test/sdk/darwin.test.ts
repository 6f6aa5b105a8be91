import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import { createFormatReport } from '../../main/formats/kit/report.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { darwin } from '../../main/formats/v7-darwin/index.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable } from './python.ts';

const folder = sharedFolder();
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

it("V7's own parser reads an exported data set: boxes, outlines, lines, points, ellipses and tags", async () => {
  const python = await prepareExecutable('python', 'requirements-readers.txt');
  const path = join(folder, 'darwin.zip');
  const data = createInMemoryTaskData({
    frames: [{ name: 'deep/a.jpg', width: 320, height: 240, subset: 'train' }],
    labels: ['car', 'road', 'nose', 'wheel', 'sunny'].map((name) => ({ name })),
    shapes: [
      shape('rectangle', 'car', [10, 20, 110.5, 70]),
      shape('polygon', 'road', [50, 50, 150, 50, 150, 150]),
      shape('polyline', 'road', [1, 2, 30, 40]),
      shape('points', 'nose', [5, 6]),
      shape('ellipse', 'wheel', [100, 100, 120, 90]),
    ],
    tags: [{ frame: 0, label: 'sunny', attributes: [], group: 0 }],
  });
  const { signal } = new AbortController();
  const report = createFormatReport();
  await darwin.exporter.run({ path }, data, { report, signal, progress: () => undefined, save_images: false });
  const script = join(import.meta.dirname, 'read_darwin.py');
  const { stdout } = await promisify(execFile)(python, [script, path, join(folder, 'darwin')]);
  const at = (x: number, y: number) => ({ x, y });
  const extras = { attributes: ['colour:red'] };
  expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '[]')).toEqual([
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
}, 300_000);
