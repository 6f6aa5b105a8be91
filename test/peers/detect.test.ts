import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/registry.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const detect = (path: string) => detectFormat({ path, name: basename(path) });
const names = async (path: string) => (await detect(path)).map(({ name }) => name);

describe('detection of files that other programs wrote', () => {
  const cases: [string, string[]][] = [
    ['cvat_xml/cvat-docs/images_example.xml', ['CVAT 1.1']],
    ['cvat_xml/cvat-docs/video_example.xml', ['CVAT 1.1']],
    ['cvat_xml/cvat-datumaro/for_images', ['CVAT 1.1']],
    ['cvat_xml/cvat-datumaro/for_video', ['CVAT 1.1']],
    ['coco/cvat-datumaro/coco_instances', ['COCO 1.0']],
    ['coco/cvat-datumaro/coco_stuff', ['COCO 1.0']],
    ['coco/cvat-datumaro/coco_panoptic', ['COCO Panoptic 1.0']],
    ['coco/cvat-datumaro/coco_person_keypoints', ['COCO Keypoints 1.0', 'COCO 1.0']],
    [
      'coco/cvat-datumaro/coco',
      ['COCO 1.0', 'COCO Keypoints 1.0', 'COCO Panoptic 1.0', 'COCO Captions 1.0', 'COCO Labels 1.0'],
    ],
    ['coco/cvat-datumaro/coco_captions', ['COCO Captions 1.0']],
    ['coco/cvat-datumaro/coco_labels', ['COCO Labels 1.0']],
    ['coco/cvat-datumaro/coco_image_info', []],
    ['coco/cocoapi_results/instances_val2014_fakesegm100_results.json', ['COCO Results 1.0']],
    ['coco/cocoapi_results/person_keypoints_val2014_fakekeypoints100_results.json', ['COCO Results 1.0']],
    ['coco/cocoapi_results/captions_val2014_fakecap_results.json', ['COCO Results 1.0']],
    ['coco/cocoapi_results/instances_val2014_fakebbox100_results.json', ['COCO Results 1.0']],
    ['datumaro/cvat-datumaro/diverse', ['Datumaro 1.0']],
    ['datumaro/cvat-datumaro/with_skeleton', ['Datumaro 1.0']],
    ['datumaro/cvat-datumaro/with_pcd', ['Datumaro 1.0']],
    ['voc/cvat-datumaro/voc_dataset1', ['PASCAL VOC 1.1', 'Segmentation mask 1.1']],
    ['voc/cvat-datumaro/voc_dataset2', ['PASCAL VOC 1.1', 'Segmentation mask 1.1']],
    ['voc/cvat-datumaro/voc_dataset3', ['PASCAL VOC 1.1']],
    ['camvid/cvat-datumaro', ['CamVid 1.0']],
    ['cityscapes/cvat-datumaro/dataset', ['Cityscapes 1.0']],
    ['cityscapes/cvat-datumaro/train_dataset', ['Cityscapes 1.0']],
    ['icdar/cvat-datumaro/word_recognition', ['ICDAR Recognition 1.0']],
    ['icdar/cvat-datumaro/text_localization', ['ICDAR Localization 1.0']],
    ['icdar/cvat-datumaro/text_segmentation', ['ICDAR Segmentation 1.0']],
    ['imagenet/cvat-datumaro', ['ImageNet 1.0']],
    ['kitti/cvat-datumaro/kitti_detection', ['KITTI 1.0']],
    ['kitti/cvat-datumaro/kitti_segmentation', ['KITTI 1.0']],
    ['kitti/cvat-datumaro/kitti_raw', []],
    ['labelme_xml/cvat-datumaro', ['LabelMe 3.0']],
    ['lfw/cvat-datumaro', ['LFW 1.0']],
    ['market1501/cvat-datumaro', ['Market-1501 1.0']],
    ['mot/cvat-datumaro', ['MOT 1.1']],
    ['mot/cvat-datumaro/mot_seq', ['MOT 1.1']],
    ['mot/cvat-datumaro/mot_seq_with_seqinfo', ['MOT 1.1']],
    ['mots/cvat-datumaro', ['MOTS PNG 1.0']],
    ['open_images/cvat-datumaro/v5', ['Open Images V6 1.0']],
    ['open_images/cvat-datumaro/v6', ['Open Images V6 1.0']],
    ['vggface2/cvat-datumaro', ['VGGFace2 1.0']],
    ['widerface/cvat-datumaro', ['WiderFace 1.0']],
    ['yolo/cvat-datumaro/yolo', ['YOLO 1.1']],
    ['yolo/cvat-datumaro/yolov8_detection', ['Ultralytics YOLO Detection 1.0']],
    ['yolo/cvat-datumaro/yolov8_detection_with_list_of_names', ['Ultralytics YOLO Detection 1.0']],
    ['yolo/cvat-datumaro/yolov8_detection_with_list_of_imgs', ['Ultralytics YOLO Detection 1.0']],
    ['yolo/cvat-datumaro/yolov8_detection_with_subset_txt', ['Ultralytics YOLO Detection 1.0']],
    ['yolo/cvat-datumaro/yolov8_pose_two_values_per_point', ['Ultralytics YOLO Pose 1.0']],
    [
      'yolo/cvat-datumaro/yolov8_oriented_boxes',
      ['Ultralytics YOLO Oriented Bounding Boxes 1.0', 'Ultralytics YOLO Segmentation 1.0'],
    ],
    ['yolo/cvat-datumaro/yolov8_segmentation', ['Ultralytics YOLO Segmentation 1.0']],
    ['yolo/cvat-datumaro/yolov8_pose', ['Ultralytics YOLO Pose 1.0']],
    ['yolo/cvat-datumaro/yolov8_classification', ['Ultralytics YOLO Classification 1.0']],
  ];
  it.each(cases)('%s', async (path, expected) => {
    const whole = join(sharedFixtures, path);
    expect(existsSync(whole)).toBe(true);
    expect(await names(whole)).toEqual(expected);
    for (const { reason } of await detect(whole)) expect(reason).not.toBe('');
  });
});
