import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { camvid } from '../../main/formats/camvid/index.ts';
import { cityscapes } from '../../main/formats/cityscapes/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { encodePng } from '../../main/formats/kit/mask-files/png-writer.ts';
import { kitti } from '../../main/formats/kitti/index.ts';
import type { RegisteredImporter } from '../../main/formats/kit/plugin.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { maskToBitmap } from '../../preload/geometry/mask-runs.ts';
import {
  entriesOf,
  type Files,
  folderOf,
  numbersIn,
  runExport,
  runImport,
  shapeOf,
  zipOf,
} from './support/format-fixtures.ts';
import { attributeOf, height, mentioned, scene, sceneShapes, width } from './support/scenes.ts';

const formats = [
  { name: 'CamVid', exporter: camvid.exporter, importer: camvid.importer, tellsObjects: false },
  { name: 'Cityscapes', exporter: cityscapes.exporter, importer: cityscapes.importer, tellsObjects: true },
  { name: 'KITTI', exporter: kitti.exporter, importer: kitti.importer, tellsObjects: true },
];

const read = (
  importer: RegisteredImporter,
  path: string,
  options: InMemoryTaskDataOptions = scene,
  more: Record<string, unknown> = {},
) => runImport(importer, path, options, { options: { conv_mask_to_poly: false, ...more } });

/** Label and number of the visible object at each pixel of a frame. */
function seen(shapes: readonly LabeledShape[], frame: number, tellsObjects: boolean): string[] {
  const image = Array.from({ length: width * height }, () => '');
  shapes.forEach(({ points, label, frame: own }, number) => {
    if (own !== frame) return;
    const { left, top, width: wide, bitmap } = maskToBitmap(points);
    bitmap.forEach((set, index) => {
      if (set)
        image[(top + Math.floor(index / wide)) * width + left + (index % wide)] = tellsObjects
          ? `${label} ${number}`
          : label;
    });
  });
  return image;
}

/** True if both images have the same regions with the same labels. */
function haveSameParts(first: readonly string[], second: readonly string[]): boolean {
  const there = new Map<string, string>();
  const back = new Map<string, string>();
  return first.every((one, index) => {
    const other = second[index] ?? '';
    if (one.split(' ').slice(0, -1).join() !== other.split(' ').slice(0, -1).join()) return false;
    if (!there.has(one)) there.set(one, other);
    if (!back.has(other)) back.set(other, one);
    return there.get(one) === other && back.get(other) === one;
  });
}

describe.each(formats)('$name round trip', ({ exporter, importer, tellsObjects }) => {
  it('preserves the visible pixels of every mask', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds: ['mask'], details: true }), async (shapes) => {
        const { path, summary } = await runExport(exporter, { ...scene, shapes });
        const { task, summary: reading } = await read(importer, path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
        for (const { frame } of task.frames)
          expect(haveSameParts(seen(shapes, frame, tellsObjects), seen(task.shapes, frame, tellsObjects))).toBe(true);
        expect(mentioned(summary, 'mask')).toBeGreaterThanOrEqual(shapes.length);
      }),
      { numRuns: 20 },
    );
  });
});

const mask = shapeOf({ type: 'mask', label: 'car', points: [0, 16, 1, 1, 4, 4] });
const other = { ...mask, points: [0, 16, 21, 1, 24, 4] };

describe('CamVid', () => {
  it('quotes names with spaces in lists', async () => {
    const { entries, summary } = await runExport(camvid.exporter, {
      ...scene,
      shapes: [mask, other, { ...mask, frame: 1 }],
    });
    expect([...entries.keys()]).toEqual([
      'defaultannot/one.png',
      'defaultannot/a b/Ünïcode 写.png',
      'default.txt',
      'label_colors.txt',
    ]);
    expect(entries.get('default.txt')).toBe(
      '/default/one.jpg defaultannot/one.png\n"/default/a b/Ünïcode 写.png" "defaultannot/a b/Ünïcode 写.png"\n/default/deep/er/3.jpeg \n/default/000004.jpg \n',
    );
    expect(entries.get('label_colors.txt')).toBe(
      '32 64 255 Hündchen\n255 255 0 body\n255 0 0 car\n0 255 64 tall tree\n',
    );
    expect(summary.dropped).toMatchObject([
      { type: 'mask', count: 1, rule: expect.stringContaining('objects of one label') },
    ]);
  });

  it('reports lines, masks and colours that it cannot use', async () => {
    const png = encodePng({ kind: 'rgb', width: 2, height: 1, pixels: Uint8Array.from([255, 0, 0, 1, 2, 3]) });
    const files: Files = {
      'label_colors.txt': '255 0 0 car\n255 0 0 car\n300 0 0 x\n# remark\n\n0 9 0 tall tree\n',
      'train.txt':
        '/train/one.jpg trainannot/one.png\n"half\na b c\n/train/none.jpg trainannot/none.png\n/train/x.jpg trainannot/one.png\n/train/000004.jpg trainannot/bad.png',
      'trainannot/one.png': png,
      'trainannot/bad.png': 'x',
    };
    const { task, summary } = await read(camvid.importer, folderOf(files));
    expect(task.shapes).toMatchObject([{ label: 'car', points: [0, 1, 0, 0, 0, 0] }]);
    expect(summary.invalid.map(({ file, at }) => `${file} ${at}`)).toEqual([
      'label_colors.txt line 2',
      'label_colors.txt line 3',
      'trainannot/one.png the colour 1,2,3',
      'train.txt line 2',
      'train.txt line 3',
      'train.txt line 4',
      'trainannot/one.png the image',
      'trainannot/bad.png the image',
    ]);
    expect(summary.warnings).toEqual([expect.stringContaining('another size')]);
  });

  it('cannot have a subset with the name of its colour file', async () => {
    const frames = [{ name: 'a.jpg', width: 5, height: 5, subset: 'label_colors' }];
    await expect(runExport(camvid.exporter, { ...scene, frames })).rejects.toThrow('label_colors');
    const slash = [{ name: 'a.jpg', width: 5, height: 5, subset: 'a/b' }];
    await expect(runExport(camvid.exporter, { ...scene, frames: slash })).rejects.toThrow('a/b');
  });
});

