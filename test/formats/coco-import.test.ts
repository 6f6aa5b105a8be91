import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coco } from '../../main/formats/coco/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { craftZip } from '../support/craft-zip.ts';
import { category, cocoText, image, triangle } from './support/coco-files.ts';
import { fileOf, folderOf, type ImportResult, runImport, zipOf } from './support/format-fixtures.ts';
import { attributeOf } from './support/scenes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const task: InMemoryTaskDataOptions = {
  frames: [
    { name: 'a.jpg', width: 100, height: 80 },
    { name: 'b.jpg', width: 100, height: 80 },
    { name: 'c.jpg' },
    { name: 'd.jpg' },
  ],
  labels: [
    {
      name: 'car',
      attributes: [attributeOf('color'), attributeOf('parked', 'checkbox', [], false)],
    },
    { name: 'crowd', attributes: [attributeOf('is_crowd', 'checkbox')] },
  ],
};

const importText = (text: string): Promise<ImportResult> =>
  runImport(coco.importer, fileOf('instances_default.json', text), task);
const importAnnotations = (...annotations: unknown[]): Promise<ImportResult> => importText(cocoText(annotations));
const badPlaces = ({ summary }: ImportResult): string[] => summary.invalid.map(({ at }) => at);

describe('the import of a segmentation', () => {
  it('reads a polygon with its stated area', async () => {
    const { task: data, summary } = await importAnnotations(triangle);
    expect(data.shapes).toEqual([
      {
        type: 'polygon',
        frame: 0,
        label: 'car',
        points: [10, 10, 30, 10, 20, 30],
        occluded: false,
        attributes: [],
        group: 0,
        z_order: 0,
        area: 200,
      },
    ]);
    expect(summary.included).toMatchObject([{ type: 'polygon', label: 'car', count: 1 }]);
    expect(summary).toMatchObject({ dropped: [], invalidCount: 0 });
  });

  it('reads several polygons as one group, whose areas add up to the stated one', async () => {
    const parts = [
      [0, 0, 10, 0, 10, 10],
      [20, 20, 50, 20, 50, 50, 20, 50],
      [60, 60, 61, 60, 61, 61],
    ];
    const { task: data } = await importAnnotations(
      { ...triangle, segmentation: parts, area: 702.1057499999998 },
      { ...triangle, segmentation: parts },
    );
    expect(data.shapes.map(({ points }) => points)).toEqual([...parts, ...parts]);
    const groups = data.shapes.map(({ group }) => group);
    expect(new Set(groups.slice(0, 3)).size).toBe(1);
    expect(groups[0]).toBeGreaterThan(0);
    expect(groups[3]).not.toBe(groups[0]);
    const areas = data.shapes.slice(0, 3).map(({ area }) => area ?? NaN);
    expect(areas.reduce((sum, area) => sum + area, 0)).toBe(702.1057499999998);
    expect(areas[1]).toBeGreaterThan(areas[0] ?? NaN);
  });

  it('reads a polygon without the list around it', async () => {
    const { task: data } = await importAnnotations({ ...triangle, segmentation: triangle.segmentation[0] });
    expect(data.shapes).toMatchObject([{ type: 'polygon', points: triangle.segmentation[0], group: 0 }]);
  });

  it('reads a mask from plain and from compressed run lengths', async () => {
    // Columns 2 and 3, rows 1 to 3 of an image of 80 rows.
    const counts = [161, 3, 77, 3, 7756];
    const rows = { counts, size: [80, 100] };
    const results = await importAnnotations(
      { ...triangle, segmentation: rows, iscrowd: 1, area: 6 },
      { ...triangle, segmentation: { counts: 'Q53]20o_7', size: [80, 100] }, iscrowd: 0 },
    );
    expect(badPlaces(results)).toEqual([]);
    const mask = [0, 6, 2, 1, 3, 3];
    expect(results.task.shapes).toMatchObject([
      { type: 'mask', points: mask, area: 6 },
      { type: 'mask', points: mask },
    ]);
  });

  it('reads a box if there is none, without the noise of binary fractions', async () => {
    const box = (bbox: number[], segmentation?: unknown) => ({ ...triangle, bbox, segmentation });
    const { task: data } = await importAnnotations(
      box([10.1, 20.2, 20.2, 0.1], []),
      box([0.5, 0, 99.5, 80]),
      box([1, 2, 0, 0], null),
    );
    expect(data.shapes).toMatchObject([
      { type: 'rectangle', points: [10.1, 20.2, 30.3, 20.3] },
      { type: 'rectangle', points: [0.5, 0, 100, 80] },
      { type: 'rectangle', points: [1, 2, 1, 2] },
    ]);
  });
});

