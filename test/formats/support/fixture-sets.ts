/** A dataset from another program, and the expected result of its import. */
export interface FixtureSet {
  readonly importer: string;
  readonly folder: string;
  /** Content of the files, counted directly and verified with another reader. */
  readonly holds: readonly string[];
  /** Number of records that are not valid objects. */
  readonly bad?: number;
  /** The frames of the video, which the file does not contain. */
  readonly video?: { readonly frames: number; readonly start: number; readonly step: number };
  /** Images that the files refer to and that are not beside them. */
  readonly pictures?: readonly { readonly name: string; readonly width: number; readonly height: number }[];
  /** The labels of the task, for files without labels or images. The task has the two images. */
  readonly labels?: readonly string[];
  /** Losses of the exporter by reason. Without: the round trip is lossless. */
  readonly loses?: readonly string[];
  /** Notes of the importer about objects that it imports unchanged, from both files. */
  readonly says?: readonly string[];
}

/** A dataset and its content: numbers, kinds and labels of its objects, separated by commas. */
export const setOf = (
  importer: string,
  folder: string,
  holds: string,
  more: Omit<FixtureSet, 'importer' | 'folder' | 'holds'> = {},
): FixtureSet => ({ importer, folder, holds: holds === '' ? [] : holds.split(', '), ...more });

/**
 * The datasets of test/fixtures/formats. `make_formats.py` there describes the scene, mostly three objects on two
 * images. Every importer has one.
 */
