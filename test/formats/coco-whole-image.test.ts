import { describe, expect, it } from 'vitest';
import { cocoCaptions, cocoLabels } from '../../main/formats/coco/whole-image/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { Tag } from '../../main/formats/kit/task-data.ts';
import { detectFormat } from '../../main/formats/registry.ts';
import { bothWays, fileOf, folderOf, runExport, shapeOf } from './support/format-fixtures.ts';
import { attributeOf } from './support/scenes.ts';

const frames = ['train', 'val'].map((subset, frame) => ({ name: `${frame}.jpg`, width: 10, height: 5, subset }));
const attributes = ['caption', 'author'].map((name) => attributeOf(name, 'text'));
const task: InMemoryTaskDataOptions = {
  frames,
  labels: [
    { name: 'caption', attributes },
    { name: 'car', attributes: [attributeOf('count', 'number')] },
  ],
};
const caption = (frame: number, text: string, more: Tag['attributes'] = []): Tag => ({
  frame,
  label: 'caption',
  attributes: [{ name: 'caption', value: text }, ...more],
  group: 0,
  source: 'file',
});
const captions = bothWays(cocoCaptions, task);
const images = '"images":[{"id":7,"file_name":"0.jpg","width":10,"height":5}]';
const captionFile = (rows: string, more = '') => fileOf('any.json', `{${images}${more},"annotations":[${rows}]}`);

describe('COCO Captions', () => {
  it('are preserved, several for an image, in any script and with line ends', async () => {
    const tags = [
      caption(0, 'Zwei Leute\n"und" 写'),
      caption(0, 'A dog.', [{ name: 'author', value: 'me' }]),
      caption(1, 'Nothing'),
    ];
    const { task: read, entries } = await captions.thereAndBack({ ...task, tags });
    expect(read.tags).toEqual(tags);
    expect([...entries.keys()]).toEqual(['annotations/captions_train.json', 'annotations/captions_val.json']);
    // pycocotools needs a category in every row of a file that has a category table.
    expect(Object.keys(JSON.parse(entries.get('annotations/captions_val.json') ?? ''))).not.toContain('categories');
  });

  it('are detected by their name or by their rows', async () => {
    const names = async (path: string) =>
      (await detectFormat({ path, name: path.slice(path.lastIndexOf('/') + 1) })).map(({ name }) => name);
    expect(await names(captionFile('{"id":1,"image_id":7,"caption":"x"}'))).toEqual(['COCO Captions 1.0']);
    const rest = `{${images},"categories":[{"id":1,"name":"car"}],"annotations":[{"id":1,"image_id":7,"category_id":1`;
    const files = {
      'annotations/captions_train.json': `{${images},"annotations":[]}`,
      'annotations/labels_train.json': `${rest}}]}`,
      'annotations/instances_train.json': `${rest},"bbox":[1,1,2,2]}]}`,
    };
    expect(await names(folderOf(files))).toEqual(['COCO 1.0', 'COCO Captions 1.0', 'COCO Labels 1.0']);
  });

  it('report empty rows, missing images, and other members of a row', async () => {
    const rows = [
      '{"id":1,"image_id":7,"caption":"good","tokens":["a"]}',
      '{"id":2,"image_id":7}',
      '{"id":3,"image_id":8,"caption":"x"}',
      '5',
      '{"id":4,"image_id":7,"category_id":3,"caption":"of a car"}',
    ];
    const file = captionFile(rows.join(','), ',"categories":[{"id":3,"name":"car"}]');
    const { task: read, summary } = await captions.read(file);
    expect(read.tags).toEqual([caption(0, 'good'), caption(0, 'of a car')]);
    expect(summary.invalid.map(({ at }) => at)).toEqual([
      'annotations[1].caption',
      'annotations[2].image_id',
      'annotations[3]',
    ]);
    expect(summary.dropped.map(({ rule }) => rule)).toEqual([
      'A task has no field for the member "tokens".',
      'A caption has no category: "car" was left out.',
    ]);
  });

  it('report unsupported data', async () => {
    const tags: Tag[] = [
      { ...caption(0, 'A car.'), label: 'car', group: 3 },
      { frame: 1, label: 'car', attributes: [], group: 0 },
    ];
    const shapes = [shapeOf({ type: 'rectangle', label: 'car', points: [1, 1, 2, 2] })];
    const { summary } = await runExport(cocoCaptions.exporter, { ...task, tags, shapes });
    expect(summary.dropped.map(({ type, rule }) => `${type}: ${rule}`)).toEqual([
      'rectangle: COCO Captions has image-level annotations only.',
      'tag: COCO Captions has no labels: on import, objects get the label "caption".',
      'tag: COCO Captions has no groups.',
      'tag: COCO Captions has texts only, and the tag has none in an attribute "caption".',
    ]);
  });

  it('are refused without a list of images', async () => {
    const file = fileOf('a.json', '{"annotations":[{"image_id":1,"caption":"x"}]}');
    await expect(captions.read(file)).rejects.toThrow(/no "images"/);
  });
});

it('COCO Labels round trip preserves the labels with their attributes', async () => {
  const tags: Tag[] = [
    { frame: 0, label: 'car', attributes: [{ name: 'count', value: '3' }], group: 0, source: 'auto' },
    { frame: 1, label: 'caption', attributes: [], group: 0, source: 'file' },
  ];
  const { task: read, entries } = await bothWays(cocoLabels, task).thereAndBack({ ...task, tags });
  expect(read.tags).toEqual(tags);
  const { annotations } = JSON.parse(entries.get('annotations/labels_train.json') ?? '') as { annotations: unknown };
  expect(annotations).toEqual([{ id: 1, image_id: 1, category_id: 2, attributes: { source: 'auto', count: 3 } }]);
});
