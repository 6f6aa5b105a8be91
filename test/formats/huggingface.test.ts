import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/registry.ts';
import { parse } from 'yaml';
import { exporterOf, folderOf, importerOf, runExport, runImport, shapeOf } from './support/format-fixtures.ts';

const task = {
  frames: [{ name: 'a.png', width: 100, height: 80, subset: 'train' }],
  labels: [{ name: 'cat' }, { name: 'dog' }],
};
const importer = importerOf('Hugging Face ImageFolder 1.0');
const read = (files: Readonly<Record<string, string>>) => runImport(importer, folderOf(files), task);
const readRow = (row: object) => read({ 'train/metadata.jsonl': JSON.stringify({ file_name: 'a.png', ...row }) });

describe('Hugging Face ImageFolder', () => {
  it.each([
    ['a list of objects', [{ bbox: [40, 10, 20, 30], category: 'cat' }]],
    ['lists beside each other', { bbox: [[40, 10, 20, 30]], categories: ['cat'] }],
  ])('reads boxes from %s', async (_, objects) => {
    const { task: filled, summary } = await readRow({ objects });
    expect(filled.shapes).toMatchObject([{ type: 'rectangle', label: 'cat', points: [40, 10, 60, 40] }]);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
  });

  it('reports every unreadable object, and every unused member', async () => {
    const { task: filled, summary } = await readRow({
      weather: 'rain',
      objects: [
        { bbox: [1, 2, 3, 4], category: 'cat', iscrowd: 1 },
        { category: 'cat' },
        { bbox: [1, 2, 3], category: 'cat' },
        'cat',
      ],
    });
    expect(filled.shapes).toHaveLength(1);
    expect(summary.invalid.map(({ at }) => at)).toEqual([
      'line 1.objects[1]',
      'line 1.objects[2]',
      'line 1.objects[3]',
    ]);
    expect(summary.dropped).toMatchObject([{ rule: 'A task has no field for the member "iscrowd".', count: 1 }]);
    expect(summary.warnings).toEqual(['These members of images were left out: weather.']);
  });

  it.each([
    ['a text', 'cat'],
    ['a number', 5],
    ['an object without lists', { bbox: 7 }],
  ])('reports objects that are %s', async (_, objects) => {
    const { summary } = await readRow({ objects });
    expect(summary.invalidCount).toBe(1);
  });

  it('reads metadata.csv, with labels of images and objects as JSON', async () => {
    const files = {
      'train/metadata.csv':
        'file_name,label,objects,weather\r\na.png,dog,"{""bbox"": [[40, 10, 20, 30]], ""categories"": [""cat""]}",rain\r\n',
    };
    const path = folderOf(files);
    expect((await detectFormat({ path, name: 'train' }))[0]?.name).toBe('Hugging Face ImageFolder 1.0');
    const { task: filled, summary } = await runImport(importer, path, task);
    expect(filled.shapes).toMatchObject([{ label: 'cat', points: [40, 10, 60, 40] }]);
    expect(filled.tags).toMatchObject([{ label: 'dog' }]);
    expect(summary.invalidCount).toBe(0);
    expect(summary.warnings).toEqual([expect.stringContaining('weather')]);
  });

  it('writes a dataset card that names the folder of each split and the labels', async () => {
    const frames = ['train', 'test set'].map((subset, at) => ({ name: `${at}.png`, width: 100, height: 80, subset }));
    const shapes = [{ ...shapeOf({ type: 'rectangle', label: 'cat', points: [40, 10, 60, 40] }), frame: 0 }];
    const { entries } = await runExport(exporterOf('Hugging Face ImageFolder 1.0'), { ...task, frames, shapes });
    const card = entries.get('README.md') ?? '';
    const [, front = '', text] = card.split('---\n');
    expect(parse(front)).toMatchObject({
      task_categories: ['object-detection'],
      configs: [
        {
          config_name: 'default',
          data_files: [
            { split: 'train', path: 'train/**' },
            { split: 'test_set', path: 'test set/**' },
          ],
        },
      ],
    });
    expect(text).toContain('- cat\n- dog\n');
  });
});
