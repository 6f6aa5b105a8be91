import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { detectFormat } from '../../main/formats/registry.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { maskArea, maskBox, maskFromBitmap } from '../../preload/geometry/mask-runs.ts';
import {
  fileOf,
  formatFixtures,
  formatOf,
  importerOf,
  runExport,
  runImport,
  shapeOf,
  zipOf,
} from './support/format-fixtures.ts';
import { attributeOf, scene } from './support/scenes.ts';

const read = (name: string, path: string, options = {}) => runImport(importerOf(name), path, scene, { options });
const readJson = (name: string, document: unknown, file = 'one.json', options = {}) =>
  read(name, fileOf(file, JSON.stringify(document)), options);
const square = (x: number, y: number, side: number) => [
  [x, y],
  [x + side, y],
  [x + side, y + side],
  [x, y + side],
];
const asObjects = (pairs: readonly (readonly number[])[]) => pairs.map(([x, y]) => ({ x, y }));
const ring =
  maskFromBitmap(
    Array.from({ length: 100 }, (_, index) => (index % 10 >= 2 && index % 10 < 6 && index >= 20 && index < 60 ? 0 : 1)),
    10,
    10,
    { left: 5, top: 5 },
  ) ?? [];

describe('polygons with holes', () => {
  const holes = [asObjects(square(5, 5, 10)), asObjects(square(7, 7, 4))];
  it.each([
    [
      'V7 Darwin JSON 2.0',
      {
        version: '2.0',
        item: { name: 'one.jpg', slots: [] },
        annotations: [{ name: 'car', polygon: { paths: holes } }],
      },
    ],
    [
      'SuperAnnotate JSON 1.0',
      {
        metadata: { name: 'one.jpg' },
        instances: [
          { type: 'polygon', className: 'car', points: square(5, 5, 10).flat(), exclude: [square(7, 7, 4).flat()] },
        ],
      },
    ],
    [
      'Supervisely 1.0',
      {
        size: { width: 64, height: 48 },
        tags: [],
        objects: [
          {
            classTitle: 'car',
            geometryType: 'polygon',
            points: { exterior: square(5, 5, 10), interior: [square(7, 7, 4)] },
          },
        ],
      },
    ],
  ])('%s: become masks', async (name, document) => {
    const { task, summary } = await readJson(name, document, 'one.jpg.json', { conv_mask_to_poly: false });
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(task.shapes).toMatchObject([{ type: 'mask', label: 'car', points: ring }]);
  });
});

describe('V7 Darwin: rings do not state which of them are holes', () => {
  const readRings = (polygon: unknown) =>
    readJson(
      'V7 Darwin JSON 2.0',
      { version: '2.0', item: { name: 'one.jpg', slots: [] }, annotations: [{ name: 'car', polygon }] },
      'one.jpg.json',
      { conv_mask_to_poly: false },
    );
  const [left, right, inner] = [square(5, 5, 10), square(30, 5, 10), square(7, 7, 4)];
  const [outer, apart, hole] = [left, right, inner].map(asObjects);

  it.each([
    ['paths of version 2', { paths: [outer, apart] }],
    ['additional paths of version 1', { path: outer, additional_paths: [apart] }],
  ])('reads separate rings as polygons of one group: %s', async (_, polygon) => {
    const { task, summary } = await readRings(polygon);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
    expect(task.shapes).toMatchObject([
      { type: 'polygon', points: left.flat(), group: 1 },
      { type: 'polygon', points: right.flat(), group: 1 },
    ]);
  });

  it.each([
    ['all outer rings first, then the holes, as V7 writes them', [outer, apart, hole]],
    ['in another order', [hole, outer, apart]],
  ])('reads two parts, one with a hole, as one mask: %s', async (_, paths) => {
    const { task } = await readRings({ paths });
    expect(task.shapes).toHaveLength(1);
    const [{ type, points } = { type: '', points: [] }] = task.shapes;
    expect([type, maskArea(points)]).toEqual(['mask', 100 - 16 + 100]);
    expect(maskBox(points)).toMatchObject({ left: 5, top: 5, width: 35, height: 10 });
  });

  it('reads an island in a hole as a part of the object', async () => {
    const { task } = await readRings({ paths: [square(0, 0, 20), square(4, 4, 12), square(8, 8, 4)].map(asObjects) });
    expect(maskArea(task.shapes[0]?.points ?? [])).toBe(400 - 144 + 16);
  });
});

