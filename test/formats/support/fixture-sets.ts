/** A data set that another program wrote, and what an import of it must find. */
export interface FixtureSet {
  readonly importer: string;
  readonly folder: string;
  /** What the files hold, counted from the files themselves and held against another reader of them. */
  readonly holds: readonly string[];
  /** Records of the files that cannot be objects. */
  readonly bad?: number;
  /** What a file with nothing around it cannot tell: the frames of the video. */
  readonly video?: { readonly frames: number; readonly start: number; readonly step: number };
  /** What files without labels or pictures cannot tell: the labels of the task, which has the two pictures. */
  readonly labels?: readonly string[];
  /** What the exporter of the format cannot carry of it, rule by rule. Without: everything comes back the same. */
  readonly loses?: readonly string[];
}

/**
 * The data sets of test/fixtures/formats: `make_formats.py` there says which scene they hold, three objects on two
 * pictures for most. Every importer has one.
 */
export const ownFixtureSets: readonly FixtureSet[] = [
  {
    importer: 'CVAT 1.1',
    folder: 'cvat-images',
    holds: ['1 polygon car', '1 rectangle car', '2 polygon person', '2 rectangle person'],
  },
  {
    importer: 'CVAT 1.1',
    folder: 'cvat-video',
    holds: ['1 track of rectangle car'],
    video: { frames: 8, start: 0, step: 1 },
  },
  { importer: 'COCO 1.0', folder: 'coco-instances', holds: ['1 polygon car', '2 polygon person'] },
  { importer: 'COCO 1.0', folder: 'coco-stuff', holds: ['1 mask car', '2 mask person'] },
  { importer: 'COCO Keypoints 1.0', folder: 'coco-keypoints', holds: ['1 skeleton car'] },
  { importer: 'COCO Panoptic 1.0', folder: 'coco-panoptic', holds: ['1 mask car', '2 mask person'] },
  {
    importer: 'Datumaro 1.0',
    folder: 'datumaro',
    holds: [
      '1 points person',
      '1 polygon car',
      '1 polygon person',
      '1 polyline car',
      '1 rectangle car',
      '1 tag car',
      '2 rectangle person',
    ],
  },
  {
    importer: 'PASCAL VOC 1.1',
    folder: 'pascal-voc',
    holds: ['1 rectangle car', '1 tag car', '1 tag person', '2 rectangle person'],
  },
  { importer: 'Segmentation mask 1.1', folder: 'segmentation-mask', holds: ['1 mask car', '2 mask person'] },
  { importer: 'CamVid 1.0', folder: 'camvid', holds: ['1 mask car', '2 mask person'] },
  { importer: 'Cityscapes 1.0', folder: 'cityscapes', holds: ['1 mask car', '2 mask person'] },
  { importer: 'KITTI 1.0', folder: 'kitti-detection', holds: ['1 rectangle car', '2 rectangle person'] },
  { importer: 'KITTI 1.0', folder: 'kitti-segmentation', holds: ['1 mask car', '2 mask person'] },
  {
    importer: 'LabelMe 3.0',
    folder: 'labelme',
    holds: ['1 polygon car', '1 rectangle car', '2 polygon person', '2 rectangle person'],
  },
  { importer: 'MOT 1.1', folder: 'mot', holds: ['1 track of rectangle car'] },
  {
    importer: 'MOTS PNG 1.0',
    folder: 'mots-png',
    holds: ['2 mask car'],
    loses: ['2 mask car: MOTS PNG has tracks only.'],
  },
  {
    importer: 'Open Images V6 1.0',
    folder: 'open-images',
    holds: ['1 rectangle car', '2 rectangle person', '2 tag car'],
  },
  { importer: 'ICDAR Recognition 1.0', folder: 'icdar-recognition', holds: ['2 tag icdar'] },
  { importer: 'ICDAR Localization 1.0', folder: 'icdar-localization', holds: ['1 polygon icdar', '1 rectangle icdar'] },
  { importer: 'ICDAR Segmentation 1.0', folder: 'icdar-segmentation', holds: ['1 mask icdar'] },
  { importer: 'ImageNet 1.0', folder: 'imagenet', holds: ['1 tag car', '1 tag person'] },
  { importer: 'LFW 1.0', folder: 'lfw', holds: ['1 tag car', '1 tag person'], bad: 2 },
  { importer: 'Market-1501 1.0', folder: 'market1501', holds: ['2 tag market-1501'] },
  {
    importer: 'VGGFace2 1.0',
    folder: 'vggface2',
    holds: ['1 points car', '1 points person', '1 rectangle car', '1 rectangle person'],
  },
  { importer: 'WiderFace 1.0', folder: 'widerface', holds: ['1 tag Dancing', '2 rectangle face'] },
  { importer: 'YOLO 1.1', folder: 'yolo', holds: ['1 rectangle car', '2 rectangle person'] },
  {
    importer: 'Ultralytics YOLO Detection 1.0',
    folder: 'ultralytics-detection',
    holds: ['1 rectangle car', '2 rectangle person'],
  },
  {
    importer: 'Ultralytics YOLO Oriented Bounding Boxes 1.0',
    folder: 'ultralytics-oriented-boxes',
    holds: ['1 rectangle car', '1 rectangle person'],
  },
  {
    importer: 'Ultralytics YOLO Segmentation 1.0',
    folder: 'ultralytics-segmentation',
    holds: ['1 polygon car', '2 polygon person'],
  },
  { importer: 'Ultralytics YOLO Pose 1.0', folder: 'ultralytics-pose', holds: ['1 skeleton car'] },
  {
    importer: 'Ultralytics YOLO Classification 1.0',
    folder: 'ultralytics-classification',
    holds: ['1 tag car', '2 tag person'],
  },
  {
    importer: 'labelme JSON 1.0',
    folder: 'labelme-json',
    holds: [
      '1 ellipse car',
      '1 points person',
      '1 polygon person',
      '1 polyline person',
      '1 rectangle car',
      '1 tag sunny',
    ],
  },
  {
    importer: 'X-AnyLabeling JSON 1.0',
    folder: 'x-anylabeling',
    holds: ['1 polygon person', '1 rectangle car', '1 rectangle person'],
  },
  {
    importer: 'CSV 1.0',
    folder: 'csv/annotations.csv',
    labels: ['car', 'person'],
    holds: ['1 rectangle car', '2 rectangle person'],
  },
  {
    importer: 'Label Studio JSON 1.0',
    folder: 'label-studio/project.json',
    labels: ['car', 'person', 'street'],
    holds: ['1 ellipse car', '1 points person', '1 polygon person', '1 rectangle car', '1 tag street'],
  },
  { importer: 'DOTA 1.0', folder: 'dota', labels: ['car'], holds: ['1 rectangle car'] },
  { importer: 'CreateML 1.0', folder: 'createml', holds: ['1 rectangle car', '2 rectangle person'] },
  {
    importer: 'VoTT JSON 1.0',
    folder: 'vott',
    labels: ['car', 'person'],
    holds: ['1 polygon person', '1 rectangle car', '1 rectangle person'],
  },
  { importer: 'SA-1B JSON 1.0', folder: 'sa-1b', labels: ['object'], holds: ['1 mask object'] },
  {
    importer: 'COCO Results 1.0',
    folder: 'coco-results/detections.json',
    labels: ['car', 'person', 'tree'],
    holds: ['1 rectangle tree', '2 rectangle car'],
  },
];
