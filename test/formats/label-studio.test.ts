import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { decodeBrush, encodeBrush } from '../../main/formats/label-studio/brush-rle.ts';
import { labelStudio } from '../../main/formats/label-studio/index.ts';
import { maskFromBitmap } from '../../preload/geometry/mask-runs.ts';
import { fileOf, folderOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { height, maskPoints, oneTrack, scene, sceneTags, width } from './support/scenes.ts';

const write = (options: InMemoryTaskDataOptions) => runExport(labelStudio.exporter, options);
const read = (path: string, more: Record<string, unknown> = {}, task: InMemoryTaskDataOptions = scene) =>
  runImport(labelStudio.importer, path, task, { options: { conv_mask_to_poly: false, ...more } });
const readTasks = (tasks: unknown, more: Record<string, unknown> = {}) =>
  read(fileOf('project.json', typeof tasks === 'string' ? tasks : JSON.stringify(tasks)), more);

describe('brushes of Label Studio', () => {
  it('preserve every mask', () => {
    fc.assert(
      fc.property(maskPoints, (mask) => {
        const bytes = Uint8Array.from(encodeBrush(mask, { width, height }));
        expect(maskFromBitmap(decodeBrush(bytes, { width, height }), width, height)).toEqual(mask);
      }),
      { numRuns: 80 },
    );
  });

  it('equal the documented bits', () => {
    // One pixel: 4 values, words of 8 bits, lengths of 3, 4, 8 and 16 bits, and one run of 4 × 255.
    const bits = `${(4).toString(2).padStart(32, '0')}${'00111'}${'0010'}${'0011'}${'0111'}${'1111'}${'1'}${'00'}${'011'}${'11111111'}`;
    const bytes = (bits.match(/.{1,8}/g) ?? []).map((one) => Number.parseInt(one.padEnd(8, '0'), 2));
    expect(encodeBrush([0, 1, 0, 0, 0, 0], { width: 1, height: 1 })).toEqual(bytes);
    // Single values, which the program writes when nothing repeats: only the fourth of a pixel counts.
    const single = `${(8).toString(2).padStart(32, '0')}${'00111'}${'0010'}${'0011'}${'0111'}${'1111'}${'0'}${'00'}${'111'}${'11111111'.repeat(3)}${'00000000'.repeat(4)}${'10000000'}`;
    const values = Uint8Array.from(
      (single.match(/.{1,8}/g) ?? []).map((one) => Number.parseInt(one.padEnd(8, '0'), 2)),
    );
    expect([...decodeBrush(values, { width: 2, height: 1 })]).toEqual([0, 1]);
  });

  it('that are truncated, or of another image, are refused', () => {
    const bytes = Uint8Array.from(encodeBrush([0, 4, 1, 1, 2, 2], { width: 9, height: 9 }));
    for (let length = 0; length < bytes.length - 1; length += 1)
      expect(() => decodeBrush(bytes.subarray(0, length), { width: 9, height: 9 })).toThrow(/is truncated|values/);
    expect(() => decodeBrush(bytes, { width: 9, height: 8 })).toThrow('the image of 9 × 8 needs');
  });
});

describe('Label Studio round trip', () => {
  it('preserves labels of images, groups and tracks', async () => {
    await fc.assert(
      fc.asyncProperty(sceneTags, async (tags) => {
        const { path, summary } = await write({ ...scene, tags });
        const { task } = await read(path);
        const keys = (list: typeof tags) => list.map(({ frame, label }) => `${frame} ${label}`);
        expect(keys([...task.tags]).toSorted()).toEqual([...new Set(keys(tags))].toSorted());
        expect(task.tags.length + summary.dropped.reduce((sum, { count }) => sum + count, 0)).toBe(tags.length);
      }),
      { numRuns: 20 },
    );
    const shape = shapeOf({ type: 'points', label: 'car', points: [1, 1, 5, 5], source: 'file' });
    const shapes = [3, 0, 3, 7].map((group, index) => ({ ...shape, group, points: [index, 1, 9, 9] }));
    const { task } = await read((await write({ ...scene, shapes, tracks: [oneTrack] })).path);
    expect(task.shapes.map(({ group }) => group)).toEqual([1, 0, 1, 2]);
    expect(task.tracks).toEqual([oneTrack]);
  });

  it('exports or reports every other shape', async () => {
    const unsized = { ...scene, frames: [{ name: 'one.jpg' }] };
    const shapes = [
      shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 5, 5] }),
      shapeOf({ type: 'points', label: 'car', points: [1, NaN] }),
    ];
    expect((await write({ ...unsized, shapes })).summary.dropped.map(({ rule }) => rule)).toEqual([
      expect.stringContaining('size of the image'),
      expect.stringContaining('finite'),
    ]);
  });

  it('rotates boxes about their top left corner', async () => {
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 20, 16], rotation: 90 })];
    const { entries } = await write({ ...scene, shapes });
    const [task] = JSON.parse(entries.get('annotations.json') ?? '[]') as {
      annotations: { result: { value: object }[] }[];
    }[];
    expect(task?.annotations[0]?.result[0]).toMatchObject({
      type: 'rectanglelabels',
      original_width: 64,
      original_height: 48,
      value: {
        x: (18 / 64) * 100,
        y: (8 / 48) * 100,
        width: (10 / 64) * 100,
        height: (6 / 48) * 100,
        rotation: 90,
        rectanglelabels: ['car'],
      },
    });
  });
});

