import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { makeZip } from '../../support/craft-zip.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();

type Files = Readonly<Record<string, string | Buffer>>;

async function imported(format: string, files: Files) {
  const project = await work.owner.createProject(format, []);
  const request = await work.importDataset(project.id, format, { name: 'set.zip', bytes: makeZip(files) });
  const answer = await work.owner.call('GET', `/api/requests/${encodeURIComponent(request.id)}/report`);
  const names = new Map((await work.labelsOf({ project_id: project.id })).map(({ id, name }) => [id, name]));
  const frames: string[] = [];
  for (const task of await work.tasksOf(project.id)) {
    const { shapes } = await work.owner.annotations('tasks', task.id);
    const meta = await work.owner.meta('tasks', task.id);
    for (const [number, { name, width }] of (meta.frames ?? []).entries()) {
      const own = shapes.filter(({ frame }) => frame === number);
      const told = own.map(({ label_id, points }) => `${names.get(label_id)} ${points[0]}`);
      frames.push(`${task.subset}/${name} ${width}: ${told.toSorted().join(', ')}`);
    }
  }
  const report = answer.body as { warnings?: string[]; invalid?: { reason: string }[] };
  const said = [
    ...(request.status === 'failed' ? [request.message] : []),
    ...(report.warnings ?? []),
    ...(report.invalid ?? []).map(({ reason }) => reason),
  ];
  return { request, frames: frames.toSorted(), said };
}

const [wide, small] = [await picture('wide', 100, 80), await picture('small', 60, 40)];
const yoloRow = '0 0.2 0.25 0.2 0.25\n';
const mask = (width: number, height: number, value: number): Promise<Buffer> =>
  sharp(Buffer.alloc(width * height, value), { raw: { width, height, channels: 1 } })
    .toColourspace('b-w')
    .png()
    .toBuffer();
const coco = (label: string, file_name: string, left = 10, size: object = {}) =>
  JSON.stringify({
    images: [{ id: 1, file_name, ...size }],
    categories: [{ id: 1, name: label }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [left, 10, 20, 20] }],
  });
const voc = (label: string, left: number, fileName = '000001.jpg') =>
  `<annotation><filename>${fileName}</filename><object><name>${label}</name><bndbox><xmin>${left}</xmin><ymin>5</ymin>` +
  `<xmax>${left + 20}</xmax><ymax>25</ymax></bndbox></object></annotation>`;
const csv = (label: string, left: number) =>
  `filename,class,xmin,ymin,xmax,ymax\n000001.jpg,${label},${left},5,${left + 20},25\n`;
const bdd = (label: string, left: number) =>
  JSON.stringify([
    { name: '000001.jpg', labels: [{ id: '1', category: label, box2d: { x1: left, y1: 5, x2: 30, y2: 25 } }] },
  ]);

