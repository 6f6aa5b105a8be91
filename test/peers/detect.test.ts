import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/registry.ts';
import { fixtureSets } from './fixture-sets.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const others: Readonly<Record<string, readonly string[]>> = {
  'coco/cvat-datumaro/coco_person_keypoints': ['COCO Keypoints 1.0', 'COCO 1.0'],
  'coco/cvat-datumaro/coco': [
    'COCO 1.0',
    'COCO Keypoints 1.0',
    'COCO Panoptic 1.0',
    'COCO Captions 1.0',
    'COCO Labels 1.0',
  ],
  'coco/cvat-datumaro/coco_image_info': [],
  'coco/cocoapi_results/instances_val2014_fakesegm100_results.json': ['COCO Results 1.0'],
  'coco/cocoapi_results/person_keypoints_val2014_fakekeypoints100_results.json': ['COCO Results 1.0'],
  'coco/cocoapi_results/captions_val2014_fakecap_results.json': ['COCO Results 1.0'],
  'coco/cocoapi_results/instances_val2014_fakebbox100_results.json': ['COCO Results 1.0'],
  'datumaro/cvat-datumaro/with_pcd': ['Datumaro 1.0'],
  'voc/cvat-datumaro/voc_dataset1': ['PASCAL VOC 1.1', 'Segmentation mask 1.1'],
  'voc/cvat-datumaro/voc_dataset2': ['PASCAL VOC 1.1', 'Segmentation mask 1.1'],
  'kitti/cvat-datumaro/kitti_raw': [],
  'mot/cvat-datumaro': ['MOT 1.1'],
  'yolo/cvat-datumaro/yolov8_oriented_boxes': [
    'Ultralytics YOLO Oriented Bounding Boxes 1.0',
    'Ultralytics YOLO Segmentation 1.0',
  ],
};
const cases = new Map<string, readonly string[]>([
  ...fixtureSets.map(({ folder, importer }) => [folder, [importer]] as const),
  ...Object.entries(others),
]);

describe('detection of files that other programs wrote', () => {
  it.each([...cases])('%s', async (folder, expected) => {
    const path = join(sharedFixtures, folder);
    expect(existsSync(path)).toBe(true);
    const found = await detectFormat({ path, name: basename(path) });
    expect(found.map(({ name }) => name)).toEqual(expected);
    for (const { reason } of found) expect(reason).not.toBe('');
  });
});
