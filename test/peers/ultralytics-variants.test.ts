import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import {
  ultralyticsClassification,
  ultralyticsOrientedBoxes,
  ultralyticsPose,
  ultralyticsSegmentation,
} from '../../main/formats/ultralytics/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';
import { scene } from '../formats/support/scenes.ts';

const read = (importer: RegisteredImporter, path: string, options = scene) => runImport(importer, path, options);
const fixtures = join(sharedFixtures, 'yolo/cvat-datumaro');
describe('data sets of other tools', () => {
  const labels = Array.from({ length: 10 }, (_, index) => ({ name: `label_${index}` }));
  const frames = [{ name: '1.jpg', width: 15, height: 10 }];

  it('yolov8_oriented_boxes', async () => {
    const { task, summary } = await read(ultralyticsOrientedBoxes.importer, join(fixtures, 'yolov8_oriented_boxes'), {
      frames,
      labels,
    });
    expect(summary.badCount).toBe(0);
    expect(task.shapes).toMatchObject([
      { label: 'label_2', points: [1, 2, 4, 6], rotation: 30 },
      { label: 'label_4', points: [3, 2, 9, 4], rotation: 120 },
    ]);
  });

  it('yolov8_segmentation', async () => {
    const { task, summary } = await read(ultralyticsSegmentation.importer, join(fixtures, 'yolov8_segmentation'), {
      frames,
      labels,
    });
    expect(summary.badCount).toBe(0);
    expect(task.shapes).toMatchObject([
      { type: 'polygon', label: 'label_2', points: [1.5, 1, 6, 1, 6, 5] },
      { type: 'polygon', label: 'label_4', points: [3, 1.5, 6, 1.5, 6, 7.5, 4.5, 7.5, 3.75, 3] },
    ]);
  });

  it.each(['yolov8_pose', 'yolov8_pose_two_values_per_point'])('%s', async (name) => {
    const sublabels = ['point_0', 'point_1', 'point_2'].map((point) => ({
      name: point,
      color: '',
      type: 'points',
      attributes: [],
      sublabels: [],
    }));
    const skeleton = { name: 'skeleton_label', type: 'skeleton', sublabels };
    const { task, summary } = await read(ultralyticsPose.importer, join(fixtures, name), {
      frames,
      labels: [skeleton],
    });
    expect(summary.badCount).toBe(0);
    expect(task.shapes[0]?.elements?.map(({ label, points, outside }) => [label, points, outside])).toEqual([
      ['point_0', [1.5, 2], false],
      ['point_1', [4.5, 4], false],
      ['point_2', [7.5, 6], false],
    ]);
  });

  it('yolov8_classification', async () => {
    const { task, summary } = await read(ultralyticsClassification.importer, join(fixtures, 'yolov8_classification'), {
      frames: ['1.jpg', '2.jpg', '3.jpg'].map((name) => ({ name })),
      labels,
    });
    expect(summary.badCount).toBe(0);
    expect(task.tags.map(({ frame, label }) => [frame, label])).toEqual([
      [0, 'label_0'],
      [1, 'label_0'],
      [2, 'label_1'],
    ]);
  });
});