const crowdLabels = scene.labels.map((label) =>
  label.name === 'car' ? { ...label, attributes: [attributeOf('is_crowd', 'checkbox')] } : label,
);
const crowd = { attributes: [{ name: 'is_crowd', value: 'true' }] };

/** The row number of a label is its value in the masks. The background comes first. */
const numberedColors = '0 0 0 background\n32 64 255 Hündchen\n255 255 0 body\n255 0 0 car\n0 255 64 tall tree\n';

describe('label_colors.txt of KITTI and Cityscapes', () => {
  it.each([
    ['KITTI', kitti.exporter, kitti.importer],
    ['Cityscapes', cityscapes.exporter, cityscapes.importer],
  ] as const)('names the background of %s; files without it are read as before', async (_name, writer, reader) => {
    const shapes = [mask, { ...other, label: 'tall tree' }];
    const { path } = await runExport(writer, { ...scene, shapes });
    const files = Object.fromEntries(await entriesOf(path));
    const rows = new TextDecoder().decode(files['label_colors.txt']);
    expect(rows.split('\n')[0]).toBe('0 0 0 background');
    const older = { ...files, 'label_colors.txt': rows.split('\n').slice(1).join('\n') };
    for (const archive of [path, await zipOf(older)]) {
      const { task } = await read(reader, archive, scene);
      expect(task.shapes.map(({ label }) => label).toSorted()).toEqual(['car', 'tall tree']);
    }
  });
});

describe('Cityscapes', () => {
  const options = { ...scene, labels: crowdLabels };
  it('numbers labels and their instances, and crowds by their label', async () => {
    const shapes = [
      mask,
      other,
      { ...mask, ...crowd, points: [0, 16, 1, 21, 4, 24] },
      { ...mask, label: 'tall tree', points: [0, 16, 21, 21, 24, 24] },
    ];
    const { path, entries, summary } = await runExport(cityscapes.exporter, { ...options, shapes });
    expect([...entries.keys()]).toEqual([
      'gtFine/default/one_gtFine_color.png',
      'gtFine/default/one_gtFine_labelIds.png',
      'gtFine/default/one_gtFine_instanceIds.png',
      'label_colors.txt',
    ]);
    expect(await numbersIn(path, 'gtFine/default/one_gtFine_instanceIds.png')).toEqual([0, 3001, 3002, 3, 4001]);
    expect(await numbersIn(path, 'gtFine/default/one_gtFine_labelIds.png')).toEqual([0, 3, 4]);
    expect(entries.get('label_colors.txt')).toBe(numberedColors);
    expect(summary.dropped).toEqual([]);
    const { task } = await read(cityscapes.importer, path, options);
    expect(task.shapes.map(({ label, attributes }) => [label, attributes[0]?.value])).toEqual([
      ['car', 'true'],
      ['car', 'false'],
      ['car', 'false'],
      ['tall tree', undefined],
    ]);
  });

  it('joins crowds, and instances beyond its numbers, and reports it', async () => {
    const labels = Array.from({ length: 70 }, (_, index) => ({
      name: `l${String(index).padStart(2, '0')}`,
      color: `#00${(index + 16).toString(16)}01`,
    }));
    const shapes = [mask, other, { ...mask, points: [0, 4, 40, 40, 41, 41] }].map((shape, index) => ({
      ...shape,
      label: index < 2 ? 'l69' : 'l63',
    }));
    const { path, summary } = await runExport(cityscapes.exporter, { ...scene, labels, shapes });
    expect(await numbersIn(path, 'gtFine/default/one_gtFine_instanceIds.png')).toEqual([0, 70, 64_001]);
    expect(summary.dropped).toMatchObject([
      { label: 'l69', count: 2, rule: expect.stringContaining('part of a crowd') },
    ]);
    const twice = [mask, other].map((shape) => ({ ...shape, ...crowd }));
    const crowds = await runExport(cityscapes.exporter, { ...options, shapes: twice });
    expect(crowds.summary.dropped).toMatchObject([{ count: 1, rule: expect.stringContaining('one crowd per label') }]);
  });

  it('keeps the usual names of images', async () => {
    const frames = [{ name: 'ulm/ulm_000000_000019_leftImg8bit.png', width, height, subset: 'train' }];
    const shapes = [mask];
    const { path, entries } = await runExport(cityscapes.exporter, { ...scene, frames, shapes });
    expect([...entries.keys()][0]).toBe('gtFine/train/ulm/ulm_000000_000019_gtFine_color.png');
    expect((await read(cityscapes.importer, path, { ...scene, frames })).task.shapes).toHaveLength(1);
  });

  it('reports masks that it cannot use', async () => {
    const grey = (pixels: number[]) =>
      encodePng({ kind: 'grey16', width: pixels.length, height: 1, pixels: Uint16Array.from(pixels) });
    const files: Files = {
      'label_colors.txt': '255 0 0 car',
      'gtFine/train/one_gtFine_instanceIds.png': grey([0, 1001, 5002, 77]),
      'gtFine/train/nobody_gtFine_instanceIds.png': grey([1]),
      'gtFine/train/000004_gtFine_instanceIds.png': encodePng({
        kind: 'rgb',
        width: 1,
        height: 1,
        pixels: new Uint8Array(3),
      }),
      'gtFine/train/deep/er/3_gtFine_instanceIds.png': '',
    };
    const { task, summary } = await read(cityscapes.importer, folderOf(files));
    expect(task.shapes).toMatchObject([{ label: 'car', points: [0, 1, 1, 0, 1, 0] }]);
    expect(summary.invalid.map(({ file, at }) => `${file.slice(13)} ${at}`).toSorted()).toEqual([
      '000004_gtFine_instanceIds.png the image',
      'deep/er/3_gtFine_instanceIds.png the image',
      'nobody_gtFine_instanceIds.png the image',
      'one_gtFine_instanceIds.png the number 5002',
      'one_gtFine_instanceIds.png the number 77',
    ]);
  });
});

