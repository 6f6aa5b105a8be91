import { describe, expect, it } from 'vitest';
import { dota } from '../../main/formats/dota/index.ts';
import { bothWays, fileOf, folderOf, shapeOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, oneTrack, scene } from './support/scenes.ts';

const { write, read } = bothWays(dota, scene);

describe('DOTA round trip', () => {
  it('exports or reports every other object', async () => {
    const shape = shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 5, 5] });
    const shapes = [
      { ...shape, group: 2, z_order: 3, occluded: true, score: 0.5, attributes: [{ name: 'text', value: 'x' }] },
      { ...shape, points: [1, NaN, 2, 3] },
    ];
    const tags = [{ frame: 0, label: 'car', attributes: [], group: 0 }];
    const { summary } = await write({ ...scene, shapes, tags, tracks: [oneTrack] });
    expect(summary.warnings).toEqual(
      expect.arrayContaining([expect.stringMatching(/^2 images are in folders.* will not find them\.$/)]),
    );
    expect(summary.dropped.map(({ rule }) => rule).toSorted()).toEqual(
      [
        'DOTA has no "occluded" flag.',
        'DOTA has no drawing order.',
        'DOTA has no field for the attribute "text".',
        'DOTA has no groups.',
        'DOTA has no image-level labels.',
        'DOTA has no score.',
        'DOTA has no tracks: each visible frame of the track became a separate shape.',
        'Its coordinates are not four finite numbers.',
      ].toSorted(),
    );
  });

  it('writes four corners, the label and the difficulty', async () => {
    const label = (input_type: string) => ({
      ...scene,
      labels: [{ name: 'car', attributes: [attributeOf('difficult', input_type)] }],
    });
    for (const [type, value, written] of [
      ['checkbox', 'true', 1],
      ['number', '2', 2],
      ['checkbox', 'false', 0],
    ] as const) {
      const attributes = [{ name: 'difficult', value }];
      const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 20, 16], rotation: 90, attributes })];
      const { path, entries } = await write({ ...label(type), shapes });
      expect(entries.get('default/labelTxt/one.txt')).toBe(`18 8 18 18 12 18 12 8 car ${written}\n`);
      expect((await read(path, label(type))).task.shapes[0]?.attributes).toEqual(attributes);
    }
  });
});

describe('files of DOTA', () => {
  it('have lines above their rows, and labels of several words', async () => {
    const text =
      '\uFEFFimagesource:GoogleEarth\r\ngsd:0.146\r\n1.0 2.0 9.0 2.0 9.0 8.0 1.0 8.0 tall tree 1\r\n\r\n15 10 20 15 15 20 10 15 car';
    for (const path of [
      folderOf({ 'train/labelTxt-v1.5/one.txt': text }),
      await zipOf({ 'top/labelTxt/one.txt': text }),
      fileOf('one.dat', text),
    ]) {
      const { task, summary } = await read(path);
      expect(summary.invalid).toEqual([]);
      expect(summary.dropped).toEqual([
        { type: 'attribute', label: 'tall tree', count: 1, rule: expect.stringContaining('difficult') },
      ]);
      expect(task.shapes).toMatchObject([
        { label: 'tall tree', points: [1, 2, 9, 8] },
        { label: 'car', rotation: 45 },
      ]);
    }
  });

  it('may have corners that are not a rectangle', async () => {
    const { task } = await read(fileOf('one.txt', '0 0 10 1 11 9 1 8 car 0'));
    const [shape] = task.shapes;
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = shape?.points ?? [];
    expect((x2 - x1) * (y2 - y1)).toBeGreaterThan(79);
    expect((x2 - x1) * (y2 - y1)).toBeLessThan(110);
  });

  it('report every loss', async () => {
    const rows = [
      '1 2 3 car 0',
      '1 2 9 2 9 8 1 x car 0',
      'NaN 2 9 2 9 8 1 8 car 0',
      '1e999 2 9 2 9 8 1 8 car 0',
      '1 2 9 2 9 8 1 8 plane 0',
    ];
    const path = folderOf({
      'labelTxt/one.txt': `1 2 9 2 9 8 1 8 car 0\n${rows.join('\n')}`,
      'labelTxt/two.txt': '1 2 9 2 9 8 1 8 car 0',
      'readme.txt': 'a dataset',
    });
    const { task, summary } = await read(path);
    expect(task.shapes).toHaveLength(1);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual([
      ...rows.map((_, index) => `labelTxt/one.txt line ${index + 2}`),
      'labelTxt/two.txt line 1',
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('readme.txt was left out')]);
    await expect(read(folderOf({ 'readme.txt': 'a dataset' }))).rejects.toThrow('Nothing was imported');
  });
});
