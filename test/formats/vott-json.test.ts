import { describe, expect, it } from 'vitest';
import { vott } from '../../main/formats/vott-json/index.ts';
import { bothWays, fileOf, folderOf, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const { write, read } = bothWays(vott, scene);
const readText = (text: string) => read(fileOf('export.json', text));

const region = (more: object = {}) => ({
  id: 'r',
  type: 'RECTANGLE',
  tags: ['car'],
  boundingBox: { left: 1, top: 2, width: 10, height: 10 },
  points: [1, 2, 3, 4].map((corner) => ({ x: corner % 3 === 1 ? 1 : 11, y: corner < 3 ? 2 : 12 })),
  ...more,
});
const asset = (regions: unknown, name = 'one.jpg') => ({ asset: { id: name, name, path: `file:/data/${name}`, size: { width: 64, height: 48 } }, regions, version: '2.1.0' }); // prettier-ignore

describe('VoTT', () => {
  it('preserves points', async () => {
    const shapes = [shapeOf({ type: 'points', label: 'car', points: [1.25, 2], source: 'file' })];
    expect((await read((await write({ ...scene, shapes })).path)).task.shapes).toEqual(shapes);
  });

  it('writes assets like the program', async () => {
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 11, 12] })];
    const { entries } = await write({ ...scene, shapes });
    const file = JSON.parse(entries.get('annotations.json') ?? '') as {
      tags: object[];
      assets: Record<string, { asset: object; regions: object[] }>;
    };
    expect(file.tags[0]).toEqual({ name: 'car', color: '#ff0000' });
    const [first] = Object.values(file.assets);
    expect(first?.asset).toMatchObject({ format: 'jpg', name: 'one.jpg', path: 'file:images/default/one.jpg', size: { width: 64, height: 48 }, state: 2, type: 1 }); // prettier-ignore
    expect(first?.regions).toMatchObject([
      { type: 'RECTANGLE', tags: ['car'], boundingBox: { left: 1, top: 2, width: 10, height: 10 }, points: [{ x: 1, y: 2 }, { x: 11, y: 2 }, { x: 11, y: 12 }, { x: 1, y: 12 }] },
    ]); // prettier-ignore
  });

  it('reads complete exports, and the files of single assets', async () => {
    const regions = [region(), region({ points: undefined, tags: ['car', 'tall tree'] }), region({ type: 'SQUARE' })];
    const files = {
      'vott-json-export/x-export.json': JSON.stringify({ name: 'x', assets: { a: asset(regions) }, tags: [] }),
      'b-asset.json': JSON.stringify(asset([region({ type: 'POINT', points: [{ x: 1, y: 2 }] })], '000004.jpg')),
      'settings.json': '{"a": 1}',
    };
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(path);
      expect(summary.invalid).toEqual([]);
      expect(summary.warnings).toEqual([expect.stringContaining('settings.json was left out')]);
      const boxes = task.shapes.filter(({ type }) => type === 'rectangle');
      expect(boxes.map(({ label, group, points }) => [label, group, ...points])).toEqual([
        ['car', 0, 1, 2, 11, 12],
        ['car', 1, 1, 2, 11, 12],
        ['tall tree', 1, 1, 2, 11, 12],
        ['car', 0, 1, 2, 11, 12],
      ]);
      expect(task.shapes.filter(({ type }) => type === 'points')).toMatchObject([{ frame: 3, points: [1, 2] }]);
    }
  });

  it('reports every loss', async () => {
    const bad = [
      7,
      region({ tags: [] }),
      region({ tags: ['plane'] }),
      region({ type: 'BLOB' }),
      region({ type: { toString: 1 } }),
      region({ points: Array(200_000).fill(null) }),
      region({ type: 'POLYGON', points: [{ x: 1, y: 2 }] }),
      region({ points: [{ x: 1 }] }),
      region({ points: undefined, boundingBox: { left: 1 } }),
    ];
    const many = asset([region({ points: Array.from({ length: 200_000 }, (_, x) => ({ x, y: 1 })) })]);
    expect((await readText(JSON.stringify(many))).task.shapes).toMatchObject([{ points: [0, 1, 64, 1] }]);
    const one = JSON.stringify(asset([region()]));
    const { task, summary } = await readText(
      `\uFEFF{"assets": {\r\n"a": ${JSON.stringify(asset([...bad, region()]))}, "b": ${one.replace('"x":1,', '"x":NaN,')}, "c": ${one.replace('"x":1,', '"x":1e999,')}, "d": ${JSON.stringify(asset([region()], 'none.jpg'))}, "e": 5, "f": ${one}, "g`,
    );
    expect(task.shapes).toHaveLength(2);
    expect(summary.invalid.map(({ at }) => at.replace(/(regions\[\d+\]).*/, '$1'))).toEqual([
      ...bad.map((_, index) => `assets.a.regions[${index}]`),
      'assets.b.regions[0]',
      'assets.c.regions[0]',
      'assets.d.asset',
      'assets.e',
      'the JSON',
    ]);
    await expect(readText('{}')).rejects.toThrow('Nothing was imported');
  });
});
