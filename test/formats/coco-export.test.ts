import { knownReason } from '../../renderer/shared/dataset/report-view.tsx';
import { describe, expect, it } from 'vitest';
import { createInMemoryTaskData, type InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabeledShape, TaskData } from '../../main/formats/kit/task-data.ts';
import { polygonArea } from '../../preload/geometry/polygon-raster.ts';
import { withHole } from '../../renderer/canvas/geometry/keyhole.ts';
import { exportToCoco } from './support/coco-files.ts';
import { keyframeOf, shapeOf } from './support/format-fixtures.ts';
import { attributeOf } from './support/scenes.ts';

const base: InMemoryTaskDataOptions = {
  frames: [
    { name: 'a.jpg', width: 100, height: 80 },
    { name: 'b/ä.png', width: 60, height: 40 },
    { name: 'empty.jpg', width: 10, height: 10 },
  ],
  labels: [
    {
      name: 'car',
      attributes: [
        attributeOf('color'),
        attributeOf('parked', 'checkbox'),
        attributeOf('doors', 'number'),
        attributeOf('occluded'),
      ],
    },
    { name: 'person', sublabels: [{ name: 'head', color: '#000000', type: 'points', attributes: [], sublabels: [] }] },
    { name: 'crowd', attributes: [attributeOf('is_crowd', 'checkbox')] },
  ],
};
const taskWith = (...shapes: LabeledShape[]): TaskData => createInMemoryTaskData({ ...base, shapes });
const square = shapeOf({ type: 'polygon', label: 'car', points: [10, 10, 20, 10, 20, 20, 10, 20] });
const mask = shapeOf({ type: 'mask', label: 'car', points: [0, 1, 1, 4, 5, 6, 7, 7] });

it('numbers labels from 1 with sublabels after theirs, and lists all frames', async () => {
  const { entries, file } = await exportToCoco(taskWith());
  expect([...entries.keys()]).toEqual(['annotations/instances_default.json']);
  expect(file()).toMatchObject({
    licenses: [{ name: '', id: 0, url: '' }],
    categories: [
      { id: 1, name: 'car', supercategory: '' },
      { id: 2, name: 'person', supercategory: '' },
      { id: 3, name: 'head', supercategory: 'person' },
      { id: 4, name: 'crowd', supercategory: '' },
    ],
    images: [
      {
        id: 1,
        width: 100,
        height: 80,
        file_name: 'a.jpg',
        license: 0,
        flickr_url: '',
        coco_url: '',
        date_captured: 0,
      },
      { id: 2, width: 60, height: 40, file_name: 'b/ä.png' },
      { id: 3, file_name: 'empty.jpg' },
    ],
    annotations: [],
  });
  expect(Object.keys(file())).toEqual(['licenses', 'info', 'categories', 'images', 'annotations']);
});

