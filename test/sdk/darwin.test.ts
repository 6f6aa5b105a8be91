import { join } from 'node:path';
import { expect, it } from 'vitest';
import { darwin } from '../../main/formats/v7-darwin/index.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { redShape, writeOnePicture } from './one-picture.ts';
import { preparePython } from './python.ts';

const folder = sharedFolder();

it("V7's own parser reads an exported data set: boxes, outlines, lines, points, ellipses and tags", async () => {
  const python = await preparePython('requirements-readers.txt');
  const path = join(folder, 'darwin.zip');
  await writeOnePicture(darwin.exporter, path, {
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
  const read = await python('read_darwin.py', [path, join(folder, 'darwin')]);
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
}, 300_000);
