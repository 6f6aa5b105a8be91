import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { RegisteredExporter, RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import {
  ultralyticsClassification,
  ultralyticsOrientedBoxes,
  ultralyticsPose,
  ultralyticsSegmentation,
} from '../../main/formats/ultralytics/index.ts';
import { maskToPolygons } from '../../preload/geometry/mask-polygons.ts';
import { rotatedRectangleToPolygon } from '../../preload/geometry/geometry.ts';
import { type Files, folderOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { inOrder, mentioned, pointOf, scene, sceneShapes, sceneTags } from './support/scenes.ts';

const write = (exporter: RegisteredExporter, options: InMemoryTaskDataOptions, save_images = false) =>
  runExport(exporter, options, save_images);
const read = (importer: RegisteredImporter, path: string, options = scene) => runImport(importer, path, options);
const yaml = 'path: .\ntrain: images/train\nnames: [car, tall tree, Hündchen]\n';
const dataset = (rows: string, more: Files = { 'data.yaml': yaml }) =>
  folderOf({ ...more, 'labels/train/one.txt': rows });

describe('Ultralytics Oriented Bounding Boxes', () => {
  const [importer, exporter] = [ultralyticsOrientedBoxes.importer, ultralyticsOrientedBoxes.exporter];

  it('preserves boxes and their rotations, also beyond 180 degrees', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds: ['rectangle', 'rotated rectangle'] }), async (shapes) => {
        const { path, summary, entries } = await write(exporter, { ...scene, shapes });
        expect(summary.dropped).toEqual([]);
        const { task, summary: reading } = await read(importer, path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
        expect(task.shapes).toHaveLength(shapes.length);
        for (const [index, shape] of inOrder(task.shapes).entries()) {
          const original = shapes[index];
          if (!original) continue;
          // Six decimals of an image of 64 pixels: coordinates differ by less than a ten-thousandth of a pixel.
          const corners = (one: LabeledShape) => rotatedRectangleToPolygon(one.points, one.rotation ?? 0);
          corners(shape).forEach((value, place) =>
            expect(Math.abs(value - (corners(original)[place] ?? 0))).toBeLessThan(1e-4),
          );
          expect(Math.abs((shape.rotation ?? 0) - (original.rotation ?? 0)) % 360).toBeLessThan(0.01);
        }
        expect([...(await write(exporter, { ...scene, shapes: task.shapes })).entries]).toEqual([...entries]);
      }),
      { numRuns: 20 },
    );
  });

  it('writes the corners in their order', async () => {
    const shapes = [
      shapeOf({ type: 'rectangle', label: 'tall tree', points: [16, 12, 48, 36] }),
      shapeOf({ type: 'rectangle', label: 'car', points: [22, 14, 42, 34], rotation: 90 }),
    ];
    const { entries } = await write(exporter, { ...scene, shapes });
    expect([...entries.keys()]).toEqual(['labels/train/one.txt', 'train.txt', 'data.yaml']);
    expect(entries.get('labels/train/one.txt')).toBe(
      '1 0.250000 0.250000 0.750000 0.250000 0.750000 0.750000 0.250000 0.750000\n' +
        '0 0.656250 0.291667 0.656250 0.708333 0.343750 0.708333 0.343750 0.291667\n',
    );
    expect(entries.get('train.txt')).toContain('./images/train/one.jpg\n');
  });

  it('preserves a rotated box with a corner outside its image, and reports it', async () => {
    const box = { type: 'rectangle', label: 'car', points: [0, 10, 20, 16], rotation: 30 } as const;
    const { path, summary } = await write(exporter, { ...scene, shapes: [shapeOf(box)] });
    expect(summary.warnings).toEqual([expect.stringContaining('1 object extends beyond its image')]);
    const { task, summary: reading } = await read(importer, path);
    expect(task.shapes).toMatchObject([box]);
    expect(reading.dropped).toEqual([
      expect.objectContaining({ rule: expect.stringContaining('cannot be cut: it is unchanged') }),
    ]);
  });

  it('uses the smallest box around corners in any other order', async () => {
    const { task, summary } = await read(
      importer,
      dataset(
        '0 0.25 0.25 0.25 0.75 0.75 0.75 0.75 0.25\n1 0.5 0.25 0.75 0.5 0.5 0.75 0.3 0.5 17\n2 0.1 0.1 0.2 0.1 0.2 0.2 0.1 0.2 0.5\n',
      ),
    );
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toMatchObject([
      { label: 'car', points: [16, 12, 48, 36] },
      { label: 'Hündchen', score: 0.5 },
    ]);
    expect(task.shapes[0]?.rotation ?? 0).toBe(0);
    expect(task.tracks).toMatchObject([{ label: 'tall tree' }]);
  });

  it('reports unreadable rows', async () => {
    const { summary } = await read(
      importer,
      dataset('0 0.5 0.5 0.1 0.1\nx 0 0 1 0 1 1 0 1\n0 0 0 1 0 1 1 0 y\n0 0 0 1 0 1 1 0 1 -3\n7 0 0 1 0 1 1 0 1\n'),
    );
    expect(summary.invalid.map(({ at }) => at)).toEqual(['line 1', 'line 2', 'line 3', 'line 4', 'line 5']);
  });
});

