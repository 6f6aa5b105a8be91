import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import {
  ultralyticsClassification,
  ultralyticsDetection,
  ultralyticsOrientedBoxes,
  ultralyticsPose,
  ultralyticsSegmentation,
} from '../../main/formats/ultralytics/index.ts';
import { yolo } from '../../main/formats/yolo/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { pointOf } from '../formats/support/scenes.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const labels = Array.from({ length: 10 }, (_, index) => ({ name: `label_${index}` }));
const frames = [{ name: '1.jpg', width: 15, height: 10 }];

const read = (importer: RegisteredImporter, folder: string, options: Partial<InMemoryTaskDataOptions> = {}) =>
  runImport(importer, join(sharedFixtures, 'yolo/cvat-datumaro', folder), { frames, labels, ...options });

describe('YOLO and Ultralytics datasets that other programs wrote', () => {
  it.each([
    ['yolo', yolo.importer],
    ['yolov8_detection', ultralyticsDetection.importer],
    ['yolov8_detection_with_list_of_imgs', ultralyticsDetection.importer],
    ['yolov8_detection_with_list_of_names', ultralyticsDetection.importer],
    ['yolov8_detection_with_subset_txt', ultralyticsDetection.importer],
  ] as const)('%s', async (folder, importer) => {
    const { task, summary } = await read(importer, folder);
    expect(summary.invalid).toEqual([]);
    expect(summary.warnings).toEqual([]);
    expect(
      task.shapes.map(({ label, points }) => [label, points.map((value) => Math.round(value * 1000) / 1000 + 0)]),
    ).toEqual([
      ['label_2', [0, 2, 4, 4]],
      ['label_4', [3, 3, 5, 6]],
    ]);
  });

  it.each(['yolov8_segmentation', 'yolov8_oriented_boxes'])('%s is reported row by row', async (folder) => {
    const { task, summary } = await read(ultralyticsDetection.importer, folder);
    expect(task.shapes).toEqual([]);
    expect(summary.invalidCount).toBe(2);
  });

  it('yolov8_oriented_boxes', async () => {
    const { task, summary } = await read(ultralyticsOrientedBoxes.importer, 'yolov8_oriented_boxes');
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toMatchObject([
      { label: 'label_2', points: [1, 2, 4, 6], rotation: 30 },
      { label: 'label_4', points: [3, 2, 9, 4], rotation: 120 },
    ]);
    // Its last corner is a tenth of a pixel above the image.
    expect(summary.dropped).toEqual([
      {
        type: 'rectangle',
        label: 'label_4',
        rule: 'It extends beyond its image and cannot be cut: it is unchanged.',
        count: 1,
      },
    ]);
  });

  it('yolov8_segmentation', async () => {
    const { task, summary } = await read(ultralyticsSegmentation.importer, 'yolov8_segmentation');
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toMatchObject([
      { type: 'polygon', label: 'label_2', points: [1.5, 1, 6, 1, 6, 5] },
      { type: 'polygon', label: 'label_4', points: [3, 1.5, 6, 1.5, 6, 7.5, 4.5, 7.5, 3.75, 3] },
    ]);
  });

  it.each(['yolov8_pose', 'yolov8_pose_two_values_per_point'])('%s', async (folder) => {
    const sublabels = ['point_0', 'point_1', 'point_2'].map(pointOf);
    const skeleton = { name: 'skeleton_label', type: 'skeleton', sublabels };
    const { task, summary } = await read(ultralyticsPose.importer, folder, { labels: [skeleton] });
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes[0]?.elements?.map(({ label, points, outside }) => [label, points, outside])).toEqual([
      ['point_0', [1.5, 2], false],
      ['point_1', [4.5, 4], false],
      ['point_2', [7.5, 6], false],
    ]);
  });

  it('yolov8_classification', async () => {
    const { task, summary } = await read(ultralyticsClassification.importer, 'yolov8_classification', {
      frames: ['1.jpg', '2.jpg', '3.jpg'].map((name) => ({ name })),
    });
    expect(summary.invalidCount).toBe(0);
    expect(task.tags.map(({ frame, label }) => [frame, label])).toEqual([
      [0, 'label_0'],
      [1, 'label_0'],
      [2, 'label_1'],
    ]);
  });
});