export const ownFixtureSets: readonly FixtureSet[] = [
  setOf('CVAT 1.1', 'cvat-images', '1 polygon car, 1 rectangle car, 2 polygon person, 2 rectangle person'),
  setOf('CVAT 1.1', 'cvat-video', '1 track of rectangle car', { video: { frames: 8, start: 0, step: 1 } }),
  setOf('COCO 1.0', 'coco-instances', '1 polygon car, 2 polygon person'),
  setOf('COCO 1.0', 'coco-stuff', '1 mask car, 2 mask person'),
  setOf('COCO Keypoints 1.0', 'coco-keypoints', '1 skeleton car'),
  setOf('COCO Panoptic 1.0', 'coco-panoptic', '1 mask car, 2 mask person'),
  setOf('COCO Captions 1.0', 'coco-captions', '3 tag caption'),
  setOf('COCO Labels 1.0', 'coco-labels', '1 tag car, 1 tag person'),
  setOf(
    'Datumaro 1.0',
    'datumaro',
    '1 points person, 1 polygon car, 1 polygon person, 1 polyline car, 1 rectangle car, 1 tag car, 2 rectangle person',
  ),
  setOf('PASCAL VOC 1.1', 'pascal-voc', '1 rectangle car, 1 tag car, 1 tag person, 2 rectangle person'),
  setOf('Segmentation mask 1.1', 'segmentation-mask', '1 mask car, 2 mask person'),
  setOf('CamVid 1.0', 'camvid', '1 mask car, 2 mask person'),
  setOf('Cityscapes 1.0', 'cityscapes', '1 mask car, 2 mask person'),
  setOf('KITTI 1.0', 'kitti-detection', '1 rectangle car, 2 rectangle person'),
  setOf('KITTI 1.0', 'kitti-segmentation', '1 mask car, 2 mask person'),
  setOf('KITTI Tracking 1.0', 'kitti-tracking', '1 rectangle DontCare, 1 track of rectangle car'),
  setOf('FiftyOne 1.0', 'fiftyone', '1 rectangle car, 2 rectangle person'),
  setOf('VisDrone 1.0', 'visdrone', '1 rectangle car, 2 rectangle pedestrian'),
  setOf('LabelMe 3.0', 'labelme', '1 polygon car, 1 rectangle car, 2 polygon person, 2 rectangle person'),
  setOf('MOT 1.1', 'mot', '1 track of rectangle car'),
  setOf('MOTS PNG 1.0', 'mots-png', '2 mask car', { loses: ['2 mask car: MOTS PNG has tracks only.'] }),
  setOf('Open Images V6 1.0', 'open-images', '1 rectangle car, 2 rectangle person, 2 tag car'),
  setOf('ICDAR Recognition 1.0', 'icdar-recognition', '2 tag icdar'),
  setOf('ICDAR Localization 1.0', 'icdar-localization', '1 polygon icdar, 1 rectangle icdar'),
  setOf('ICDAR Segmentation 1.0', 'icdar-segmentation', '1 mask icdar'),
  setOf('ImageNet 1.0', 'imagenet', '1 tag car, 1 tag person'),
  setOf('LFW 1.0', 'lfw', '1 tag car, 1 tag person', { bad: 2 }),
  setOf('Market-1501 1.0', 'market1501', '2 tag market-1501'),
  setOf('VGGFace2 1.0', 'vggface2', '1 points car, 1 points person, 1 rectangle car, 1 rectangle person'),
  setOf('WiderFace 1.0', 'widerface', '1 tag Dancing, 2 rectangle face'),
  setOf('YOLO 1.1', 'yolo', '1 rectangle car, 2 rectangle person'),
  setOf('Ultralytics YOLO Detection 1.0', 'ultralytics-detection', '1 rectangle car, 2 rectangle person'),
  setOf(
    'Ultralytics YOLO Oriented Bounding Boxes 1.0',
    'ultralytics-oriented-boxes',
    '1 rectangle car, 1 rectangle person',
  ),
  setOf('Ultralytics YOLO Segmentation 1.0', 'ultralytics-segmentation', '1 polygon car, 2 polygon person'),
  setOf('Ultralytics YOLO Pose 1.0', 'ultralytics-pose', '1 skeleton car'),
  setOf('Ultralytics YOLO Classification 1.0', 'ultralytics-classification', '1 tag car, 2 tag person'),
  setOf(
    'labelme JSON 1.0',
    'labelme-json',
    '1 ellipse car, 1 points person, 1 polygon person, 1 polyline person, 1 rectangle car, 1 tag sunny',
  ),
  setOf('X-AnyLabeling JSON 1.0', 'x-anylabeling', '1 polygon person, 1 rectangle car, 1 rectangle person'),
  setOf('CSV 1.0', 'csv/annotations.csv', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf(
    'Label Studio JSON 1.0',
    'label-studio/project.json',
    '1 ellipse car, 1 points person, 1 polygon person, 1 rectangle car, 1 tag street',
    { labels: ['car', 'person', 'street'] },
  ),
  setOf('DOTA 1.0', 'dota', '1 rectangle car', { labels: ['car'] }),
  setOf('CreateML 1.0', 'createml', '1 rectangle car, 2 rectangle person'),
  setOf('VoTT JSON 1.0', 'vott', '1 polygon person, 1 rectangle car, 1 rectangle person', {
    labels: ['car', 'person'],
  }),
  setOf('SA-1B JSON 1.0', 'sa-1b', '1 mask object', { labels: ['object'] }),
  setOf('COCO Results 1.0', 'coco-results/detections.json', '1 rectangle tree, 2 rectangle car', {
    labels: ['car', 'person', 'tree'],
  }),
  setOf('ISAT JSON 1.0', 'isat', '1 polygon car, 2 polygon person', { labels: ['car', 'person'] }),
  setOf('Cityscapes Polygons 1.0', 'cityscapes-polygons', '1 polygon car, 2 polygon person', {
    labels: ['car', 'person'],
  }),
  setOf('SuperAnnotate JSON 1.0', 'superannotate', '1 rectangle car, 2 rectangle person', {
    labels: ['car', 'person'],
  }),
  setOf('Supervisely 1.0', 'supervisely', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf('V7 Darwin JSON 2.0', 'v7-darwin', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf('BDD100K 1.0', 'bdd100k', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf('Labelbox NDJSON 1.0', 'labelbox', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf('VIA JSON 2.0', 'via', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf('Hugging Face ImageFolder 1.0', 'huggingface', '1 rectangle car, 2 rectangle person', {
    labels: ['car', 'person'],
  }),
  setOf('Hugging Face ImageFolder 1.0', 'huggingface-parquet', '1 rectangle car, 2 rectangle person'),
  setOf('PaddleOCR 1.0', 'paddleocr', '1 polygon text, 2 rectangle text', { labels: ['text'] }),
  setOf('Multiclass CSV 1.0', 'multiclass-csv', '1 tag car, 2 tag person', { labels: ['car', 'person'] }),
  setOf('TFRecord 1.0', 'tfrecord', '1 rectangle car, 2 rectangle person', { labels: ['car', 'person'] }),
  setOf('Images and Masks 1.0', 'images-masks', '1 mask car, 2 mask person'),
  setOf('ADE20k 1.0', 'ade20k-2016', '1 mask car, 1 mask person, 1 mask wheel'),
  setOf('ADE20k 1.0', 'ade20k-2021', '1 polygon car, 1 polygon person'),
  setOf(
    'Mapillary Vistas 2.0',
    'mapillary',
    '1 mask human--person, 1 mask object--vehicle--car, 1 mask void--unlabeled',
  ),
];
