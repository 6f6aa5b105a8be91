import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mots } from '../../main/formats/mots-png/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { scene } from '../formats/support/scenes.ts';

const read = (path: string, options = scene, more: Record<string, unknown> = {}) =>
  runImport(mots.importer, path, options, { options: more });

const fixture = join(sharedFixtures, 'mots/cvat-datumaro');
describe('MOTS PNG of other tools', () => {
  it('two subsets', async () => {
    const { task, summary } = await read(fixture, {
      frames: ['1.jpg', '2.jpg', '3.jpg'].map((name, index) => ({
        name,
        width: 5,
        height: 1,
        subset: index < 2 ? 'train' : 'val',
      })),
      labels: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
    });
    expect(summary.badCount).toBe(0);
    const box = (points: readonly number[]) => [
      Math.min(...points.filter((_, index) => index % 2 === 0)),
      Math.max(...points.filter((_, index) => index % 2 === 0)),
    ];
    const seen = task.tracks.map(({ label, shapes }) => [
      label,
      ...shapes.filter(({ outside }) => !outside).map(({ frame, points }) => [frame, ...box(points)]),
    ]);
    expect(seen.map((one) => JSON.stringify(one)).toSorted()).toEqual(
      [
        ['c', [0, 2, 3]],
        ['d', [0, 3, 4]],
        ['d', [0, 0, 2]],
        ['d', [1, 0, 1]],
        ['a', [2, 1, 2]],
      ]
        .map((one) => JSON.stringify(one))
        .toSorted(),
    );
  });
});