describe('the export of a shape', () => {
  it('writes a rectangle as a box without a segmentation', async () => {
    const { file, summary } = await exportToCoco(
      taskWith(shapeOf({ type: 'rectangle', label: 'person', points: [10.1, 20, 30.3, 50], frame: 1 })),
    );
    expect(file().annotations).toEqual([
      {
        id: 1,
        image_id: 2,
        category_id: 2,
        segmentation: [],
        area: expect.closeTo(606, 5),
        bbox: [10.1, 20, 20.2, 30],
        iscrowd: 0,
        attributes: { occluded: false, rotation: 0 },
      },
    ]);
    expect(summary).toMatchObject({ included: [{ type: 'rectangle', label: 'person', count: 1 }], dropped: [] });
  });

  it('writes a rotated rectangle as its unrotated box and the rotation', async () => {
    const { file } = await exportToCoco(
      taskWith(
        shapeOf({
          type: 'rectangle',
          label: 'car',
          points: [10, 20, 30, 50],
          rotation: 33.5,
          occluded: true,
          z_order: -2,
        }),
      ),
    );
    expect(file().annotations).toMatchObject([
      { bbox: [10, 20, 20, 30], area: 600, attributes: { occluded: true, rotation: 33.5, z_order: -2 } },
    ]);
  });

  it('writes a polygon with unchanged points, its rounded tight box, and its area in pixels', async () => {
    const points = [10.123456, 10, 50.5, 12.005, 33, 60.999];
    const { file } = await exportToCoco(
      taskWith(shapeOf({ type: 'polygon', label: 'car', points }), { ...square, area: 77.25 }),
    );
    expect(file().annotations).toMatchObject([
      { segmentation: [points], bbox: [10.12, 10, 40.38, 51], area: polygonArea(points, 100, 80), iscrowd: 0 },
      { id: 2, area: 77.25 },
    ]);
  });

  it('writes a polygon with a hole as one ring, its area without the hole', async () => {
    const hole = [20, 20, 20, 40, 50, 40, 50, 20];
    const cut = withHole([10, 10, 70, 10, 70, 60, 10, 60], hole);
    if ('problem' in cut) throw new Error(cut.problem);
    const points = [...cut.points];
    const { file, summary } = await exportToCoco(taskWith(shapeOf({ type: 'polygon', label: 'car', points })));
    expect(file().annotations).toMatchObject([
      { segmentation: [points], bbox: [10, 10, 60, 50], area: 60 * 50 - 30 * 20, iscrowd: 0 },
    ]);
    expect(summary.dropped).toEqual([]);
  });

  it('writes a mask as run lengths of the complete image, not as a crowd', async () => {
    const { file } = await exportToCoco(taskWith(mask));
    const counts = [5 * 80 + 6, 2, 79, 1, 78, 2, 8000 - 568];
    expect(file().annotations).toMatchObject([
      { segmentation: { size: [80, 100], counts }, bbox: [5, 6, 3, 2], area: 5, iscrowd: 0 },
    ]);
  });

  it('writes a mask in the other modes: compressed and not as a crowd, or as polygons', async () => {
    const rle = await exportToCoco(taskWith(mask), { mask_mode: 'rle' });
    expect(rle.file().annotations).toMatchObject([
      { segmentation: { size: [80, 100], counts: expect.any(String) }, area: 5, iscrowd: 0 },
    ]);
    expect(rle.summary.dropped).toEqual([]);
    const cvat = await exportToCoco(taskWith(mask), { mask_mode: 'cvat' });
    expect(cvat.file().annotations).toMatchObject([{ segmentation: { counts: expect.any(Array) }, iscrowd: 1 }]);
    const polygons = await exportToCoco(
      taskWith(shapeOf({ type: 'mask', label: 'car', points: [0, 100, 5, 6, 14, 15] })),
      { mask_mode: 'polygons' },
    );
    const [annotation] = polygons.file().annotations;
    expect(annotation).toMatchObject({ area: 100, iscrowd: 0, bbox: [5, 6, 10, 10] });
    expect(annotation?.segmentation).toHaveLength(1);
    expect(polygons.summary.dropped).toMatchObject([{ type: 'mask', label: 'car', count: 1 }]);
    await expect(exportToCoco(taskWith(), { mask_mode: 'other' })).rejects.toMatchObject({ code: 'invalid' });
  });

  it('writes an ellipse as a mask, and reports it', async () => {
    const { file, summary } = await exportToCoco(
      taskWith(shapeOf({ type: 'ellipse', label: 'car', points: [50, 40, 60, 30] })),
    );
    const [annotation] = file().annotations;
    expect(annotation).toMatchObject({ iscrowd: 0, segmentation: { size: [80, 100] } });
    expect(annotation?.area).toBeGreaterThan(0.95 * Math.PI * 100);
    expect(annotation?.area).toBeLessThan(1.15 * Math.PI * 100);
    expect(summary).toMatchObject({ included: [], dropped: [{ type: 'ellipse', label: 'car', count: 1 }] });
  });

  it('drops lines, points, cuboids, skeletons and tags, reported by type and label', async () => {
    const shapes = [
      shapeOf({ type: 'polyline', label: 'car', points: [1, 1, 2, 2] }),
      shapeOf({ type: 'polyline', label: 'car', points: [1, 1, 2, 2], frame: 1 }),
      shapeOf({ type: 'points', label: 'person', points: [1, 1] }),
      shapeOf({ type: 'cuboid', label: 'car', points: Array.from({ length: 16 }, () => 1) }),
      shapeOf({
        type: 'skeleton',
        label: 'person',
        points: [],
        elements: [shapeOf({ type: 'points', label: 'head', points: [1, 1] })],
      }),
    ];
    const tags = [{ frame: 2, label: 'car', attributes: [], group: 0 }];
    const { file, summary } = await exportToCoco({ ...base, shapes, tags });
    expect(file().annotations).toEqual([]);
    expect(summary.dropped.map(({ type, label, count }) => `${type} ${label} ${count}`)).toEqual([
      'polyline car 2',
      'points person 1',
      'cuboid car 1',
      'skeleton person 1',
      'tag car 1',
    ]);
  });

  it('reports shapes that need the size of an image if it is unknown', async () => {
    const unsized = { ...base, frames: [{ name: 'a.jpg' }] };
    const { file, summary } = await exportToCoco({ ...unsized, shapes: [mask, square] });
    expect(file().annotations).toMatchObject([{ segmentation: [square.points], area: 100 }]);
    expect(summary.dropped).toMatchObject([{ type: 'mask', count: 1 }]);
  });
});

