import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cocoPanoptic } from '../../main/formats/coco/panoptic/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { type Files, folderOf, runExport, runImport, shapeOf, zipOf } from './support/format-fixtures.ts';
import { outlines, scene } from './support/scenes.ts';

interface PanopticFile {
  readonly categories: readonly object[];
  readonly annotations: readonly {
    readonly image_id: number;
    readonly file_name: string;
    readonly segments_info: readonly Record<string, unknown>[];
  }[];
}

async function write(options: InMemoryTaskDataOptions) {
  const result = await runExport(cocoPanoptic.exporter, options);
  const file = (subset = 'default'): PanopticFile =>
    JSON.parse(result.entries.get(`annotations/panoptic_${subset}.json`) ?? 'null') as PanopticFile;
  return { ...result, file };
}
const read = (path: string, options = scene) => runImport(cocoPanoptic.importer, path, options);

const square = (left: number, top: number, size = 4) =>
  shapeOf({ type: 'mask', label: 'car', points: [0, size * size, left, top, left + size - 1, top + size - 1] });

it('COCO Panoptic round trip preserves masks that do not overlap, pixel for pixel', async () => {
  const cells = fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.nat(2), outlines.mask), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(cells, async (drawn) => {
      const shapes = [...new Map(drawn.map((one) => [one[0], one])).values()]
        .map(([frame, , label, { points }]) =>
          shapeOf({
            type: 'mask',
            label: ['car', 'tall tree', 'Hündchen'][label] ?? '',
            points,
            frame,
            source: 'file',
          }),
        )
        .toSorted((a, b) => a.frame - b.frame);
      const { path, summary } = await write({ ...scene, shapes });
      expect(summary.dropped).toEqual([]);
      const { task, summary: reading } = await read(path);
      expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
      expect(task.shapes).toEqual(shapes);
    }),
    { numRuns: 20 },
  );
});

describe('COCO Panoptic files', () => {
  it('describe the visible pixels of each segment', async () => {
    const shapes = [
      square(2, 3, 4),
      { ...square(4, 3, 4), label: 'tall tree' },
      shapeOf({ type: 'rectangle', label: 'car', points: [20, 20, 30, 25], group: 1 }),
      shapeOf({ type: 'polygon', label: 'tall tree', points: [40, 20, 44, 20, 44, 24, 40, 24], group: 1 }),
    ];
    const { file, summary } = await write({ ...scene, shapes });
    expect(file().annotations).toMatchObject([
      {
        image_id: 1,
        file_name: 'one.png',
        segments_info: [
          { category_id: 1, area: 8, bbox: [2, 3, 2, 4], iscrowd: 0 },
          { category_id: 2, area: 16, bbox: [4, 3, 4, 4] },
          { category_id: 1, area: 50 + 16, bbox: [20, 20, 24, 5] },
        ],
      },
    ]);
    const ids = file().annotations[0]?.segments_info.map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
    expect(summary.included).toEqual([
      { type: 'mask', label: 'car', count: 1 },
      { type: 'mask', label: 'tall tree', count: 1 },
    ]);
    expect(summary.dropped.map(({ type, label, rule }) => `${type} ${label}: ${rule}`)).toEqual([
      'rectangle car: Joined with the other shapes of its group to one mask.',
      'polygon tall tree: Joined to the object "car" of its group: an object has one label.',
      'mask car: Partly covered by objects drawn later: a pixel belongs to one object.',
      'rectangle car: COCO Panoptic has no rectangles: written as a mask.',
      'polygon tall tree: COCO Panoptic has no polygons: written as a mask.',
    ]);
  });

  it('write only the first of frames with one name apart from the extension, and say so', async () => {
    const frames = [
      { name: 'a.jpg', width: 10, height: 10 },
      { name: 'a.png', width: 10, height: 10 },
    ];
    const { summary, entries } = await write({
      ...scene,
      frames,
      shapes: [square(1, 1), { ...square(1, 1), frame: 1 }],
    });
    expect([...entries.keys()]).toEqual(['annotations/panoptic_default/a.png', 'annotations/panoptic_default.json']);
    expect(summary.dropped).toMatchObject([{ type: 'mask', count: 1 }]);
    expect(summary.warnings).toEqual([expect.stringContaining('a.png was left out')]);
    expect(summary.dropped[0]?.rule).toContain('apart from the extension');
  });

  const pixels = Uint8Array.from([7, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 0, 9, 9, 9, 0, 0, 0]);
  const png = encodePng({ kind: 'rgb', width: 3, height: 2, pixels });
  const document = (segments: unknown, more: object = {}) =>
    JSON.stringify({
      images: [{ id: 1, file_name: 'one.jpg', width: 3, height: 2 }],
      categories: [{ id: 5, name: 'car' }],
      annotations: [{ image_id: 1, file_name: 'one.png', segments_info: segments, ...more }],
    });
  const segment = (id: number) => ({ id, category_id: 5 });

  it('are read with images in any folder', async () => {
    const text = document([segment(7), segment(256), segment(592_137)]);
    const places: Files[] = [
      { 'annotations/panoptic_train.json': text, 'annotations/panoptic_train/one.png': png },
      { 'top/annotations/panoptic_train.json': text, 'top/annotations/panoptic_train/one.png': png },
      { 'panoptic.json': text, 'panoptic_masks/one.png': png },
      { 'panoptic.json': text, 'one.png': png },
    ];
    for (const files of places) {
      const { task, summary } = await read(await zipOf(files));
      expect(summary.invalidCount).toBe(0);
      expect(task.shapes.map(({ points }) => points)).toEqual([
        [0, 2, 0, 0, 1, 0],
        [0, 1, 2, 0, 2, 0],
        [0, 1, 1, 1, 1, 1],
      ]);
    }
  });

  it('report every loss', async () => {
    const cases: [Files, string[]][] = [
      [
        { 'panoptic_a.json': document([segment(7), { id: 'x' }, { id: 256, category_id: 9 }]), 'one.png': png },
        [
          'panoptic_a.json annotations[0].segments_info[1].id',
          'panoptic_a.json annotations[0].segments_info[2].category_id',
          'one.png segment 256',
          'one.png segment 592137',
        ],
      ],
      [
        { 'panoptic_a.json': document([segment(7), segment(256), segment(592_137), segment(3)]), 'one.png': png },
        ['panoptic_a.json annotations[0].segments_info[3]'],
      ],
      [{ 'panoptic_a.json': document([segment(7)]) }, ['panoptic_a.json annotations[0].file_name']],
      [{ 'panoptic_a.json': document([segment(7)], { image_id: 3 }) }, ['panoptic_a.json annotations[0].image_id']],
      [
        {
          'panoptic_a.json': document(5),
          'one.png': encodePng({ kind: 'grey8', width: 1, height: 1, pixels: new Uint8Array(1) }),
        },
        ['panoptic_a.json annotations[0].segments_info'],
      ],
      [{ 'panoptic_a.json': document([segment(7)]), 'one.png': 'no image' }, ['one.png annotations[0]']],
      [{ 'panoptic_a.json': document([segment(7)]), 'one.png': png.subarray(0, 60) }, ['one.png annotations[0]']],
    ];
    for (const [files, expected] of cases) {
      const { summary } = await read(folderOf(files));
      expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual(expected);
    }
  });
});
