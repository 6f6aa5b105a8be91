import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { yolo } from '../../main/formats/yolo/index.ts';
import { AppError } from '../../main/platform/errors.ts';
import { bothWays, type Files, folderOf, runExport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf } from './support/scenes.ts';

const task: InMemoryTaskDataOptions = {
  frames: [
    { name: '1.jpg', width: 100, height: 50 },
    { name: 'sub/2.png', width: 200, height: 100 },
    { name: '3.jpg', width: 100, height: 50 },
  ],
  labels: [{ name: 'car' }, { name: 'traffic light "red"' }, { name: 'Hündchen 犬' }],
};
const names = 'car\ntraffic light "red"\nHündchen 犬\n';
const dataset = (files: Files): Files => ({
  'obj.data': 'classes = 3\ntrain = data/train.txt\nnames = data/obj.names\nbackup = backup/\n',
  'obj.names': names,
  'train.txt': 'data/obj_train_data/1.jpg\ndata/obj_train_data/sub/2.png\n',
  ...files,
});
const { write, read: readFrom } = bothWays(yolo, task);
const read = (files: Files, options = task) => readFrom(folderOf(files), options);

describe('YOLO 1.1 import', () => {
  it('imports boxes as pixels of their images', async () => {
    const { task: result, summary } = await read(
      dataset({
        'obj_train_data/1.txt': '0 0.5 0.5 0.2 0.4\n',
        'obj_train_data/sub/2.txt': '1 0.250000 0.500000 0.100000 0.200000\n2 0.850000 0.050000 0.300000 0.100000\n',
      }),
    );
    expect(summary.invalid).toEqual([]);
    expect(summary.warnings).toEqual([]);
    const common = { type: 'rectangle', occluded: false, attributes: [], group: 0, z_order: 0, source: 'file' };
    expect(result.shapes).toEqual([
      { ...common, frame: 0, label: 'car', points: [40, 15, 60, 35] },
      { ...common, frame: 1, label: 'traffic light "red"', points: [40, 40, 60, 60] },
      { ...common, frame: 1, label: 'Hündchen 犬', points: [140, 0, 200, 10] },
    ]);
    expect(summary.included).toContainEqual({ type: 'rectangle', label: 'car', count: 1 });
  });

  it('reads the dataset inside an extra folder of an archive, with CRLF, a byte order mark and other machines’ paths', async () => {
    const path = await zipOf({
      'export/obj.data':
        '\uFEFFclasses = 3\r\ntrain = C:\\darknet\\data\\train.txt\r\nnames = /home/me/data/obj.names\r\n',
      'export/obj.names': names.replaceAll('\n', '\r\n'),
      'export/train.txt': './obj_train_data/1.jpg\r\n\r\n/home/me/darknet/data/obj_train_data/sub/2.png\r\n',
      'export/obj_train_data/1.txt': '0 0.5 0.5 0.2 0.4\r\n',
      'export/obj_train_data/sub/2.txt': '1.0 5e-1 .5 0.1 0.1\r\n',
    });
    const { task: result, summary } = await readFrom(path);
    expect(summary.invalid).toEqual([]);
    expect(result.shapes.map(({ frame, label, points }) => [frame, label, points])).toEqual([
      [0, 'car', [40, 15, 60, 35]],
      [1, 'traffic light "red"', [90, 45, 110, 55]],
    ]);
  });

  it('reports unreadable rows with file and line, and keeps the others', async () => {
    const rows = [
      '0 0.5 0.5 0.2 0.4',
      '',
      '0 0.5 0.5 0.2',
      '0 0.5 0.5 0.2 0.4 1.9',
      'car 0.5 0.5 0.2 0.4',
      '7 0.5 0.5 0.2 0.4',
      '0 x 0.5 0.2 0.4',
      '0 nan 0.5 0.2 0.4',
      '0 0.5 0.5 -0.2 0.4',
      '-1 0.5 0.5 0.2 0.4',
      '1 0.5 0.5 0.2 0.4',
    ];
    const { task: result, summary } = await read(dataset({ 'obj_train_data/1.txt': rows.join('\n') }));
    expect(result.shapes.map(({ label }) => label)).toEqual(['car', 'traffic light "red"']);
    expect(summary.invalid.map(({ file, at }) => [file, at])).toEqual(
      [3, 4, 5, 6, 7, 8, 9, 10].map((line) => ['obj_train_data/1.txt', `line ${line}`]),
    );
    expect(summary.invalid[0]?.reason).toContain('but has 4');
    expect(summary.invalid[3]?.reason).toContain('class 7 has no name: the dataset names 3 classes');
    expect(summary.warnings).toEqual([expect.stringContaining('1 images have no label file')]);
  });

  it('reports unknown labels, object by object', async () => {
    const { task: result, summary } = await read(
      dataset({ 'obj_train_data/1.txt': '0 0.5 0.5 0.2 0.4\n1 0.5 0.5 0.2 0.4\n' }),
      { ...task, labels: [{ name: 'car' }] },
    );
    expect(result.shapes).toHaveLength(1);
    expect(summary.invalid).toEqual([
      {
        file: 'obj_train_data/1.txt',
        at: 'line 2',
        reason: 'rectangle: Label "traffic light "red"" is not registered for this task.',
      },
    ]);
  });

  it('reports unknown images', async () => {
    const { task: result, summary } = await read({
      ...dataset({ 'obj_train_data/9.txt': '0 0.5 0.5 0.2 0.4\n0 0.5 0.5 0.2 0.4\n' }),
      'train.txt': 'data/obj_train_data/9.jpg\n',
    });
    expect(result.shapes).toEqual([]);
    expect(summary.invalid).toMatchObject([
      { file: 'obj_train_data/9.txt', reason: expect.stringContaining('its 2 objects were left out') },
    ]);
  });

  it('reports label files that no list names, and reads a subset’s folder if its list is missing', async () => {
    const listed = await read(
      dataset({
        'obj_train_data/1.txt': '0 0.5 0.5 0.2 0.4',
        'obj_train_data/sub/2.txt': '',
        'obj_train_data/3.txt': '0 0.5 0.5 0.2 0.4',
      }),
    );
    expect(listed.task.shapes.map(({ frame }) => frame)).toEqual([0]);
    expect(listed.summary.warnings).toEqual([expect.stringContaining('1 label files belong to no image of a list')]);
    const { 'train.txt': _list, ...withoutList } = dataset({
      'obj_train_data/1.txt': '0 0.5 0.5 0.2 0.4',
      'obj_train_data/3.txt': '0 0.5 0.5 0.2 0.4',
    });
    const unlisted = await read(withoutList);
    expect(unlisted.task.shapes.map(({ frame }) => frame)).toEqual([0, 2]);
    expect(unlisted.summary.warnings).toEqual([
      expect.stringContaining('The list data/train.txt of subset train is missing'),
    ]);
  });

  it('reads several subsets', async () => {
    const { task: result } = await read({
      'obj.data':
        'classes = 3\ntrain = data/train.txt\nmy set = data/my set.txt\nnames = data/obj.names\nbackup = backup/\n',
      'obj.names': names,
      'train.txt': 'data/obj_train_data/1.jpg\n',
      'my set.txt': 'data/obj_my set_data/3.jpg\n',
      'obj_train_data/1.txt': '0 0.5 0.5 0.2 0.4',
      'obj_my set_data/3.txt': '1 0.5 0.5 0.2 0.4',
    });
    expect(result.shapes.map(({ frame, label }) => [frame, label])).toEqual([
      [0, 'car'],
      [2, 'traffic light "red"'],
    ]);
  });

  it('is refused without its description or its class names', async () => {
    await expect(read({ 'obj.names': names })).rejects.toThrow('it has no file named obj.data');
    await expect(read({ 'obj.data': 'classes = 1\nnames = data/obj.names\n' })).rejects.toThrow(
      'no file of class names',
    );
  });

  it('ends in a result or in a clear error, however its files are damaged', async () => {
    const text = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        '0 0.5 0.5 0.2 0.4',
        '0 1e309 1 1 1',
        'data/../../etc/passwd',
        '=',
        'train = data/train.txt',
        '\u0000',
        '999999999999999999 1 1 1 1',
      ),
    );
    const lines = fc.array(text, { maxLength: 6 }).map((list) => list.join('\n'));
    await fc.assert(
      fc.asyncProperty(lines, lines, lines, lines, async (description, classes, list, rows) => {
        const files = {
          'obj.data': `${description}\ntrain = data/train.txt\nnames = data/obj.names\n`,
          'obj.names': classes,
          'train.txt': `data/obj_train_data/1.jpg\n${list}`,
          'obj_train_data/1.txt': rows,
        };
        const outcome: unknown = await read(files).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
      }),
      { numRuns: 40 },
    );
  });
});