/** Two folders, each with an image of the same name: `a` has a cat at 10, `b` a dog at 5. */
const twoFolders: readonly (readonly [layout: string, format: string, files: Files])[] = [
  [
    'two folders of one subset in data.yaml',
    'Ultralytics YOLO Detection 1.0',
    {
      'data.yaml': 'train:\n  - a/images\n  - b/images\nnames: [cat, dog]\n',
      'a/images/000001.jpg': wide,
      'a/labels/000001.txt': '0 0.2 0.25 0.2 0.25\n',
      'b/images/000001.jpg': small,
      'b/labels/000001.txt': '1 0.25 0.375 0.33333333333 0.5\n',
    },
  ],
  [
    'labels without a description',
    'Ultralytics YOLO Detection 1.0',
    {
      'classes.txt': 'cat\ndog\n',
      'a/images/000001.jpg': wide,
      'a/labels/000001.txt': '0 0.2 0.25 0.2 0.25\n',
      'b/images/000001.jpg': small,
      'b/labels/000001.txt': '1 0.25 0.375 0.33333333333 0.5\n',
    },
  ],
  [
    'VOC folders',
    'PASCAL VOC 1.1',
    {
      'a/JPEGImages/000001.jpg': wide,
      'a/Annotations/000001.xml': voc('cat', 10),
      'b/JPEGImages/000001.jpg': small,
      'b/Annotations/000001.xml': voc('dog', 5),
    },
  ],
  [
    'VOCdevkit folders',
    'PASCAL VOC 1.1',
    {
      'VOCdevkit/VOC2007/JPEGImages/000001.jpg': wide,
      'VOCdevkit/VOC2007/Annotations/000001.xml': voc('cat', 10),
      'VOCdevkit/VOC2007/ImageSets/Main/train.txt': '000001\n',
      'VOCdevkit/VOC2012/JPEGImages/000001.jpg': small,
      'VOCdevkit/VOC2012/Annotations/000001.xml': voc('dog', 5),
      'VOCdevkit/VOC2012/ImageSets/Main/train.txt': '000001\n',
    },
  ],
  [
    'a table in each folder',
    'CSV 1.0',
    { 'a/000001.jpg': wide, 'a/ann.csv': csv('cat', 10), 'b/000001.jpg': small, 'b/ann.csv': csv('dog', 5) },
  ],
  [
    'a table in each split of Roboflow',
    'CSV 1.0',
    {
      'train/000001.jpg': wide,
      'train/_annotations.csv': csv('cat', 10),
      'valid/000001.jpg': small,
      'valid/_annotations.csv': csv('dog', 5),
    },
  ],
  [
    'a list of BDD100K in each folder',
    'BDD100K 1.0',
    { 'a/000001.jpg': wide, 'a/labels.json': bdd('cat', 10), 'b/000001.jpg': small, 'b/labels.json': bdd('dog', 5) },
  ],
  [
    'COCO in each folder',
    'COCO 1.0',
    {
      'a/annotations/instances_default.json': coco('cat', '000001.jpg'),
      'a/images/000001.jpg': wide,
      'b/annotations/instances_default.json': coco('dog', '000001.jpg', 5),
      'b/images/000001.jpg': small,
    },
  ],
];

describe('images of the same name in two folders', () => {
  test.each(twoFolders)('%s: each gets the objects of the file beside it', async (_layout, format, files) => {
    const { frames, said } = await imported(format, files);
    const told = frames.map((frame) => frame.replace(/^.* (?=\d+: )/, '').replace(/\.0+\d+|\.9999\d+/g, ''));
    expect(told.toSorted()).toEqual(['100: cat 10', '60: dog 5']);
    expect(said).toEqual([]);
  });
});

test('masks in two folders with images of the same name each belong to the image beside them', async () => {
  const { frames } = await imported('Images and Masks 1.0', {
    'classes.txt': 'background\ncat\ndog\n',
    'a/images/000001.jpg': wide,
    'a/masks/000001.png': await mask(100, 80, 1),
    'b/images/000001.jpg': small,
    'b/masks/000001.png': await mask(60, 40, 2),
  });
  expect(frames.map((frame) => frame.replace(/^.* (\d+: \w+) .*$/, '$1')).toSorted()).toEqual(['100: cat', '60: dog']);
});

test('matches no image for a name that fits two equally, and the report names it', async () => {
  const { frames, said } = await imported('COCO 1.0', {
    'instances_default.json': coco('cat', '000001.jpg'),
    'a/000001.jpg': wide,
    'b/000001.jpg': small,
  });
  expect(frames.filter((frame) => frame.includes('cat'))).toEqual([]);
  expect(said.join('\n')).toContain('match several images equally, and their objects were left out: "000001.jpg"');
});

const nfc = 'Käse é.png'.normalize('NFC');
const nfd = nfc.normalize('NFD');

