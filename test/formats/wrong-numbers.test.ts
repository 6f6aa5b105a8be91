import { describe, expect, it } from 'vitest';
import { fileOf, type Files, folderOf, importerOf, runImport } from './support/format-fixtures.ts';

const task = {
  frames: [{ name: 'a.jpg', width: 100, height: 80 }],
  labels: [
    { name: 'cat', color: '#102030' },
    {
      name: 'icdar',
      color: '#102030',
      attributes: [{ name: 'text', mutable: false, input_type: 'text' as const, default_value: '', values: [] }],
    },
  ],
};
const json = JSON.stringify;

async function imported(format: string, files: Files) {
  const [[name, content] = ['', '']] = Object.entries(files);
  const path = Object.keys(files).length === 1 && !name.includes('/') ? fileOf(name, content) : folderOf(files);
  const options = { options: { conv_mask_to_poly: false } };
  const { task: read, summary } = await runImport(importerOf(format), path, task, options);
  return { shapes: read.shapes, bad: summary.invalid, summary };
}

const good = '[[10,10],[30,10],[30,30]]';
/** A decimal comma within a point turns two numbers into three. */
const comma = '[[1,5,10],[30,10],[30,30]]';
const labelme = (points: string) =>
  `{"version":"5","flags":{},"imagePath":"a.jpg","imageData":null,"shapes":[{"label":"cat","points":${points},"shape_type":"polygon","flags":{}}]}`;
const isat = (points: string) =>
  `{"info":{"description":"ISAT","name":"a.jpg","width":100,"height":80},"objects":[{"category":"cat","group":1,"segmentation":${points},"area":1,"layer":1,"bbox":[10,10,30,30],"iscrowd":false,"note":""}]}`;
const cityscapes = (points: string) =>
  `{"imgHeight":80,"imgWidth":100,"objects":[{"label":"cat","polygon":${points}}]}`;
const supervisely = (points: string) =>
  `{"description":"","tags":[],"size":{"height":80,"width":100},"objects":[{"classTitle":"cat","geometryType":"polygon","tags":[],"points":{"exterior":${points},"interior":[]}}]}`;

describe('a number with a decimal comma', () => {
  it.each([
    ['labelme JSON 1.0', (points: string) => ({ 'a.json': labelme(points) })],
    ['ISAT JSON 1.0', (points: string) => ({ 'a.json': isat(points) })],
    ['Cityscapes Polygons 1.0', (points: string) => ({ 'gtFine/train/c/a_gtFine_polygons.json': cityscapes(points) })],
    ['Supervisely 1.0', (points: string) => ({ 'train/ann/a.jpg.json': supervisely(points) })],
  ])('is refused in a point of %s', async (format, files) => {
    expect((await imported(format, files(good))).shapes).toHaveLength(1);
    const { shapes, bad } = await imported(format, files(comma));
    expect(shapes).toEqual([]);
    expect(bad.map(({ reason }) => reason).join()).toContain('must be two numbers');
  });

  const openImages = (row: string) => ({
    'annotations/class-descriptions.csv': 'cat,cat\n',
    'annotations/train-annotations-bbox.csv': `ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside\n${row}\n`,
  });
  const vggface = (row: string) => ({ 'bb_landmark/loose_bb_train.csv': `NAME_ID,X,Y,W,H\n${row}\n` });
  const csv = (row: string) => ({ 'c.csv': `filename,class,xmin,ymin,xmax,ymax\n${row}\n` });
  const huggingFace = (row: string) => ({ 'train/metadata.csv': `file_name,label\n${row}\n` });
  it.each([
    ['Open Images V6 1.0', openImages, 'a,x,cat,1,0.1,0.3,0.1,0.3,0,0,0,0,0', 'a,x,cat,1,0,1,0.3,0.1,0.3,0,0,0,0,0'],
    ['VGGFace2 1.0', vggface, 'cat/a,10,10,20,20', 'cat/a,1,5,10,20,20'],
    ['CSV 1.0', csv, 'a.jpg,cat,10,10,30,30', 'a.jpg,cat,1,5,10,30,30'],
    ['Hugging Face ImageFolder 1.0', huggingFace, 'a.jpg,cat', 'a.jpg,cat,dog'],
  ])('is refused in a row of %s, which then has more fields than columns', async (format, files, right, wrong) => {
    // Spreadsheets write empty fields after the last column.
    expect((await imported(format, files(`${right},,`))).bad).toEqual([]);
    const { shapes, bad } = await imported(format, files(wrong));
    expect(shapes).toEqual([]);
    expect(bad.map(({ at, reason }) => `${at}: ${reason}`).join()).toMatch(
      /^line 2: the row has \d+ fields for \d+ columns/,
    );
  });

  it.each(['1,5 10 30 25 "text"', '10 1,5 30 25 "text"', '10 10 30 2,5 "text"', '1,5 10 30 25', '10 10 30 2,5'])(
    'is refused in a row of ICDAR Localization: %s',
    async (row) => {
      const { shapes, bad } = await imported('ICDAR Localization 1.0', { 'train/gt_a.txt': `${row}\n` });
      expect(shapes).toEqual([]);
      expect(bad.map(({ at }) => at)).toEqual(['line 1']);
    },
  );

  it.each([
    ['10,10,30,25,100 200', '100 200'],
    ['10, 10, 30, 25, "Tiredness"', 'Tiredness'],
    ['10 10 30 25 "text"', 'text'],
    ['10, 10, 30, 25 "text"', 'text'],
  ])('a text after the numbers of ICDAR Localization stays a text: %s', async (row, text) => {
    const { shapes } = await imported('ICDAR Localization 1.0', { 'train/gt_a.txt': `${row}\n` });
    expect(shapes.map(({ points, attributes }) => [...points, attributes[0]?.value])).toEqual([[10, 10, 30, 25, text]]);
  });
});

