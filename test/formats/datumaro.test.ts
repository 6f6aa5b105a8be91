import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { datumaro } from '../../main/formats/datumaro/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { Track } from '../../main/formats/kit/task-data.ts';
import { fileOf, folderOf, keyframeOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene, trackOf } from './support/scenes.ts';

interface DatumaroFile {
  readonly info: object;
  readonly categories: {
    readonly label: { readonly labels: readonly object[]; readonly attributes: readonly string[] };
    readonly mask?: object;
    readonly points: { readonly items: readonly object[] };
  };
  readonly items: readonly { readonly id: string; readonly annotations: readonly Record<string, unknown>[] }[];
}

async function write(options: InMemoryTaskDataOptions) {
  const result = await runExport(datumaro.exporter, options);
  const file = (subset = 'default'): DatumaroFile =>
    JSON.parse(result.entries.get(`annotations/${subset}.json`) ?? 'null') as DatumaroFile;
  return { ...result, file };
}

const read = (path: string, options = scene) => runImport(datumaro.importer, path, options);

describe('Datumaro round trip', () => {
  it('preserves exact decimals of boxes, ellipses and lines', async () => {
    const anyDouble = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
    const line = fc.array(fc.tuple(anyDouble, anyDouble), { minLength: 3, maxLength: 6 }).map((pairs) => pairs.flat());
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
        const shapes = lines.map((points) => shapeOf({ type: 'polyline', label: 'car', points }));
        const { path } = await write({ ...scene, shapes });
        const { task } = await read(path, { ...scene, takesOutside: true });
        expect(task.shapes).toEqual(shapes);
      }),
      { numRuns: 20 },
    );
  });

  const { source: _source, ...track } = trackOf('rectangle')(
    'car',
    [
      [0, [1, 1, 11, 11]],
      [2, [3, 1, 13, 11]],
      [3, [3, 1, 13, 11], true],
    ],
    { group: 3 },
  );

  it('preserves tracks, skeletons among them', async () => {
    const element = (name: string, at: readonly number[]) => ({
      label: name,
      group: 0,
      attributes: [],
      shapes: [0, 2, 3].map((frame, index) => {
        const points = [at[index] ?? 0, 5];
        return keyframeOf({ type: 'points', points, frame, occluded: index > 0, outside: frame === 3 });
      }),
    });
    const body: Track = {
      label: 'body',
      group: 0,
      attributes: [],
      shapes: track.shapes.map((shape) => ({ ...shape, type: 'skeleton', points: [] })),
      elements: [element('head', [1, 3, 3]), element('hand "l"', [2, 4, 4]), element('foot', [9, 8, 8])],
    };
    const { path, summary } = await write({ ...scene, tracks: [track, body] });
    expect(summary.dropped).toEqual([]);
    const { task } = await read(path);
    expect(task.tracks).toEqual([track, body]);
    expect(task.shapes).toEqual([]);
  });

  it('keeps the shapes of an invalid track', async () => {
    const { file } = await write({ ...scene, tracks: [track] });
    const text = JSON.stringify(file());
    const twice = JSON.parse(text) as { items: { annotations: unknown[] }[] };
    twice.items[0]?.annotations.push(...(twice.items[0]?.annotations ?? []));
    const { task, summary } = await read(fileOf('a.json', JSON.stringify(twice)));
    expect(task.tracks).toEqual([]);
    expect(task.shapes).toHaveLength(4);
    expect(summary.invalid).toMatchObject([{ reason: expect.stringContaining('same frame 0') }]);
  });

  it('writes one file for each subset, for any order of the frames', async () => {
    const frames = ['a', 'b', 'c', 'd'].map((name, index) => ({
      name: `${name}.jpg`,
      width: 10,
      height: 10,
      subset: index % 2 === 0 ? 'train' : 'val',
    }));
    const shapes = frames.map((_, frame) =>
      shapeOf({ type: 'rectangle', label: 'car', points: [frame, 1, 5, 5], frame }),
    );
    const options = { ...scene, frames, shapes };
    const { path, entries, file } = await write(options);
    expect([...entries.keys()]).toEqual(['annotations/train.json', 'annotations/val.json']);
    expect(file('val').items.map(({ id }) => id)).toEqual(['b', 'd']);
    const { task } = await read(path, { ...scene, frames });
    expect(task.shapes.toSorted((a, b) => a.frame - b.frame)).toEqual(shapes);
  });
});

