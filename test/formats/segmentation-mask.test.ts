import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import { segmentationMask } from '../../main/formats/pascal-voc/segmentation-mask/index.ts';
import { maskToBitmap } from '../../preload/geometry/mask-runs.ts';
import { polygonsToMask } from '../../preload/geometry/mask-polygons.ts';
import { rotatedRectangleToPolygon } from '../../preload/geometry/geometry.ts';
import { runExport, runImport, shapeOf } from './support/format-fixtures.ts';
import { height, scene, sceneShapes, width } from './support/scenes.ts';

const write = (options: InMemoryTaskDataOptions) => runExport(segmentationMask.exporter, options);
const read = (path: string, options = scene, more: Record<string, unknown> = { conv_mask_to_poly: false }) =>
  runImport(segmentationMask.importer, path, options, { options: more });

/** The class image of a frame's shapes, painted in order: 0 is empty. */
function expectedImage(shapes: readonly { label: string; points: readonly number[] }[]): Int32Array {
  const image = new Int32Array(width * height);
  shapes.forEach(({ points }, number) => {
    const { left, top, width: wide, bitmap } = maskToBitmap(points);
    bitmap.forEach((set, index) => {
      if (set) image[(top + Math.floor(index / wide)) * width + left + (index % wide)] = number + 1;
    });
  });
  return image;
}

describe('Segmentation mask round trip', () => {
  it('preserves the visible pixels of each mask', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds: ['mask'] }), async (shapes) => {
        const { path, summary } = await write({ ...scene, shapes });
        const { task, summary: reading } = await read(path);
        expect(reading).toMatchObject({ invalidCount: 0, dropped: [] });
        for (const frame of [0, 1, 2, 3]) {
          const own = shapes.filter((one) => one.frame === frame);
          const image = expectedImage(own);
          const visible = [...new Set(image)].filter((number) => number > 0);
          const back = task.shapes.filter((one) => one.frame === frame);
          expect(back).toHaveLength(visible.length);
          const found = expectedImage(back);
          // The same pixels form a region with the same label.
          const pairs = new Set(Array.from(image, (number, index) => `${number} ${found[index]}`));
          expect(pairs.size).toBe(new Set(image).size);
          for (const pair of pairs) {
            const [from, to] = pair.split(' ').map(Number);
            expect(back[(to ?? 0) - 1]?.label).toBe(own[(from ?? 0) - 1]?.label);
          }
          const hidden = own.length - visible.length;
          const covered = summary.dropped.filter(({ rule }) => rule.startsWith('Wholly'));
          if (hidden > 0) expect(covered.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('rasterizes boxes and polygons like COCO', async () => {
    await fc.assert(
      fc.asyncProperty(
        sceneShapes({ kinds: ['rectangle', 'rotated rectangle', 'polygon'], maxShapes: 1 }),
        async (shapes) => {
          const [shape] = shapes;
          if (!shape) return;
          const { path, summary } = await write({ ...scene, shapes });
          const outline =
            shape.type === 'polygon' ? shape.points : rotatedRectangleToPolygon(shape.points, shape.rotation ?? 0);
          const expected = polygonsToMask([outline], width, height);
          const { task } = await read(path);
          expect(task.shapes.map(({ points }) => points)).toEqual(expected ? [expected] : []);
          expect(summary.dropped.map(({ type }) => type)).toEqual([shape.type]);
        },
      ),
      { numRuns: 24 },
    );
  });
});

describe('Segmentation mask', () => {
  const mask = shapeOf({ type: 'mask', label: 'car', points: [0, 100, 5, 5, 14, 14] });

  it('converts masks to polygons by default', async () => {
    const ring = shapeOf({ type: 'mask', label: 'tall tree', points: [0, 6, 8, 6, 30, 20, 33, 24], frame: 1 });
    const { path } = await write({ ...scene, shapes: [mask, ring] });
    const { task, summary } = await read(path, scene, {});
    expect(task.shapes.map(({ type, label, group }) => [type, label, group])).toEqual([
      ['polygon', 'car', 0],
      ['polygon', 'tall tree', 1],
      ['polygon', 'tall tree', 1],
    ]);
    expect(task.shapes[0]?.points).toEqual([15, 5, 15, 15, 5, 15, 5, 5]);
    expect(summary.warnings).toEqual([expect.stringContaining('conv_mask_to_poly')]);
  });

  it('joins a group to one mask with the label of its largest shape, and reports it', async () => {
    const shapes = [
      { ...mask, group: 4 },
      { ...mask, points: [0, 4, 20, 20, 21, 21], label: 'tall tree', group: 4 },
    ];
    const { path, summary } = await write({ ...scene, shapes });
    expect((await read(path)).task.shapes).toMatchObject([{ label: 'car' }]);
    expect(summary.dropped.map(({ label, rule }) => `${label}: ${rule}`)).toEqual([
      'car: Joined with the other shapes of its group to one mask.',
      'tall tree: Joined to the object "car" of its group: an object has one label.',
    ]);
  });

  it('clips shapes at the image, and skips those without a size', async () => {
    const frames = [
      { name: 'a.jpg', width: 10, height: 10 },
      { name: 'b.jpg', width: 0, height: 0 },
    ];
    const shapes = [mask, { ...mask, points: [0, 4, 50, 50, 51, 51] }, { ...mask, frame: 1 }];
    const { path, summary } = await write({ ...scene, frames, shapes });
    expect((await read(path, { ...scene, frames })).task.shapes).toMatchObject([{ points: [0, 25, 5, 5, 9, 9] }]);
    expect(summary.dropped.map(({ rule, count }) => [rule.slice(0, 30), count])).toEqual([
      ['Pixels outside the image were ', 1],
      ['It has no pixel in the image.', 1],
      ['The size of the image is not k', 1],
    ]);
    expect(summary.included).toEqual([{ type: 'mask', label: 'car', count: 1 }]);
  });

  it('reports the conversion of a label "background"', async () => {
    const labels = [{ name: 'background', color: '#000000' }, ...(scene.labels ?? [])];
    const shapes = [mask, { ...mask, label: 'background', points: [0, 50, 5, 5, 14, 9] }];
    const { path, summary } = await write({ ...scene, labels, shapes });
    expect(summary.dropped.map(({ label }) => label)).toContain('background');
    expect((await read(path, { ...scene, labels })).task.shapes).toMatchObject([
      { label: 'car', points: [0, 50, 5, 10, 14, 14] },
    ]);
  });
});
