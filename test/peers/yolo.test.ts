import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { yolo } from '../../main/formats/yolo/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';

describe('YOLO files that other programs wrote', () => {
  it('the darknet dataset', async () => {
    const labels = Array.from({ length: 10 }, (_, index) => ({ name: `label_${index}` }));
    const { task: result, summary } = await runImport(yolo.importer, join(sharedFixtures, 'yolo/cvat-datumaro/yolo'), {
      frames: [{ name: '1.jpg', width: 15, height: 10 }],
      labels,
    });
    expect(summary.bad).toEqual([]);
    expect(summary.warnings).toEqual([]);
    expect(
      result.shapes.map(({ label, points }) => [label, points.map((value) => Math.round(value * 1000) / 1000 + 0)]),
    ).toEqual([
      ['label_2', [0, 2, 4, 4]],
      ['label_4', [3, 3, 5, 6]],
    ]);
  });
});
