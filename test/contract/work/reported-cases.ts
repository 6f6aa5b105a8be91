import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { choiceOf } from './work-harness.ts';

type Image = readonly [name: string, width: number, height: number];

/** One file below `shared/fixtures/reported/formats`, and the result that the judge of its format expects. */
export interface ReportedCase {
  readonly file: string;
  readonly format: string;
  /** The task that takes the file, with images of these sizes. Without it a new project takes the file. */
  readonly into?: { readonly labels?: readonly LabelWrite[]; readonly images?: readonly Image[] };
  readonly options?: Readonly<Record<string, unknown>>;
  /** Objects by `subset/image`, or by image in a task. A project's images without objects have an empty list. */
  readonly objects?: Readonly<Record<string, readonly string[]>>;
  readonly bad?: readonly string[];
  /** Objects that the report lists as dropped or changed: count, type, and the quoted values. */
  readonly changed?: readonly string[];
  readonly warned?: readonly RegExp[];
  readonly refused?: RegExp;
}

const yolo = 'Ultralytics YOLO Detection 1.0';
const input = (
  name: string,
  input_type: 'text' | 'number' | 'checkbox',
  default_value = '',
  values: string[] = [],
) => ({
  name,
  input_type,
  mutable: false,
  default_value,
  values,
});
const withAttributes: LabelWrite = {
  name: 'cat',
  attributes: [
    input('no', 'text'),
    input('id', 'text'),
    input('t', 'text'),
    input('num', 'number', '0', ['0', '10', '1']),
    input('n', 'number', '0', ['0', '10', '1']),
    input('chk', 'checkbox', 'false'),
    input('b', 'checkbox', 'false'),
    choiceOf('sel', ['01', 'x']),
    choiceOf('s', ['x', 'y z']),
  ],
};
const node = (id: number, name: string, x: number, y: number): string =>
  `<circle r="1.5" stroke="black" fill="#b3b3b3" cx="${x}" cy="${y}" stroke-width="0.1" data-type="element node" ` +
  `data-element-id="${id}" data-node-id="${id}" data-label-name="${name}"></circle>`;
const person: LabelWrite = {
  name: 'person',
  type: 'skeleton',
  sublabels: ['nose', 'l', 'r'].map((name) => ({ name })),
  svg: node(1, 'nose', 12, 14) + node(2, 'l', 20, 21) + node(3, 'r', 25, 26),
};
const tenFrames = Array.from({ length: 10 }, (_, index): Image => [
  `${String(index + 1).padStart(6, '0')}.png`,
  100,
  80,
]);

