import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { fileOf, folderOf, importerOf, runExport, runImport, exporterOf, shapeOf } from './support/format-fixtures.ts';
import { pointOf } from './support/scenes.ts';

const body = { name: 'body', type: 'skeleton', sublabels: ['head', 'foot'].map(pointOf) };
const task: InMemoryTaskDataOptions = {
  frames: [{ name: 'a.jpg', width: 100, height: 80 }],
  labels: [{ name: 'car' }, { name: 'van' }, body],
};
const read = (format: string, path: string) => runImport(importerOf(format), path, task);

const yaml = (more = '') => `train: images/train\nnames: [car, van, body]\n${more}`;
const labelled = (row: string, more = '') =>
  folderOf({ 'data.yaml': yaml(more), 'labels/train/a.txt': `${row}\n`, 'images/train/a.jpg': '' });
const percentRegion = (x: number, y: number, width: number, height: number) =>
  JSON.stringify([
    {
      data: { image: 'a.jpg' },
      annotations: [
        {
          result: [
            {
              id: 'r',
              type: 'rectanglelabels',
              original_width: 100,
              original_height: 80,
              value: { x, y, width, height, rotation: 0, rectanglelabels: ['car'] },
            },
          ],
        },
      ],
    },
  ]);
const openImages = (row: string) =>
  folderOf({
    'annotations/class-descriptions.csv': '/m/1,car\n',
    'annotations/train-annotations-bbox.csv': `ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside\na,x,/m/1,1,${row},0,0,0,0,0\n`,
  });
const fiftyOne = (box: string) =>
  folderOf({ 'labels.json': `{"classes":["car"],"labels":{"a":[{"label":0,"bounding_box":[${box}]}]}}` });
const darknet = (row: string) =>
  folderOf({
    'obj.data': 'classes = 1\ntrain = data/train.txt\nnames = data/obj.names\n',
    'obj.names': 'car\n',
    'train.txt': 'data/obj_train_data/a.jpg\n',
    'obj_train_data/a.txt': `${row}\n`,
  });

describe('pixels in a format of fractions of the image', () => {
  it.each([
    ['YOLO 1.1', () => darknet('0 50 40 20 20')],
    ['Ultralytics YOLO Detection 1.0', () => labelled('0 50 40 20 20')],
    ['Ultralytics YOLO Oriented Bounding Boxes 1.0', () => labelled('0 10 10 30 10 30 30 10 30')],
    ['Ultralytics YOLO Segmentation 1.0', () => labelled('0 10 10 30 10 30 30')],
    ['Ultralytics YOLO Pose 1.0', () => labelled('2 50 40 20 20 45 35 2 55 45 2', 'kpt_shape: [2, 3]\n')],
    ['FiftyOne 1.0', () => fiftyOne('40,30,20,20')],
    ['Open Images V6 1.0', () => openImages('40,60,30,50')],
    ['Label Studio JSON 1.0', () => fileOf('tasks.json', percentRegion(640, 480, 200, 150))],
  ])('%s refuses them in words', async (format, make) => {
    const { task: found, summary } = await read(format, make());
    expect(found.shapes).toEqual([]);
    expect(summary.invalid).toEqual([expect.objectContaining({ reason: expect.stringContaining('look like pixels') })]);
  });

  it.each([
    ['YOLO 1.1', () => darknet('0 0.95 0.5 0.2 0.25')],
    ['Ultralytics YOLO Detection 1.0', () => labelled('0 0.95 0.5 0.2 0.25')],
    ['FiftyOne 1.0', () => fiftyOne('0.85,0.375,0.2,0.25')],
    ['Open Images V6 1.0', () => openImages('0.85,1.05,0.375,0.625')],
    ['Label Studio JSON 1.0', () => fileOf('tasks.json', percentRegion(85, 37.5, 20, 25))],
    ['Ultralytics YOLO Segmentation 1.0', () => labelled('0 0.95 0.5 0.2 0.25')],
  ])('%s clips shapes that are slightly outside, and reports it', async (format, make) => {
    const { task: found, summary } = await read(format, make());
    expect(found.shapes.map(({ points }) => points)).toEqual([[85, 30, 100, 50]]);
    expect(summary.dropped).toEqual([expect.objectContaining({ rule: expect.stringContaining('cut off'), count: 1 })]);
    expect(summary.invalid).toEqual([]);
  });
});

const coco = (bbox: readonly number[], more: object = {}) =>
  JSON.stringify({
    images: [{ id: 1, file_name: 'a.jpg', width: 100, height: 80 }],
    categories: [{ id: 1, name: 'car' }],
    annotations: [{ id: 1, image_id: 1, category_id: 1, bbox, iscrowd: 0, ...more }],
  });

