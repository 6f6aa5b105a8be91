import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { market } from '../../main/formats/market1501/index.ts';
import type { Tag } from '../../main/formats/kit/task-data.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { attributeOf, inOrder, scene } from '../formats/support/scenes.ts';

const names = ['query', 'person_id', 'camera_id', 'track_id', 'frame_id', 'bbox_id'];
const labels = [{ name: 'market-1501', attributes: names.map((name) => attributeOf(name, 'text')) }];
const marketTask: InMemoryTaskDataOptions = { ...scene, labels };

const read = (path: string, options = marketTask) => runImport(market.importer, path, options);

const tagOf = (frame: number, values: readonly string[], attributeNames = names): Tag => ({
  frame,
  label: 'market-1501',
  attributes: attributeNames.map((name, index) => ({ name, value: values[index] ?? '' })),
  group: 0,
  source: 'file',
});

const fixture = join(sharedFixtures, 'market1501/cvat-datumaro');
describe('Market-1501 of other tools', () => {
  it('boxes and queries', async () => {
    const frames = ['0001_c2s3_000111_00.jpg', '0001_c1s1_001051_00.jpg', '0002_c1s3_000151_00.jpg'].map((name) => ({
      name,
    }));
    const { task, summary } = await read(fixture, { ...marketTask, frames });
    expect(summary).toMatchObject({ badCount: 0, losses: [], warnings: [] });
    expect(inOrder(task.tags)).toEqual([
      tagOf(0, ['true', '0001', '1', '3', '111', '0']),
      tagOf(1, ['false', '0001', '0', '1', '1051', '0']),
      tagOf(2, ['false', '0002', '0', '3', '151', '0']),
    ]);
  });
});