describe('the fields of an annotation', () => {
  it('are read from its attributes, in any spelling', async () => {
    const attributes = {
      occluded: 'yes',
      rotation: '30.5',
      z_order: 3,
      source: 'auto',
      color: 'red',
      parked: true,
      extra: 1,
    };
    const { task: data, summary } = await importAnnotations({ ...triangle, segmentation: [], score: 0.25, attributes });
    expect(data.shapes).toMatchObject([
      {
        type: 'rectangle',
        occluded: true,
        rotation: 30.5,
        z_order: 3,
        source: 'auto',
        score: 0.25,
        attributes: [
          { name: 'color', value: 'red' },
          { name: 'parked', value: 'true' },
        ],
      },
    ]);
    expect(summary.dropped).toMatchObject([{ type: 'attribute', label: 'car', count: 1 }]);
  });

  it('import iscrowd as the attribute is_crowd', async () => {
    const crowd = { ...triangle, category_id: 7, iscrowd: 1 };
    const categories = [category, { id: 7, name: 'crowd' }];
    const { task: data, summary } = await importText(cocoText([crowd, { ...crowd, iscrowd: 0 }], { categories }));
    expect(data.shapes.map(({ attributes }) => attributes)).toEqual([[{ name: 'is_crowd', value: 'true' }], []]);
    expect(summary.dropped).toEqual([]);
  });

  it('report an iscrowd without an attribute in the label, or with a value other than 0 and 1', async () => {
    const { task: data, summary } = await importAnnotations(
      { ...triangle, iscrowd: 1 },
      { ...triangle, id: 2, iscrowd: 'maybe' },
    );
    expect(data.shapes.map(({ attributes }) => attributes)).toEqual([[], []]);
    expect(summary.dropped).toEqual([
      { type: 'attribute', label: 'car', rule: 'The label has no attribute "is_crowd".', count: 1 },
      { type: 'attribute', label: 'car', rule: '"iscrowd" must be 0 or 1, but is "maybe".', count: 1 },
    ]);
  });

  it('report lists and objects as values as dropped', async () => {
    const { task: data, summary } = await importAnnotations({
      ...triangle,
      attributes: { color: ['red'], parked: null },
    });
    expect(data.shapes).toHaveLength(1);
    expect(summary.dropped).toMatchObject([{ type: 'attribute', rule: expect.stringContaining('color') }]);
  });

  it('report keypoints as dropped', async () => {
    const { summary } = await importAnnotations(
      { ...triangle, keypoints: [1, 2, 2] },
      { ...triangle, keypoints: [0, 0, 0] },
    );
    expect(summary.dropped).toMatchObject([{ type: 'skeleton', label: 'car', count: 1 }]);
  });
});

it('accept ids of categories and images that start at 0, have gaps or are texts', async () => {
  const categories = [
    { id: 0, name: 'car' },
    { id: 900_000_000, name: 'crowd' },
  ];
  const images = [
    { ...image, id: 0 },
    { ...image, id: '17', file_name: 'b.jpg' },
    { ...image, id: 5e9, file_name: 'c.jpg' },
  ];
  const at = (image_id: unknown, category_id: unknown) => ({ ...triangle, image_id, category_id });
  const result = await importText(
    cocoText([at(0, 0), at(17, 900_000_000), at('17', '0'), at(5e9, 0)], { categories, images }),
  );
  expect(badPlaces(result)).toEqual([]);
  expect(result.task.shapes.map(({ frame, label }) => `${frame} ${label}`)).toEqual([
    '0 car',
    '1 crowd',
    '1 car',
    '2 car',
  ]);
});

