import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { FileLabel } from '../../main/formats/kit/task-data.ts';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import { withOverrides } from '../../main/formats/kit/with-overrides.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { builtInFormats } from '../../main/formats/registry.ts';
import { type Files, folderOf, importerOf, importInto, runImport, zipOf } from './support/format-fixtures.ts';
import { pointOf } from './support/scenes.ts';

const person = { name: 'person', type: 'skeleton', sublabels: ['nose', 'left', 'right'].map(pointOf) };
const task: InMemoryTaskDataOptions = {
  frames: [
    { name: 'a.jpg', width: 100, height: 80, subset: 'train' },
    { name: 'b.jpg', width: 100, height: 80, subset: 'valid' },
  ],
  labels: [{ name: 'cat' }, { name: 'dog' }, person],
};
const detected = async (path: string): Promise<string | undefined> =>
  (await builtInFormats.detectFormat({ path, name: basename(path) }))[0]?.name;

describe('poses', () => {
  const read = (rows: string, more = '', options = task) =>
    runImport(
      importerOf('Ultralytics YOLO Pose 1.0'),
      folderOf({
        'data.yaml': `train: images/train\nkpt_shape: [3, 3]\nnames: [person]\n${more}`,
        'labels/train/a.txt': rows,
      }),
      options,
    );

  it('from a model have confidences: points below a half are not visible', async () => {
    const { task: found, summary } = await read('0 0.5 0.5 0.4 0.4 0.3 0.3 0.98 0.7 0.7 0.51 0 0 0.02 0.87\n');
    expect(summary.invalid).toEqual([]);
    expect(found.shapes[0]).toMatchObject({ score: 0.87 });
    expect(found.shapes[0]?.elements).toMatchObject([
      { label: 'nose', points: [30, 24], outside: false, occluded: false, score: 0.98 },
      { label: 'left', points: [70, 56], outside: false, score: 0.51 },
      { label: 'right', outside: true },
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('confidence')]);
  });

  it('with other third values are refused', async () => {
    const { task: found, summary } = await read('0 0.5 0.5 0.4 0.4 0.3 0.3 1.5 0.7 0.7 2 0.5 0.5 0\n');
    expect(found.shapes).toEqual([]);
    expect(summary.invalid).toMatchObject([{ reason: expect.stringContaining('third value 1.5') }]);
  });

  it('get the names of kpt_names, by class or for all', async () => {
    for (const names of ['kpt_names:\n  0: [nose, l, r]\n', 'kpt_names: [nose, l, r]\n']) {
      const declared: FileLabel[] = [];
      const folder = folderOf({
        'data.yaml': `train: images/train\nkpt_shape: [3, 3]\nnames: [person]\n${names}`,
        'labels/train/a.txt': '',
      });
      const empty = createInMemoryTaskData({ ...task, labels: [] });
      const collecting = withOverrides(empty, { declare_label: (label) => void declared.push(label) });
      await importInto(importerOf('Ultralytics YOLO Pose 1.0'), folder, collecting);
      expect(declared.find(({ svg }) => svg)?.sublabels?.map(({ name }) => name)).toEqual(['nose', 'l', 'r']);
    }
  });

  it('match the points of the task by the names of kpt_names, in any order', async () => {
    const row = '0 0.5 0.5 0.4 0.4 0.3 0.3 2 0.5 0.5 2 0.7 0.7 2\n';
    const { task: found } = await read(row, 'kpt_names: [right, nose, left]\n');
    expect(found.shapes[0]?.elements?.map(({ label, points }) => [label, ...points])).toEqual([
      ['right', 30, 24],
      ['nose', 50, 40],
      ['left', 70, 56],
    ]);
  });

  it('report that a skeleton does not keep the box of its row, if that is different', async () => {
    const row = (box: string) => `0 ${box} 0.3 0.3 2 0.5 0.5 2 0.7 0.7 2\n`;
    expect((await read(row('0.5 0.5 0.8 0.8'))).summary.dropped).toMatchObject([
      { type: 'skeleton', label: 'person', count: 1, rule: expect.stringContaining('no separate box') },
    ]);
    expect((await read(row('0.5 0.5 0.4 0.4'))).summary.dropped).toEqual([]);
  });
});

