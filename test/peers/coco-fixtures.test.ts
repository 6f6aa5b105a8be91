import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { coco } from '../../main/formats/coco/index.ts';
import { cocoKeypoints } from '../../main/formats/coco/keypoints/index.ts';
import { cocoPanoptic } from '../../main/formats/coco/panoptic/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { maskToBitmap } from '../../preload/geometry/mask-runs.ts';
import { cocoText, exportToCoco, image, triangle } from '../formats/support/coco-files.ts';
import { fileOf, runImport } from '../formats/support/format-fixtures.ts';
import { attributeOf, pointOf } from '../formats/support/scenes.ts';
import { sharedFixtures } from './shared-fixtures.ts';

const folder = join(sharedFixtures, 'coco', 'cvat-datumaro');
const frames = [
  { name: 'a.jpg', width: 10, height: 5, subset: 'train' },
  { name: 'b.jpg', width: 5, height: 10, subset: 'val' },
];
const task: InMemoryTaskDataOptions = {
  frames,
  labels: ['a', 'b', 'c'].map((name) => ({ name, attributes: [attributeOf('x'), attributeOf('y')] })),
};

/** The fixtures have a crowd of label b. A label without the attribute drops it, and the report says so. */
const droppedCrowd = { type: 'attribute', label: 'b', rule: 'The label has no attribute "is_crowd".', count: 1 };