describe('numbers that do not fit their image', () => {
  it('COCO refuses fractions, and boxes completely outside of the image', async () => {
    for (const [text, reason] of [
      [coco([0.45, 0.4, 0.1, 0.2]), 'look like fractions'],
      [coco([], { bbox: undefined, segmentation: [[0.1, 0.1, 0.5, 0.1, 0.5, 0.5]] }), 'look like fractions'],
      [coco([1e9, 1e9, 10, 10]), 'is outside its image'],
      [coco([-50, 0, 20, 20]), 'is outside its image'],
    ] as const) {
      const { task: found, summary } = await read('COCO 1.0', fileOf('instances.json', text));
      expect(found.shapes).toEqual([]);
      expect(summary.invalid).toEqual([expect.objectContaining({ reason: expect.stringContaining(reason) })]);
    }
  });

  it('PASCAL VOC refuses fractions as well', async () => {
    const box = '<bndbox><xmin>0.4</xmin><ymin>0.4</ymin><xmax>0.6</xmax><ymax>0.6</ymax></bndbox>';
    const text = `<annotation><filename>a.jpg</filename><object><name>car</name>${box}</object></annotation>`;
    const { summary } = await read('PASCAL VOC 1.1', folderOf({ 'Annotations/a.xml': text }));
    expect(summary.invalid).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('look like fractions') }),
    ]);
  });

  it('a polygon is clipped at the border, and a wide one stays complete', async () => {
    const rows = { segmentation: [[50, 10, 150, 10, 150, 50, 50, 50]], bbox: undefined };
    const { task: found, summary } = await read('COCO 1.0', fileOf('instances.json', coco([], rows)));
    expect(found.shapes.map(({ points }) => points)).toEqual([[50, 10, 100, 10, 100, 50, 50, 50]]);
    expect(summary.dropped).toMatchObject([{ type: 'polygon', label: 'car', count: 1 }]);
    const whole = { segmentation: [[0, 0, 100, 0, 100, 80, 0, 80]], bbox: undefined };
    const kept = await read('COCO 1.0', fileOf('instances.json', coco([], whole)));
    expect(kept.task.shapes.map(({ points }) => points)).toEqual([[0, 0, 100, 0, 100, 80, 0, 80]]);
    expect(kept.summary.dropped).toEqual([]);
  });

  it('a track completely outside of the image is refused, of a box and of a skeleton', async () => {
    const point = (label: string, x: number) =>
      `<points label="${label}" keyframe="1" outside="0" occluded="0" points="${x},10"></points>`;
    const video = (x: number) =>
      `<annotations><track id="0" label="car"><box frame="0" keyframe="1" outside="0" occluded="0" xtl="${x}" ytl="10" xbr="${x + 20}" ybr="30" z_order="0"></box></track>` +
      `<track id="1" label="body"><skeleton frame="0" keyframe="1" z_order="0">${point('head', x)}${point('foot', x + 5)}</skeleton></track></annotations>`;
    const inside = await read('CVAT 1.1', fileOf('annotations.xml', video(50)));
    expect(inside.task.tracks.map(({ label }) => label)).toEqual(['car', 'body']);
    const { task: found, summary } = await read('CVAT 1.1', fileOf('annotations.xml', video(500)));
    expect(found.tracks).toEqual([]);
    expect(summary.invalid).toEqual(
      Array.from({ length: 2 }, () =>
        expect.objectContaining({ reason: expect.stringContaining('is outside its image') }),
      ),
    );
  });

  const via = (x: number, width: number) =>
    JSON.stringify({
      'a.jpg1': {
        filename: 'a.jpg',
        size: 1,
        regions: [
          { shape_attributes: { name: 'rect', x, y: 10, width, height: 20 }, region_attributes: { class: 'car' } },
        ],
        file_attributes: {},
      },
    });

  it.each([
    ['CSV 1.0', () => fileOf('a.csv', 'image,label,xmin,ymin,xmax,ymax\na.jpg,car,30,30,10,10\n')],
    [
      'CVAT 1.1',
      () =>
        fileOf(
          'a.xml',
          '<annotations><image id="0" name="a.jpg" width="100" height="80"><box label="car" xtl="30" ytl="30" xbr="10" ybr="10"/></image></annotations>',
        ),
    ],
    [
      'BDD100K 1.0',
      () =>
        fileOf('a.json', '[{"name":"a.jpg","labels":[{"category":"car","box2d":{"x1":30,"y1":30,"x2":10,"y2":10}}]}]'),
    ],
    ['VIA JSON 2.0', () => fileOf('via.json', via(30, -20))],
  ])('%s: corners in the wrong order are sorted', async (format, make) => {
    const { task: found, summary } = await read(format, make());
    expect([found.shapes.length, summary.invalidCount]).toEqual([1, 0]);
    for (const { points } of found.shapes) {
      expect(points[0]).toBeLessThan(points[2] ?? 0);
    }
  });
});

describe('exports', () => {
  const far = shapeOf({ type: 'rectangle', label: 'car', points: [200, 10, 220, 20] });
  const near = shapeOf({ type: 'rectangle', label: 'car', points: [90, 10, 130, 20] });

  it('YOLO has rows within the image only, and reports clipped and dropped objects', async () => {
    const { entries, summary } = await runExport(exporterOf('YOLO 1.1'), { ...task, shapes: [far, near] });
    expect(entries.get('obj_train_data/a.txt')).toBe('0 0.950000 0.187500 0.100000 0.125000\n');
    expect(summary.dropped.map(({ rule, count }) => [rule, count])).toEqual([
      ['It is outside its image.', 1],
      ['It extends beyond its image: the part outside was cut off.', 1],
    ]);
  });

  it('COCO keeps the numbers and reports how many are outside', async () => {
    const { entries, summary } = await runExport(exporterOf('COCO 1.0'), { ...task, shapes: [far, near] });
    expect(entries.get('annotations/instances_default.json')).toContain('[90,10,40,10]');
    expect(summary.warnings).toEqual([
      '2 objects extend beyond their images, the first on a.jpg: they were written unchanged.',
    ]);
  });
});