describe('Ultralytics Segmentation', () => {
  const [importer, exporter] = [ultralyticsSegmentation.importer, ultralyticsSegmentation.exporter];

  it('writes masks and ellipses as polygons, and reports it', async () => {
    const mask = shapeOf({ type: 'mask', label: 'car', points: [0, 6, 8, 6, 30, 20, 33, 24] });
    const ellipse = shapeOf({ type: 'ellipse', label: 'car', points: [30, 30, 40, 20], frame: 1 });
    const { path, summary } = await write(exporter, { ...scene, shapes: [mask, ellipse] });
    const { task } = await read(importer, path);
    expect(task.shapes.filter(({ frame }) => frame === 0).map(({ points }) => points)).toEqual(
      maskToPolygons(mask.points),
    );
    expect(task.shapes.filter(({ frame }) => frame === 1)).toMatchObject([{ type: 'polygon' }]);
    expect(summary.dropped.map(({ type, rule }) => [type, rule.slice(-26)])).toEqual([
      ['mask', 'ritten as several polygons.'.slice(1)],
      ['ellipse', 'llipses: written as a polygon.'.slice(-26)],
    ]);
  });

  it('reports unreadable rows, reads rows of boxes as boxes, and accepts fields after an outline', async () => {
    const rows = [
      '0 0.5 0.5 0.1 0.1',
      '0 0.1 0.1 0.2 0.2',
      '0 0.1 0.1 0.2 0.2 0.3',
      'x 0 0 1 0 1 1',
      '0 0 0 1 0 1 y',
      '0 0 0 1 0 1 1 0.5',
      '0 0 0 1 0 1 1 9',
    ];
    const { task, summary } = await read(importer, dataset(rows.join('\n')));
    expect(summary.invalid.map(({ at }) => at)).toEqual(['line 4', 'line 5']);
    expect(task.shapes).toMatchObject([
      { type: 'rectangle' },
      { type: 'rectangle' },
      { type: 'rectangle', score: 0.3 },
      { type: 'polygon', points: [0, 0, 64, 0, 64, 48], score: 0.5 },
    ]);
    expect(task.tracks).toHaveLength(1);
  });
});

