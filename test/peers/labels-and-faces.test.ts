import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { imageNet } from '../../main/formats/imagenet/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { Format } from '../../main/formats/kit/plugin.ts';
import { lfw } from '../../main/formats/lfw/index.ts';
import { market } from '../../main/formats/market1501/index.ts';
import { vggFace2 } from '../../main/formats/vggface2/index.ts';
import { widerFace } from '../../main/formats/widerface/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { attributeOf, inOrder } from '../formats/support/scenes.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const read = ({ importer }: Required<Format>, folder: string, options: InMemoryTaskDataOptions) =>
  runImport(importer, join(sharedFixtures, folder, 'cvat-datumaro'), options);
const named = (...names: readonly string[]) => names.map((name) => ({ name }));

describe('datasets of other tools about whole images and faces', () => {
  it('ImageNet: folders of labels', async () => {
    for (const names of [
      ['label_0_1.jpg', 'label_0_2.jpg', 'label_1_1.jpg'],
      ['label_0/label_0_1.jpg', 'label_0/label_0_2.jpg', 'label_1/label_1_1.jpg'],
    ]) {
      const labels = named('label_0', 'label_1');
      const { task, summary } = await read(imageNet, 'imagenet', { frames: named(...names), labels });
      expect(summary.invalidCount).toBe(0);
      expect(task.tags.map(({ frame, label }) => [frame, label])).toEqual([
        [0, 'label_0'],
        [1, 'label_0'],
        [2, 'label_1'],
      ]);
    }
  });

  it('LFW: pairs and landmarks', async () => {
    const attributes = ['positive_pairs', 'negative_pairs'].map((name) => attributeOf(name, 'text'));
    const names = ['name0_0001.jpg', 'name1_0001.jpg', 'name1_0002.jpg'];
    const { task, summary } = await read(lfw, 'lfw', {
      frames: names.map((name) => ({ name, subset: 'test' })),
      labels: named('name0', 'name1').map((label) => ({ ...label, attributes })),
    });
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    const tag = { group: 0, source: 'file', attributes: [] };
    expect(inOrder(task.tags)).toEqual([
      {
        ...tag,
        frame: 0,
        label: 'name0',
        attributes: [{ name: 'negative_pairs', value: 'name1/name1_0001, name1/name1_0002' }],
      },
      { ...tag, frame: 1, label: 'name1', attributes: [{ name: 'positive_pairs', value: 'name1/name1_0002' }] },
      { ...tag, frame: 2, label: 'name1' },
    ]);
    expect(inOrder(task.shapes).map(({ frame, label, points }) => [frame, label, points])).toEqual([
      [0, 'name0', [0, 4, 3, 3, 2, 2, 1, 0, 3, 0]],
      [1, 'name1', [1, 6, 4, 6, 3, 3, 2, 1, 4, 1]],
      [2, 'name1', [0, 5, 3, 5, 2, 2, 1, 0, 3, 0]],
    ]);
  });

  it('Market-1501: boxes and queries', async () => {
    const names = ['query', 'person_id', 'camera_id', 'track_id', 'frame_id', 'bbox_id'];
    const { task, summary } = await read(market, 'market1501', {
      frames: named('0001_c2s3_000111_00.jpg', '0001_c1s1_001051_00.jpg', '0002_c1s3_000151_00.jpg'),
      labels: [{ name: 'market-1501', attributes: names.map((name) => attributeOf(name, 'text')) }],
    });
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    expect(inOrder(task.tags).map(({ frame, attributes }) => [frame, attributes])).toEqual(
      [
        ['true', '0001', '1', '3', '111', '0'],
        ['false', '0001', '0', '1', '1051', '0'],
        ['false', '0002', '0', '3', '151', '0'],
      ].map((values, frame) => [frame, names.map((name, index) => ({ name, value: values[index] }))]),
    );
  });

  it('VGGFace2: two subsets', async () => {
    const names = ['n000001/0001_01', 'n000002/0001_01', 'n000002/0002_01', 'n000003/0003_01'];
    const { task, summary } = await read(vggFace2, 'vggface2', {
      frames: names.map((name, index) => ({ name: `${name}.jpg`, subset: index < 3 ? 'train' : 'test' })),
      labels: named('n000001', 'n000002', 'n000003'),
    });
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
    const ordered = task.shapes.toSorted((a, b) => a.frame - b.frame || (a.type < b.type ? -1 : 1));
    expect(ordered.map(({ frame, type, label, points }) => [frame, type, label, points.slice(0, 4)])).toEqual([
      [0, 'points', 'n000001', [2.787, 2.898, 2.965, 2.79]],
      [0, 'rectangle', 'n000001', [2, 2, 3, 4]],
      [1, 'points', 'n000002', [2.3, 4.9, 2.9, 4.93]],
      [1, 'rectangle', 'n000002', [2, 4, 4, 6]],
      [2, 'points', 'n000002', [1.2, 3.8, 1.8, 3.82]],
      [2, 'rectangle', 'n000002', [1, 3, 2, 4]],
      [3, 'points', 'n000003', [0.2, 2.8, 0.8, 2.9]],
      [3, 'rectangle', 'n000003', [1, 1, 2, 2]],
    ]);
  });

  it('WiderFace: two subsets', async () => {
    const names = ['0_Parade_image_01', '1_Handshaking_image_02', '0_Parade_image_03'];
    const { task, summary } = await read(widerFace, 'widerface', {
      frames: names.map((name, index) => ({ name: `${name}.jpg`, subset: index < 2 ? 'train' : 'val' })),
      labels: named('face'),
    });
    expect(summary.invalidCount).toBe(0);
    expect(inOrder(task.shapes).map(({ frame, points }) => [frame, points])).toEqual([
      [0, [1, 2, 3, 4]],
      [1, [1, 1, 3, 3]],
      [1, [5, 1, 7, 3]],
      [2, [0, 0, 1, 1]],
      [2, [3, 2, 4, 4]],
      [2, [5, 6, 6, 7]],
    ]);
    expect(summary.dropped.map(({ type, label }) => `${type} ${label}`)).toContain('tag Parade');
  });
});
