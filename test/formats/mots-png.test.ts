import { describe, expect, it } from 'vitest';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { mots } from '../../main/formats/mots-png/index.ts';
import { bothWays, type Files, folderOf, numbersIn, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene, trackOf as trackOfType } from './support/scenes.ts';

const { write, read } = bothWays(mots, scene);

const square = (left: number, top: number): number[] =>
  [left, top, left + 10, top, left + 10, top + 10].concat(left, top + 10);
const trackOf = trackOfType('polygon');
/** The outline as read from pixels, which begins with its second corner. */
const pixels = (points: readonly number[]) => [...points.slice(2), ...points.slice(0, 2)];

describe('MOTS PNG round trip', () => {
  it('preserves the visible shapes of tracks of polygons, frame by frame', async () => {
    const car = trackOf('car', [
      [0, square(1, 1)],
      [2, square(3, 1)],
      [3, square(3, 1), true],
    ]);
    const tree = trackOf(
      'tall tree',
      [
        [1, square(30, 20)],
        [2, square(30, 20), true],
        [3, square(40, 20)],
      ],
      { group: 5 },
    );
    const { path, summary } = await write({ ...scene, tracks: [car, tree] });
    expect(summary.included).toEqual([
      { type: 'track', label: 'car', count: 1 },
      { type: 'track', label: 'tall tree', count: 1 },
    ]);
    expect(summary.dropped.map(({ type, count, rule }) => [type, count, rule])).toEqual([
      ['polygon', 3, 'MOTS PNG has no polygons: written as a mask.'],
      ['polygon', 2, 'MOTS PNG has no polygons: written as a mask.'],
      ['polygon', 2, 'MOTS PNG has no groups.'],
    ]);
    expect(await numbersIn(path, 'default/instances/one.png')).toEqual([0, 1001]);
    expect(await numbersIn(path, 'default/instances/a b/Ünïcode 写.png')).toEqual([0, 1001, 2002]);
    const { task, summary: reading } = await read(path);
    expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(
      task.tracks.map(({ label, group, shapes }) => [
        label,
        group,
        shapes.map(({ frame, outside, points }) => [frame, outside, points]),
      ]),
    ).toEqual([
      [
        'car',
        0,
        [
          [0, false, pixels(square(1, 1))],
          [1, false, pixels(square(2, 1))],
          [2, false, pixels(square(3, 1))],
          [3, true, pixels(square(3, 1))],
        ],
      ],
      [
        'tall tree',
        0,
        [
          [1, false, pixels(square(30, 20))],
          [2, true, pixels(square(30, 20))],
          [3, false, pixels(square(40, 20))],
        ],
      ],
    ]);
  });

  it('skips single shapes, tags and lines, and reports it', async () => {
    const line = trackOf('car', [[0, [1, 1, 5, 5]]]);
    const { summary, entries } = await write({
      ...scene,
      shapes: [shapeOf({ type: 'mask', label: 'car', points: [0, 4, 1, 1, 2, 2] })],
      tags: [{ frame: 0, label: 'car', attributes: [], group: 0 }],
      tracks: [{ ...line, shapes: line.shapes.map((shape) => ({ ...shape, type: 'polyline' })) }],
    });
    expect(summary.included).toEqual([]);
    expect(summary.dropped.map(({ type }) => type).toSorted()).toEqual(['mask', 'polyline', 'tag', 'track']);
    expect([...entries]).toEqual([['default/instances/labels.txt', 'car\ntall tree\nHündchen\nbody']]);
  });

  it('numbers more than a thousand tracks by their labels', async () => {
    const tracks = Array.from({ length: 1200 }, (_, index) =>
      trackOf(index < 600 ? 'car' : 'tall tree', [[0, square((index % 60) * 20, Math.floor(index / 60) * 20)]]),
    );
    const frames = [{ name: 'one.jpg', width: 1200, height: 400 }];
    const { path, summary } = await write({ ...scene, frames, tracks });
    expect(summary.dropped.every(({ rule }) => rule.includes('written as a mask'))).toBe(true);
    const { task } = await read(path, { ...scene, frames });
    expect(task.tracks.filter(({ label }) => label === 'car')).toHaveLength(600);
    expect(task.tracks).toHaveLength(1200);
  });
});

const grey = (width: number, values: readonly number[]) =>
  encodePng({ kind: 'grey16', width, height: values.length / width, pixels: Uint16Array.from(values) });

describe('MOTS PNG datasets', () => {
  const image = grey(5, [1001, 1001, 0, 1001, 2007]);
  const layouts: Record<string, Files> = {
    'folders of subsets': { 'train/instances/one.png': image, 'train/instances/labels.txt': 'car\ntall tree\n' },
    'an extra folder': {
      'top/train/instances/one.png': image,
      'top/train/instances/labels.txt': '\uFEFFcar\r\ntall tree\r\n',
    },
    'no subset': { 'instances/one.png': image, 'instances/labels.txt': 'car\ntall tree' },
  };
  it.each(Object.entries(layouts))('are read from %s', async (_name, files) => {
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(path);
      expect(summary.invalidCount).toBe(0);
      expect(task.tracks.map(({ label, group, shapes }) => [label, group, shapes.length])).toEqual([
        ['car', 1, 2],
        ['car', 1, 2],
        ['tall tree', 0, 2],
      ]);
    }
  });

  it('may keep masks, which then are not tracks', async () => {
    const { task, summary } = await read(folderOf(layouts['no subset'] ?? {}), scene, { conv_mask_to_poly: false });
    expect(task.tracks).toEqual([]);
    expect(task.shapes.map(({ type, label, points }) => [type, label, points])).toEqual([
      ['mask', 'car', [0, 2, 1, 1, 0, 0, 3, 0]],
      ['mask', 'tall tree', [0, 1, 4, 0, 4, 0]],
    ]);
    expect(summary.dropped.map(({ type }) => type)).toEqual(['track', 'track']);
  });

  it('without a list of labels have the published labels', async () => {
    const labels = ['car', 'pedestrian', 'ignored'].map((name) => ({ name }));
    const { task } = await read(folderOf({ 'val/instances/one.png': grey(3, [1000, 2001, 10_000]) }), {
      ...scene,
      labels,
    });
    expect(task.tracks.map(({ label, shapes }) => [label, shapes[0]?.z_order])).toEqual([
      ['car', 0],
      ['pedestrian', 0],
      ['ignored', 1],
    ]);
  });

  it('report every loss', async () => {
    const { task, summary } = await read(
      folderOf({
        'a/instances/labels.txt': 'car',
        'a/instances/one.png': grey(3, [1001, 5001, 7]),
        'a/instances/nobody.png': grey(1, [1001]),
        'a/instances/000004.png': encodePng({ kind: 'rgb', width: 1, height: 1, pixels: new Uint8Array(3) }),
        'a/instances/deep/er/3.png': 'x',
      }),
    );
    expect(task.tracks).toHaveLength(1);
    expect(summary.invalid.map(({ file, at }) => `${file.slice(12)} ${at}`).toSorted()).toEqual([
      '000004.png the image',
      'deep/er/3.png the image',
      'nobody.png the image',
      'one.png the number 5001 (label 5)',
      'one.png the number 7 (label 0)',
    ]);
  });
});
