import { join } from 'node:path';
import { expect, it } from 'vitest';
import { mot } from '../../main/formats/mot/index.ts';
import { mots } from '../../main/formats/mots-png/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { inOrder } from '../formats/support/scenes.ts';
import { sharedFixtures } from './shared-fixtures.ts';

it.each(['mot_seq', 'mot_seq_with_seqinfo'])('MOT of other tools: %s', async (name) => {
  const labels = Array.from({ length: 10 }, (_, index) => ({ name: `label_${index}` }));
  const { task, summary } = await runImport(mot.importer, join(sharedFixtures, 'mot/cvat-datumaro', name), {
    frames: [{ name: '000001.jpg', width: 16, height: 16 }],
    labels,
  });
  expect(summary).toMatchObject({ invalidCount: 0, dropped: [], warnings: [] });
  expect(inOrder(task.shapes)).toMatchObject([
    { frame: 0, type: 'rectangle', label: 'label_2', points: [0, 4, 4, 12], occluded: false },
  ]);
});

it('MOTS PNG of other tools: two subsets', async () => {
  const { task, summary } = await runImport(mots.importer, join(sharedFixtures, 'mots/cvat-datumaro'), {
    frames: ['1.jpg', '2.jpg', '3.jpg'].map((name, index) => ({
      name,
      width: 5,
      height: 1,
      subset: index < 2 ? 'train' : 'val',
    })),
    labels: ['a', 'b', 'c', 'd'].map((name) => ({ name })),
  });
  expect(summary.invalidCount).toBe(0);
  const box = (points: readonly number[]) => [
    Math.min(...points.filter((_, index) => index % 2 === 0)),
    Math.max(...points.filter((_, index) => index % 2 === 0)),
  ];
  const seen = task.tracks.map(({ label, shapes }) => [
    label,
    ...shapes.filter(({ outside }) => !outside).map(({ frame, points }) => [frame, ...box(points)]),
  ]);
  const texts = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();
  expect(texts(seen)).toEqual(
    texts([
      ['c', [0, 2, 3]],
      ['d', [0, 3, 4]],
      ['d', [0, 0, 2]],
      ['d', [1, 0, 1]],
      ['a', [2, 1, 2]],
    ]),
  );
});
