import { tfRecord } from '../../support/tf-record.ts';
import type { HostileCase } from './hostile-cases.ts';

const oiHead =
  'ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside';
const oi = (name: string, rows: string, classes = '/m/1,cat\n/m/2,dog\n') => ({
  format: 'Open Images V6 1.0',
  name,
  files: {
    'annotations/class-descriptions.csv': classes,
    'annotations/train-annotations-bbox.csv': `${oiHead}\n${rows}\n`,
  },
});
const mot = (name: string, rows: string, list = 'cat\ndog\n') => ({
  format: 'MOT 1.1',
  name,
  files: { 'gt/gt.txt': rows, 'gt/labels.txt': list },
  into: ['000001.png', '000002.png'],
});

const tfBox = {
  'image/filename': ['a.png'],
  'image/object/bbox/xmin': [0.1],
  'image/object/bbox/xmax': [0.3],
  'image/object/bbox/ymin': [0.125],
  'image/object/bbox/ymax': [0.375],
  'image/object/class/text': ['cat'],
};
const tf = (name: string, examples: Parameters<typeof tfRecord>[0], more: Record<string, string> = {}) => ({
  format: 'TFRecord 1.0',
  name,
  files: { 'train.tfrecord': tfRecord(examples), ...more },
});

/** Files whose records are rows or binary messages. */
export const hostileTables: readonly HostileCase[] = [
  oi(
    'hexadecimal and infinite numbers',
    'a,x,/m/1,1,0x1,0.3,0.1,0.3,0,0,0,0,0\na,x,/m/1,1,1e999,0.3,0.1,0.3,0,0,0,0,0',
  ),
  oi(
    'confidence and flags',
    'a,x,/m/1,7,0.1,0.3,0.125,0.375,2,0,0,0,0\na,x,/m/1,x,0.1,0.3,0.125,0.375,0,5,0,0,0\na,x,/m/1,0x0,0.1,0.3,0.125,0.375,-1,-1,-1,-1,-1',
  ),
  oi(
    'unquoted comma in a class',
    'a,x,/m/1,1,0.1,0.3,0.125,0.375,0,0,0,0,0\na,x,/m/2,1,0.1,0.3,0.125,0.375,0,0,0,0,0',
    '/m/1,cat, big\n/m/2,cat, small\n',
  ),
  oi(
    'two classes of one name',
    'a,x,/m/1,1,0.1,0.3,0.125,0.375,0,0,0,0,0\na,x,/m/2,1,0.1,0.3,0.125,0.375,0,0,0,0,0',
    '/m/1,cat\n/m/2,cat\n',
  ),
  oi(
    'ImageID with extension and folder',
    'a.png,x,/m/1,1,0.1,0.3,0.125,0.375,0,0,0,0,0\nx,x,/m/1,1,0.1,0.3,0.125,0.375,0,0,0,0,0',
  ),

  mot('semicolons and decimal commas', '1;1;10,5;10,5;20;20\n'),
  mot('visibility and flags', '1,-1,10,10,20,20,1,1,-1\n1,-1,10,10,20,20,0.5,1,1\n1,-1,10,10,20,20,1,1,7\n'),
  mot('places in space', '1,-1,10,10,20,20,1,3.5,4.5,1\n'),
  mot('labels with an empty line and twice', '1,-1,10,10,20,20,1,3,1\n1,-1,10,10,20,20,1,1,1\n', 'cat\n\ndog\ncat\n'),
  mot('header and hexadecimal', 'frame,id,x,y,w,h,c,l,v\n0x1,-1,10,10,20,20,1,1,1\n'),
  tf('members that are not read, scores and NaN', [
    { ...tfBox, 'image/object/difficult': [1], 'image/object/truncated': [0], 'image/object/mask': ['x'] },
    { ...tfBox, 'image/object/bbox/xmin': [Number.NaN] },
    { ...tfBox, 'image/object/bbox/xmin': [10] },
  ]),
  tf('names by URL, Windows path and folder', [
    { ...tfBox, 'image/filename': ['file:///x/b/c%20d.png'] },
    { ...tfBox, 'image/filename': ['D:\\x\\two\\x.png'] },
    { ...tfBox, 'image/filename': ['x.png'] },
  ]),
  tf('class of another encoding', [{ ...tfBox, 'image/object/class/text': [Buffer.from('Käse', 'latin1')] }]),
  tf(
    'a label map with escapes, comments and braces',
    [
      { ...tfBox, 'image/object/class/text': [], 'image/object/class/label': [1] },
      { ...tfBox, 'image/object/class/text': [], 'image/object/class/label': [2] },
      { ...tfBox, 'image/object/class/text': [], 'image/object/class/label': [3] },
    ],
    {
      'label_map.pbtxt':
        '# item { id: 1 name: "dog" }\nitem {\n  id: 1 # first\n  name: "a}b"\n}\nitem: { name: \'K\\303\\244se\' id: 2 }\nitem { id: 3 name: "cat" keypoints { id: 9 label: "x" } }\n',
    },
  ),
  tf('two label maps that differ', [tfBox], {
    'one/label_map.pbtxt': 'item { id: 1 name: "cat" }',
    'two/label_map.pbtxt': 'item { id: 1 name: "dog" }',
  }),
  tf('class numbers without a label map', [
    { ...tfBox, 'image/object/class/text': [], 'image/object/class/label': [1] },
  ]),
];