describe('one invalid annotation', () => {
  const unusable: readonly (readonly [at: string, segmentation: unknown])[] = [
    ['.segmentation', 'polygon'],
    ['.segmentation[0]', [[1, 2, 3, 4]]],
    ['.segmentation[0]', [[1, 2, 3, 4, 5, 6, 7]]],
    ['.segmentation[0]', [[1, 2, 3, 4, 5, '6']]],
    ['.segmentation[0]', [[1, 2, 3, 4, 5, null]]],
    ['.segmentation[0]', [7]],
    ['.segmentation.size', [{}]],
    ['.segmentation.size', { counts: [8000], size: [100, 80] }],
    ['.segmentation.size', { counts: [8000] }],
    ['.segmentation.size', { counts: [1], size: [-1, 1e99] }],
    ['.segmentation.counts', { counts: [1, 2], size: [80, 100] }],
    ['.segmentation.counts', { counts: [-1, 8001], size: [80, 100] }],
    ['.segmentation.counts', { counts: ['8000'], size: [80, 100] }],
    ['.segmentation.counts', { counts: '\u0000', size: [80, 100] }],
    ['.segmentation.counts', { size: [80, 100] }],
    ['.segmentation', { counts: [8000], size: [80, 100] }],
    ['.segmentation[0]', [[10, 10], [30, 10], [20, 30]]], // prettier-ignore
    ['.segmentation', [{ counts: [8000], size: [80, 100] }]],
    [
      '.segmentation.size',
      [
        { counts: [8000], size: [80, 100] },
        { counts: [7], size: [7, 1] },
      ],
    ],
  ];
  const bad: readonly (readonly [at: string, annotation: unknown])[] = [
    ['', 7],
    ['', null],
    ['', []],
    ['.image_id', { ...triangle, image_id: 99 }],
    ['.image_id', { ...triangle, image_id: undefined }],
    ['.category_id', { ...triangle, category_id: 2 }],
    ['.bbox', { ...triangle, segmentation: [], bbox: undefined }],
    ['.bbox', { ...triangle, segmentation: [], bbox: [1, 2, 3] }],
    ['.bbox', { ...triangle, segmentation: [], bbox: [1, 2, -3, 4] }],
    ['.bbox', { ...triangle, segmentation: [], bbox: [1, 2, '3', 4] }],
    ...unusable.map(([at, segmentation]): [string, unknown] => [at, { ...triangle, segmentation, bbox: undefined }]),
  ];

  it.each(bad)('is reported at annotations[1]%s, and the others are imported', async (at, annotation) => {
    const result = await importAnnotations(triangle, annotation, { ...triangle, bbox: 'not needed' });
    expect(badPlaces(result)).toEqual([`annotations[1]${at}`]);
    expect(result.summary.invalid[0]?.reason).toMatch(/\w/);
    expect(result.task.shapes).toHaveLength(2);
  });

  it.each(unusable)(
    'with a valid box and an unusable segmentation keeps the box and is reported at %s',
    async (at, segmentation) => {
      const result = await importAnnotations({ ...triangle, segmentation });
      expect(result.task.shapes).toMatchObject([{ type: 'rectangle', points: [10, 10, 30, 30] }]);
      expect(result.summary.invalid.at(-1)?.reason).toMatch(/: the box was read instead$/);
      expect(badPlaces(result)).toContain(`annotations[0]${at}`);
    },
  );

  it.each([
    ['"attributes" that are no object', 'red'],
    ['a truth value', { occluded: 'perhaps' }],
    ['a number', { rotation: 'north' }],
    ['a whole number', { track_id: 1.5 }],
    ['a checkbox', { parked: 'perhaps' }],
  ])('with an invalid attribute value loses the value, not the object: %s', async (_, attributes) => {
    const { task: data, summary } = await importAnnotations({ ...triangle, attributes });
    expect(data.shapes).toMatchObject([{ type: 'polygon', attributes: [] }]);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [{ type: 'attribute', label: 'car', count: 1 }] });
  });

  it('with one valid part keeps that part', async () => {
    const result = await importAnnotations({ ...triangle, segmentation: [[1, 2], [1, 1, 9, 1, 9, 9], [3]] });
    expect(badPlaces(result)).toEqual(['annotations[0].segmentation[0]', 'annotations[0].segmentation[2]']);
    expect(result.task.shapes).toMatchObject([{ points: [1, 1, 9, 1, 9, 9], group: 0 }]);
  });

  it('may be invalid JSON', async () => {
    const text = cocoText([triangle, 'HERE', triangle, 'HERE', triangle]).replaceAll('"HERE"', '{"id":1,,}');
    const result = await importText(text);
    expect(badPlaces(result)).toEqual(['annotations[1]', 'annotations[3]']);
    expect(result.task.shapes).toHaveLength(3);
  });

  it('is reported beside invalid images and categories', async () => {
    const images = [image, { ...image, id: null }, { id: 3 }, 'x'];
    const result = await importText(cocoText([triangle], { images, categories: [category, {}, { id: 2, name: 5 }] }));
    expect(badPlaces(result).toSorted()).toEqual([
      'categories[1].id',
      'categories[2].name',
      'images[1].id',
      'images[2].file_name',
      'images[3].id',
    ]);
    expect(result.task.shapes).toHaveLength(1);
  });

  it.each([{}, { plain_json: true }])('keeps objects without extent and reports them %j', async (options) => {
    const file = fileOf(
      'a.json',
      cocoText([{ ...triangle, segmentation: [[5, 5, 5, 5, 5, 5]] }, { ...triangle, segmentation: [], bbox: [5, 5, 0, 9] }]), // prettier-ignore
    );
    const { task: data, summary } = await runImport(coco.importer, file, task, { options });
    expect(data.shapes).toHaveLength(2);
    expect(summary.dropped).toMatchObject(
      ['polygon', 'rectangle'].map((type) => ({ type, rule: 'It has no extent: it was imported unchanged.' })),
    );
  });

  it('reports a label that cannot exist: its name is empty or too long', async () => {
    const long = 'Plantae Tracheophyta Liliopsida Asparagales Orchidaceae Dactylorhiza maculata';
    const categories = [{ id: 1, name: long }, { id: 2, name: ' ' }]; // prettier-ignore
    const { summary } = await importText(cocoText([triangle, { ...triangle, category_id: 2 }], { categories }));
    expect(summary.dropped.map(({ rule }) => rule)).toEqual([
      `Label "${long.slice(0, 64)}…" has ${long.length} characters, and a label has at most 64. Map it to a shorter name.`,
      'The object has no label: its name is empty.',
    ]);
  });

  it('is counted once for its label if the task does not have it', async () => {
    const categories = [category, { id: 2, name: 'truck' }];
    const truck = { ...triangle, category_id: 2 };
    const { task: data, summary } = await importText(cocoText([truck, triangle, truck, truck], { categories }));
    expect(data.shapes).toHaveLength(1);
    expect(summary.dropped).toMatchObject([
      { label: 'truck', count: 3, rule: 'Label "truck" is not registered for this task.' },
    ]);
  });

  it('is counted for its image if the task does not have it', async () => {
    const images = [image, { ...image, id: 2, file_name: 'unknown.jpg' }, { ...image, id: 3, file_name: 'unused.jpg' }];
    const lost = { ...triangle, image_id: 2 };
    const result = await importText(cocoText([lost, triangle, lost], { images }));
    expect(result.task.shapes).toHaveLength(1);
    expect(badPlaces(result)).toEqual(['images[1]']);
    expect(result.summary.warnings).toEqual(['instances_default.json: 2 of 3 images match no frame of the task.']);
    expect(result.summary.dropped).toMatchObject([{ type: 'annotation', label: 'car', count: 2 }]);
  });

  it('follows a label mapping like any other', async () => {
    const path = fileOf(
      'a.json',
      cocoText([triangle, { ...triangle, category_id: 2 }], { categories: [category, { id: 2, name: 'truck' }] }),
    );
    const mapped = await runImport(coco.importer, path, task, { label_mapping: { truck: 'car', car: null } });
    expect(mapped.task.shapes).toMatchObject([{ label: 'car' }]);
    expect(mapped.summary.dropped).toMatchObject([{ label: 'car', count: 1 }]);
  });
});

