import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { voc } from '../../main/formats/pascal-voc/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { attributeOf } from '../formats/support/scenes.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const read = (folder: string, options: InMemoryTaskDataOptions) =>
  runImport(voc.importer, join(sharedFixtures, 'voc/cvat-datumaro', folder), options, {
    options: { conv_mask_to_poly: false },
  });

describe('PASCAL VOC of other tools', () => {
  const checkbox = (name: string) => ({ ...attributeOf(name, 'checkbox'), default_value: 'false' });
  const odd = [
    'aeroplane',
    'bird',
    'bottle',
    'car',
    'chair',
    'diningtable',
    'horse',
    'person',
    'sheep',
    'train',
    'ignored',
  ];

  it('voc_dataset1: boxes, parts, actions, masks and image-level labels', async () => {
    const options: InMemoryTaskDataOptions = {
      frames: ['2007_000001.jpg', '2007_000002.jpg'].map((name, index) => ({
        name,
        width: 20,
        height: 10,
        subset: index === 0 ? 'train' : 'test',
      })),
      labels: [
        ...odd.filter((name) => name !== 'person').map((name) => ({ name })),
        { name: 'person', attributes: ['reading', 'running'].map(checkbox) },
        { name: 'cat', attributes: [checkbox('truncated'), checkbox('difficult')] },
        { name: 'head' },
        { name: 'bicycle' },
      ],
    };
    const { task, summary } = await read('voc_dataset1', options);
    const common = { frame: 0, occluded: false, z_order: 0, source: 'file' };
    expect(task.shapes).toEqual([
      {
        ...common,
        type: 'rectangle',
        label: 'cat',
        points: [1, 2, 3, 4],
        group: 0,
        attributes: [
          { name: 'truncated', value: 'true' },
          { name: 'difficult', value: 'false' },
        ],
      },
      {
        ...common,
        type: 'rectangle',
        label: 'person',
        points: [4, 5, 6, 7],
        group: 1,
        attributes: [
          { name: 'reading', value: 'true' },
          { name: 'running', value: 'false' },
        ],
      },
      { ...common, type: 'rectangle', label: 'head', points: [5.5, 6, 7.5, 8], group: 1, attributes: [] },
      { ...common, type: 'mask', label: 'bicycle', points: [0, 200, 0, 0, 19, 9], group: 0, attributes: [] },
    ]);
    expect(task.tags.map(({ frame, label }) => `${frame} ${label}`).toSorted()).toEqual(
      odd.map((name) => `0 ${name}`).toSorted(),
    );
    expect(summary.invalidCount).toBe(0);
    // True actions for which the label has no attribute.
    expect(summary.dropped.map(({ type, rule }) => `${type} ${/"(\w+)"/.exec(rule)?.[1]}`).toSorted()).toEqual(
      ['other', 'phoning', 'ridinghorse', 'takingphoto', 'walking'].map((name) => `attribute ${name}`),
    );
  });

  it('voc_dataset2: a custom label map, odd names', async () => {
    const options = {
      frames: ['@.jpg', 'a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'].map((name) => ({
        name,
        width: 20,
        height: 20,
        subset: 'trainval',
      })),
      labels: ['background', 'aeroplane', 'bicycle', 'bird'].map((name) => ({ name })),
    };
    const { task, summary } = await read('voc_dataset2', options);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(task.shapes.map(({ frame, label, points, occluded }) => [frame, label, points, occluded])).toEqual([
      [1, 'background', [1, 2, 4, 6], true],
      [2, 'aeroplane', [2, 2, 7, 6], true],
      [3, 'bicycle', [3, 1, 11, 6], false],
      [4, 'bird', [4, 4, 8, 8], false],
    ]);
  });

  it('voc_dataset3: only boxes', async () => {
    const options = {
      frames: [{ name: '2007_000001.jpg', width: 10, height: 20, subset: 'train' }],
      labels: [{ name: 'cat' }],
    };
    const { task, summary } = await read('voc_dataset3', options);
    expect(task.shapes).toMatchObject([{ label: 'cat', points: [1, 2, 3, 4] }]);
    expect(summary.dropped).toMatchObject([{ type: 'attribute', rule: expect.stringContaining('"truncated"') }]);
  });
});