it.each(['NaN', '1,5', 'null', '2'])('a flag of CVAT that is %s drops its object', async (flag) => {
  const xml =
    '<annotations><version>1.1</version><image id="0" name="a.jpg" width="100" height="80">' +
    `<box label="cat" xtl="10" ytl="10" xbr="30" ybr="30" occluded="${flag}" z_order="0"></box></image></annotations>`;
  const { shapes, bad } = await imported('CVAT 1.1', { 'a.xml': xml });
  expect(shapes).toEqual([]);
  expect(bad[0]?.reason).toContain('"occluded" is neither 0 nor 1');
});

it('reads a rotation in an attribute as a decimal number', async () => {
  const voc = (rotation: string) =>
    `<annotation><filename>a.jpg</filename><object><name>cat</name><bndbox><xmin>10</xmin><ymin>10</ymin><xmax>30</xmax>` +
    `<ymax>30</ymax></bndbox><attributes><attribute><name>rotation</name><value>${rotation}</value></attribute></attributes></object></annotation>`;
  const read = async (rotation: string) =>
    (await imported('PASCAL VOC 1.1', { 'Annotations/a.xml': voc(rotation) })).summary;
  expect((await read('16')).dropped).toEqual([]);
  expect((await read('0x10')).dropped.map(({ rule }) => rule)).toEqual([
    expect.stringContaining('"rotation" must be a number, but is "0x10"'),
  ]);
});

describe('UTF-16 without a byte order mark', () => {
  it.each([
    ['little', (text: string) => Buffer.from(text, 'utf16le')],
    ['big', (text: string) => Buffer.from(text, 'utf16le').swap16()],
  ])('is read, %s end first, in rows and in JSON', async (_order, written) => {
    const table = written('filename,class,xmin,ymin,xmax,ymax\na.jpg,cat,10,10,30,30\n');
    expect((await imported('CSV 1.0', { 'c.csv': table })).shapes).toHaveLength(1);
    const coco = {
      images: [{ id: 1, file_name: 'a.jpg' }],
      categories: [{ id: 1, name: 'cat' }],
      annotations: [{ id: 1, image_id: 1, category_id: 1, bbox: [10, 10, 20, 20] }],
    };
    expect((await imported('COCO 1.0', { 'c.json': written(json(coco)) })).shapes).toHaveLength(1);
    const rows = { 'classes.txt': 'cat\n', 'labels/a.txt': written('0 0.2 0.25 0.2 0.25\n') };
    expect((await imported('Ultralytics YOLO Detection 1.0', rows)).shapes).toHaveLength(1);
  });
});