describe('absurd coordinates', () => {
  it.each([100, 0])('give valid JSON, on an image %d wide', async (width) => {
    const huge = [-1e308, 0, 1e308, 5, 3, 1e300];
    const shapes = [
      shapeOf({ type: 'polygon', label: 'car', points: huge }),
      shapeOf({ type: 'polygon', label: 'car', points: huge, group: 3 }),
      shapeOf({ type: 'polygon', label: 'car', points: [0, 0, 1e9, 1e9, 0, 1e9], group: 3 }),
      shapeOf({ type: 'rectangle', label: 'car', points: [-1e308, -1e308, 1e308, 1e308] }),
      shapeOf({ type: 'ellipse', label: 'car', points: [1e308, 1e308, -1e308, -1e308], rotation: 1 }),
    ];
    const frames = [{ name: 'a.jpg', width, height: width }];
    const { file } = await exportToCoco({ ...base, frames, shapes });
    expect(file().annotations.length).toBeGreaterThanOrEqual(3);
  });
});

describe('groups', () => {
  const grouped = (shape: LabeledShape, label = 'car'): LabeledShape => ({ ...shape, label, group: 4 });
  const far = shapeOf({ type: 'polygon', label: 'car', points: [60, 40, 90, 40, 90, 70, 60, 70] });

  it('of polygons are one object with a list for each, the largest leading', async () => {
    const { file, summary } = await exportToCoco(taskWith(grouped(square), grouped(far, 'person')));
    expect(file().annotations).toMatchObject([
      { category_id: 2, segmentation: [square.points, far.points], bbox: [10, 10, 80, 60], area: 1000, iscrowd: 0 },
    ]);
    expect(summary.dropped).toMatchObject([{ type: 'polygon', label: 'car', count: 1 }]);
  });

  it('have the stated area while no part of them was changed', async () => {
    const stated = taskWith(grouped({ ...square, area: 33 }), grouped({ ...far, area: 44.5 }));
    expect((await exportToCoco(stated)).file().annotations).toMatchObject([{ area: 77.5 }]);
    const changed = taskWith(grouped({ ...square, area: 33 }), grouped(far));
    expect((await exportToCoco(changed)).file().annotations).toMatchObject([{ area: 1000 }]);
  });

  it('with a mask of the leader are run lengths of all parts', async () => {
    const large = shapeOf({ type: 'mask', label: 'car', points: [0, 2500, 40, 20, 89, 69] });
    const { file } = await exportToCoco(taskWith(grouped(square), grouped(large)));
    expect(file().annotations).toMatchObject([
      { iscrowd: 0, segmentation: { size: [80, 100] }, area: 2600, bbox: [10, 10, 80, 60] },
    ]);
  });

  it('led by a polygon turn masks of other labels into polygons', async () => {
    const { file, summary } = await exportToCoco(
      taskWith(grouped(far), grouped(shapeOf({ type: 'mask', label: 'x', points: [0, 100, 5, 6, 14, 15] }), 'person')),
    );
    const [annotation] = file().annotations;
    expect(annotation).toMatchObject({ category_id: 1, iscrowd: 0 });
    expect(annotation?.segmentation).toHaveLength(2);
    expect(summary.dropped.map(({ type }) => type)).toContain('mask');
  });

  it('of boxes stay boxes, one by one', async () => {
    const box = (x: number) => grouped(shapeOf({ type: 'rectangle', label: 'car', points: [x, 0, x + 10, 10] }));
    const { file } = await exportToCoco(taskWith(box(0), box(50), grouped(square)));
    expect(file().annotations.map(({ bbox }) => bbox)).toEqual([
      [0, 0, 10, 10],
      [50, 0, 10, 10],
      [10, 10, 10, 10],
    ]);
  });

  it('are separate on each frame', async () => {
    const { file } = await exportToCoco(taskWith(grouped(square), { ...grouped(square), frame: 1 }));
    expect(file().annotations.map(({ image_id }) => image_id)).toEqual([1, 2]);
  });
});