describe('finds the image in an archive by name', () => {
  test.each([
    ['with a Windows path', 'C:\\data\\images\\a.jpg', 'images/a.jpg'],
    ['with a share of Windows', '\\\\server\\share\\images\\a.jpg', 'images/a.jpg'],
    ['with an absolute path of another machine', '/home/me/photos/a.jpg', 'images/a.jpg'],
    ['in another letter case', 'IMG_0001.JPG', 'images/img_0001.jpg'],
    ['with an escaped space', 'a%20b.jpg', 'images/a b.jpg'],
    ['as an address', 'https://h.example/y/a%20b.jpg?sig=1', 'images/a b.jpg'],
    [
      'as a presigned address of S3',
      'https://bucket.s3.amazonaws.com/raw/a.jpg?X-Amz-Signature=a%2Fb&X-Amz-Date=1',
      'images/a.jpg',
    ],
    ['as an address of S3', 's3://bucket/raw/set/a.jpg', 'images/a.jpg'],
    ['as an address of a file', 'file:///C:/Users/me/img/a%20b.jpg', 'images/a b.jpg'],
    ['with more folders in front', 'project/data/images/a.jpg', 'images/a.jpg'],
    ['with fewer folders in front', 'a.jpg', 'set/deep/images/a.jpg'],
    ['with another folder of images', 'imgs/a.jpg', 'images/a.jpg'],
    ['without the folder above', '../images/a.jpg', 'pictures/a.jpg'],
    ['with dots and no extension', 'a.v2.001', 'images/a.v2.001.jpg'],
    ['composed where the archive has it decomposed', nfc, `images/${nfd}`],
    ['decomposed where the archive has it composed', nfd, `images/${nfc}`],
  ])('%s', async (_how, stated, entry) => {
    const { frames, said } = await imported('COCO 1.0', {
      'annotations/instances_default.json': coco('cat', stated),
      [entry]: wide,
    });
    expect(frames.map((frame) => frame.replace(/^.* 100/, '100'))).toEqual(['100: cat 10']);
    expect(said).toEqual([]);
  });

  test.each([
    ['lies in another folder that means something', 'cam2/a.jpg', ['cam1/a.jpg', 'cam1/b.jpg']],
    ['lies in another split', '/data/val/a.jpg', ['train/a.jpg']],
    ['has only the end of its name in common', 'a.jpg', ['images/ba.jpg']],
  ])('except if the image %s', async (_why, stated, entries) => {
    const { frames, said } = await imported('COCO 1.0', {
      'annotations/instances_default.json': coco('cat', stated),
      ...Object.fromEntries(entries.map((entry) => [entry, wide])),
    });
    expect(frames.filter((frame) => frame.includes('cat'))).toEqual([]);
    expect(said.join('\n')).toContain(stated);
  });

  test('finds YOLO images whose names macOS decomposed', async () => {
    const { frames } = await imported('Ultralytics YOLO Detection 1.0', {
      'data.yaml': 'train: images/train\nnames: [cat]\n',
      [`images/train/${nfd}`]: wide,
      [`labels/train/${nfc.replace('.png', '.txt')}`]: yoloRow,
    });
    expect(frames).toHaveLength(1);
    expect(frames[0]).toMatch(/cat 10$/);
  });

  const labelStudio = (image: string) =>
    JSON.stringify([
      {
        id: 1,
        data: { image },
        annotations: [
          {
            result: [
              {
                type: 'rectanglelabels',
                original_width: 100,
                original_height: 80,
                value: { x: 10, y: 10, width: 20, height: 25, rotation: 0, rectanglelabels: ['cat'] },
              },
            ],
          },
        ],
      },
    ]);

  test.each([
    ['/data/local-files/?d=ds/images/a%20b.jpg', 'images/a b.jpg'],
    ['/data/upload/3/abcd1234-a.jpg', 'images/a.jpg'],
    ['/data/upload/3/abcd1234-a.jpg', 'images/abcd1234-a.jpg'],
    ['s3://bucket/prefix/a.jpg', 'images/a.jpg'],
    ['https://b.s3.eu-west-1.amazonaws.com/x/a%20b.jpg?X-Amz-Expires=3600', 'images/a b.jpg'],
  ])('finds images of Label Studio: %s is %s', async (address, entry) => {
    const { frames } = await imported('Label Studio JSON 1.0', { 'c.json': labelStudio(address), [entry]: wide });
    expect(frames.map((frame) => frame.replace(/^.* 100/, '100'))).toEqual(['100: cat 10']);
  });

  test('finds images of VoTT', async () => {
    const points = [
      { x: 10, y: 10 },
      { x: 30, y: 10 },
      { x: 30, y: 30 },
      { x: 10, y: 30 },
    ];
    const { frames } = await imported('VoTT JSON 1.0', {
      'ann/c.json': JSON.stringify({
        asset: {
          format: 'jpg',
          id: 'x',
          name: 'a%20b.jpg',
          path: 'file:/C:/Users/me/img/a%20b.jpg',
          size: { width: 100, height: 80 },
          state: 2,
          type: 1,
        },
        regions: [{ id: 'r', type: 'RECTANGLE', tags: ['cat'], points }],
        version: '2.2.0',
      }),
      'a b.jpg': wide,
    });
    expect(frames).toEqual(['default/a b.jpg 100: cat 10']);
  });
});

