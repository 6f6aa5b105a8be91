import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { ultralyticsDetection, ultralyticsDetectionTrackExporter } from '../../main/formats/ultralytics/index.ts';
import { AppError } from '../../main/platform/errors.ts';
import { bothWays, type Files, folderOf, runExport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { trackOf } from './support/scenes.ts';

const task: InMemoryTaskDataOptions = {
  frames: [
    { name: '1.jpg', width: 100, height: 50 },
    { name: 'sub/2.png', width: 200, height: 100 },
    { name: '3.jpg', width: 100, height: 50, subset: 'val' },
  ],
  labels: [{ name: 'car' }, { name: 'no' }, { name: 'Hündchen: 犬 "1"' }],
};
const names = 'names:\n  0: car\n  1: no\n  2: "Hündchen: 犬 \\"1\\""\n';
const rows = { 'labels/train/1.txt': '0 0.5 0.5 0.2 0.4\n', 'labels/train/sub/2.txt': '1 0.25 0.5 0.1 0.2\n' };
const expected = [
  [0, 'car', [40, 15, 60, 35]],
  [1, 'no', [40, 40, 60, 60]],
];
const { write, read: readFrom } = bothWays(ultralyticsDetection, task);
const read = (files: Files, options = task) => readFrom(folderOf(files), options);
const seen = ({ task: result }: Awaited<ReturnType<typeof read>>) =>
  result.shapes.map(({ frame, label, points }) => [frame, label, points]).toSorted();

describe('Ultralytics YOLO Detection import', () => {
  const layouts: Record<string, Files> = {
    'a list with ./images': {
      'data.yaml': `path: .\ntrain: train.txt\n${names}`,
      'train.txt': './images/train/1.jpg\n./images/train/sub/2.png\n',
      ...rows,
    },
    'a list with data/images, as CVAT writes it': {
      'data.yaml': `path: .\ntrain: train.txt\n${names}`,
      'train.txt': 'data/images/train/1.jpg\ndata/images/train/sub/2.png\n',
      ...rows,
    },
    'a list of another machine': {
      'data.yaml': `train: C:\\ds\\train.txt\n${names}`,
      'train.txt': '/home/me/ds/images/train/1.jpg\r\nC:\\ds\\images\\train\\sub\\2.png\r\n',
      ...rows,
    },
    'a folder of images': {
      'data.yaml': `path: .\ntrain: images/train\n${names}`,
      'images/train/1.jpg': '',
      'images/train/sub/2.png': '',
      ...rows,
    },
    'a folder without its images': { 'data.yaml': `path: ../datasets/mine\ntrain: images/train/\n${names}`, ...rows },
    'images in the description': {
      'data.yaml': `train:\n  - images/train/1.jpg\n  - ./images/train/sub/2.png\n${names}`,
      ...rows,
    },
    'train/images, as Roboflow exports it': {
      'data.yaml': `train: ../train/images\nval: ../valid/images\nnc: 3\nroboflow:\n  workspace: me\n  url: https://example.org\n${names}`,
      'train/labels/1.txt': rows['labels/train/1.txt'],
      'train/images/1.jpg': '',
      'valid/labels/sub/2.txt': rows['labels/train/sub/2.txt'],
    },
    'train/images where the description says images/train': {
      'data.yaml': `train: images/train\n${names}`,
      'train/labels/1.txt': rows['labels/train/1.txt'],
      'train/labels/sub/2.txt': rows['labels/train/sub/2.txt'],
    },
    'names as a list, another file name, an extra folder': {
      'my dataset/coco8.yml': 'train: images/train\nnames: [car, no, "Hündchen: 犬 \\"1\\""]\n',
      ...Object.fromEntries(Object.entries(rows).map(([path, text]) => [`my dataset/${path}`, text])),
    },
    'labels beside the images': {
      'data.yaml': `train: data\n${names}`,
      'data/1.jpg': '',
      'data/1.txt': rows['labels/train/1.txt'],
      'data/sub/2.png': '',
      'data/sub/2.txt': rows['labels/train/sub/2.txt'],
    },
  };

  it.each(Object.entries(layouts))('reads %s', async (_name, files) => {
    const folder = await read(files);
    expect(seen(folder)).toEqual(expected);
    expect(folder.summary.invalid).toEqual([]);
    expect(folder.summary.warnings).toEqual([]);
    const archive = await readFrom(await zipOf(files));
    expect(seen(archive)).toEqual(expected);
  });

  it('does not read keys of other programs as subsets, nor the names of numbers as frames', async () => {
    const { task: result, summary } = await read({
      'data.yaml': `train: images/train\ndownload: https://example.org/x.zip\nchannels: 3\nflip_idx: [1, 0]\nkpt_names: {0: [a]}\nlicense: CC\n${names}`,
      'labels/train/0.txt': '0 0.5 0.5 0.2 0.4\n',
    });
    expect(result.shapes).toHaveLength(0);
    expect(summary.invalid).toMatchObject([
      { file: 'labels/train/0.txt', reason: expect.stringContaining('is not in the task') },
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('the entry "license" names no folder')]);
  });

  it('groups rows with a track id, hidden where the object is missing', async () => {
    const frames = Array.from({ length: 8 }, (_, index) => ({
      name: `frame_${String(index).padStart(6, '0')}`,
      width: 100,
      height: 100,
    }));
    const row = (frame: number, text: string) => [`labels/train/frame_${String(frame).padStart(6, '0')}.txt`, text];
    const { task: result, summary } = await read(
      {
        'data.yaml': `train: images/train\n${names}`,
        ...Object.fromEntries([
          row(0, '0 0.1 0.5 0.1 0.1 7\n1 0.5 0.5 0.1 0.1 8'),
          row(1, '0 0.2 0.5 0.1 0.1 7\n0 0.9 0.5 0.1 0.1 7\n0 0.5 0.5 0.1 0.1 0.75'),
          row(4, '0 0.4 0.5 0.1 0.1 7'),
          row(7, '1 0.5 0.5 0.1 0.1 8'),
        ]),
      },
      { ...task, meta: { mode: 'interpolation' }, frames },
    );
    expect(
      result.tracks.map(({ label, shapes }) => [
        label,
        shapes.map(({ frame, outside, points }) => [frame, outside, points[0]]),
      ]),
    ).toEqual([
      [
        'car',
        [
          [0, false, 5],
          [1, false, 15],
          [2, true, 15],
          [4, false, 35],
          [5, true, 35],
        ],
      ],
      [
        'no',
        [
          [0, false, 45],
          [1, true, 45],
          [7, false, 45],
        ],
      ],
    ]);
    expect(result.shapes).toMatchObject([{ frame: 1, score: 0.75, points: [45, 45, 55, 55] }]);
    expect(summary.invalid).toMatchObject([
      { file: 'labels/train/frame_000001.txt', at: 'line 2', reason: 'track 7 has two shapes on this image' },
    ]);
  });

  it('reports rows of other variants and names the variant', async () => {
    const { task: result, summary } = await read({
      'data.yaml': `train: images/train\n${names}`,
      'labels/train/1.txt':
        '0 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2\n0 0.1 0.1 0.2 0.1 0.2 0.2\n0 0.5 0.5 0.2 0.4\n5 0.5 0.5 0.2 0.4\n0 0.5 0.5 0.2 0.4 1.5',
    });
    expect(result.shapes).toHaveLength(1);
    expect(summary.invalid.map(({ at, reason }) => [at, reason])).toEqual([
      ['line 1', expect.stringContaining('Oriented Bounding Boxes')],
      ['line 2', expect.stringContaining('Segmentation')],
      ['line 4', expect.stringContaining('class 5 has no name')],
      ['line 5', expect.stringContaining('neither a track id nor a confidence')],
    ]);
  });

  it('refuses a dataset of poses, one without a description, and one with an invalid description', async () => {
    await expect(read({ 'data.yaml': `kpt_shape: [3, 3]\ntrain: images/train\n${names}` })).rejects.toThrow(
      'Ultralytics YOLO Pose',
    );
    await expect(read({ 'readme.txt': '' })).rejects.toThrow('it has no data.yaml');
    await expect(read({ 'a.yaml': '', 'b.yaml': '' })).rejects.toThrow('it has no data.yaml');
    await expect(read({ 'data.yaml': 'train: images/train\n' })).rejects.toThrow('it has no "names"');
    await expect(read({ 'data.yaml': '- a\n- b\n' })).rejects.toThrow('Cannot read data.yaml');
    await expect(read({ 'data.yaml': 'names: [a\n b: {' })).rejects.toThrow('Cannot read data.yaml');
  });

  it('is not harmed by a hostile description', async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]\n`)
      .join('')}names: *i\n`;
    await expect(read({ 'data.yaml': bomb })).rejects.toBeInstanceOf(AppError);
    await expect(read({ 'data.yaml': `names: ${'['.repeat(100_000)}` })).rejects.toBeInstanceOf(AppError);
    await expect(read({ 'data.yaml': `names: ${'{a: '.repeat(20_000)}` })).rejects.toBeInstanceOf(AppError);
    await expect(read({ 'data.yaml': `names: !!js/function 'function(){}'\n` })).rejects.toBeInstanceOf(AppError);
    const { task: result } = await read({
      'data.yaml': '__proto__: {polluted: 1}\nconstructor: x\ntrain: ../../../../etc\nnames: {0: car, __proto__: x}\n',
    });
    expect(result.shapes).toEqual([]);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});

describe('Ultralytics YOLO Detection export', () => {
  const shapes = [
    shapeOf({ type: 'rectangle', label: 'car', points: [40, 15, 60, 35] }),
    shapeOf({ type: 'rectangle', label: 'Hündchen: 犬 "1"', frame: 2, points: [0, 0, 100, 50] }),
  ];

  it('writes the layout that Ultralytics reads: ./images in lists, no label file for images without boxes', async () => {
    const images = new Map([[0, { extension: '.jpg', bytes: Buffer.from('jpg') }]]);
    const { entries, summary } = await write({ ...task, shapes, images }, true);
    const { 'data.yaml': description, ...rest } = Object.fromEntries(entries);
    expect(rest).toEqual({
      'labels/train/1.txt': '0 0.500000 0.500000 0.200000 0.400000\n',
      'labels/val/3.txt': '2 0.500000 0.500000 1.000000 1.000000\n',
      'train.txt': './images/train/1.jpg\n./images/train/sub/2.png\n',
      'val.txt': './images/val/3.jpg\n',
      'images/train/1.jpg': 'jpg',
    });
    expect(parse(description ?? '')).toEqual({
      train: 'train.txt',
      val: 'val.txt',
      names: { 0: 'car', 1: 'no', 2: 'Hündchen: 犬 "1"' },
    });
    // Readers of YAML 1.1, such as Python's, would read a bare `no` as false.
    expect(parse(description ?? '', { version: '1.1' })).toMatchObject({ names: { 1: 'no' } });
    expect(summary.dropped).toEqual([]);
  });

  it('reports unsupported data of every object', async () => {
    const { summary } = await write({
      ...task,
      shapes: [
        shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 3, 4], rotation: 45 }),
        shapeOf({ type: 'points', label: 'car', points: [1, 2] }),
      ],
    });
    expect(summary.included).toEqual([]);
    expect(summary.dropped.map(({ type, rule }) => [type, rule])).toEqual([
      ['rectangle', 'Ultralytics YOLO Detection has no rotated boxes.'],
      ['points', 'Ultralytics YOLO Detection has boxes only.'],
    ]);
  });

  it('refuses subsets with reserved names of the description', async () => {
    const frames = [{ name: '1.jpg', width: 1, height: 1, subset: 'path' }];
    await expect(write({ ...task, frames })).rejects.toThrow('Rename the subset');
  });

  it('preserves boxes, labels of any name and subsets', async () => {
    const label = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter(
        (name) =>
          name.trim() === name && !/[\r\n\uFEFF]|[\uD800-\uDFFF](?![\uDC00-\uDFFF])/.test(name) && name.isWellFormed(),
      );
    const labelNames = fc.uniqueArray(
      fc.oneof(
        label,
        fc.constantFrom(
          ...'no null 1.0 0x1F ~ #x "q" 2001-01-01 *a &a !a %a @a `a` {a} [a] true = << \u0085 Y'.split(' '),
        ),
        fc.constantFrom("it's", 'a: b', '- a', 'yes', 'a\u2028b'),
      ),
      { minLength: 1, maxLength: 6 },
    );
    const cents = fc.integer({ min: 0, max: 100_000 }).map((value) => value / 100);
    const box = fc.record({
      frame: fc.nat({ max: 2 }),
      label: fc.nat(),
      points: fc
        .tuple(cents, cents, cents, cents)
        .map(([x, y, w, h]) => [x, y, Math.min(1000, x + w), Math.min(1000, y + h)]),
    });
    await fc.assert(
      fc.asyncProperty(labelNames, fc.array(box, { maxLength: 6 }), async (list, boxes) => {
        const options = {
          frames: task.frames.map((frame) => ({ ...frame, width: 1000, height: 1000 })),
          labels: list.map((name) => ({ name })),
        };
        const original = boxes
          .map(({ label: index, ...rest }) =>
            shapeOf({ type: 'rectangle', label: list[index % list.length] ?? '', ...rest }),
          )
          .toSorted((a, b) => a.frame - b.frame);
        const { path } = await write({ ...options, shapes: original });
        const { task: result, summary } = await readFrom(path, options);
        expect(summary.invalid).toEqual([]);
        expect(summary.warnings).toEqual([]);
        expect(result.shapes.map(({ frame, label: name }) => [frame, name])).toEqual(
          original.map(({ frame, label: name }) => [frame, name]),
        );
        result.shapes.forEach(({ points }, index) =>
          points.forEach((value, place) => expect(value).toBeCloseTo(original[index]?.points[place] ?? Number.NaN, 2)),
        );
      }),
      { numRuns: 32 },
    );
  });
});