describe('KITTI', () => {
  it('writes rows of sixteen fields, and images beside them', async () => {
    const shapes = [
      shapeOf({ type: 'rectangle', label: 'car', points: [1, 2, 3.5, 4], occluded: true, score: 0.5 }),
      mask,
    ];
    const { path, entries } = await runExport(kitti.exporter, { ...scene, shapes });
    expect([...entries.keys()]).toEqual([
      'default/label_2/one.txt',
      'default/semantic_rgb/one.png',
      'default/semantic/one.png',
      'default/instance/one.png',
      'label_colors.txt',
    ]);
    expect(entries.get('default/label_2/one.txt')).toBe('car 0.0 1 -1 1 2 3.5 4 -1 -1 -1 -1 -1 -1 -1 0.5\n');
    expect(await numbersIn(path, 'default/instance/one.png')).toEqual([0, 3 * 256 + 1]);
    expect(entries.get('label_colors.txt')).toBe(numberedColors);
  });

  it('reports unreadable rows, and unsupported data', async () => {
    const rows = [
      'car 0.0 0 -1 1 2 3 4 -1 -1 -1 -1 -1 -1 -1',
      'car 0.5 3 1.57 1 2 3 4 1.5 1.6 4 2 1.5 20 0.1',
      'car 0.0 0 -1 1 2 3',
      'car 0.0 0 -1 5 2 3 4 -1 -1 -1 -1 -1 -1 -1',
      'car 0.0 0 x 1 2 3 4 -1 -1 -1 -1 -1 -1 -1',
      'plane 0.0 0 -1 1 2 3 4 -1 -1 -1 -1 -1 -1 -1',
      'tall tree 0.0 0 -1 1 2 3 4 -1 -1 -1 -1 -1 -1 -1 7',
      '',
      'DontCare -1 -1 -10 1 2 3 4 -1 -1 -1 -1000 -1000 -1000 -10',
    ];
    const path = folderOf({
      'training/label_2/one.txt': rows.join('\r\n'),
      'training/label_2/nobody.txt': rows[0] ?? '',
    });
    const labels = [...scene.labels, { name: 'DontCare' }];
    const { task, summary } = await read(kitti.importer, path, { ...scene, labels });
    expect(task.shapes.map(({ label, points, occluded }) => [label, points, occluded])).toEqual([
      ['car', [1, 2, 3, 4], false],
      ['car', [1, 2, 3, 4], true],
      ['car', [3, 2, 5, 4], false],
      ['tall tree', [1, 2, 3, 4], false],
      ['DontCare', [1, 2, 3, 4], false],
    ]);
    expect(summary.invalid.map(({ file, at }) => `${file.slice(17)} ${at}`).toSorted()).toEqual([
      'nobody.txt line 1',
      'one.txt line 3',
      'one.txt line 5',
      'one.txt line 6',
    ]);
    expect(summary.dropped.map(({ rule }) => rule)).toEqual([
      'A 2D box has no location and extent in 3D.',
      'Degrees of occlusion become one flag.',
      'The label has no attribute "truncated".',
      'Scores must be from 0 to 1.',
    ]);
  });
});