describe('projects of Label Studio', () => {
  const size = { original_width: 64, original_height: 48, image_rotation: 0 };
  const box = { x: 25, y: 50, width: 50, height: 25, rotation: 0 };
  const region = (more: object) => ({
    id: 'a',
    type: 'rectanglelabels',
    ...size,
    value: { ...box, rectanglelabels: ['car'] },
    ...more,
  });
  const task = (result: unknown, more: object = {}) => ({
    id: 1,
    data: { image: '/data/upload/3/1a2b3c4d-one.jpg' },
    annotations: [{ id: 7, result }],
    ...more,
  });

  it('may name their images by any address', async () => {
    const addresses = [
      ['/data/upload/3/1a2b3c4d-one.jpg', 0],
      ['/data/local-files/?d=set%2Fdeep/er/3.jpeg', 2],
      ['s3://bucket/a%20b/%C3%9Cn%C3%AFcode%20%E5%86%99.png', 1],
      ['https://host/path/000004.jpg?token=1', 3],
    ] as const;
    for (const [image, frame] of addresses) {
      const { task: found } = await readTasks([task([region({})], { data: { note: 'x', img: image } })]);
      expect(found.shapes, image).toMatchObject([{ frame, points: [16, 24, 48, 36] }]);
    }
  });

  it('may state outline and label in two results, and contain more about a region', async () => {
    const { task: found, summary } = await readTasks([
      task([
        region({ type: 'rectangle', value: box }),
        { id: 'a', type: 'labels', value: { ...box, labels: ['car'] } },
        { id: 'a', from_name: 'text', type: 'textarea', value: { text: ['blue', 'new'] } },
        { id: 'b', type: 'choices', from_name: 'kind', value: { choices: ['tall tree'] } },
      ]),
    ]);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(found.shapes).toMatchObject([{ label: 'car', attributes: [{ name: 'text', value: 'blue, new' }] }]);
    expect(found.tags).toMatchObject([{ label: 'tall tree', frame: 0 }]);
  });

  it('may be flattened', async () => {
    const flat = { image: 'one.jpg', id: 4, label: [{ ...box, rectanglelabels: ['car'] }, { x: 50, y: 50, width: 1, keypointlabels: ['car'] }], kind: { choices: ['tall tree'] }, annotator: 1, lead_time: 2.5 }; // prettier-ignore
    const { task: found, summary } = await readTasks([flat]);
    expect(summary.invalidCount).toBe(0);
    expect(found.shapes).toMatchObject([{ points: [16, 24, 48, 36] }, { type: 'points', points: [32, 24] }]);
    expect(found.tags).toMatchObject([{ label: 'tall tree' }]);
  });

  it('group the children of a region', async () => {
    const { task: found } = await readTasks([
      task([
        region({}),
        region({ id: 'k', type: 'keypointlabels', parentID: 'a', value: { x: 1, y: 1, keypointlabels: ['car'] } }),
        region({ id: 'z' }),
      ]),
    ]);
    expect(found.shapes.map(({ type, group }) => [type, group])).toEqual([
      ['rectangle', 1],
      ['points', 1],
      ['rectangle', 0],
    ]);
  });

  it('may have boxes of a video', async () => {
    const video = {
      ...scene,
      meta: { mode: 'interpolation' as const },
      frames: [0, 1, 2, 3].map((frame) => ({ name: `frame_00000${frame}`, width: 64, height: 48 })),
    };
    const value = {
      labels: ['car'],
      sequence: [
        { frame: 1, ...box, enabled: true },
        { frame: 3, ...box, x: 0, enabled: false },
      ],
    };
    const path = fileOf(
      'video.json',
      JSON.stringify([{ data: { video: '/x.mp4' }, annotations: [{ result: [{ type: 'videorectangle', value }] }] }]),
    );
    const { task: found, summary } = await read(path, {}, video);
    expect(summary.invalid).toEqual([]);
    expect(found.tracks[0]?.shapes.map(({ frame, outside, points }) => [frame, outside, points[0]])).toEqual([
      [0, false, 16],
      [2, false, 0],
      [3, true, 0],
    ]);
  });

  it('report every loss', async () => {
    const bad: unknown[] = [
      7,
      region({ id: '1', value: { ...box, x: 'left', rectanglelabels: ['car'] } }),
      region({ id: '2', value: { ...box, width: -1, rectanglelabels: ['car'] } }),
      region({ id: '3', value: { ...box, rectanglelabels: ['plane'] } }),
      region({ id: '4', value: { ...box, rectanglelabels: [] } }),
      region({ id: '5', image_rotation: 90 }),
      region({ id: '6', type: 'polygonlabels', value: { points: [[1, 2], [3, null]], polygonlabels: ['car'] } }), // prettier-ignore
      region({ id: '7', type: 'brushlabels', value: { format: 'rle', rle: [1, 2, 300], brushlabels: ['car'] } }),
      region({ id: '8', type: 'brushlabels', original_width: 1e6, original_height: 1e6, value: { format: 'rle', rle: [1, 2], brushlabels: ['car'] } }), // prettier-ignore
      { id: '9', type: 'labels', value: { labels: ['car'] } },
      { type: 'relation', from_id: 'a', to_id: 'b' },
      region({ id: 'c', parentID: { toString: 1 }, value: { ...box, rectanglelabels: Array(200_000).fill(7) } }),
      { id: 'q', type: 'textarea', value: { text: ['about the image'] } },
      { type: 'videorectangle', value: { labels: ['car'], sequence: [{ frame: 99, ...box }] } },
    ];
    const { task: found, summary } = await readTasks([
      task([...bad, region({ value: { ...box, rectanglelabels: ['car', 'tall tree'] } })]),
      task([region({})], { data: { image: 'nowhere.jpg' } }),
      {
        id: 2,
        data: { image: 'one.jpg' },
        annotations: [{ result: [region({})], was_cancelled: true }],
        predictions: [{ result: [region({})] }],
      },
      'no task',
    ]);
    expect(found.shapes).toHaveLength(1);
    const places = summary.invalid.map(({ at }) => /^\[\d\](\.annotations\[0\](\.result\[\d+\])?)?/.exec(at)?.[0]);
    expect(places.toSorted()).toEqual(
      [...bad.map((_, index) => `[0].annotations[0].result[${index}]`), '[1]', '[2].annotations[0]', '[3]'].toSorted(),
    );
    expect(summary.dropped).toMatchObject([{ label: 'tall tree', rule: expect.stringContaining('one label') }]);
    expect(summary.warnings).toEqual([expect.stringContaining('predictions')]);
    const taken = await readTasks(
      [{ data: { image: 'one.jpg' }, predictions: [{ result: [region({ score: 0.5 })] }] }],
      { predictions: true },
    );
    expect(taken.task.shapes).toMatchObject([{ score: 0.5 }]);
  });

  it('keep the valid part of a broken list', async () => {
    const one = JSON.stringify(task([region({})]));
    const { task: found, summary } = await readTasks(
      `\uFEFF[${one},\r\n${one.replace('"x":25', '"x":NaN')}, ${one}, {"da`,
    );
    expect(found.shapes).toHaveLength(2);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['[1].annotations[0].result[0].value.x', 'the JSON']);
    const files = { 'top/a.json': `[${one}]`, 'top/b.json': '{}' };
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { summary: mixed, task: whole } = await read(path);
      expect(whole.shapes).toHaveLength(1);
      expect(mixed.warnings).toEqual([expect.stringContaining('top/b.json')]);
    }
    await expect(readTasks('{}')).rejects.toThrow('Nothing was imported');
  });
});