it('Ultralytics YOLO Detection Track export preserves the visible shapes of tracks, with every frame a keyframe', async () => {
  const frames = Array.from({ length: 6 }, (_, index) => ({
    name: `frame_${String(index).padStart(6, '0')}`,
    width: 100,
    height: 100,
  }));
  const at = (frame: number, x: number, outside = false) => [frame, [x, 10, x + 10, 20], outside] as const;
  const track = trackOf('rectangle');
  const tracks = [track('car', [at(0, 0), at(2, 20), at(3, 20, true), at(5, 50)]), track('no', [at(1, 5)])];
  const options = { ...task, meta: { mode: 'interpolation' as const }, frames };
  const shapes = [shapeOf({ type: 'rectangle', label: 'car', frame: 4, points: [1, 1, 2, 2] })];
  const {
    path,
    entries,
    summary: exported,
  } = await runExport(ultralyticsDetectionTrackExporter, { ...options, tracks, shapes });
  expect(entries.get('labels/train/frame_000001.txt')).toBe(
    '0 0.150000 0.150000 0.100000 0.100000 0\n1 0.100000 0.150000 0.100000 0.100000 1\n',
  );
  expect(exported.dropped).toEqual([]);
  const { task: result } = await readFrom(path, options);
  expect(
    result.tracks.map(({ label, shapes: list }) => [
      label,
      list.map(({ frame, outside, points }) => [frame, outside, points[0]]),
    ]),
  ).toEqual([
    [
      'car',
      [
        [0, false, 0],
        [1, false, 10],
        [2, false, 20],
        [3, true, 20],
        [5, false, 50],
      ],
    ],
    ['no', [1, 2, 3, 4, 5].map((frame) => [frame, false, 5])],
  ]);
  expect(result.shapes).toMatchObject([{ frame: 4, points: [1, 1, 2, 2] }]);
});
