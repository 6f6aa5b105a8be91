import { type FixtureSet, setOf } from '../formats/support/fixture-sets.ts';

/** Fixtures of other tools, by the importer that reads them. Paths are below the shared fixtures. */
export const fixtureSets: readonly FixtureSet[] = [
  setOf('COCO 1.0', 'coco/cvat-datumaro/coco_instances', '1 mask b, 1 polygon a, 1 rectangle b'),
  setOf('COCO 1.0', 'coco/cvat-datumaro/coco_stuff', '1 mask a, 1 mask b'),
  setOf('COCO 1.0', 'coco/cvat-datumaro/coco', '1 mask b, 1 polygon a, 1 rectangle b'),
  setOf('COCO Keypoints 1.0', 'coco/cvat-datumaro/coco_person_keypoints', '1 mask b, 1 rectangle b, 1 skeleton a', {
    loses: ['1 mask b: COCO Keypoints has skeletons only.', '1 rectangle b: COCO Keypoints has skeletons only.'],
  }),
  setOf('COCO Captions 1.0', 'coco/cvat-datumaro/coco_captions', '3 tag caption'),
  setOf('COCO Labels 1.0', 'coco/cvat-datumaro/coco_labels', '1 tag a, 2 tag b'),
  setOf('COCO Panoptic 1.0', 'coco/cvat-datumaro/coco_panoptic', '1 mask b, 2 mask a'),
  setOf('Datumaro 1.0', 'datumaro/cvat-datumaro/diverse', '1 mask cat3, 1 points cat0, 1 rectangle cat4, 2 tag cat2', {
    bad: 4,
  }),
  setOf('Datumaro 1.0', 'datumaro/cvat-datumaro/with_skeleton', '1 skeleton skeleton-label'),
  setOf(
    'PASCAL VOC 1.1',
    'voc/cvat-datumaro/voc_dataset1',
    '1 mask bicycle, 1 rectangle cat, 1 rectangle head, 1 rectangle person, 1 tag aeroplane, 1 tag bird, 1 tag bottle, 1 tag car, 1 tag chair, 1 tag diningtable, 1 tag horse, 1 tag ignored, 1 tag person, 1 tag sheep, 1 tag train',
    { loses: ['1 rectangle head: PASCAL VOC has no groups.', '1 rectangle person: PASCAL VOC has no groups.'] },
  ),
  setOf(
    'PASCAL VOC 1.1',
    'voc/cvat-datumaro/voc_dataset2',
    '1 rectangle aeroplane, 1 rectangle bicycle, 1 rectangle bird',
    { bad: 1 },
  ),
  setOf('PASCAL VOC 1.1', 'voc/cvat-datumaro/voc_dataset3', '1 rectangle cat'),
  setOf('Segmentation mask 1.1', 'voc/cvat-datumaro/voc_dataset1', '1 mask bicycle'),
  setOf(
    'CamVid 1.0',
    'camvid/cvat-datumaro',
    '1 mask Archway, 1 mask Bicyclist, 1 mask Bridge, 1 mask Child, 1 mask Sky, 1 mask Tree, 2 mask Animal, 2 mask Road',
  ),
  setOf(
    'Cityscapes 1.0',
    'cityscapes/cvat-datumaro/dataset',
    '1 mask egovehicle, 1 mask person, 1 mask train, 1 mask wall, 2 mask truck, 4 mask outofroi',
  ),
  setOf(
    'Cityscapes 1.0',
    'cityscapes/cvat-datumaro/train_dataset',
    '1 mask person, 1 mask train, 1 mask truck, 1 mask wall',
  ),
  setOf('KITTI 1.0', 'kitti/cvat-datumaro/kitti_detection', '1 rectangle Truck, 4 rectangle Van'),
  setOf(
    'KITTI 1.0',
    'kitti/cvat-datumaro/kitti_segmentation',
    '1 mask train, 1 mask wall, 2 mask outofroi, 2 mask truck',
  ),
  setOf(
    'LabelMe 3.0',
    'labelme_xml/cvat-datumaro',
    '1 mask license plate, 1 mask m1, 1 polygon hg, 1 polygon o1, 1 polygon q1, 1 polygon window, 1 rectangle b1',
  ),
  setOf('MOT 1.1', 'mot/cvat-datumaro/mot_seq', '1 rectangle label_2'),
  setOf('MOT 1.1', 'mot/cvat-datumaro/mot_seq_with_seqinfo', '1 rectangle label_2', {
    pictures: [{ name: 'img1/000001.jpg', width: 16, height: 16 }],
  }),
  // Its images are 1 × 5 and its masks 5 × 1: the first column is imported, three masks are outside.
  setOf('MOTS PNG 1.0', 'mots/cvat-datumaro', '2 mask d', {
    bad: 3,
    loses: ['2 mask d: MOTS PNG has tracks only.'],
  }),
  setOf('Open Images V6 1.0', 'open_images/cvat-datumaro/v5', ''),
  setOf(
    'Open Images V6 1.0',
    'open_images/cvat-datumaro/v6',
    '1 mask Generic label #0, 1 rectangle Generic label #0, 1 rectangle Generic label #3, 1 tag Generic label #0, 1 tag Generic label #1, 1 tag Generic label #3',
  ),
  setOf('ImageNet 1.0', 'imagenet/cvat-datumaro', '1 tag label_1, 2 tag label_0'),
  setOf('LFW 1.0', 'lfw/cvat-datumaro', '1 points name0, 1 tag name0, 2 points name1, 2 tag name1'),
  setOf('Market-1501 1.0', 'market1501/cvat-datumaro', '3 tag market-1501'),
  setOf(
    'VGGFace2 1.0',
    'vggface2/cvat-datumaro',
    '1 points n000001, 1 points n000003, 1 rectangle n000001, 1 rectangle n000003, 2 points n000002, 2 rectangle n000002',
  ),
  setOf('WiderFace 1.0', 'widerface/cvat-datumaro', '1 tag Handshaking, 2 tag Parade, 6 rectangle face'),
  setOf('YOLO 1.1', 'yolo/cvat-datumaro/yolo', '1 rectangle label_2, 1 rectangle label_4'),
  ...[
    'yolov8_detection',
    'yolov8_detection_with_list_of_imgs',
    'yolov8_detection_with_list_of_names',
    'yolov8_detection_with_subset_txt',
  ].map((folder) =>
    setOf('Ultralytics YOLO Detection 1.0', `yolo/cvat-datumaro/${folder}`, '1 rectangle label_2, 1 rectangle label_4'),
  ),
  setOf(
    'Ultralytics YOLO Oriented Bounding Boxes 1.0',
    'yolo/cvat-datumaro/yolov8_oriented_boxes',
    '1 rectangle label_2, 1 rectangle label_4',
    { says: ['1 rectangle label_4: It extends beyond its image and cannot be cut: it is unchanged.'] },
  ),
  setOf(
    'Ultralytics YOLO Segmentation 1.0',
    'yolo/cvat-datumaro/yolov8_segmentation',
    '1 polygon label_2, 1 polygon label_4',
  ),
  setOf('Ultralytics YOLO Pose 1.0', 'yolo/cvat-datumaro/yolov8_pose', '1 skeleton skeleton_label'),
  setOf(
    'Ultralytics YOLO Pose 1.0',
    'yolo/cvat-datumaro/yolov8_pose_two_values_per_point',
    '1 skeleton skeleton_label',
  ),
  setOf(
    'Ultralytics YOLO Classification 1.0',
    'yolo/cvat-datumaro/yolov8_classification',
    '1 tag label_1, 2 tag label_0',
  ),
  setOf(
    'CVAT 1.1',
    'cvat_xml/cvat-datumaro/for_images',
    // Two shapes have no label: they are reported and skipped.
    '1 points label2, 1 rectangle label1, 2 skeleton skeleton',
    { bad: 2 },
  ),
  setOf(
    'CVAT 1.1',
    'cvat_xml/cvat-datumaro/for_video',
    '1 track of points klhg, 1 track of polyline II, 1 track of rectangle II, 1 track of skeleton skeleton',
    { video: { frames: 10, start: 10, step: 3 } },
  ),
  setOf(
    'CVAT 1.1',
    'cvat_xml/cvat-docs/images_example.xml',
    '1 mask car, 1 points wheel, 1 polygon car, 1 rectangle plate, 1 skeleton s1, 1 tag good_frame, 2 polyline traffic_line',
    { pictures: [{ name: 'filename000.jpg', width: 1600, height: 1200 }] },
  ),
  setOf('CVAT 1.1', 'cvat_xml/cvat-docs/video_example.xml', '1 track of polygon car, 1 track of skeleton s1', {
    video: { frames: 20, start: 0, step: 1 },
  }),
  setOf('ICDAR Recognition 1.0', 'icdar/cvat-datumaro/word_recognition', '2 tag icdar'),
  setOf('ICDAR Localization 1.0', 'icdar/cvat-datumaro/text_localization', '1 polygon icdar, 2 rectangle icdar'),
  setOf('ICDAR Segmentation 1.0', 'icdar/cvat-datumaro/text_segmentation', '3 mask icdar'),
];
