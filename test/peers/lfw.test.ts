import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { lfw } from '../../main/formats/lfw/index.ts';
import type { Attribute, Tag } from '../../main/formats/kit/task-data.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { attributeOf, inOrder } from '../formats/support/scenes.ts';

const attributes = ['positive_pairs', 'negative_pairs'].map((name) => attributeOf(name, 'text'));
const people = ['car', 'tall tree', 'Hündchen'];
const labels = people.map((name) => ({ name, attributes }));
const names = ['car_0001.jpg', 'car/car_0002.jpg', 'tall tree_0010.png', 'x, y.jpg', '000004.jpg', 'deep/er/3.jpeg'];
const faces: InMemoryTaskDataOptions = { labels, frames: names.map((name) => ({ name })) };

const read = (path: string, options = faces) => runImport(lfw.importer, path, options);

const tagOf = (frame: number, label: string, own: readonly Attribute[] = []): Tag => ({
  frame,
  label,
  attributes: own,
  group: 0,
  source: 'file',
});
const positive = (value: string) => ({ name: 'positive_pairs', value });
const negative = (value: string) => ({ name: 'negative_pairs', value });

const fixture = join(sharedFixtures, 'lfw/cvat-datumaro');
describe('LFW of other tools', () => {
  it('pairs and landmarks', async () => {
    const frames = ['name0_0001.jpg', 'name1_0001.jpg', 'name1_0002.jpg'].map((name) => ({ name, subset: 'test' }));
    const options = { frames, labels: ['name0', 'name1'].map((name) => ({ name, attributes })) };
    const { task, summary } = await read(fixture, options);
    expect(summary).toMatchObject({ badCount: 0, losses: [], warnings: [] });
    expect(inOrder(task.tags)).toEqual([
      tagOf(0, 'name0', [negative('name1/name1_0001, name1/name1_0002')]),
      tagOf(1, 'name1', [positive('name1/name1_0002')]),
      tagOf(2, 'name1'),
    ]);
    expect(inOrder(task.shapes).map(({ frame, label, points }) => [frame, label, points])).toEqual([
      [0, 'name0', [0, 4, 3, 3, 2, 2, 1, 0, 3, 0]],
      [1, 'name1', [1, 6, 4, 6, 3, 3, 2, 1, 4, 1]],
      [2, 'name1', [0, 5, 3, 5, 2, 2, 1, 0, 3, 0]],
    ]);
  });
});