describe('Datumaro files', () => {
  it('have the keys that other readers need', async () => {
    const shapes = [
      shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 4, 6], attributes: [{ name: 'flag', value: 'TRUE' }] }),
      shapeOf({ type: 'points', label: 'tall tree', points: [1, 2, 3, 4], z_order: 2 }),
    ];
    const { file } = await write({ ...scene, shapes });
    expect(file()).toMatchObject({
      info: {},
      categories: {
        label: {
          labels: [
            { name: 'car', parent: '', attributes: ['count', 'flag', 'text'] },
            { name: 'tall tree', parent: '' },
            { name: 'Hündchen', parent: '' },
            { name: 'body', parent: '' },
            { name: 'head', parent: 'body' },
            { name: 'hand "l"', parent: 'body' },
            { name: 'foot', parent: 'body' },
          ],
          attributes: ['count', 'flag', 'occluded', 'text'],
        },
        points: { items: [{ label_id: 3, labels: ['head', 'hand "l"', 'foot'], joints: [[1, 2]] }] },
      },
      items: [
        {
          id: 'one',
          attr: { frame: 0 },
          image: { path: 'one.jpg', size: [48, 64] },
          annotations: [
            {
              type: 'bbox',
              label_id: 0,
              bbox: [1, 2, 3, 4],
              z_order: 0,
              attributes: { occluded: false, rotation: 0, flag: true },
            },
            { type: 'points', label_id: 1, points: [1, 2, 3, 4], visibility: [2, 2], z_order: 2 },
          ],
        },
        { id: 'a b/Ünïcode 写', image: { path: 'a b/Ünïcode 写.png' } },
        { id: 'deep/er/3' },
        { id: '000004' },
      ],
    });
  });

  it('report attributes whose names are reserved', async () => {
    const labels = [
      { name: 'car', attributes: scene.labels[0]?.attributes?.map((one) => ({ ...one, name: 'rotation' })) ?? [] },
    ];
    const shapes = [
      shapeOf({
        type: 'polygon',
        label: 'car',
        points: [0, 0, 1, 0, 1, 1],
        attributes: [{ name: 'rotation', value: '5' }],
      }),
    ];
    const { summary } = await write({ ...scene, labels, shapes });
    expect(summary.dropped).toMatchObject([{ type: 'attribute', rule: expect.stringContaining('"rotation"') }]);
  });

  const item = (annotations: readonly unknown[], more: object = {}) => ({
    id: 'one',
    image: { path: 'one.jpg', size: [48, 64] },
    annotations,
    ...more,
  });
  const document = (items: readonly unknown[], labels: readonly unknown[] = [{ name: 'car', parent: '' }]) =>
    JSON.stringify({ categories: { label: { labels } }, items });
  const box = { type: 'bbox', label_id: 0, bbox: [1, 2, 3, 4], attributes: {}, group: 0 };

  it('may state their categories after their items, and be a folder deeper', async () => {
    const text = JSON.stringify({
      items: [item([box])],
      categories: { label: { labels: [{ name: 'car', parent: '' }] } },
    });
    for (const path of [
      fileOf('whatever', text),
      await zipOf({ 'annotations/default.json': text }),
      await zipOf({ 'my set/annotations/default.json': text, 'my set/notes.json': '{"a": 1}' }),
      folderOf({ 'top/annotations/x.json': `\uFEFF${text}` }),
    ]) {
      const { task, summary } = await read(path);
      expect(task.shapes).toMatchObject([{ type: 'rectangle', points: [1, 2, 4, 6] }]);
      expect(summary).toMatchObject({ invalidCount: 0, warnings: [] });
    }
  });

  it('match frames by their numbers if no name fits', async () => {
    const numbered = [item([box], { id: 'x1', image: { path: 'x1.jpg' }, attr: { frame: 2 } })];
    const { task, summary } = await read(fileOf('a.json', document(numbered)));
    expect(task.shapes).toMatchObject([{ frame: 2 }]);
    expect(summary.warnings).toEqual([expect.stringContaining('matched by their frame numbers')]);
    const mixed = [...numbered, item([box])];
    const { task: named, summary: report } = await read(fileOf('a.json', document(mixed)));
    expect(named.shapes).toMatchObject([{ frame: 0 }]);
    expect(report.invalid).toMatchObject([{ at: 'items[0]', reason: expect.stringContaining('"x1"') }]);
  });

  it('report every unreadable record with its position', async () => {
    const bad: [unknown, string][] = [
      [5, ''],
      [{ ...box, label_id: null }, '.label_id'],
      [{ ...box, label_id: 7 }, '.label_id'],
      [{ ...box, label_id: '__proto__' }, '.label_id'],
      [{ ...box, bbox: [1, 2, 3] }, '.bbox'],
      [{ ...box, bbox: [1, 2, -3, 4] }, '.bbox'],
      [{ ...box, type: 'star' }, '.type'],
      [{ ...box, type: 'polygon' }, '.points'],
      [{ ...box, type: 'polygon', points: [1, 2, 'x'] }, '.points[2]'],
      [{ ...box, type: 'polygon', points: [1, 2] }, ''],
      [{ ...box, type: 'mask' }, '.segmentation.size'],
      [{ ...box, type: 'mask', rle: { size: [2, 2], counts: '0' } }, '.segmentation.counts'],
      [{ ...box, type: 'ellipse', points: [1, 2] }, '.points'],
      [{ ...box, z_order: 1.5 }, '.z_order'],
      [{ ...box, group: -1 }, '.group'],
    ];
    const turned = { ...box, attributes: { rotation: 'x' } };
    const { task, summary } = await read(fileOf('a.json', document([item([...bad.map(([one]) => one), box, turned])])));
    expect(task.shapes).toHaveLength(2);
    expect(summary.dropped).toMatchObject([{ type: 'attribute', rule: expect.stringContaining('"rotation"') }]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(
      bad.map(([, at], index) => `items[0].annotations[${index}]${at}`),
    );
  });

  it('may contain data that image tasks do not support', async () => {
    const foreign = [
      { type: 'caption', caption: 'a car', group: 0, attributes: {} },
      { type: 'cuboid_3d', label_id: 0, position: [1, 2, 3] },
      { type: 'points', label_id: 0, points: [1, 2], visibility: [1] },
    ];
    const { task, summary } = await read(fileOf('a.json', document([item(foreign)])));
    expect(task.shapes).toMatchObject([{ type: 'points' }]);
    expect(summary.invalidCount).toBe(0);
    expect(summary.dropped.map(({ type }) => type)).toEqual(['caption', 'cuboid_3d', 'points']);
  });

  it('of another format are refused before anything is imported', async () => {
    for (const text of [
      '{"categories": {}}',
      '[]',
      '{}',
      'hello',
      '{"categories": {}, "items": 5}',
      '{"items": [',
      '',
    ]) {
      await expect(read(fileOf('a.json', text)), text).rejects.toMatchObject({ code: 'invalid' });
    }
  });
});