describe('boxes and polygons in one file', () => {
  const files: Files = {
    'data.yaml': 'train: train/images\nnames: [cat, dog]\n',
    'train/labels/a.txt':
      '1 0.5 0.5 0.2 0.25\n0 0.1 0.1 0.3 0.1 0.3 0.3 0.1 0.3\n0 0.1 0.1 0.3 0.1 0.3 0.3 0.1 0.3 0.05 0.2\n',
  };

  it('are imported as two kinds', async () => {
    const path = await zipOf(files);
    expect(await detected(path)).toBe('Ultralytics YOLO Segmentation 1.0');
    const { task: found, summary } = await runImport(importerOf('Ultralytics YOLO Segmentation 1.0'), path, task);
    expect(summary.invalidCount).toBe(0);
    expect(found.shapes.map(({ type, label }) => [type, label])).toEqual([
      ['rectangle', 'dog'],
      ['polygon', 'cat'],
      ['polygon', 'cat'],
    ]);
    expect(found.shapes[0]?.points).toEqual([40, 30, 60, 50]);
  });

  it('are reported if only boxes are imported', async () => {
    const { summary } = await runImport(importerOf('Ultralytics YOLO Detection 1.0'), await zipOf(files), task);
    expect(summary.invalid.map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('which reads boxes too'),
    );
  });
});

describe('layouts of Roboflow', () => {
  const darknet = {
    'README.roboflow.txt': 'x',
    'train/_darknet.labels': 'cat\ndog\n',
    'train/a.jpg': 'x',
    'train/a.txt': '1 0.5 0.5 0.2 0.25\n',
    'valid/_darknet.labels': 'cat\ndog\n',
    'valid/b.jpg': 'x',
    'valid/b.txt': '0 0.5 0.5 0.2 0.25\n',
  };

  it('darknet: reads a list of names and labels beside the images of each subset', async () => {
    const path = await zipOf(darknet);
    expect(await detected(path)).toBe('Ultralytics YOLO Detection 1.0');
    const { task: found, summary } = await runImport(importerOf('Ultralytics YOLO Detection 1.0'), path, task);
    expect(summary).toMatchObject({ invalidCount: 0, warnings: [] });
    expect(found.shapes.map(({ frame, label, points }) => [frame, label, ...points])).toEqual([
      [0, 'dog', 40, 30, 60, 50],
      [1, 'cat', 40, 30, 60, 50],
    ]);
  });

  it('darknet: refuses lists with different labels for the same numbers', async () => {
    const path = await zipOf({ ...darknet, 'valid/_darknet.labels': 'dog\ncat\n' });
    await expect(runImport(importerOf('Ultralytics YOLO Detection 1.0'), path, task)).rejects.toThrow(
      'name different labels for the same class numbers',
    );
  });

  it('semantic masks: reads a mask beside each image, and the labels of its values', async () => {
    const pixels = new Uint8Array(100 * 80);
    for (let y = 10; y < 20; y += 1) pixels.fill(2, y * 100 + 10, y * 100 + 30);
    const path = await zipOf({
      'train/a.jpg': 'x',
      'train/a_mask.png': encodePng({ kind: 'grey8', width: 100, height: 80, pixels }),
      'train/_classes.csv': 'Pixel Value, Class\n0, background\n1, cat\n2, dog\n',
      'README.roboflow.txt': 'x',
    });
    expect(await detected(path)).toBe('Images and Masks 1.0');
    const { task: found, summary } = await runImport(importerOf('Images and Masks 1.0'), path, task, {
      options: { conv_mask_to_poly: false },
    });
    expect(summary).toMatchObject({ invalidCount: 0, warnings: [] });
    expect(found.shapes).toMatchObject([{ type: 'mask', label: 'dog', frame: 0, points: [0, 200, 10, 10, 29, 19] }]);
  });
});