describe('files of other tools', () => {
  const instances = [
    { type: 'rectangle', frame: 0, label: 'b', points: [2, 2, 5, 3], area: 3 },
    {
      type: 'polygon',
      frame: 1,
      label: 'a',
      points: [0, 0, 1, 0, 1, 2, 0, 2],
      area: 2,
      attributes: [
        { name: 'x', value: '1' },
        { name: 'y', value: 'hello' },
      ],
    },
    { type: 'mask', frame: 1, label: 'b', points: [0, 20, 0, 0, 1, 9], area: 20 },
  ];

  it.each(['coco_instances', 'coco'])('%s: ids with gaps, boxes, polygons, a crowd', async (name) => {
    const { task: data, summary } = await runImport(coco.importer, join(folder, name), task);
    expect(summary).toMatchObject({ invalidCount: 0, dropped: [droppedCrowd] });
    expect(data.shapes).toMatchObject(instances);
  });

  it('come back with the same annotations', async () => {
    const crowdable: InMemoryTaskDataOptions = {
      ...task,
      labels: task.labels.map(({ attributes = [], ...label }) => ({
        ...label,
        attributes: [...attributes, attributeOf('is_crowd', 'checkbox')],
      })),
    };
    const { task: data, summary } = await runImport(coco.importer, join(folder, 'coco_instances'), crowdable);
    expect(summary.dropped).toEqual([]);
    const { file } = await exportToCoco({ ...crowdable, shapes: data.shapes });
    const original = ['train', 'val'].flatMap((subset) => {
      const path = join(folder, 'coco_instances', 'annotations', `instances_${subset}.json`);
      return (JSON.parse(readFileSync(path, 'utf8')) as ReturnType<typeof file>).annotations;
    });
    const written = [...file('train').annotations, ...file('val').annotations];
    const essence = (list: typeof written) =>
      list.map(({ segmentation, area, iscrowd }) => ({ segmentation, area, iscrowd }));
    expect(essence(written)).toEqual(essence(original));
    expect(written.slice(0, 2).map(({ bbox }) => bbox)).toEqual(original.slice(0, 2).map(({ bbox }) => bbox));
  });

  it('coco_stuff: imports masks of background as masks', async () => {
    const { task: data, summary } = await runImport(coco.importer, join(folder, 'coco_stuff'), task);
    expect(summary.invalidCount).toBe(0);
    expect(data.shapes.map(({ type, label, area }) => `${type} ${label} ${area}`)).toEqual(['mask a 20', 'mask b 20']);
  });

  it('coco_person_keypoints: imports boxes and segments, and reports keypoints', async () => {
    const { task: data, summary } = await runImport(coco.importer, join(folder, 'coco_person_keypoints'), task);
    expect(data.shapes.length).toBeGreaterThan(0);
    expect(summary.dropped.some(({ type }) => type === 'skeleton')).toBe(true);
  });

  it('coco_captions: has nothing for this format, and says so', async () => {
    await expect(runImport(coco.importer, join(folder, 'coco_captions'), task)).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('the reference masks are read from plain and from compressed run lengths', async () => {
    const oracle = JSON.parse(
      readFileSync(join(sharedFixtures, 'coco/generated_rle_oracle/rle_vectors.json'), 'utf8'),
    ) as {
      masks: {
        name: string;
        size_hw: [number, number];
        rows: string[];
        coco_counts_uncompressed: number[];
        coco_counts_compressed: string;
        area: number;
      }[];
    };
    for (const {
      name,
      size_hw: size,
      rows,
      coco_counts_uncompressed: plain,
      coco_counts_compressed: packed,
      area,
    } of oracle.masks) {
      const [height, width] = size;
      const images = [{ ...image, width, height }];
      const annotations = [plain, packed].map((counts) => ({
        ...triangle,
        segmentation: { counts, size },
        area: undefined,
      }));
      const categories = [{ id: 1, name: 'a' }];
      const { task: data, summary } = await runImport(
        coco.importer,
        fileOf('x.json', cocoText(annotations, { images, categories })),
        {
          ...task,
          frames: [{ name: 'a.jpg', width, height }],
        },
      );
      if (area === 0) {
        expect(summary.invalidCount, name).toBe(2);
        continue;
      }
      for (const { points } of data.shapes) {
        const { left, top, width: boxWidth, height: boxHeight, bitmap } = maskToBitmap(points);
        const seen = rows.map((row, y) =>
          Array.from(row, (_, x) => {
            const isInside = x >= left && x < left + boxWidth && y >= top && y < top + boxHeight;
            return isInside ? bitmap[(y - top) * boxWidth + x - left] : 0;
          }).join(''),
        );
        expect(seen, name).toEqual(rows);
      }
      expect(data.shapes, name).toHaveLength(2);
      const { file } = await exportToCoco(data);
      expect(
        file().annotations.map(({ segmentation }) => segmentation),
        name,
      ).toEqual([plain, plain].map((counts) => ({ counts, size })));
      expect(
        file().annotations.map((one) => one.area),
        name,
      ).toEqual([area, area]);
    }
  });
});

it('COCO Panoptic of other tools is imported as masks', async () => {
  const { task, summary } = await runImport(cocoPanoptic.importer, join(folder, 'coco_panoptic'), {
    frames,
    labels: [{ name: 'a' }, { name: 'b' }],
  });
  expect(task.shapes).toMatchObject([
    { type: 'mask', frame: 0, label: 'a', points: [0, 25, 0, 0, 4, 4] },
    { type: 'mask', frame: 1, label: 'a', points: [0, 20, 0, 0, 1, 9] },
    { type: 'mask', frame: 1, label: 'b', points: [0, 20, 2, 0, 3, 9] },
  ]);
  expect(summary.dropped).toEqual([droppedCrowd]);
  expect(summary.warnings).toEqual([expect.stringContaining('a.png has 5 × 5 pixels for 10 × 5')]);
});

it('COCO Keypoints are read with the points of the file or, if it names none, of the task', async () => {
  const sublabels = (name: string) => [1, 2, 3].map((number) => pointOf(`${name}_${number}`));
  const labels = ['a', 'b'].map((name) => ({ name, type: 'skeleton', sublabels: sublabels(name) }));
  const { task: data, summary } = await runImport(cocoKeypoints.importer, join(folder, 'coco_person_keypoints'), {
    frames,
    labels,
  });
  const seen = data.shapes.map(({ frame, label, elements = [] }) => [
    frame,
    label,
    elements.map((one) => [one.label, ...one.points, one.outside ? 0 : one.occluded ? 1 : 2].join(' ')),
  ]);
  expect(seen).toEqual([
    [0, 'b', ['b_1 0 0 0', 'b_2 0 2 1', 'b_3 4 1 2']],
    [1, 'a', ['a_1 1 2 2', 'a_2 3 4 2', 'a_3 2 3 2']],
    [1, 'b', ['b_1 2 4 2', 'b_2 4 4 2', 'b_3 4 2 2']],
  ]);
  expect(summary.invalidCount).toBe(0);
  expect(summary.dropped.map(({ type, count }) => [type, count])).toEqual([
    ['outline', 1],
    ['attribute', 1],
    ['attribute', 1],
    ['outline', 1],
    ['attribute', 1],
  ]);
  expect(summary.dropped.at(-1)).toEqual(droppedCrowd);
});
