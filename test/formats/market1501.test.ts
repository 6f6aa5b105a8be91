import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { market } from '../../main/formats/market1501/index.ts';
import type { Tag } from '../../main/formats/kit/task-data.ts';
import { bothWays, type Files, folderOf, zipOf } from './support/format-fixtures.ts';
import { attributeOf, firstOfEachFrame, inOrder, scene, sceneFrames } from './support/scenes.ts';

const names = ['query', 'person_id', 'camera_id', 'track_id', 'frame_id', 'bbox_id'];
const labels = [{ name: 'market-1501', attributes: names.map((name) => attributeOf(name, 'text')) }];
const marketTask: InMemoryTaskDataOptions = { ...scene, labels };

const { write, read } = bothWays(market, marketTask);

const images = new Map(sceneFrames.map(({ frame }) => [frame, { extension: '.jpg', bytes: Buffer.from([frame]) }]));
const tagOf = (frame: number, values: readonly string[], attributeNames = names): Tag => ({
  frame,
  label: 'market-1501',
  attributes: attributeNames.map((name, index) => ({ name, value: values[index] ?? '' })),
  group: 0,
  source: 'file',
});

const number = fc.nat(2000).map(String);
const persons: fc.Arbitrary<Tag[]> = fc
  .array(
    fc
      .tuple(
        fc.nat(sceneFrames.length - 1),
        fc.constantFrom('true', 'false'),
        fc.constantFrom('0001', '-1', '7', '1501'),
        fc.tuple(number, number, number, number),
      )
      .map(([frame, query, person, numbers]) => tagOf(frame, [query, person, ...numbers])),
    { maxLength: 6 },
  )
  .map(firstOfEachFrame);

describe('Market-1501 round trip', () => {
  it.each([false, true])('preserves persons (with images: %s)', async (withImages) => {
    await fc.assert(
      fc.asyncProperty(persons, async (tags) => {
        const { path, summary } = await write({ ...marketTask, tags, images }, withImages);
        expect(summary).toMatchObject({ dropped: [], warnings: [] });
        const { task, summary: reading } = await read(path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
        expect(inOrder(task.tags)).toEqual(inOrder(tags));
      }),
      { numRuns: 20 },
    );
  });

  it('names images like other programs', async () => {
    const frames = ['0002_c1s3_000151_00.jpg', 'a/b.png', '7.jpg', '_x.jpg', 'free.jpg', '0009_c1s1_000001_00.jpg'].map(
      (name) => ({ name, subset: 'train' }),
    );
    const tags = [
      tagOf(0, ['false', '0002', '0', '3', '151', '0']),
      tagOf(1, ['true', '-1', '4', '2', '8', '11']),
      tagOf(2, ['5'], ['person_id']),
      tagOf(3, ['5'], ['person_id']),
    ];
    const { entries, path, summary } = await write({ ...marketTask, frames, tags });
    expect([...entries]).toEqual([
      [
        'images_train.txt',
        'bounding_box_train/0002_c1s3_000151_00.jpg\nquery/a/-1_c5s2_000008_11b.png\n' +
          'bounding_box_train/5_c1s1_000000_00_7.jpg\nbounding_box_train/5_c1s1_000001_00__x.jpg\nbounding_box_train/free.jpg\n',
      ],
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('1 images without a tag')]);
    const { task } = await read(path, { ...marketTask, frames });
    expect(inOrder(task.tags).map(({ frame, attributes }) => [frame, attributes.map(({ value }) => value)])).toEqual([
      [0, ['false', '0002', '0', '3', '151', '0']],
      [1, ['true', '-1', '4', '2', '8', '11']],
      [2, ['false', '5', '0', '1', '0', '0']],
      [3, ['false', '5', '0', '1', '1', '0']],
    ]);
  });

  it('reports dropped data', async () => {
    const tag = tagOf(0, ['false', '1', 'x', '1.5', '', '99999999999', 'red'], [...names, 'colour']);
    const other = { ...tag, label: 'car' };
    const nobody = tagOf(1, ['false', 'Jay']);
    const { summary } = await write({
      ...marketTask,
      labels: [...labels, { name: 'car' }],
      tags: [other, tag, tag, nobody],
    });
    expect(summary.dropped.map(({ type, label, rule }) => `${type} ${label}: ${rule}`)).toEqual([
      'tag car: Market-1501 has the label "market-1501" only.',
      'tag market-1501: Market-1501 has one person per image.',
      'attribute market-1501: Market-1501 has an integer for "camera_id": 0 was written.',
      'attribute market-1501: Market-1501 has an integer for "track_id": 1 was written.',
      'attribute market-1501: Market-1501 has an integer for "bbox_id": 0 was written.',
      'attribute market-1501: Market-1501 has no field for the attribute "colour".',
      'tag market-1501: Market-1501 needs the attribute person_id, a number.',
    ]);
    const unread = await write({ ...marketTask, tags: [tagOf(0, ['false', '1'])] }, true);
    expect(unread.summary.dropped).toEqual([
      { type: 'tag', label: 'market-1501', count: 1, rule: expect.stringContaining('could not be read') },
    ]);
  });
});

describe('Market-1501 datasets', () => {
  const files: Files = {
    'bounding_box_train/0002_c1s3_000151_00.jpg': '',
    'query/0001_c2s3_000111_00.jpg': '',
    'bounding_box_train/other.jpg': '',
  };
  const frames = ['0002_c1s3_000151_00.jpg', '0001_c2s3_000111_00.jpg', 'other.jpg'].map((name) => ({ name }));
  it('are read with or without an extra folder, from folders or from lists', async () => {
    const deeper = Object.fromEntries(Object.entries(files).map(([name, text]) => [`top/${name}`, text]));
    const list = { 'images_a.txt': `\uFEFF${Object.keys(files).join('\r\n')}\r\n` };
    for (const path of [folderOf(files), await zipOf(deeper), folderOf(list), folderOf({ ...files, ...list })]) {
      const { task, summary } = await read(path, { ...marketTask, frames });
      expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
      expect(summary.warnings).toEqual([expect.stringMatching(/^[12] image names do not state a person/)]);
      expect(inOrder(task.tags)).toEqual([
        tagOf(0, ['false', '0002', '0', '3', '151', '0']),
        tagOf(1, ['true', '0001', '1', '3', '111', '0']),
      ]);
    }
  });

  it('report every loss', async () => {
    const list =
      '../../etc/0001_c1s1_000001_00.jpg\nbounding_box_a/0009_c1s1_000001_00.jpg\nquery/99999999999_c1s1_1_1.jpg\n';
    const { task, summary } = await read(folderOf({ 'images_a.txt': list }), { ...marketTask, frames });
    expect(task.tags).toEqual([]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['line 1', 'line 2']);
    expect(summary.warnings).toHaveLength(1);
    const few = await read(folderOf(files), { ...scene, frames, labels: [{ name: 'person' }] });
    expect(few.task.tags.map(({ label }) => label)).toEqual(['person', 'person']);
    expect(few.summary.dropped.filter(({ type }) => type === 'attribute')).toHaveLength(6);
  });
});