describe('the order of the sections', () => {
  const sections: Readonly<Record<string, unknown>> = {
    info: { description: '"categories": [1], "images":', nested: { categories: [{ id: 1, name: 'no' }], images: [] } },
    images: [image, { ...image, id: 2, file_name: 'b.jpg' }],
    // Names inside annotations that equal those of sections.
    annotations: Array.from({ length: 50 }, (_, id) => ({
      ...triangle,
      id,
      image_id: 1 + (id % 2),
      categories: [{ id: 1, name: 'wrong' }],
      note: '"images":[{}],"categories":[{}]}',
      attributes: { color: '\\"images":' },
    })),
    categories: [category],
    extra: [{ images: [1] }, '"categories"'],
  };
  const orders = [
    'info images annotations categories extra',
    'annotations categories images info',
    'categories annotations extra images',
    'extra annotations images info categories',
  ];

  it.each(orders)('does not matter: %s', async (order) => {
    const text = JSON.stringify(
      Object.fromEntries(order.split(' ').map((key) => [key, sections[key]])),
      undefined,
      order.length % 3,
    );
    const zipped = join(temporaryFolder(), 'x.zip');
    const deflated = craftZip({
      entries: [{ name: 'annotations/instances_default.json', content: text, deflate: true }],
    });
    writeFileSync(zipped, deflated);
    for (const path of [fileOf('x.json', text), zipped, await zipOf({ 'annotations/instances_default.json': text })]) {
      const { task: data, summary } = await runImport(coco.importer, path, task);
      expect(summary.invalidCount).toBe(0);
      expect(data.shapes.map(({ frame, label }) => `${frame}${label}`)).toEqual(
        Array.from({ length: 50 }, (_, id) => `${id % 2}car`),
      );
    }
  });

  it('is detected also among many keys that look like sections', async () => {
    const annotations = Array.from({ length: 500 }, () => ({ ...triangle, info: { images: [1], categories: [2] } }));
    const text = JSON.stringify({
      annotations,
      categories: [category],
      images: [image],
      tail: Array.from({ length: 200 }, () => ({ images: [] })),
    });
    expect((await importText(text)).task.shapes).toHaveLength(500);
  });
});

