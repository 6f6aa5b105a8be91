import { describe, expect, it } from 'vitest';
import { createMl } from '../../main/formats/createml/index.ts';
import { bothWays, fileOf, folderOf, shapeOf, zipOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const { write, read } = bothWays(createMl, scene);
const readText = (text: string) => read(fileOf('_annotations.createml.json', text));

const box = (more: object = {}) => ({ label: 'car', coordinates: { x: 6, y: 7, width: 10, height: 10 }, ...more });
const image = (annotations: unknown, name: unknown = 'one.jpg') => ({ image: name, annotations });

describe('CreateML', () => {
  it('writes boxes by their centres, and a list for each subset', async () => {
    const frames = [
      { name: 'a.jpg', subset: 'train', width: 9, height: 9 },
      { name: 'a.jpg', subset: 'val', width: 9, height: 9 },
    ];
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 4.5, 6], frame: 1 })];
    const { entries, path } = await write({ ...scene, frames, shapes });
    expect(JSON.parse(entries.get('val/annotations.json') ?? '')).toEqual([
      { image: 'a.jpg', annotations: [{ label: 'car', coordinates: { x: 2.75, y: 4, width: 3.5, height: 4 } }] },
    ]);
    expect(JSON.parse(entries.get('train/annotations.json') ?? '')).toEqual([{ image: 'a.jpg', annotations: [] }]);
    expect((await read(path, { ...scene, frames })).task.shapes).toMatchObject([{ frame: 1, points: [1, 2, 4.5, 6] }]);
  });

  it('reads other names of other versions, confidences, and image labels', async () => {
    const { task, summary } = await readText(
      JSON.stringify([
        { imagefilename: 'one.jpg', annotation: [box({ confidence: 0.5 })] },
        { image: '000004.jpg', annotation: 'tall tree' },
      ]),
    );
    expect(summary.invalid).toEqual([]);
    expect(task.shapes).toMatchObject([{ points: [1, 2, 11, 12], score: 0.5 }]);
    expect(task.tags).toMatchObject([{ frame: 3, label: 'tall tree' }]);
  });

  it('reports every loss', async () => {
    const bad = [7, box({ label: null }), box({ label: 'plane' }), box({ coordinates: [] }), box({ coordinates: { x: 1, y: 2, width: 3 } }), box({ coordinates: { x: 1, y: 2, width: -3, height: 1 } })]; // prettier-ignore
    const one = JSON.stringify(image([box()]));
    const { task, summary } = await readText(
      `\uFEFF[\r\n${JSON.stringify(image([...bad, box()]))},${one.replace('"x":6', '"x":NaN')},${one.replace('"x":6', '"x":1e999')},${JSON.stringify(image([box()], 'none.jpg'))},${JSON.stringify(image([box()], 5))},"text",${one}, {`,
    );
    expect(task.shapes).toHaveLength(2);
    expect(summary.invalid.map(({ at }) => at.replace(/(annotations\[\d\]).*/, '$1'))).toEqual([
      ...bad.map((_, index) => `[0].annotations[${index}]`),
      '[1].annotations[0]',
      '[2].annotations[0]',
      '[3].image',
      '[4].image',
      '[5]',
      'the JSON',
    ]);
    const files = { 'train/_annotations.createml.json': `[${one}]`, 'train/other.json': '{}' };
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task: whole, summary: mixed } = await read(path);
      expect(whole.shapes).toHaveLength(1);
      expect(mixed.warnings).toEqual([expect.stringContaining('other.json was left out')]);
    }
    await expect(readText('{}')).rejects.toThrow('Nothing was imported');
  });
});