test('does not import a mask from a CamVid list as a frame, in any folder', async () => {
  const { frames } = await imported('CamVid 1.0', {
    'default.txt': '/default/a.jpg /default/a_L.png\n/default/b.jpg\n',
    'label_colors.txt': '10 20 30 cat\n',
    'default/a.jpg': wide,
    'default/b.jpg': wide,
    'default/a_L.png': await sharp({ create: { width: 100, height: 80, channels: 3, background: '#0a141e' } })
      .png()
      .toBuffer(),
  });
  expect(frames).toEqual([expect.stringMatching(/^default\/a\.jpg 100: cat/), 'default/b.jpg 100: ']);
});

test('creates labels from the classes of data.yaml in the order of their numbers', async () => {
  const project = await work.owner.createProject('numbers', []);
  const bytes = makeZip({
    'data.yaml': 'train: images\nnames: {2: dog, 0: cat, 1: bird}\n',
    'images/a.jpg': wide,
    'labels/a.txt': yoloRow,
  });
  await work.importDataset(project.id, 'Ultralytics YOLO Detection 1.0', { name: 'set.zip', bytes });
  const labels = await work.labelsOf({ project_id: project.id });
  expect(labels.map(({ name }) => name)).toEqual(['cat', 'bird', 'dog']);
});

test('changes nothing if no object of the file can be imported', async () => {
  const project = await work.owner.createProject('nothing', []);
  const bytes = makeZip({
    'annotations/instances_default.json': coco('cat', 'other.jpg'),
    'images/a.jpg': wide,
  });
  const request = await work.importDataset(project.id, 'COCO 1.0', { name: 'set.zip', bytes });
  expect(request.status).toBe('failed');
  expect(request.message).toMatch(/^Cannot use set\.zip as COCO 1\.0: .*The project was not changed\.$/);
  expect(await work.tasksOf(project.id)).toEqual([]);
  expect(await work.labelsOf({ project_id: project.id })).toEqual([]);
});

/** Two images for training and two for validation; one of each has no objects. */
const lists = (prefix: string) => ({
  train: `${prefix}t1.jpg\n${prefix}t2.jpg\n`,
  val: `${prefix}v1.jpg\n${prefix}v2.jpg\n`,
});
const imagesIn = (folder: string): Files =>
  Object.fromEntries(['t1', 't2', 'v1', 'v2'].map((name) => [`${folder}${name}.jpg`, wide]));

describe('images without objects are in the subset whose list names them', () => {
  test.each<readonly [string, string, Files]>([
    [
      'the lists of data.yaml',
      'Ultralytics YOLO Detection 1.0',
      {
        'data.yaml': 'train: train.txt\nval: val.txt\nnames: [cat]\n',
        'train.txt': lists('./images/').train,
        'val.txt': lists('./images/').val,
        ...imagesIn('images/'),
        'labels/t1.txt': yoloRow,
        'labels/v1.txt': yoloRow,
      },
    ],
    [
      'the lists of darknet',
      'YOLO 1.1',
      {
        'obj.data': 'classes = 1\ntrain = data/train.txt\nval = data/val.txt\nnames = data/obj.names\n',
        'obj.names': 'cat\n',
        'train.txt': lists('data/obj_train_data/').train,
        'val.txt': lists('data/obj_train_data/').val,
        ...imagesIn('obj_train_data/'),
        'obj_train_data/t1.txt': yoloRow,
        'obj_train_data/v1.txt': yoloRow,
        'obj_train_data/v2.txt': '',
      },
    ],
    [
      'the image sets of VOC',
      'PASCAL VOC 1.1',
      {
        'ImageSets/Main/train.txt': 't1\nt2\n',
        'ImageSets/Main/val.txt': 'v1\nv2\n',
        ...imagesIn('JPEGImages/'),
        'Annotations/t1.xml': voc('cat', 10, 't1.jpg'),
        'Annotations/v1.xml': voc('cat', 10, 'v1.jpg'),
      },
    ],
  ])('%s', async (_lists, format, files) => {
    const { frames } = await imported(format, files);
    expect(frames.map((frame) => frame.replace(/^(\w+)\/.*(\w\d)\.jpg.*: (\w*).*$/, '$1 $2 $3'))).toEqual([
      'train t1 cat',
      'train t2 ',
      'val v1 cat',
      'val v2 ',
    ]);
  });

  test("uses the split of each table's folder, also for images with objects", async () => {
    const { frames } = await imported('CSV 1.0', {
      'train/a.jpg': wide,
      'train/_annotations.csv': csv('cat', 10).replace('000001', 'a'),
      'valid/b.jpg': wide,
      'valid/c.jpg': wide,
      'valid/_annotations.csv': csv('cat', 10).replace('000001', 'b'),
    });
    expect(frames).toEqual(['train/a.jpg 100: cat 10', 'valid/b.jpg 100: cat 10', 'valid/c.jpg 100: ']);
  });
});