describe('features of single programs', () => {
  it('BDD100K: reads a file for each image, with its objects in a frame', async () => {
    const objects = [
      { category: 'car', id: 1, box2d: { x1: 30, y1: 25, x2: 10, y2: 10 } },
      { category: 'tall tree', id: 2, poly2d: [[1, 2, 'L'], [9, 2, 'L'], [9, 8, 'C']] }, // prettier-ignore
    ];
    const path = fileOf('one.json', JSON.stringify({ name: 'one', frames: [{ timestamp: 10_000, objects }] }));
    expect((await detectFormat({ path, name: 'one.json' }))[0]?.name).toBe('BDD100K 1.0');
    const { task, summary } = await read('BDD100K 1.0', path);
    expect(task.shapes).toMatchObject([
      // Corners in a different order describe the same box.
      { type: 'rectangle', label: 'car', points: [10, 10, 30, 25] },
      { type: 'polygon', label: 'tall tree', points: [1, 2, 9, 2, 9, 8] },
    ]);
    expect(summary.dropped.map(({ rule }) => rule)).toEqual([expect.stringContaining('no curves')]);
  });

  it('FiftyOne: reads boxes, class numbers and image labels, and reports unusable data', async () => {
    const boxes = [
      { label: 1, bounding_box: [0.25, 0.5, 0.5, 0.25], confidence: 0.5, attributes: { text: 'blue' }, mask: null },
      { label: 7, bounding_box: [0, 0, 1, 1] },
      { label: 'car', bounding_box: [0, 0, 1] },
    ];
    const labels = {
      one: boxes,
      '000004': 'tall tree',
      'deep/er/3': [{ label: 'car' }],
      gone: null,
      none: [{ label: 'car' }],
    };
    const { task, summary } = await readJson('FiftyOne 1.0', { classes: ['tall tree', 'car'], labels });
    expect(task.shapes).toMatchObject([{ label: 'car', points: [16, 24, 48, 36], score: 0.5 }]);
    expect(task.tags).toMatchObject([
      { frame: 3, label: 'tall tree' },
      { frame: 2, label: 'car' },
    ]);
    expect(summary.invalid.map(({ at }) => at)).toEqual([
      'labels.one.[1].label',
      'labels.one.[2].bounding_box',
      'labels.none',
    ]);
  });

  it('Supervisely: reads bitmaps with offsets, tags with values, tags of the image', async () => {
    const png = encodePng({ kind: 'bits', width: 2, height: 2, pixels: Uint8Array.of(1, 0, 1, 1) });
    const bitmap = { data: deflateSync(png).toString('base64'), origin: [3, 4] };
    const objects = [
      { classTitle: 'car', geometryType: 'bitmap', bitmap, tags: [{ name: 'text', value: 'blue' }] },
      { classTitle: 'car', geometryType: 'bitmap', bitmap: { ...bitmap, data: 'no picture' } },
      { classTitle: 'car', geometryType: 'cuboid_3d', points: { exterior: [] } },
    ];
    const document = { size: { width: 64, height: 48 }, tags: [{ name: 'tall tree' }], objects };
    const { task, summary } = await readJson('Supervisely 1.0', document, 'one.jpg.json', { conv_mask_to_poly: false });
    const expected = maskFromBitmap([1, 0, 1, 1], 2, 2, { left: 3, top: 4 });
    expect(task.shapes).toMatchObject([{ points: expected, attributes: [{ name: 'text', value: 'blue' }] }]);
    expect(task.tags).toMatchObject([{ label: 'tall tree' }]);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['objects[1].bitmap.data', 'objects[2].geometryType']);
  });

  it('ISAT: reads layers and groups of objects', async () => {
    const object = (group: number, layer: number) => ({ category: 'car', group, layer, segmentation: square(1, 1, 5) });
    const document = { info: { name: 'one.jpg' }, objects: [object(4, 1), object(4, 2), object(5, 3)] };
    const { task } = await readJson('ISAT JSON 1.0', document);
    expect(task.shapes.map(({ group, z_order }) => [group, z_order])).toEqual([
      [1, 1],
      [1, 2],
      [0, 3],
    ]);
  });

  it('BDD100K: reports curves, parts of one object and attributes of an image', async () => {
    const part = (types: string) => ({ vertices: square(1, 1, 5), types, closed: true });
    const labels = [
      { category: 'car', poly2d: [part('LLLL'), part('LCCL')], attributes: { occluded: true, text: 'x' } },
      { category: 'car', box3d: {} },
    ];
    const { task, summary } = await readJson('BDD100K 1.0', [
      { name: 'one.jpg', attributes: { weather: 'rain' }, labels },
    ]);
    expect(task.shapes).toMatchObject([
      { group: 1, occluded: true },
      { group: 1, attributes: [{ name: 'text', value: 'x' }] },
    ]);
    expect(summary.dropped).toMatchObject([{ rule: expect.stringContaining('no curves') }]);
    expect(summary.invalid.map(({ at, reason }) => [at, reason])).toEqual([
      ['[0].labels[1]', expect.stringContaining('neither a box')],
      ['[0].attributes', expect.stringContaining('weather')],
    ]);
  });

  it('Labelbox: reads answers, and reports images that are not downloaded and a broken line', async () => {
    const objects = [
      { name: 'car', point: { x: 3, y: 4 }, classifications: [{ name: 'text', radio_answer: { name: 'blue' } }] },
      { name: 'car', mask: { url: 'https://example.org/mask.png' } },
    ];
    const classifications = [{ name: 'scene', checklist_answers: [{ name: 'tall tree' }] }];
    const row = {
      data_row: { id: 'a', external_id: 'one.jpg' },
      projects: { p: { labels: [{ annotations: { objects, classifications } }] } },
    };
    const path = fileOf('export.ndjson', `${JSON.stringify(row)}\n\n{"data_row":\n`);
    const { task, summary } = await read('Labelbox NDJSON 1.0', path);
    expect(task.shapes).toMatchObject([{ points: [3, 4], attributes: [{ name: 'text', value: 'blue' }] }]);
    expect(task.tags).toMatchObject([{ label: 'tall tree' }]);
    expect(summary.invalid.map(({ at }) => at.replace(/.*\./, '')).toSorted()).toEqual(['line 3', 'mask']);
  });

  it('VIA: reads circles, rotated ellipses, checkboxes, projects and tables', async () => {
    const regions = [
      {
        shape_attributes: { name: 'circle', cx: 9, cy: 8, r: 3 },
        region_attributes: { class: 'car', text: { a: true, b: false } },
      },
      {
        shape_attributes: { name: 'ellipse', cx: 9, cy: 8, rx: 3, ry: 2, theta: Math.PI / 2 },
        region_attributes: { class: 'car' },
      },
      { shape_attributes: { name: 'rect', x: 1, y: 2 }, region_attributes: { class: 'car' } },
    ];
    const images = { 'one.jpg12': { filename: 'one.jpg', size: 12, regions, file_attributes: { credit: 'a person' } } };
    const { task, summary } = await readJson('VIA JSON 2.0', { _via_settings: {}, _via_img_metadata: images });
    expect(task.shapes).toMatchObject([
      { type: 'ellipse', points: [9, 8, 12, 5], attributes: [{ name: 'text', value: 'a' }] },
      { type: 'ellipse', points: [9, 8, 12, 6], rotation: 90 },
    ]);
    expect(summary.invalid.map(({ at }) => at)).toEqual([
      'one.jpg12.regions[2].shape_attributes.width',
      'one.jpg12.file_attributes.credit',
    ]);
    const table =
      'filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes\n' +
      'one.jpg,12,"{}",2,0,"{""name"":""rect"",""x"":1,""y"":2,""width"":3,""height"":4}","{""label"":""car""}"\n' +
      'one.jpg,12,"{}",2,1,"{","{}"\n';
    const second = await read('VIA JSON 2.0', fileOf('via.csv', table));
    expect(second.task.shapes).toMatchObject([{ type: 'rectangle', points: [1, 2, 4, 6] }]);
    expect(second.summary.invalid).toMatchObject([{ at: 'line 3.region_shape_attributes' }]);
  });

  it('SuperAnnotate: reads names of older exports, probabilities and labels of an image', async () => {
    const document = {
      metadata: { width: 64, height: 48 },
      instances: [{ type: 'bbox', className: 'car', probability: 40, points: { x1: 1, y1: 2, x2: 3, y2: 4 } }],
      tags: ['tall tree'],
    };
    const { task, summary } = await readJson('SuperAnnotate JSON 1.0', document, 'one.jpg___objects.json');
    expect(summary.invalidCount).toBe(0);
    expect(task.shapes).toMatchObject([{ score: 0.4 }]);
    expect(task.tags).toMatchObject([{ label: 'tall tree' }]);
  });

  it('TFRecord: reports where a damaged file ends, and keeps the records before', async () => {
    const whole = readFileSync(`${formatFixtures}/tfrecord/train.tfrecord`);
    const frames = ['photo_1.png', 'photo_2.png'].map((name) => ({ name, width: 12, height: 8 }));
    const labels = ['car', 'person'].map((name) => ({ name }));
    const places = async (bytes: Buffer) => {
      const { task, summary } = await runImport(importerOf('TFRecord 1.0'), fileOf('a.tfrecord', bytes), {
        frames,
        labels,
      });
      return {
        boxes: task.shapes.map(({ points }) => points),
        bad: summary.invalid.map(({ at, reason }) => `${at}: ${reason}`),
      };
    };
    expect(await places(whole)).toEqual({
      boxes: [
        [1, 1, 5, 4],
        [6, 2, 11, 6],
        [2, 3, 8, 5],
      ],
      bad: [],
    });
    const cut = await places(whole.subarray(0, whole.length - 9));
    expect(cut.boxes).toHaveLength(2);
    expect(cut.bad).toEqual(['behind record 1: the file ends within a record: the rest of the file was left out']);
    const wrong = Buffer.from(whole);
    wrong[whole.length - 30] = (wrong[whole.length - 30] ?? 0) ^ 1;
    expect((await places(wrong)).bad).toEqual([
      'behind record 1: a record is damaged: the rest of the file was left out',
    ]);
  });

  it('Multiclass CSV: reports invalid rows', async () => {
    const table = 'filename, car, tall tree\none.jpg, 1, 1\none.jpg, 2, 0\none.jpg, 1\nnone.jpg, 1, 0\n';
    const { task, summary } = await read('Multiclass CSV 1.0', await zipOf({ 'train/_classes.csv': table }));
    expect(task.tags.map(({ label }) => label)).toEqual(['car', 'tall tree']);
    expect(summary.invalid.map(({ at }) => at)).toEqual(['line 3', 'line 4', 'line 5']);
  });

  it('PaddleOCR: reads keys as labels, texts and difficulty attributes', async () => {
    const own = [attributeOf('transcription'), attributeOf('difficult', 'checkbox')];
    const labels = [...scene.labels, { name: 'sign', attributes: own }];
    const attributes = [
      { name: 'transcription', value: 'Straße "7"' },
      { name: 'difficult', value: 'true' },
    ];
    const shapes = [shapeOf({ type: 'rectangle', label: 'sign', points: [1, 2, 9, 5], attributes })];
    const { exporter, importer } = formatOf('PaddleOCR 1.0');
    const { path, entries } = await runExport(exporter, { ...scene, labels, shapes });
    expect(entries.get('default/Label.txt')?.split('\n')[0]).toBe(
      `images/one.jpg\t${JSON.stringify([
        {
          transcription: 'Straße "7"',
          points: [
            [1, 2],
            [9, 2],
            [9, 5],
            [1, 5],
          ],
          difficult: true,
          key_cls: 'sign',
        },
      ])}`,
    );
    const { task } = await runImport(importer, path, { ...scene, labels });
    expect(task.shapes).toMatchObject([{ type: 'rectangle', points: [1, 2, 9, 5], label: 'sign', attributes }]);
  });
});