export const reportedCases: readonly ReportedCase[] = [
  {
    file: '02-coco-odd-parts/c.json',
    format: 'COCO 1.0',
    into: {},
    objects: {
      'a.png': [
        'cat polygon 10,10,30,10,30,30,10,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
      ],
    },
    bad: [
      'annotations[0].segmentation[0]',
      'annotations[1].segmentation[0]',
      'annotations[2].segmentation[0]',
      'annotations[3].segmentation[0]',
      'annotations[5].segmentation',
      'annotations[6].segmentation.size',
      'annotations[7].segmentation[0]',
      'annotations[8].segmentation[0]',
    ],
  },
  {
    file: '07-coco-keypoints-v0-with-place/c.json',
    format: 'COCO Keypoints 1.0',
    into: { labels: [person] },
    objects: {
      'a.png': [
        'person skeleton 12,13 | out | 25,26 hidden',
        'person skeleton 12,13 | out | 25,26 hidden',
        'person skeleton 12,13',
        'person skeleton 12.5,13 | out | out',
        'person skeleton 0,0 | out | out',
      ],
    },
    bad: [
      'annotations[4].keypoints[5]',
      'annotations[5].keypoints[5]',
      'annotations[9].keypoints[2]',
      'annotations[10].keypoints[0]',
    ],
    changed: ['2 points', '1 skeleton', '2 skeleton'],
  },
  {
    file: '08-coco-attribute-kinds/c.json',
    format: 'COCO 1.0',
    into: { labels: [withAttributes] },
    objects: {
      'a.png': [
        'cat rectangle 10,10,30,30 chk="true" no="0001" num="7"',
        'cat rectangle 10,10,30,30 chk="true" no="1" num="007"',
        'cat rectangle 10,10,30,30 chk="true" no="true" num="7"',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30 chk="true" no="a\\nb \\"c\\""',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
      ],
    },
    changed: [
      '1 attribute "sel" "1"',
      '1 attribute "sel" "true"',
      '1 attribute "num" ""',
      '1 attribute "sel" ""',
      '1 attribute "num" "7.5"',
      '1 attribute "sel" "zz"',
      '1 attribute "no"',
      '1 attribute "sel"',
      '1 attribute "num" "1000"',
      '1 attribute',
    ],
  },
  {
    file: '101-mot-gap-and-order/d.zip',
    format: 'MOT 1.1',
    into: { labels: [{ name: 'person' }], images: tenFrames },
    objects: {
      '000001.png': ['person track 0, 1, 2 out, 4, 5 out, 6, 7 out', 'person track 0, 1 out', 'person track 0, 1 out'],
      '000002.png': ['person rectangle 60,10,80,30'],
      '000003.png': ['person rectangle 60,10,80,30'],
    },
    bad: ['line 9'],
    changed: ['1 attribute "visibility"', '2 attribute "ignored"'],
    warned: [/frame 0/],
  },
  {
    file: '111-cvat-attributes/c.xml',
    format: 'CVAT 1.1',
    into: { labels: [withAttributes] },
    objects: {
      'a.png': [
        'cat rectangle 10,10,30,30 b="true" id="0001" n="007" s="y z" t=" lead and trail "',
        'cat rectangle 10,10,30,30 b="true" id="1e5" n="7.0" t="line1\\nline2"',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30 id="null" t="<b> &amp;"',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
        'cat rectangle 10,10,30,30',
      ],
    },
    changed: [
      '1 attribute "s" "X"',
      '1 attribute "n" ""',
      '1 attribute "s" ""',
      '1 attribute "n" "11"',
      '1 attribute "nope"',
      '1 attribute "n" "-1"',
    ],
  },
  { file: '12-coco-utf16/c.json', format: 'COCO 1.0', into: {}, objects: { 'a.png': ['cat rectangle 10,10,30,30'] } },
  {
    file: '145-v7-two-parts/a.json',
    format: 'V7 Darwin JSON 2.0',
    into: {},
    objects: { 'a.png': ['cat polygon 10,10,30,10,30,30,10,30', 'cat polygon 60,10,80,10,80,30,60,30'] },
  },
  {
    file: '147-hf-list-of-objects/d.zip',
    format: 'Hugging Face ImageFolder 1.0',
    into: {},
    objects: { 'a.png': ['cat rectangle 40,10,60,30'] },
  },
  {
    file: '150-rf-yolo-darknet/d.zip',
    format: yolo,
    objects: {
      'train/pic_jpg.rf.0a1b2c3d4e5f.jpg': ['dog rectangle 40,30,60,50'],
      'valid/pic_jpg.rf.0a1b2c3d4e5f.jpg': ['dog rectangle 40,30,60,50'],
    },
  },
  { file: '150-rf-yolo-darknet/d.zip', format: 'YOLO 1.1', refused: /obj\.data/ },
  {
    file: '154-rf-semantic-masks/d.zip',
    format: 'Images and Masks 1.0',
    objects: { 'train/pic_jpg.rf.0a1b2c3d4e5f.jpg': ['cat polygon 30,10,30,30,10,30,10,10'] },
    warned: [/conv_mask_to_poly/],
  },
  {
    file: '165-space-label-coco/c.json',
    format: 'COCO 1.0',
    into: {},
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '165-space-label-coco/p.zip',
    format: 'COCO 1.0',
    objects: { 'default/a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '165-space-label-labelme/c.json',
    format: 'labelme JSON 1.0',
    into: {},
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '165-space-label-labelme/p.zip',
    format: 'labelme JSON 1.0',
    objects: { 'default/a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '165-space-label-ls/c.json',
    format: 'Label Studio JSON 1.0',
    into: {},
    objects: { 'a.jpg': ['cat rectangle 10,8,30,28'] },
  },
  {
    file: '165-space-label-ls/p.zip',
    format: 'Label Studio JSON 1.0',
    objects: { 'default/a.jpg': ['cat rectangle 10,8,30,28'] },
  },
  { file: '170-containers/back.zip', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/bzip2.zip', format: yolo, refused: /with bzip2, .*pack it again/ },
  {
    file: '170-containers/colon.zip',
    format: yolo,
    objects: {
      'train/2024-01-01T12:00:00 shot?.png': ['cat rectangle 40,32,60,48'],
      'train/trail .png': ['cat rectangle 40,32,60,48'],
      'train/dot..png': ['cat rectangle 40,32,60,48'],
      'train/-x.png': ['cat rectangle 40,32,60,48'],
    },
  },
  { file: '170-containers/comment.zip', format: yolo, refused: /comment\.zip.*zip/ },
  { file: '170-containers/d.tar', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/d.tar.bz2', format: yolo, refused: /bzip2/ },
  { file: '170-containers/d.tar.gz', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/d.tar.xz', format: yolo, refused: /xz/ },
  { file: '170-containers/d.tar.zst', format: yolo, refused: /zstd/ },
  { file: '170-containers/d.tgz', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/dataset', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/dataset.zip', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/dot.tar.gz', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/lzma.zip', format: yolo, refused: /with LZMA, .*pack it again/ },
  { file: '170-containers/pax.tar', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/sfx.zip', format: yolo, refused: /sfx\.zip.*zip/ },
  { file: '170-containers/stream.zip', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  { file: '170-containers/zip64.zip', format: yolo, objects: { 'train/a.png': ['cat rectangle 40,32,60,48'] } },
  {
    file: '195-coco-iscrowd-roundtrip/c.json',
    format: 'COCO 1.0',
    into: {},
    objects: {
      'a.png': [
        'cat mask of 750 px in 20,10,59,29',
        'cat mask of 750 px in 20,10,59,29',
        'cat polygon 10,10,30,10,30,30',
        'cat polygon 10,10,30,10,30,30',
        'cat rectangle 10,10,30,30',
      ],
    },
    changed: ['3 attribute "is_crowd"'],
  },
  {
    file: '195-coco-iscrowd-roundtrip/p.zip',
    format: 'COCO 1.0',
    objects: {
      'default/a.png': [
        'cat mask of 750 px in 20,10,59,29 is_crowd="false"',
        'cat mask of 750 px in 20,10,59,29 is_crowd="true"',
        'cat polygon 10,10,30,10,30,30 is_crowd="true"',
        'cat polygon 10,10,30,10,30,30 is_crowd="false"',
        'cat rectangle 10,10,30,30 is_crowd="true"',
      ],
    },
  },
  {
    file: '20-yolo-row-oddities/d.zip',
    format: yolo,
    objects: {
      'default/a.png': [
        'cat rectangle 40,30,60,50',
        'dog rectangle 40,30,60,50',
        'cat rectangle 20,16,30,24',
        'dog rectangle 40,30,60,50',
        'cat rectangle 40,30,60,50',
        'cat rectangle 85,30,100,50',
        'cat rectangle 50,40,50,40',
        'cat rectangle 90,30,100,50',
      ],
    },
    bad: ['line 6', 'line 8', 'line 9', 'line 11', 'line 12', 'line 14', 'line 15', 'line 16', 'line 17', 'line 19'],
    changed: ['2 rectangle', '1 rectangle'],
  },
  {
    file: '200-scale-ls/c.json',
    format: 'Label Studio JSON 1.0',
    into: {},
    objects: {},
    bad: ['[0].annotations[0].result[0].value'],
  },
  { file: '200-scale-oi/d.zip', format: 'Open Images V6 1.0', into: {}, objects: {}, bad: ['line 2'] },
  { file: '200-scale-yolo/d.zip', format: yolo, into: {}, objects: {}, bad: ['line 1'] },
  { file: '201-nothing-imported-task-left/d.zip', format: 'COCO 1.0', refused: /other\.png.*not changed/ },
  {
    file: '23-roboflow-mixed/d.zip',
    format: yolo,
    objects: {
      'train/train_png.rf.0abc.jpg': ['dog rectangle 40,30,60,50'],
      'val/valid_png.rf.0abc.jpg': ['dog rectangle 40,30,60,50'],
      'test/test_png.rf.0abc.jpg': ['dog rectangle 40,30,60,50'],
    },
    bad: ['line 2', 'line 3', 'line 2', 'line 3', 'line 2', 'line 3'],
  },
  {
    file: '23-roboflow-mixed/d.zip',
    format: 'Ultralytics YOLO Segmentation 1.0',
    objects: {
      'train/train_png.rf.0abc.jpg': [
        'dog rectangle 40,30,60,50',
        'cat polygon 10,8,30,8,30,24,10,24',
        'cat polygon 10,8,30,8,30,24,10,24,5,16',
      ],
      'val/valid_png.rf.0abc.jpg': [
        'dog rectangle 40,30,60,50',
        'cat polygon 10,8,30,8,30,24,10,24',
        'cat polygon 10,8,30,8,30,24,10,24,5,16',
      ],
      'test/test_png.rf.0abc.jpg': [
        'dog rectangle 40,30,60,50',
        'cat polygon 10,8,30,8,30,24,10,24',
        'cat polygon 10,8,30,8,30,24,10,24,5,16',
      ],
    },
  },
  {
    file: '26-pose-visibility/d.zip',
    format: 'Ultralytics YOLO Pose 1.0',
    objects: {
      'train/a.png': [
        'person skeleton 20,8 | out | 60,24 hidden',
        'person skeleton out | out | out',
        'person skeleton 20,8 | out | out',
        'person skeleton 20,8 | 40,16 | 60,24',
      ],
    },
    bad: ['line 4'],
    changed: ['4 skeleton'],
    warned: [/confidence/],
  },
  {
    file: '28-pose-project/d.zip',
    format: 'Ultralytics YOLO Pose 1.0',
    objects: { 'train/a.png': ['person skeleton 20,8 | out | 60,24 hidden'] },
    changed: ['1 skeleton'],
  },
  {
    file: '31-yolo-two-dirs-same-names/d.zip',
    format: yolo,
    objects: {
      'train/cam1/images/000001.jpg': ['cat rectangle 40,32,60,48'],
      'train/cam2/images/000001.jpg': ['dog rectangle 15,10,45,30'],
    },
  },
  { file: '44-nested-zip/d.zip', format: yolo, refused: /download\/dataset\.zip/ },
  { file: '49-nfd-names/d.zip', format: yolo, objects: { 'train/Käse é.png': ['cat rectangle 40,32,60,48'] } },
  { file: '49b-nfd-coco/d.zip', format: 'COCO 1.0', objects: { 'default/Käse é.png': ['cat rectangle 10,10,30,30'] } },
  {
    file: '50-names-project-abs/d.zip',
    format: 'COCO 1.0',
    objects: { 'default/a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '50-names-project-case/d.zip',
    format: 'COCO 1.0',
    objects: { 'default/img_0001.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '50-names-project-pct/d.zip',
    format: 'COCO 1.0',
    objects: { 'default/a b.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '50-names-project-url/d.zip',
    format: 'COCO 1.0',
    objects: { 'default/a b.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '51-ls-local/c.json',
    format: 'Label Studio JSON 1.0',
    into: { images: [['images/a b.jpg', 100, 80]] },
    objects: { 'images/a b.jpg': ['cat rectangle 10,8,30,28'] },
  },
  {
    file: '51-ls-local/d.zip',
    format: 'Label Studio JSON 1.0',
    objects: { 'default/a b.jpg': ['cat rectangle 10,8,30,28'] },
  },
  {
    file: '52-vott/c.json',
    format: 'VoTT JSON 1.0',
    into: { images: [['a b.jpg', 100, 80]] },
    objects: { 'a b.jpg': ['cat rectangle 10,10,30,30'] },
  },
  { file: '52-vott/d.zip', format: 'VoTT JSON 1.0', objects: { 'default/a b.jpg': ['cat rectangle 10,10,30,30'] } },
  {
    file: '61-size-csv/c.csv',
    format: 'CSV 1.0',
    into: { images: [['a.jpg', 80, 100]] },
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
    warned: [/100 × 80 pixels for 80 × 100/],
  },
  {
    file: '61-size-datumaro/c.json',
    format: 'Datumaro 1.0',
    into: { images: [['a.jpg', 80, 100]] },
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
    warned: [/100 × 80 pixels for 80 × 100/],
  },
  {
    file: '61-size-voc/d.zip',
    format: 'PASCAL VOC 1.1',
    into: { images: [['a.jpg', 80, 100]] },
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
    warned: [/100 × 80 pixels for 80 × 100/],
  },
  {
    file: '71-voc-rolabelimg/d.zip',
    format: 'PASCAL VOC 1.1',
    into: {},
    objects: {
      'a.png': [
        'cat rectangle 10,10,30,30',
        'dog rectangle 30,30,70,50 turned 30',
        'dog rectangle 30,30,70,50 turned 166',
      ],
    },
  },
  {
    file: '73-voc-roboflow-polygon/d.zip',
    format: 'PASCAL VOC 1.1',
    into: {},
    objects: {
      'a.png': [
        'cat polygon 10,10,30,10,30,30',
        'cat polygon 10,10,30,10,30,30',
        'cat polygon 10,10,30,10,30,30',
        'cat polygon 10,10,30,10,30,30',
      ],
    },
  },
  { file: '90-csv-cp1252/c.csv', format: 'CSV 1.0', into: {}, refused: /not UTF-8.*windows-1252/ },
  {
    file: '90-csv-cp1252/c.csv',
    format: 'CSV 1.0',
    into: {},
    options: { encoding: 'windows-1252' },
    objects: { 'a.png': ['Käse rectangle 10,10,30,30', 'Brot rectangle 40,10,60,30'] },
  },
  { file: '92-cp1252-labels/c.csv', format: 'CSV 1.0', into: {}, refused: /not UTF-8.*windows-1252/ },
  {
    file: '92-cp1252-labels/c.csv',
    format: 'CSV 1.0',
    into: {},
    options: { encoding: 'windows-1252' },
    objects: { 'a.png': ['Käse rectangle 10,10,30,30', 'Köse rectangle 40,10,60,30', 'dog rectangle 10,10,30,30'] },
  },
  {
    file: '93-reversed-bdd/c.json',
    format: 'BDD100K 1.0',
    into: {},
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: '93-reversed-via/c.json',
    format: 'VIA JSON 2.0',
    into: {},
    objects: { 'a.jpg': ['cat rectangle 10,10,30,30'] },
  },
  {
    file: 'F1-same-names-bdd/d.zip',
    format: 'BDD100K 1.0',
    objects: {
      'default/a/000001.jpg': ['cat rectangle 10,10,30,30'],
      'default/b/000001.jpg': ['dog rectangle 10,10,30,30'],
    },
  },
  {
    file: 'F1-same-names-csv/d.zip',
    format: 'CSV 1.0',
    objects: {
      'default/a/000001.jpg': ['cat rectangle 10,10,30,30'],
      'default/b/000001.jpg': ['dog rectangle 5,5,25,25'],
    },
  },
  {
    file: 'F1-same-names-images-masks/d.zip',
    format: 'Images and Masks 1.0',
    objects: {
      'default/a/images/000001.jpg': ['cat polygon 25,5,25,25,5,25,5,5'],
      'default/b/images/000001.jpg': ['dog polygon 25,5,25,25,5,25,5,5'],
    },
    warned: [/conv_mask_to_poly/],
  },
  {
    file: 'F1-same-names-yolo-yaml-list/d.zip',
    format: yolo,
    objects: {
      'train/a/images/000001.jpg': ['cat rectangle 10,10,30,30'],
      'train/b/images/000001.jpg': ['dog rectangle 5,5,25,25'],
    },
  },
  {
    file: 'F2-splits-darknet/d.zip',
    format: 'YOLO 1.1',
    objects: {
      'train/t1.jpg': ['cat rectangle 40,32,60,48'],
      'train/t2.jpg': [],
      'valid/obj_train_data/v1.jpg': ['cat rectangle 40,32,60,48'],
      'valid/obj_train_data/v2.jpg': [],
    },
    warned: [/t2\.jpg/],
  },
  {
    file: 'F2-splits-yolo-yaml/d.zip',
    format: yolo,
    objects: {
      'train/t1.jpg': ['cat rectangle 40,32,60,48'],
      'train/t2.jpg': [],
      'val/v1.jpg': ['cat rectangle 40,32,60,48'],
      'val/v2.jpg': [],
    },
  },
];