const cvat = (image: string) =>
  `<annotations><version>1.1</version><image id="0" name="${image}" width="100" height="80">` +
  '<box label="cat" xtl="10" ytl="10" xbr="30" ybr="30" occluded="0" z_order="0"></box></image></annotations>';
const labelMe = (folder: string, image: string, outline: string) =>
  `<annotation><filename>${image}</filename><folder>${folder}</folder><object><name>cat</name><deleted>0</deleted>` +
  `<verified>0</verified><occluded>no</occluded><date/><id>0</id><parts><hasparts/><ispartof/></parts>${outline}` +
  '<attributes/></object></annotation>';
const corners = [[10, 10], [30, 10], [30, 30], [10, 30]].map(([x, y]) => `<pt><x>${x}</x><y>${y}</y></pt>`).join(''); // prettier-ignore
const segment =
  '<segm><mask>a_mask_0.png</mask><box><xmin>0</xmin><ymin>0</ymin><xmax>100</xmax><ymax>80</ymax></box></segm>';

const wholeMask = await mask(100, 80, 255);

describe('the subset of an image', () => {
  test.each<readonly [string, string, Files]>([
    [
      "Datumaro's files of CVAT are called by",
      'CVAT 1.1',
      { 'train.xml': cvat('a.jpg'), 'val.xml': cvat('b.jpg'), 'images/a.jpg': wide, 'images/b.jpg': wide },
    ],
    [
      'the end of the name of a file of CVAT says',
      'CVAT 1.1',
      {
        'images_train.xml': cvat('a.jpg'),
        'images_val.xml': cvat('b.jpg'),
        'images/a.jpg': wide,
        'images/b.jpg': wide,
      },
    ],
    [
      'the name of a file of COCO says',
      'COCO 1.0',
      {
        'train.json': coco('cat', 'a.jpg'),
        'val.json': coco('cat', 'b.jpg'),
        'images/a.jpg': wide,
        'images/b.jpg': wide,
      },
    ],
    [
      "the folder in LabelMe's own layout says",
      'LabelMe 3.0',
      {
        'Annotations/train/sub/a.xml': labelMe('train', 'sub/a.jpg', segment),
        'Annotations/val/b.xml': labelMe('val', 'b.jpg', `<polygon>${corners}</polygon>`),
        'Masks/train/a_mask_0.png': wholeMask,
        'Images/train/sub/a.jpg': wide,
        'Images/val/b.jpg': wide,
      },
    ],
  ])('%s', async (_how, format, files) => {
    const { frames, said } = await imported(format, files);
    expect(frames.map((frame) => frame.replace(/^(\w+)\/.*(\w)\.jpg.*: (\w*).*$/, '$1 $2 $3'))).toEqual([
      'train a cat',
      'val b cat',
    ]);
    expect(said.filter((one) => !one.includes('conv_mask_to_poly'))).toEqual([]);
  });

  test('does not come from other files: a file named labels is not a subset', async () => {
    const { frames } = await imported('BDD100K 1.0', { 'labels.json': bdd('cat', 10), '000001.jpg': wide });
    expect(frames).toEqual(['default/000001.jpg 100: cat 10']);
  });
});