describe('Ultralytics Pose', () => {
  const [importer, exporter] = [ultralyticsPose.importer, ultralyticsPose.exporter];
  const poseYaml = 'train: images/train\nkpt_shape: [3, 3]\nflip_idx: [0, 2, 1]\nnames:\n  0: body\n';

  it('exports only skeletons, and pads rows to the largest of them', async () => {
    const labels = [
      { name: 'car' },
      { name: 'small', type: 'skeleton', sublabels: [pointOf('a')] },
      ...scene.labels.slice(3),
    ];
    const shapes = [
      shapeOf({
        type: 'skeleton',
        label: 'small',
        points: [],
        elements: [shapeOf({ type: 'points', label: 'a', points: [16, 12] })],
      }),
    ];
    const { entries, path } = await write(exporter, { ...scene, labels, shapes });
    expect(entries.get('data.yaml')).toBe('train: "train.txt"\nkpt_shape: [3, 3]\nnames:\n  0: small\n  1: body\n');
    expect(entries.get('labels/train/one.txt')).toBe(
      '0 0.250000 0.250000 0.000000 0.000000 0.250000 0.250000 2 0.000000 0.000000 0 0.000000 0.000000 0\n',
    );
    expect((await read(importer, path, { ...scene, labels })).task.shapes[0]?.elements).toHaveLength(1);
  });

  it('writes a dataset without skeletons, too', async () => {
    const { path } = await write(exporter, { ...scene, labels: [{ name: 'car' }] });
    const { task, summary } = await read(importer, path, { ...scene, labels: [{ name: 'car' }] });
    expect(task.shapes).toEqual([]);
    expect(summary.invalidCount).toBe(0);
  });

  it('creates tracks of rows with a track id', async () => {
    const frames = [0, 1, 2].map((number) => ({ name: `frame_00000${number}`, width: 100, height: 100 }));
    const row = (x: number) => `0 0.5 0.5 1 1 ${x} 0.5 2 0.2 0.2 1 0 0 0 4\n`;
    const path = folderOf({
      'data.yaml': poseYaml,
      'labels/train/frame_000000.txt': row(0.1),
      'labels/train/frame_000001.txt': row(0.3),
    });
    const { task, summary } = await read(importer, path, { ...scene, frames, meta: { mode: 'interpolation' } });
    expect(summary.invalidCount).toBe(0);
    expect(task.tracks).toMatchObject([
      {
        label: 'body',
        shapes: [{ frame: 0, type: 'skeleton' }, { frame: 1 }, { frame: 2, outside: true }],
        elements: [
          {
            label: 'head',
            shapes: [
              { frame: 0, points: [10, 50] },
              { frame: 1, points: [30, 50] },
              { frame: 2, outside: true },
            ],
          },
          { label: 'hand "l"', shapes: [{ occluded: true }, { occluded: true }, { outside: true }] },
          { label: 'foot', shapes: [{ outside: true }, { outside: true }, { outside: true }] },
        ],
      },
    ]);
  });

  it('reports rows and points that it cannot use', async () => {
    const rows = [
      '0 0.5 0.5 1 1 0 0 2 0 0 2',
      'x 0.5 0.5 1 1 0 0 2 0 0 2 0 0 2',
      '0 0.5 0.5 1 1 0 0 5 0 0 2 0 0 2',
      '3 0.5 0.5 1 1 0 0 2 0 0 2 0 0 2',
      '0 0.5 0.5 1 1 0.5 0.5 2 0 0 2 0 0 2',
    ];
    const [, , , body] = scene.labels;
    if (body === undefined) throw new Error('The scene has no skeleton.');
    const two = { ...body, name: 'body', sublabels: body.sublabels?.slice(0, 2) ?? [] };
    const { task, summary } = await read(importer, dataset(rows.join('\n'), { 'data.yaml': poseYaml }), {
      ...scene,
      labels: [two],
    });
    expect(summary.invalid.map(({ at }) => at)).toEqual(['line 1', 'line 2', 'line 3', 'line 4']);
    expect(task.shapes).toHaveLength(1);
    expect(summary.dropped).toMatchObject([
      { type: 'points', rule: expect.stringContaining('number 3') },
      { type: 'skeleton', rule: expect.stringContaining('no separate box') },
    ]);
    const none = await read(importer, dataset(rows[4] ?? '', { 'data.yaml': poseYaml }), {
      ...scene,
      labels: [{ name: 'body' }],
    });
    expect(none.summary.invalid).toMatchObject([{ reason: expect.stringContaining('is not a skeleton') }]);
    await expect(read(importer, dataset('', { 'data.yaml': yaml }))).rejects.toThrow('kpt_shape');
  });
});

