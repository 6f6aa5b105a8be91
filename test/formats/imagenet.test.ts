import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/registry.ts';
import { imageNet } from '../../main/formats/imagenet/index.ts';
import type { Tag } from '../../main/formats/kit/task-data.ts';
import { bothWays, type Files, folderOf, zipOf } from './support/format-fixtures.ts';
import { inOrder, scene, sceneFrames, sceneTags } from './support/scenes.ts';

const { write, read } = bothWays(imageNet, scene);

const images = new Map(sceneFrames.map(({ frame }) => [frame, { extension: '.jpg', bytes: Buffer.from([frame]) }]));
const unique = (tags: readonly Tag[]): Tag[] => [
  ...new Map(tags.map((tag) => [`${tag.frame} ${tag.label}`, tag])).values(),
];
const sorted = (tags: readonly Tag[]): [number, string][] =>
  tags.map(({ frame, label }): [number, string] => [frame, label]).toSorted();
const pairs = (tags: readonly Tag[]) => tags.map(({ frame, label }) => [frame, label]);

describe('ImageNet round trip', () => {
  it.each([false, true])('preserves labels of images (with images: %s)', async (withImages) => {
    await fc.assert(
      fc.asyncProperty(sceneTags, async (drawn) => {
        const tags = unique(drawn);
        const { path, summary } = await write({ ...scene, tags, images }, withImages);
        expect(summary).toMatchObject({ dropped: [], warnings: [] });
        const { task, summary: reading } = await read(path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
        expect(sorted(task.tags)).toEqual(sorted(tags));
        for (const tag of task.tags) expect(tag).toMatchObject({ attributes: [], group: 0, source: 'file' });
      }),
      { numRuns: 20 },
    );
  });

  it('preserves names of every kind, in their subsets', async () => {
    const names = ['1.jpg', 'b 2.jpg', 'c "3" 4.png', '5', 'd e', 'v1.2.jpg', '" 1".gif', 'x/5.jpg'];
    const frames = names.map((name, index) => ({ name, subset: index % 2 === 0 ? 'train' : 'val' }));
    const tags = frames.map((_, frame) => ({ frame, label: 'car', attributes: [], group: 0 }));
    const { path, entries } = await write({ ...scene, frames, tags });
    expect([...entries.keys()]).toEqual(['synsets.txt', 'train.txt', 'val.txt']);
    expect(entries.get('train.txt')).toBe('1.jpg 0\n"c "3" 4".png 0\n"d e" 0\n"" 1"".gif 0\n');
    expect(entries.get('val.txt')).toBe('"b 2".jpg 0\n5 0\nv1.2.jpg 0\nx/5.jpg 0\n');
    const { task, summary } = await read(path, { ...scene, frames });
    expect(summary.invalidCount).toBe(0);
    expect(pairs(inOrder(task.tags))).toEqual(pairs(tags));
  });

  it('reads folders of labels in folders of subsets', async () => {
    const files = { 'top/train/car/1.jpg': '', 'top/val/tall tree/1.jpg': '', 'top/val/car/2.jpg': '' };
    const frames = [
      { name: '1.jpg', subset: 'train' },
      { name: '1.jpg', subset: 'val' },
      { name: '2.jpg', subset: 'val' },
    ];
    const { task, summary } = await read(folderOf(files), { ...scene, frames });
    expect(summary.invalidCount).toBe(0);
    expect(sorted(task.tags)).toEqual([
      [0, 'car'],
      [1, 'tall tree'],
      [2, 'car'],
    ]);
    const ownLabels = { ...scene, frames: [{ name: 'car/1.jpg' }], labels: [{ name: 'train' }, { name: 'val' }] };
    const other = await read(folderOf({ 'train/car/1.jpg': '' }), ownLabels);
    expect(other.task.tags).toMatchObject([{ label: 'train' }]);
  });

  it('exports or reports every object', async () => {
    const tag = { frame: 0, label: 'car', attributes: [{ name: 'text', value: 'x' }], group: 2 };
    const labels = [{ name: 'car' }, { name: 'a/b' }, { name: 'no_label' }];
    const tags = [tag, { ...tag }, { ...tag, label: 'a/b', attributes: [], group: 0 }, { ...tag, label: 'no_label' }];
    const { summary } = await write({ ...scene, labels, tags }, true);
    expect(summary.dropped.map(({ type, label, rule, count }) => `${type} ${label} ${count}: ${rule}`)).toEqual([
      'tag car 1: ImageNet has no attributes.',
      'tag car 1: ImageNet has no groups.',
      'tag car 1: The image has this label twice.',
      'tag a/b 1: ImageNet has a folder for each label, and this label is not a valid folder name.',
      'tag no_label 1: ImageNet reserves this folder name for images without a label.',
      'tag car 2: The label is the folder of the image, and the image could not be read.',
      'tag a/b 1: The label is the folder of the image, and the image could not be read.',
      'tag no_label 1: The label is the folder of the image, and the image could not be read.',
    ]);
    await expect(write({ ...scene, meta: { subset: 'synsets' } })).rejects.toThrow(
      'cannot have a subset named "synsets"',
    );
  });
});

describe('ImageNet datasets', () => {
  const lists: Files = {
    'synsets.txt': '\uFEFFcar\r\ntall tree\r\n',
    'train.txt': '\uFEFFone.jpg 0 1\r\n"a b/Ünïcode 写".png 1\r\n\r\ndeep/er/3\r\n',
  };
  it('are read with an extra folder', async () => {
    const deeper = Object.fromEntries(Object.entries(lists).map(([name, text]) => [`top/${name}`, text]));
    for (const path of [folderOf(lists), await zipOf(deeper)]) {
      const { task, summary } = await read(path);
      expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
      expect(pairs(task.tags)).toEqual([
        [0, 'car'],
        [0, 'tall tree'],
        [1, 'tall tree'],
      ]);
    }
    const folders = { 'top/car/one.jpg': '', 'top/tall tree/000004.jpg': '', 'top/no_label/3.jpeg': '' };
    expect(pairs((await read(folderOf(folders))).task.tags)).toEqual([
      [0, 'car'],
      [3, 'tall tree'],
    ]);
    // Without an extra folder: the only folder is a label.
    expect(pairs((await read(await zipOf({ 'car/one.jpg': '' }))).task.tags)).toEqual([[0, 'car']]);
  });

  it('are read into tasks whose images are in the folders of their labels', async () => {
    const frames = ['car/1.jpg', 'tall tree/1.jpg'].map((name) => ({ name }));
    const { task } = await read(folderOf({ 'car/1.jpg': '', 'tall tree/1.jpg': '' }), { ...scene, frames });
    expect(pairs(task.tags)).toEqual([
      [0, 'car'],
      [1, 'tall tree'],
    ]);
  });

  it('report every loss', async () => {
    const { task, summary } = await read(
      folderOf({
        'synsets.txt': 'car\nplane\n',
        'a.txt': 'one.jpg 0 7\none.jpg x\nnobody.jpg 0\none.jpg -1\none.jpg 1\none.jpg 99999999999999999999\n',
      }),
    );
    expect(pairs(task.tags)).toEqual([[0, 'car']]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual(
      [1, 2, 3, 4, 5, 6].map((line) => `a.txt line ${line}`),
    );
    const folders = await read(await zipOf({ 'car/nobody.jpg': '', 'plane/one.jpg': '' }));
    expect(folders.summary.invalid.map(({ file }) => file)).toEqual(['car/nobody.jpg', 'plane/one.jpg']);
  });

  it('are detected: lists certainly, folders of images possibly', async () => {
    const detect = async (files: Files) => detectFormat({ path: folderOf(files), name: 'a' });
    expect(await detect(lists)).toMatchObject([{ name: 'ImageNet 1.0', confidence: 0.95 }]);
    expect(await detect({ 'a/1.jpg': '', 'b/1.jpg': '' })).toMatchObject([{ name: 'ImageNet 1.0', confidence: 0.6 }]);
    for (const files of [{ 'a/1.jpg': '' }, { 'train/1.jpg': '', 'val/2.jpg': '' }, { 'a/1.jpg': '', 'b/1.txt': '' }])
      expect(await detect(files)).toEqual([]);
  });
});
