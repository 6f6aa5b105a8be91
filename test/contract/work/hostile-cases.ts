/** An annotation file as users have it, for a task with small images. */
export interface HostileCase {
  readonly format: string;
  readonly name: string;
  /** One file is imported as it is, several as an archive. */
  readonly files: Readonly<Record<string, string | Buffer>>;
  readonly into?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
}

const json = JSON.stringify;
const labelbox = (objects: unknown, more: object = {}, annotations: object = {}) =>
  `${json({ data_row: { id: '1', external_id: 'a.png' }, media_attributes: { width: 100, height: 80 }, projects: { p: { labels: [{ annotations: { objects, classifications: [], relationships: [], ...annotations } }] } }, ...more })}\n`;
const box = (more: object = {}) => ({
  name: 'cat',
  annotation_kind: 'ImageBoundingBox',
  bounding_box: { left: 10, top: 10, width: 20, height: 20 },
  ...more,
});
const lb = (name: string, objects: unknown, more: object = {}, annotations: object = {}) => ({
  format: 'Labelbox NDJSON 1.0',
  name,
  files: { 'l.ndjson': labelbox(objects, more, annotations) },
});
const bdd = (name: string, labels: unknown, more: object = {}) => ({
  format: 'BDD100K 1.0',
  name,
  files: { 'l.json': json([{ name: 'a.png', labels, ...more }]) },
});
const box2d = { x1: 10, y1: 10, x2: 30, y2: 30 };
const via = (name: string, regions: unknown, more: object = {}) => ({
  format: 'VIA JSON 2.0',
  name,
  files: { 'l.json': json({ 'a.png1': { filename: 'a.png', size: 1, regions, file_attributes: {}, ...more } }) },
});
const rect = { name: 'rect', x: 10, y: 10, width: 20, height: 20 };
const fo = (name: string, labels: unknown, classes: unknown = ['cat', 'dog']) => ({
  format: 'FiftyOne 1.0',
  name,
  files: { 'labels.json': json({ classes, labels }) },
});
const hf = (name: string, row: object | string) => ({
  format: 'Hugging Face ImageFolder 1.0',
  name,
  files: { 'train/metadata.jsonl': typeof row === 'string' ? row : json({ file_name: 'a.png', ...row }) },
});
const po = (name: string, texts: unknown, image = 'a.png') => ({
  format: 'PaddleOCR 1.0',
  name,
  files: { 'Label.txt': `${image}\t${typeof texts === 'string' ? texts : json(texts)}\n` },
});
const quad = [
  [10, 10],
  [30, 10],
  [30, 30],
  [10, 30],
];
const sly = (name: string, objects: unknown, more: object = {}) => ({
  format: 'Supervisely 1.0',
  name,
  files: {
    'ds/ann/a.png.json': json({ description: '', tags: [], size: { height: 80, width: 100 }, objects, ...more }),
  },
});
const slyBox = (more: object = {}) => ({
  classTitle: 'cat',
  geometryType: 'rectangle',
  tags: [],
  points: {
    exterior: [
      [10, 10],
      [30, 30],
    ],
    interior: [],
  },
  ...more,
});
const sa = (name: string, instances: unknown, more: object = {}) => ({
  format: 'SuperAnnotate JSON 1.0',
  name,
  files: {
    'a.png.json': json({
      metadata: { name: 'a.png', width: 100, height: 80 },
      instances,
      tags: [],
      comments: [],
      ...more,
    }),
  },
});
const saBox = (more: object = {}) => ({
  type: 'bbox',
  className: 'cat',
  points: { x1: 10, y1: 10, x2: 30, y2: 30 },
  attributes: [],
  ...more,
});
const vott = (name: string, regions: unknown, asset: object = {}) => ({
  format: 'VoTT JSON 1.0',
  name,
  files: {
    'v.json': json({
      assets: {
        x: { asset: { name: 'a.png', path: 'file:a.png', size: { width: 100, height: 80 }, ...asset }, regions },
      },
      tags: [],
    }),
  },
});
const vottBox = (more: object = {}) => ({
  id: 'r',
  type: 'RECTANGLE',
  tags: ['cat'],
  boundingBox: { left: 10, top: 10, width: 20, height: 20 },
  points: [
    { x: 10, y: 10 },
    { x: 30, y: 10 },
    { x: 30, y: 30 },
    { x: 10, y: 30 },
  ],
  ...more,
});
const cml = (name: string, annotations: unknown, more: object = {}) => ({
  format: 'CreateML 1.0',
  name,
  files: { 'c.json': json([{ image: 'a.png', annotations, ...more }]) },
});
const cmlBox = (more: object = {}) => ({ label: 'cat', coordinates: { x: 20, y: 20, width: 20, height: 20 }, ...more });
export const hostileDocuments: readonly HostileCase[] = [
  lb('numbers as texts', [box({ bounding_box: { left: '10', top: 10, width: 20, height: 20 } })]),
  lb('label with blanks, comma and quotes', [box({ name: ' cat \t' }), box({ name: 'a, "b"' })]),
  lb('label is a number, null or missing', [box({ name: 5 }), box({ name: null }), box({ name: undefined })]),
  lb('objects of wrong types', { a: 1 }),
  lb('lines of wrong types', [null, 5, 'x', []]),
  lb('no labels list', [], { projects: { p: { labels: { a: 1 } } } }),
  lb('projects is a list', [], { projects: [{ labels: [{ annotations: { objects: [box()] } }] }] }),
  lb('classifications of unknown kinds', [
    box({
      classifications: [
        { name: 'note', radio_answer: {} },
        { name: 'note' },
        'x',
        {
          name: 'colour',
          radio_answer: { name: 'red', classifications: [{ name: 'deep', text_answer: { content: 'x' } }] },
        },
      ],
    }),
  ]),
  lb('relationships', [box()], {}, { relationships: [{ a: 1 }] }),
  lb('box null beside a polygon', [
    {
      name: 'cat',
      bounding_box: null,
      mask: null,
      polygon: [
        { x: 1, y: 1 },
        { x: 20, y: 1 },
        { x: 20, y: 20 },
      ],
    },
  ]),
  lb('box and polygon', [
    box({
      polygon: [
        { x: 1, y: 1 },
        { x: 20, y: 1 },
        { x: 20, y: 20 },
      ],
    }),
  ]),
  lb('outside of the image', [
    box({ bounding_box: { left: 90, top: 70, width: 20, height: 20 } }),
    box({ bounding_box: { left: 900, top: 70, width: 20, height: 20 } }),
  ]),
  {
    format: 'Labelbox NDJSON 1.0',
    name: 'NaN',
    files: { 'l.ndjson': labelbox([box()]).replace('"left":10', '"left":NaN') + labelbox([box()]) },
  },
  {
    format: 'Labelbox NDJSON 1.0',
    name: '1e999 and a member NaN',
    files: {
      'l.ndjson': labelbox([box(), box({ confidence: 7 })])
        .replace('"left":10', '"left":1e999')
        .replace('"confidence":7', '"confidence":NaN'),
    },
  },
  {
    format: 'Labelbox NDJSON 1.0',
    name: 'CRLF and UTF-16',
    files: { 'l.ndjson': Buffer.from(`\uFEFF${labelbox([box()]).replaceAll('\n', '\r\n')}`, 'utf16le') },
  },
  {
    format: 'Labelbox NDJSON 1.0',
    name: 'URL and encoded names',
    files: { 'l.ndjson': labelbox([box()]).replace('"a.png"', '"https://s3/b%2Fc%20d.png?X=1"') },
  },
  {
    format: 'Labelbox NDJSON 1.0',
    name: 'Windows path',
    files: { 'l.ndjson': labelbox([box()]).replace('"a.png"', json('C:\\data\\two\\x.png')) },
  },
  {
    format: 'Labelbox NDJSON 1.0',
    name: 'ambiguous name',
    files: { 'l.ndjson': labelbox([box()]).replace('"a.png"', '"x.png"') },
  },
  {
    format: 'Labelbox NDJSON 1.0',
    name: 'Windows-1252',
    files: { 'l.ndjson': Buffer.from(labelbox([box({ name: 'Käse' })]), 'latin1') },
  },
  { format: 'Labelbox NDJSON 1.0', name: 'empty', files: { 'l.ndjson': '' } },

  bdd('scores', [
    { category: 'cat', box2d, score: 95 },
    { category: 'cat', box2d, score: '0.5' },
    { category: 'cat', box2d, score: 0.5 },
  ]),
  bdd('box and polygon', [{ category: 'cat', box2d, poly2d: [{ vertices: quad, types: 'LLLL', closed: true }] }]),
  bdd('occluded in words', [
    { category: 'cat', box2d, attributes: { occluded: 1 } },
    { category: 'cat', box2d, attributes: { occluded: 'yes' } },
    { category: 'cat', box2d, attributes: { occluded: 'perhaps' } },
  ]),
  bdd('attributes of wrong types', [
    { category: 'cat', box2d, attributes: ['x'] },
    { category: 'cat', box2d, attributes: { note: [1] } },
    { category: 'cat', box2d, attributes: 'red' },
  ]),
  bdd('labels is a dict', { a: { category: 'cat', box2d } }),
  bdd('members null', [
    { category: 'cat', box2d: null, poly2d: [{ vertices: quad, types: null, closed: null }], score: null },
  ]),
  bdd('vertices flat and as texts', [
    { category: 'cat', poly2d: [{ vertices: [1, 1, 20, 1, 20, 20] }] },
    {
      category: 'cat',
      poly2d: [
        {
          vertices: [
            ['1', '1'],
            [20, 1],
            [20, 20],
          ],
        },
      ],
    },
  ]),
  bdd('rle', [{ category: 'cat', box2d, rle: { counts: 'x', size: [80, 100] } }]),
  bdd('frame attributes and video', [{ category: 'cat', box2d }], {
    attributes: { weather: 'clear' },
    videoName: 'v',
    frameIndex: 3,
  }),
  bdd('duplicate ids', [
    { id: '1', category: 'cat', box2d },
    { id: '1', category: 'dog', box2d },
  ]),

  via('radius negative', [
    { shape_attributes: { name: 'circle', cx: 30, cy: 30, r: -10 }, region_attributes: { label: 'cat' } },
    { shape_attributes: { ...rect, width: -20 }, region_attributes: { label: 'cat' } },
  ]),
  via('angle as text', [
    {
      shape_attributes: { name: 'ellipse', cx: 30, cy: 30, rx: 10, ry: 5, theta: '1' },
      region_attributes: { label: 'cat' },
    },
  ]),
  via('attribute list and null', [
    { shape_attributes: rect, region_attributes: { label: 'cat', note: ['a', 'b'], colour: null } },
    { shape_attributes: rect, region_attributes: { label: 'cat', note: { a: { b: 1 } } } },
  ]),
  via('label of an unusual attribute', [{ shape_attributes: rect, region_attributes: { Sorte: 'cat', note: 'x' } }]),
  via('regions is a text', 'none'),
  {
    format: 'VIA JSON 2.0',
    name: 'filename is null',
    files: {
      'l.json': json({
        _via_settings: {},
        _via_img_metadata: {
          a: { filename: null, regions: [{}] },
          b: { filename: 'a.png', regions: [{ shape_attributes: rect, region_attributes: { label: 'cat' } }] },
        },
      }),
    },
  },
  via('unknown member of the region', [
    { shape_attributes: { ...rect, angle: 30 }, region_attributes: { label: 'cat' }, note: 'x' },
  ]),
  {
    format: 'VIA JSON 2.0',
    name: 'CSV with shifted fields',
    files: {
      'v.csv': `filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\na.png,1,{},1,0,"${json(rect).replaceAll('"', '""')}","{""label"":""cat""}"\na, b.png,1,{},1,0,"${json(rect).replaceAll('"', '""')}","{""label"":""cat""}"\n`,
    },
  },
  {
    format: 'VIA JSON 2.0',
    name: 'CSV with image attributes on a later row',
    files: {
      'v.csv': `filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\na.png,1,"{""weather"":""rain""}",1,1,"${json(rect).replaceAll('"', '""')}","{""label"":""cat""}"\n`,
    },
  },

  fo('confidence', {
    a: [
      { label: 'cat', bounding_box: [0.1, 0.125, 0.2, 0.25], confidence: 95 },
      { label: 'cat', bounding_box: [0.1, 0.125, 0.2, 0.25], confidence: '0.5' },
      { label: 'cat', bounding_box: [0.1, 0.125, 0.2, 0.25], confidence: 1.0000001 },
    ],
  }),
  fo('names with extension', { 'a.png': [{ label: 0, bounding_box: [0.1, 0.125, 0.2, 0.25] }], 'b/c d.png': 1 }),
  fo('class numbers outside', {
    a: [
      { label: 7, bounding_box: [0.1, 0.125, 0.2, 0.25] },
      { label: -1, bounding_box: [0.1, 0.125, 0.2, 0.25] },
      { label: '0', bounding_box: [0.1, 0.125, 0.2, 0.25] },
    ],
  }),
  fo('attributes of wrong types', {
    a: [
      { label: 'cat', bounding_box: [0.1, 0.125, 0.2, 0.25], attributes: ['x'] },
      { label: 'cat', bounding_box: [0.1, 0.125, 0.2, 0.25], attributes: { note: { value: 'x' } } },
    ],
  }),
  fo('labels is a list', [{ label: 'cat' }]),
  {
    format: 'FiftyOne 1.0',
    name: 'classes behind the labels',
    files: {
      'labels.json': '{"labels":{"a":[{"label":1,"bounding_box":[0.1,0.125,0.2,0.25]}]},"classes":["cat","dog"]}',
    },
  },
  fo('confidence and mask of a class', { a: { label: 'cat', confidence: 0.4, mask: [[1]] } }),

  hf('lists of different lengths', {
    objects: {
      bbox: [
        [10, 10, 20, 20],
        [1, 1, 5, 5],
      ],
      categories: ['cat'],
    },
  }),
  hf('bbox as texts', { objects: { bbox: [['10', '10', '20', '20']], categories: ['cat'] } }),
  hf('objects has a scalar', { objects: { bbox: [[10, 10, 20, 20]], categories: 'cat' } }),
  hf('category and label', { objects: { bbox: [[10, 10, 20, 20]], categories: ['cat'], label: ['dog'] } }),
  hf('NaN', '{"file_name":"a.png","width":NaN,"objects":{"bbox":[[10,10,20,20]],"categories":["cat"]}}\n'),
  hf('label of wrong types', { label: true, labels: [{ a: 1 }, 1.5, ''] }),
  hf('unread members', {
    caption: 'x',
    objects: { bbox: [[10, 10, 20, 20]], categories: ['cat'], score: [0.5], iscrowd: [1] },
  }),
  {
    format: 'Hugging Face ImageFolder 1.0',
    name: 'csv cell with Python text',
    files: { 'train/metadata.csv': `file_name,objects\na.png,"{'bbox': [[10, 10, 20, 20]], 'categories': ['cat']}"\n` },
  },
  {
    format: 'Hugging Face ImageFolder 1.0',
    name: 'csv with sizes',
    files: { 'train/metadata.csv': 'file_name,width,height,label\r\na.png,80,100,cat\r\n' },
  },

  po('values of wrong types', [
    { transcription: 12, points: quad, difficult: 'true', key_cls: 5 },
    { transcription: null, points: quad, difficult: 1 },
  ]),
  po('points of two corners, texts and NaN', [
    {
      transcription: 'x',
      points: [
        [10, 10],
        [30, 30],
      ],
    },
    {
      transcription: 'x',
      points: [
        ['10', '10'],
        [30, 10],
        [30, 30],
        [10, 30],
      ],
    },
  ]),
  po('NaN score', '[{"transcription":"x","points":[[10,10],[30,10],[30,30],[10,30]],"score":NaN}]'),
  po('score and unknown members', [{ transcription: 'x', points: quad, score: 0.7, illegibility: true }]),
  po('Windows path', [{ transcription: 'x', points: quad }], 'D:\\ocr\\two\\x.png'),
  {
    format: 'PaddleOCR 1.0',
    name: 'GBK',
    files: {
      'Label.txt': Buffer.concat([
        Buffer.from('a.png\t[{"transcription":"'),
        Buffer.from([0xc6, 0xfb, 0xb3, 0xb5]),
        Buffer.from('","points":[[10,10],[30,10],[30,30],[10,30]]}]\n'),
      ]),
    },
  },

  sly('tags of wrong types', [
    slyBox({ tags: ['red', { name: 'note', value: ['a'] }, { value: 'x' }, { name: 'colour', value: 'red' }] }),
  ]),
  sly('image tag with a value', [], { tags: [{ name: 'cat', value: 'x' }, 'dog', { value: 3 }] }),
  sly('descriptions', [slyBox({ description: 'look again', customBigData: { a: 1 } })], { description: 'dark' }),
  sly('interior of wrong type', [slyBox({ geometryType: 'polygon', points: { exterior: quad, interior: 'x' } })]),
  sly('rectangle with four corners and numbers as texts', [
    slyBox({ points: { exterior: quad, interior: [] } }),
    slyBox({
      points: {
        exterior: [
          ['10', '10'],
          [30, 30],
        ],
      },
    }),
  ]),
  sly('bitmap origin as text', [
    { classTitle: 'cat', geometryType: 'bitmap', bitmap: { data: 'eJwrSSwuUQAABWoBrA==', origin: ['1', 2] } },
  ]),

  sa('attributes of wrong types', [
    saBox({ attributes: [{ name: 'red', groupName: 'colour' }, { groupName: 'note' }, 'x'] }),
    saBox({ attributes: { colour: 'red' } }),
  ]),
  sa('probability', [saBox({ probability: 250 }), saBox({ probability: '50' }), saBox({ probability: 40 })]),
  sa('angle, radii', [
    { type: 'ellipse', className: 'cat', cx: 30, cy: 30, rx: -10, ry: 5, angle: 0 },
    { type: 'ellipse', className: 'cat', cx: 30, cy: 30, rx: 10, ry: 5, angle: '30' },
  ]),
  sa('exclude of wrong type and point labels', [
    { type: 'polygon', className: 'cat', points: [10, 10, 30, 10, 30, 30], exclude: 'x' },
    saBox({ pointLabels: { 0: 'nose' } }),
  ]),
  sa('odd points', [
    { type: 'polygon', className: 'cat', points: [10, 10, 30, 10, 30] },
    {
      type: 'polygon',
      className: 'cat',
      points: [
        [10, 10],
        [30, 10],
        [30, 30],
      ],
    },
  ]),
  sa('tags and comments', [], { tags: ['cat', 5], comments: [{ text: 'x' }] }),

  vott('tags of wrong types', [vottBox({ tags: ['cat', 5, null] }), vottBox({ tags: 'cat' })]),
  vott('points as texts, box good', [
    vottBox({
      points: [
        { x: '10', y: 10 },
        { x: 30, y: 30 },
      ],
    }),
  ]),
  vott('asset members', [vottBox()], { timestamp: 3.5, predicted: true, parent: { name: 'v.mp4' } }),
  vott('regions is a dict', { a: vottBox() }),
  vott('negative box', [vottBox({ points: [], boundingBox: { left: 30, top: 30, width: -20, height: -20 } })]),

  cml('confidence', [cmlBox({ confidence: 2 }), cmlBox({ confidence: 'x' }), cmlBox({ confidence: 0.4 })]),
  cml('image members', [cmlBox()], { verified: true, source: 'x' }),
  cml('coordinates as texts', [cmlBox({ coordinates: { x: '20', y: 20, width: 20, height: 20 } })]),
  cml('annotations is a dict', { a: 1 }),

  {
    format: 'Labelbox NDJSON 1.0',
    name: 'Windows-1252, stated',
    files: { 'l.ndjson': Buffer.from(labelbox([box(), box({ name: 'Käse' })]), 'latin1') },
    options: { encoding: 'windows-1252' },
  },
  {
    format: 'BDD100K 1.0',
    name: 'Windows-1252',
    files: { 'l.json': Buffer.from(json([{ name: 'a.png', labels: [{ category: 'Käse', box2d }] }]), 'latin1') },
  },
  {
    format: 'BDD100K 1.0',
    name: 'Windows-1252, stated',
    files: { 'l.json': Buffer.from(json([{ name: 'a.png', labels: [{ category: 'Käse', box2d }] }]), 'latin1') },
    options: { encoding: 'windows-1252' },
  },
  {
    format: 'BDD100K 1.0',
    name: 'UTF-8 with another encoding stated',
    files: { 'l.json': json([{ name: 'a.png', labels: [{ category: 'Käse', box2d }] }]) },
    options: { encoding: 'windows-1252' },
  },
  {
    format: 'VIA JSON 2.0',
    name: 'GBK, stated',
    files: {
      'l.json': Buffer.concat([
        Buffer.from(
          '{"a":{"filename":"a.png","regions":[{"shape_attributes":{"name":"rect","x":10,"y":10,"width":20,"height":20},"region_attributes":{"label":"cat","note":"',
        ),
        Buffer.from([0xc6, 0xfb, 0xb3, 0xb5]),
        Buffer.from('"}}]}}'),
      ]),
    },
    options: { encoding: 'gbk' },
  },
  ...(
    [
      'Labelbox NDJSON 1.0',
      'BDD100K 1.0',
      'VIA JSON 2.0',
      'FiftyOne 1.0',
      'PaddleOCR 1.0',
      'Supervisely 1.0',
      'SuperAnnotate JSON 1.0',
      'VoTT JSON 1.0',
      'CreateML 1.0',
      'MOT 1.1',
    ] as const
  ).map((format) => ({
    format,
    name: 'an empty file',
    files: {
      [format === 'MOT 1.1'
        ? 'gt/gt.txt'
        : format === 'PaddleOCR 1.0'
          ? 'Label.txt'
          : format.startsWith('Labelbox')
            ? 'l.ndjson'
            : 'l.json']: '',
    },
  })),
];