describe('Ultralytics Classification', () => {
  const [importer, exporter] = [ultralyticsClassification.importer, ultralyticsClassification.exporter];
  const distinct = (tags: readonly { frame: number; label: string }[]) =>
    [...new Set(tags.map(({ frame, label }) => `${frame} ${label}`))].toSorted();

  it('preserves tags, with and without images', async () => {
    const images = new Map(
      scene.frames.map((_, frame) => [frame, { extension: '.jpg', bytes: Buffer.from(`image ${frame}`) }]),
    );
    await fc.assert(
      fc.asyncProperty(sceneTags, fc.boolean(), async (tags, withImages) => {
        const { path, summary } = await write(exporter, { ...scene, images, tags }, withImages);
        const twice = tags.length - distinct(tags).length;
        expect(mentioned(summary, 'tag')).toBe(tags.length);
        expect(summary.dropped.reduce((sum, { count }) => sum + count, 0)).toBe(twice);
        const { task, summary: reading } = await read(importer, path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
        expect(distinct(task.tags)).toEqual(distinct(tags));
        expect(task.tags).toHaveLength(distinct(tags).length);
      }),
      { numRuns: 20 },
    );
  });

  it('writes images in folders of labels', async () => {
    const images = new Map([
      [0, { extension: '.jpg', bytes: Buffer.from('x') }],
      [1, { extension: '.png', bytes: Buffer.from('y') }],
    ]);
    const tag = (label: string, frame = 0) => ({ frame, label, attributes: [], group: 0 });
    const labels = ['car', 'a/b', 'no_label', '..'].map((name) => ({ name }));
    const options = {
      ...scene,
      labels,
      images,
      tags: [tag('car'), tag('a/b'), tag('no_label'), tag('..'), tag('car', 2)],
    };
    const { entries, summary } = await write(exporter, options, true);
    expect([...entries.keys()]).toEqual([
      'train/car/one.jpg',
      'train/no_label/a b/Ünïcode 写.png',
      'train/labels.json',
    ]);
    expect(summary.dropped.map(({ label }) => label)).toEqual(['a/b', 'no_label', '..', 'car']);
    expect(summary.warnings).toEqual([expect.stringContaining('deep/er/3.jpeg')]);
    const listed = await write(exporter, { ...options, tags: [tag('car')] });
    expect(JSON.parse(listed.entries.get('train/labels.json') ?? '')).toEqual({
      one: { labels: ['car'], path: 'car/one.jpg' },
      'a b/Ünïcode 写': { labels: [], path: 'no_label/a b/Ünïcode 写.png' },
      'deep/er/3': { labels: [], path: 'no_label/deep/er/3.jpeg' },
      '000004': { labels: [], path: 'no_label/000004.jpg' },
    });
  });

  const layouts: Record<string, Files> = {
    folders: { 'train/car/one.jpg': '', 'val/tall tree/000004.jpg': '', 'train/no_label/3.jpeg': '' },
    'an extra folder': { 'pets/train/car/one.jpg': '', 'pets/val/tall tree/000004.jpg': '' },
    'lists of labels': {
      'train/labels.json':
        '{"one": {"labels": ["car"], "path": "car/one.jpg"}, "000004": ["tall tree"], "deep/er/3": {"labels": []}}',
    },
  };
  it.each(Object.entries(layouts))('reads %s', async (_name, files) => {
    for (const path of [folderOf(files), await zipOf(files)]) {
      const { task, summary } = await read(importer, path);
      expect(summary.invalidCount).toBe(0);
      expect(distinct(task.tags)).toEqual(['0 car', '3 tall tree']);
    }
  });

  it('reports images and entries that it cannot use', async () => {
    const { task, summary } = await read(
      importer,
      folderOf({
        'train/labels.json':
          '{"one": {"labels": ["plane", 5]}, "x": {"labels": ["car"]}, "y": 5, "z": {"labels": "car"}, "000004": {"labels": ["car"]}}',
      }),
    );
    expect(distinct(task.tags)).toEqual(['3 car']);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['"one"', '"x"', '"y"', '"z"']);
    await expect(read(importer, folderOf({ 'train/labels.json': '{"a": [' }))).rejects.toMatchObject({
      code: 'invalid',
    });
  });
});