describe('YOLO 1.1 export', () => {
  const skeleton = {
    name: 'person',
    type: 'skeleton',
    sublabels: [{ name: 'head', color: '#000000', type: 'points', attributes: [], sublabels: [] }],
  };

  it('writes the files of a darknet dataset; class numbers and names include only labels without a parent', async () => {
    const { entries, summary } = await write({
      frames: [...(task.frames ?? []), { name: 'val/4.jpg', width: 10, height: 10, subset: 'val' }],
      labels: [skeleton, { name: 'car' }, { name: 'dog' }],
      shapes: [
        shapeOf({ type: 'rectangle', label: 'car', points: [40, 15, 60, 35] }),
        shapeOf({ type: 'rectangle', label: 'dog', frame: 1, points: [140, 0, 200, 10] }),
      ],
    });
    expect(Object.fromEntries(entries)).toEqual({
      'obj_train_data/1.txt': '1 0.500000 0.500000 0.200000 0.400000\n',
      'obj_train_data/sub/2.txt': '2 0.850000 0.050000 0.300000 0.100000\n',
      'obj_train_data/3.txt': '',
      'obj_val_data/val/4.txt': '',
      'train.txt': 'data/obj_train_data/1.jpg\ndata/obj_train_data/sub/2.png\ndata/obj_train_data/3.jpg\n',
      'val.txt': 'data/obj_val_data/val/4.jpg\n',
      'obj.names': 'person\ncar\ndog\n',
      'obj.data': 'classes = 3\ntrain = data/train.txt\nval = data/val.txt\nnames = data/obj.names\nbackup = backup/\n',
    });
    expect(summary.dropped).toEqual([]);
  });

  it('reports unsupported data of every object', async () => {
    const box = { type: 'rectangle' as const, label: 'car', points: [1, 2, 3, 4] };
    const { entries, summary } = await write({
      frames: [...task.frames.slice(0, 1), { name: 'unknown size.jpg' }],
      labels: [{ name: 'car', attributes: [attributeOf('a')] }],
      shapes: [
        shapeOf({ ...box, rotation: 30 }),
        shapeOf({ type: 'polygon', label: 'car', points: [1, 2, 3, 4, 5, 6] }),
        shapeOf({
          ...box,
          occluded: true,
          group: 2,
          z_order: 1,
          score: 0.5,
          attributes: [{ name: 'a', value: 'x' }],
        }),
        shapeOf({ ...box, frame: 1 }),
      ],
      tags: [{ frame: 0, label: 'car', group: 0, attributes: [] }],
      tracks: [
        {
          label: 'car',
          group: 0,
          shapes: [{ ...box, frame: 1, occluded: false, outside: true, keyframe: true, z_order: 0, attributes: [] }],
        },
      ],
    });
    expect(entries.get('obj_train_data/1.txt')?.split('\n')).toHaveLength(2);
    expect(summary.included).toEqual([{ type: 'rectangle', label: 'car', count: 1 }]);
    expect(summary.dropped.map(({ type, rule }) => [type, rule])).toEqual([
      ['track', expect.stringContaining('has no tracks')],
      ['tag', 'YOLO 1.1 has no tags.'],
      ['rectangle', 'YOLO 1.1 has no rotated boxes.'],
      ['polygon', 'YOLO 1.1 has boxes only.'],
      ['rectangle', 'YOLO 1.1 has no attributes.'],
      ['rectangle', 'YOLO 1.1 has no "occluded" flag.'],
      ['rectangle', 'YOLO 1.1 has no groups.'],
      ['rectangle', 'YOLO 1.1 has no drawing order.'],
      ['rectangle', 'YOLO 1.1 has no score.'],
      ['rectangle', 'The size of the image is not known.'],
    ]);
  });

  it('refuses subsets with reserved names of the format, and says what to do', async () => {
    for (const subset of ['names', 'classes', 'backup', 'a=b', '../x']) {
      const frames = [{ name: '1.jpg', width: 1, height: 1, subset }];
      await expect(write({ ...task, frames })).rejects.toThrow('Rename the subset');
    }
  });

  it('adds images beside their label files', async () => {
    const images = new Map([[1, { extension: '.png', bytes: Buffer.from('png') }]]);
    const { entries } = await write({ ...task, images }, true);
    expect(entries.get('obj_train_data/sub/2.png')).toBe('png');
  });

  it('skips and reports an image that would share the label file of another', async () => {
    const frames = ['a.jpg', 'a.png'].map((name) => ({ name, width: 10, height: 10 }));
    const shapes = [0, 1].map((frame) => shapeOf({ type: 'rectangle', label: 'car', frame, points: [1, 1, 2, 2] }));
    const { entries, summary } = await write({ ...task, frames, shapes });
    expect(entries.get('train.txt')).toBe('data/obj_train_data/a.jpg\n');
    expect(summary.dropped).toMatchObject([{ type: 'rectangle', count: 1 }]);
    expect(summary.warnings).toEqual([expect.stringContaining('a.png was left out')]);
  });
});