describe('crowds', () => {
  const crowd = (shape: LabeledShape, value: string): LabeledShape => ({
    ...shape,
    label: 'crowd',
    attributes: [{ name: 'is_crowd', value }],
  });

  it('follow the attribute', async () => {
    const { file, summary } = await exportToCoco(
      taskWith(crowd(square, 'true'), crowd(square, 'false'), crowd(mask, 'true'), crowd(mask, 'false')),
    );
    expect(file().annotations.map(({ iscrowd, segmentation }) => [iscrowd, Array.isArray(segmentation)])).toEqual([
      [1, false],
      [0, true],
      [1, false],
      [0, false],
    ]);
    expect(file().annotations[0]?.attributes).toEqual({ occluded: false });
    expect(summary.dropped).toMatchObject([{ type: 'polygon', label: 'crowd', count: 1 }]);
    expect(knownReason(summary.dropped[0]?.rule ?? '')).not.toBeNull();
  });
});

describe('attributes', () => {
  it('have their own types, and texts stay texts', async () => {
    const attributes = [
      { name: 'color', value: '7' },
      { name: 'parked', value: 'true' },
      { name: 'doors', value: '4.5' },
      { name: 'occluded', value: 'x' },
    ];
    const { file, summary } = await exportToCoco(
      taskWith({ ...square, attributes, score: 0.5 }, { ...square, attributes: [{ name: 'doors', value: '04' }] }),
    );
    expect(file().annotations).toMatchObject([
      { score: 0.5, attributes: { occluded: false, color: '7', parked: true, doors: 4.5 } },
      { attributes: { doors: '04' } },
    ]);
    expect(summary.dropped).toMatchObject([
      { type: 'attribute', label: 'car', rule: expect.stringContaining('"occluded"') },
    ]);
  });

  it('of tracks name the track and mark keyframes', async () => {
    const keyframe = (frame: number, x: number) => keyframeOf({ type: 'rectangle', points: [x, 0, x + 10, 10], frame });
    const tracks = [{ label: 'car', group: 0, shapes: [keyframe(0, 10), keyframe(2, 30)] }];
    const { file } = await exportToCoco({ ...base, tracks });
    expect(
      file().annotations.map(({ image_id, bbox, attributes }) => [
        image_id,
        bbox[0],
        attributes['track_id'],
        attributes['keyframe'],
      ]),
    ).toEqual([
      [1, 10, 0, true],
      [2, 20, 0, false],
      [3, 30, 0, true],
    ]);
  });
});

describe('subsets and images', () => {
  const project = (subsets: readonly string[]): TaskData =>
    createInMemoryTaskData({
      labels: [{ name: 'car' }],
      frames: subsets.map((subset, index) => ({ name: `${index % 2}.jpg`, subset, width: 100, height: 80 })),
      shapes: subsets.map((_, frame) => ({ ...square, frame })),
      images: new Map(subsets.map((_, frame) => [frame, { extension: '.jpg', bytes: Buffer.from(`image ${frame}`) }])),
    });

  it('have a file each; annotation ids continue, the same path has the same image id', async () => {
    for (const order of [
      ['train', 'train', 'val', 'val'],
      ['train', 'val', 'train', 'val'],
    ]) {
      const { entries, file } = await exportToCoco(project(order));
      expect([...entries.keys()]).toEqual(['annotations/instances_train.json', 'annotations/instances_val.json']);
      expect([...file('train').annotations, ...file('val').annotations].map(({ id }) => id)).toEqual([1, 2, 3, 4]);
      const ids = new Map([...file('train').images, ...file('val').images].map(({ file_name, id }) => [file_name, id]));
      expect([...ids.values()].toSorted()).toEqual([...new Set(ids.values())].toSorted());
      for (const subset of ['train', 'val']) {
        const { images, annotations } = file(subset);
        expect(images).toHaveLength(2);
        expect(annotations.map(({ image_id }) => image_id).toSorted()).toEqual(images.map(({ id }) => id).toSorted());
      }
    }
  });

  it('are in images/<subset>/ on request', async () => {
    const { entries } = await exportToCoco(project(['train', 'val']), { save_images: true });
    expect(entries.get('images/train/0.jpg')).toBe('image 0');
    expect(entries.get('images/val/1.jpg')).toBe('image 1');
  });

  it('of videos are PNG files', async () => {
    const video = createInMemoryTaskData({
      meta: { mode: 'interpolation' },
      labels: [{ name: 'car' }],
      frames: [{ name: 'frame_000000', width: 10, height: 10 }],
      images: new Map([[0, { extension: '.png', bytes: Buffer.from('png') }]]),
    });
    const { entries, file } = await exportToCoco(video, { save_images: true });
    expect(file().images).toMatchObject([{ file_name: 'frame_000000.PNG' }]);
    expect(entries.get('images/default/frame_000000.PNG')).toBe('png');
  });
});