describe('layouts', () => {
  const frames = [
    { name: 'train/a.jpg', subset: 'train' },
    { name: 'val/a.jpg', subset: 'val' },
  ];
  const layout = { ...task, frames: frames.map((frame) => ({ ...frame, width: 100, height: 80 })) };
  const text = cocoText([triangle]);

  it('of CVAT are read: a file for each subset, an extra folder, files of other tasks', async () => {
    const path = await zipOf({
      'set/annotations/instances_train.json': cocoText([triangle], {
        images: [{ ...image, file_name: 'train/a.jpg' }],
      }),
      'set/annotations/instances_val.json': cocoText([triangle], { images: [{ ...image, file_name: 'val/a.jpg' }] }),
      'set/annotations/person_keypoints_val.json': 'no JSON',
      'set/images/train/a.jpg': 'image',
    });
    const { task: data } = await runImport(coco.importer, path, layout);
    expect(data.shapes.map(({ frame }) => frame)).toEqual([0, 1]);
  });

  it('of subsets with the same paths are read', async () => {
    const same = { ...task, frames: frames.map(({ subset }) => ({ name: 'a.jpg', subset, width: 100, height: 80 })) };
    const path = await zipOf({ 'annotations/instances_val.json': text, 'annotations/instances_train.json': text });
    const { task: data } = await runImport(coco.importer, path, same);
    expect(data.shapes.map(({ frame }) => frame)).toEqual([1, 0]);
  });

  it('with the annotations beside the images are read', async () => {
    const path = await zipOf({
      'train/_annotations.coco.json': text,
      'train/a.jpg': 'image',
      'valid/_annotations.coco.json': text,
      'README.dataset.txt': 'text',
    });
    const { task: data } = await runImport(coco.importer, path, {
      ...task,
      frames: [{ name: 'a.jpg', width: 100, height: 80 }],
    });
    expect(data.shapes).toHaveLength(2);
  });

  it('of a folder with other JSON files are read', async () => {
    const path = folderOf({ 'labels.json': text, 'package.json': '{"name":"x"}' });
    const { task: data, summary } = await runImport(coco.importer, path, task);
    expect(data.shapes).toHaveLength(1);
    expect(summary.warnings.join()).toContain('package.json');
  });
});

describe('an invalid COCO file', () => {
  it.each([
    ['a list', '[{"image_id":1}]', 'list'],
    ['another object', '{"version":"1.0"}', '"annotations"'],
    ['no categories', '{"images":[],"annotations":[]}', '"categories" is missing'],
    ['a number', '7', 'missing'],
    ['no JSON', 'hello', 'JSON'],
    ['an empty file', '', 'JSON'],
    ['a file cut off in an annotation', cocoText([triangle, triangle]).slice(0, -30), 'cut off'],
    ['text behind the end', `${cocoText([triangle])}{}`, 'JSON'],
  ])('%s', async (_what, text, word) => {
    await expect(importText(text)).rejects.toMatchObject({ code: 'invalid', message: expect.stringContaining(word) });
  });

  it('refuses an archive without annotations', async () => {
    await expect(runImport(coco.importer, await zipOf({ 'a.jpg': 'x' }), task)).rejects.toThrow(
      /instances_<subset>\.json/,
    );
    await expect(runImport(coco.importer, await zipOf({ 'a.json': '{}', 'b.json': '{}' }), task)).rejects.toThrow(
      /"annotations" is missing/,
    );
  });

  it('refuses an archive with damaged annotations', async () => {
    const content = Buffer.from(cocoText([triangle]));
    for (const deflate of [true, false]) {
      const path = fileOf('x.zip', craftZip({ entries: [{ name: 'instances_a.json', content, deflate, crc: 5 }] }));
      await expect(runImport(coco.importer, path, task)).rejects.toMatchObject({ code: 'invalid' });
    }
  });
});