describe('YOLO 1.1 round trip', () => {
  it('preserves boxes within half a unit of the sixth decimal', async () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    const box = fc.record({
      frame: fc.nat({ max: 2 }),
      label: fc.constantFrom('car', 'traffic light "red"', 'Hündchen 犬'),
      x: share,
      y: share,
      w: share,
      h: share,
    });
    const size = fc.record({ width: fc.integer({ min: 1, max: 8000 }), height: fc.integer({ min: 1, max: 8000 }) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(box, { maxLength: 10 }),
        fc.array(size, { minLength: 3, maxLength: 3 }),
        async (boxes, sizes) => {
          const frames = task.frames.map((frame, index) => ({ ...frame, ...sizes[index] }));
          const shapes = boxes
            .map(({ frame, label, x, y, w, h }) => {
              const { width = 0, height = 0 } = sizes[frame] ?? {};
              const [left, top] = [Math.floor(x * width * 100) / 100, Math.floor(y * height * 100) / 100];
              const points = [left, top, left + w * (width - left), top + h * (height - top)];
              return shapeOf({ type: 'rectangle', frame, label, points });
            })
            .toSorted((a, b) => a.frame - b.frame);
          const { path, summary: exported } = await write({ ...task, frames, shapes });
          expect(exported.dropped).toEqual([]);
          const { task: result, summary } = await readFrom(path, { ...task, frames });
          expect(summary.invalid).toEqual([]);
          expect(result.shapes.map(({ frame, label }) => [frame, label])).toEqual(
            shapes.map(({ frame, label }) => [frame, label]),
          );
          for (const [index, shape] of result.shapes.entries()) {
            const { width = 0, height = 0 } = sizes[shape.frame] ?? {};
            shape.points.forEach((value, place) => {
              // Half a unit for the centre, a quarter for half the width, plus the rounding to useful decimals.
              const tolerance = Math.max(place % 2 === 0 ? width : height, 0.01) * 1e-6;
              expect(Math.abs(value - (shapes[index]?.points[place] ?? Number.NaN))).toBeLessThanOrEqual(tolerance);
            });
          }
        },
      ),
      { numRuns: 24 },
    );
  });

  it('preserves every row of a file digit by digit', async () => {
    // A centre, and half an extent that stays within the image.
    const side = fc
      .tuple(fc.nat({ max: 1_000_000 }), fc.nat({ max: 500_000 }))
      .map(([middle, half]) => [middle, 2 * Math.min(half, middle, 1_000_000 - middle)] as const);
    const row = fc
      .tuple(fc.nat({ max: 2 }), side, side)
      .map(([index, [x, w], [y, h]]) => `${index} ${[x, y, w, h].map((value) => (value / 1e6).toFixed(6)).join(' ')}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 10 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        async (rows, width, height) => {
          const frames = [{ name: '1.jpg', width, height }];
          const text = `${rows.join('\n')}\n`;
          const { task: result } = await read(
            { ...dataset({ 'obj_train_data/1.txt': text }), 'train.txt': 'data/obj_train_data/1.jpg\n' },
            { ...task, frames },
          );
          const { entries } = await runExport(yolo.exporter, result);
          expect(entries.get('obj_train_data/1.txt')).toBe(text);
        },
      ),
      { numRuns: 40 },
    );
  });
});
