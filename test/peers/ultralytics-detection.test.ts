import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ultralyticsDetection } from '../../main/formats/ultralytics/index.ts';
import { runImport } from '../formats/support/format-fixtures.ts';
import { sharedFixtures } from './shared-fixtures.ts';

describe('Ultralytics datasets that other programs wrote', () => {
  const labels = Array.from({ length: 10 }, (_, index) => ({ name: `label_${index}` }));
  const variants = [
    'yolov8_detection',
    'yolov8_detection_with_list_of_imgs',
    'yolov8_detection_with_list_of_names',
    'yolov8_detection_with_subset_txt',
  ];

  it.each(variants)('%s', async (variant) => {
    const { task: result, summary } = await runImport(
      ultralyticsDetection.importer,
      join(sharedFixtures, 'yolo/cvat-datumaro', variant),
      { frames: [{ name: '1.jpg', width: 15, height: 10 }], labels },
    );
    expect(summary.bad).toEqual([]);
    expect(summary.warnings).toEqual([]);
    expect(
      result.shapes.map(({ label, points }) => [label, points.map((value) => Math.round(value * 1000) / 1000 + 0)]),
    ).toEqual([
      ['label_2', [0, 2, 4, 4]],
      ['label_4', [3, 3, 5, 6]],
    ]);
  });

  it.each(['yolov8_segmentation', 'yolov8_oriented_boxes'])('%s is reported row by row', async (variant) => {
    const { task: result, summary } = await runImport(
      ultralyticsDetection.importer,
      join(sharedFixtures, 'yolo/cvat-datumaro', variant),
      { frames: [{ name: '1.jpg', width: 15, height: 10 }], labels },
    );
    expect(result.shapes).toEqual([]);
    expect(summary.badCount).toBe(2);
  });
});
