/** Fixtures of other tools, by the importer that reads them. Paths lie below the shared fixtures. */
export interface FixtureSet {
  readonly importer: string;
  readonly folder: string;
  /** What the files hold, counted from the files themselves and held against another reader of them. */
  readonly holds: readonly string[];
  /** Records of the files that cannot be objects. */
  readonly bad?: number;
  /** What a file with nothing around it cannot tell: the frames of the video. */
  readonly video?: { readonly frames: number; readonly start: number; readonly step: number };
  /** What the exporter of the format cannot carry of it, rule by rule. Without: everything comes back the same. */
  readonly loses?: readonly string[];
}

export const fixtureSets: readonly FixtureSet[] = [
  {
    importer: 'COCO 1.0',
    folder: 'coco/cvat-datumaro/coco_instances',
    holds: ['1 mask b', '1 polygon a', '1 rectangle b'],
  },
  { importer: 'COCO 1.0', folder: 'coco/cvat-datumaro/coco_stuff', holds: ['1 mask a', '1 mask b'] },
  { importer: 'COCO 1.0', folder: 'coco/cvat-datumaro/coco', holds: ['1 mask b', '1 polygon a', '1 rectangle b'] },
  {
    importer: 'COCO Keypoints 1.0',
    folder: 'coco/cvat-datumaro/coco_person_keypoints',
    holds: ['1 mask b', '1 rectangle b', '1 skeleton a'],
    loses: ['1 mask b: COCO Keypoints has skeletons only.', '1 rectangle b: COCO Keypoints has skeletons only.'],
  },
  { importer: 'COCO Panoptic 1.0', folder: 'coco/cvat-datumaro/coco_panoptic', holds: ['1 mask b', '2 mask a'] },
  {
    importer: 'Datumaro 1.0',
    folder: 'datumaro/cvat-datumaro/diverse',
    holds: ['1 mask cat3', '1 points cat0', '1 rectangle cat4', '2 tag cat2'],
    bad: 4,
  },
  { importer: 'Datumaro 1.0', folder: 'datumaro/cvat-datumaro/with_skeleton', holds: ['1 skeleton skeleton-label'] },
  {
    importer: 'PASCAL VOC 1.1',
    folder: 'voc/cvat-datumaro/voc_dataset1',
    holds: [
      '1 mask bicycle',
      '1 rectangle cat',
      '1 rectangle head',
      '1 rectangle person',
      '1 tag aeroplane',
      '1 tag bird',
      '1 tag bottle',
      '1 tag car',
      '1 tag chair',
      '1 tag diningtable',
      '1 tag horse',
      '1 tag ignored',
      '1 tag person',
      '1 tag sheep',
      '1 tag train',
    ],
    loses: ['1 rectangle head: PASCAL VOC has no groups.', '1 rectangle person: PASCAL VOC has no groups.'],
  },
  {
    importer: 'PASCAL VOC 1.1',
    folder: 'voc/cvat-datumaro/voc_dataset2',
    holds: ['1 rectangle aeroplane', '1 rectangle bicycle', '1 rectangle bird'],
    bad: 1,
  },
  { importer: 'PASCAL VOC 1.1', folder: 'voc/cvat-datumaro/voc_dataset3', holds: ['1 rectangle cat'] },
  { importer: 'Segmentation mask 1.1', folder: 'voc/cvat-datumaro/voc_dataset1', holds: ['1 mask bicycle'] },
  {
    importer: 'CamVid 1.0',
    folder: 'camvid/cvat-datumaro',
    holds: [
      '1 mask Archway',
      '1 mask Bicyclist',
      '1 mask Bridge',
      '1 mask Child',
      '1 mask Sky',
      '1 mask Tree',
      '2 mask Animal',
      '2 mask Road',
    ],
  },
  {
    importer: 'Cityscapes 1.0',
    folder: 'cityscapes/cvat-datumaro/dataset',
    holds: ['1 mask egovehicle', '1 mask person', '1 mask train', '1 mask wall', '2 mask truck', '4 mask outofroi'],
  },
  {
    importer: 'Cityscapes 1.0',
    folder: 'cityscapes/cvat-datumaro/train_dataset',
    holds: ['1 mask person', '1 mask train', '1 mask truck', '1 mask wall'],
  },
  {
    importer: 'KITTI 1.0',
    folder: 'kitti/cvat-datumaro/kitti_detection',
    holds: ['1 rectangle Truck', '4 rectangle Van'],
  },
  {
    importer: 'KITTI 1.0',
    folder: 'kitti/cvat-datumaro/kitti_segmentation',
    holds: ['1 mask train', '1 mask wall', '2 mask outofroi', '2 mask truck'],
  },
  {
    importer: 'LabelMe 3.0',
    folder: 'labelme_xml/cvat-datumaro',
    holds: [
      '1 mask license plate',
      '1 mask m1',
      '1 polygon hg',
      '1 polygon o1',
      '1 polygon q1',
      '1 polygon window',
      '1 rectangle b1',
    ],
  },
  { importer: 'MOT 1.1', folder: 'mot/cvat-datumaro/mot_seq', holds: ['1 rectangle label_2'] },
  { importer: 'MOT 1.1', folder: 'mot/cvat-datumaro/mot_seq_with_seqinfo', holds: ['1 rectangle label_2'] },
  {
    importer: 'MOTS PNG 1.0',
    folder: 'mots/cvat-datumaro',
    holds: ['1 mask a', '1 mask c', '3 mask d'],
    loses: [
      '1 mask a: MOTS PNG has tracks only.',
      '1 mask c: MOTS PNG has tracks only.',
      '3 mask d: MOTS PNG has tracks only.',
    ],
  },
  { importer: 'Open Images V6 1.0', folder: 'open_images/cvat-datumaro/v5', holds: [] },
  {
    importer: 'Open Images V6 1.0',
    folder: 'open_images/cvat-datumaro/v6',
    holds: [
      '1 mask Generic label #0',
      '1 rectangle Generic label #0',
      '1 rectangle Generic label #3',
      '1 tag Generic label #0',
      '1 tag Generic label #1',
      '1 tag Generic label #3',
    ],
  },
  { importer: 'ImageNet 1.0', folder: 'imagenet/cvat-datumaro', holds: ['1 tag label_1', '2 tag label_0'] },
  {
    importer: 'LFW 1.0',
    folder: 'lfw/cvat-datumaro',
    holds: ['1 points name0', '1 tag name0', '2 points name1', '2 tag name1'],
  },
  { importer: 'Market-1501 1.0', folder: 'market1501/cvat-datumaro', holds: ['3 tag market-1501'] },
  {
    importer: 'VGGFace2 1.0',
    folder: 'vggface2/cvat-datumaro',
    holds: [
      '1 points n000001',
      '1 points n000003',
      '1 rectangle n000001',
      '1 rectangle n000003',
      '2 points n000002',
      '2 rectangle n000002',
    ],
  },
  {
    importer: 'WiderFace 1.0',
    folder: 'widerface/cvat-datumaro',
    holds: ['1 tag Handshaking', '2 tag Parade', '6 rectangle face'],
  },
  { importer: 'YOLO 1.1', folder: 'yolo/cvat-datumaro/yolo', holds: ['1 rectangle label_2', '1 rectangle label_4'] },
  {
    importer: 'Ultralytics YOLO Detection 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_detection',
    holds: ['1 rectangle label_2', '1 rectangle label_4'],
  },
  {
    importer: 'Ultralytics YOLO Detection 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_detection_with_list_of_imgs',
    holds: ['1 rectangle label_2', '1 rectangle label_4'],
  },
  {
    importer: 'Ultralytics YOLO Detection 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_detection_with_list_of_names',
    holds: ['1 rectangle label_2', '1 rectangle label_4'],
  },
  {
    importer: 'Ultralytics YOLO Detection 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_detection_with_subset_txt',
    holds: ['1 rectangle label_2', '1 rectangle label_4'],
  },
  {
    importer: 'Ultralytics YOLO Oriented Bounding Boxes 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_oriented_boxes',
    holds: ['1 rectangle label_2', '1 rectangle label_4'],
  },
  {
    importer: 'Ultralytics YOLO Segmentation 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_segmentation',
    holds: ['1 polygon label_2', '1 polygon label_4'],
  },
  {
    importer: 'Ultralytics YOLO Pose 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_pose',
    holds: ['1 skeleton skeleton_label'],
  },
  {
    importer: 'Ultralytics YOLO Pose 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_pose_two_values_per_point',
    holds: ['1 skeleton skeleton_label'],
  },
  {
    importer: 'Ultralytics YOLO Classification 1.0',
    folder: 'yolo/cvat-datumaro/yolov8_classification',
    holds: ['1 tag label_1', '2 tag label_0'],
  },
  {
    importer: 'CVAT 1.1',
    folder: 'cvat_xml/cvat-datumaro/for_images',
    holds: ['1 points label2', '1 polygon ', '1 polyline ', '1 rectangle label1', '2 skeleton skeleton'],
  },
  {
    importer: 'CVAT 1.1',
    folder: 'cvat_xml/cvat-datumaro/for_video',
    holds: [
      '1 track of points klhg',
      '1 track of polyline II',
      '1 track of rectangle II',
      '1 track of skeleton skeleton',
    ],
    video: { frames: 10, start: 10, step: 3 },
  },
  {
    importer: 'CVAT 1.1',
    folder: 'cvat_xml/cvat-docs/images_example.xml',
    holds: [
      '1 mask car',
      '1 points wheel',
      '1 polygon car',
      '1 rectangle plate',
      '1 skeleton s1',
      '1 tag good_frame',
      '2 polyline traffic_line',
    ],
  },
  {
    importer: 'CVAT 1.1',
    folder: 'cvat_xml/cvat-docs/video_example.xml',
    holds: ['1 track of polygon car', '1 track of skeleton s1'],
    video: { frames: 20, start: 0, step: 1 },
  },
  { importer: 'ICDAR Recognition 1.0', folder: 'icdar/cvat-datumaro/word_recognition', holds: ['2 tag icdar'] },
  {
    importer: 'ICDAR Localization 1.0',
    folder: 'icdar/cvat-datumaro/text_localization',
    holds: ['1 polygon icdar', '2 rectangle icdar'],
  },
  { importer: 'ICDAR Segmentation 1.0', folder: 'icdar/cvat-datumaro/text_segmentation', holds: ['3 mask icdar'] },
];