describe('damaged files', () => {
  /** Objects that throw if code converts them to text or a number. */
  const traps: readonly unknown[] = [
    { toString: '' },
    { valueOf: 1, toString: 2 },
    { toJSON: 1 },
    { length: 6 },
    [{ toString: null }],
  ];
  const values = fc.oneof(
    fc.constantFrom<unknown>(...traps),
    fc.constantFrom<unknown>(null, -1, 0, 1, 1.5, 1e308, -0, '', '1', 'x', [], {}, [[]], [[[]]], true, [1, 2, 3, 4]),
    fc.jsonValue(),
  );
  const fields = [
    'id',
    'image_id',
    'category_id',
    'segmentation',
    'bbox',
    'area',
    'iscrowd',
    'score',
    'attributes',
    'keypoints',
  ];
  const segmentation = fc.oneof(
    values,
    fc.record({
      counts: fc.oneof(values, fc.string(), fc.array(fc.nat(9000))),
      size: fc.oneof(values, fc.constant([80, 100])),
    }),
    fc.array(fc.oneof(values, fc.array(fc.oneof(values, fc.integer())))),
  );
  const annotation = fc
    .tuple(fc.constant(triangle), fc.dictionary(fc.constantFrom(...fields), values), fc.option(segmentation))
    .map(([base, changes, outline]) => ({
      ...base,
      ...changes,
      ...(outline === null ? {} : { segmentation: outline }),
    }));

  it('with random values give valid shapes and reports, never a failure', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(annotation, values)), async (annotations) => {
        const { task: data, summary } = await importAnnotations(...annotations, triangle);
        const counted = summary.included.reduce((sum, { count }) => sum + count, 0);
        expect(counted).toBe(data.shapes.length + data.tracks.length);
        expect(data.shapes.length + data.tracks.length).toBeGreaterThan(0);
      }),
      { numRuns: 300 },
    );
  });

  it('with random changed bytes give a result or a clear error', async () => {
    const whole = Buffer.from(
      cocoText([triangle, { ...triangle, segmentation: { counts: [8000], size: [80, 100] } }, triangle]),
    );
    const edit = fc.tuple(fc.nat(whole.length - 1), fc.nat(255), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of edits) bytes[at] = byte;
        const cut = edits[0]?.[2] ? bytes : bytes.subarray(0, edits[0]?.[0]);
        try {
          await runImport(coco.importer, fileOf('x.json', cut), task);
        } catch (error) {
          expect(error).toMatchObject({ name: 'AppError', code: 'invalid' });
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('tracks', () => {
  const frames = ['a.jpg', 'b.jpg', 'c.jpg', 'd.jpg'];
  const images = frames.map((file_name, index) => ({ ...image, id: index + 1, file_name }));
  const seen = (frame: number, keyframe: boolean, track_id = 5, x = 10) => ({
    ...triangle,
    image_id: frame + 1,
    segmentation: [],
    bbox: [x + frame, 0, 10, 10],
    attributes: { track_id, keyframe, parked: frame === 0, color: `c${frame}` },
  });

  it('are rebuilt from track_id and keyframe', async () => {
    const { task: data, summary } = await importText(
      cocoText([seen(1, false), seen(0, true), seen(2, true), seen(0, true, 6)], { images }),
    );
    expect(data.shapes).toEqual([]);
    expect(data.tracks).toMatchObject([
      {
        label: 'car',
        attributes: [{ name: 'parked', value: 'true' }],
        shapes: [
          { frame: 0, outside: false, points: [10, 0, 20, 10], attributes: [{ name: 'color', value: 'c0' }] },
          { frame: 2, outside: false },
          { frame: 3, outside: true },
        ],
      },
      { shapes: [{ frame: 0 }, { frame: 1, outside: true }] },
    ]);
    expect(summary.included).toEqual([{ type: 'track', label: 'car', count: 2 }]);
  });

  it('with two shapes on one frame become single shapes, and are reported', async () => {
    const result = await importText(cocoText([seen(0, true), seen(0, true, 5, 50), seen(1, true)], { images }));
    expect(result.task.tracks).toEqual([]);
    expect(result.task.shapes).toHaveLength(3);
    const reason = expect.stringContaining('strictly ascending') as string;
    expect(result.summary.invalid).toMatchObject([{ at: 'annotations[0]', reason }]);
  });
});
