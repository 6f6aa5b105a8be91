import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coco } from '../../main/formats/coco/index.ts';
import { DecimalPoints } from '../../main/formats/coco/fast/decimal-points.ts';
import { createInMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { fileOf, runExport, runImport } from './support/format-fixtures.ts';
import { scene, sceneShapes } from './support/scenes.ts';

const plain = { plain_json: true };

function stored(shape: LabeledShape): LabeledShape {
  if (shape.type !== 'polygon') return shape;
  const units = Int32Array.from(shape.points, (value) => Math.round(value * 100));
  return { ...shape, fixed_points: new DecimalPoints(units, 0, units.length, 2) };
}

/** Imported shapes, with the coordinates that a decimal polygon computes. */
const seen = (shapes: readonly LabeledShape[]) =>
  shapes.map((shape) => {
    const { fixed_points: _units, ...fields } = { ...shape, type: shape.type, group: shape.group };
    return { ...fields, points: [...shape.points] };
  });

describe('the fast path of COCO', () => {
  const kinds = ['rectangle', 'rotated rectangle', 'polygon', 'mask', 'ellipse'] as const;

  it('writes and reads the same as the plain one', async () => {
    await fc.assert(
      fc.asyncProperty(sceneShapes({ kinds, details: true }), async (drawn) => {
        const task = createInMemoryTaskData({ ...scene, shapes: drawn.map(stored) });
        const fast = await runExport(coco.exporter, task);
        const slow = await runExport(coco.exporter, task, false, plain);
        expect([...fast.entries]).toEqual([...slow.entries]);
        expect(fast.summary).toEqual(slow.summary);
        const read = await runImport(coco.importer, fast.path, scene);
        const parsed = await runImport(coco.importer, fast.path, scene, { options: plain });
        expect(seen(read.task.shapes)).toEqual(seen(parsed.task.shapes));
        expect(read.summary).toEqual(parsed.summary);
      }),
      { numRuns: 20 },
    );
  });

  it('reports the same problems', async () => {
    const annotations = [
      '{"id":1,"image_id":1,"category_id":1,"bbox":[1,2,"x",4]}',
      '{"id":2,"image_id":1,"category_id":1,"segmentation":[[1,2,3]],"bbox":[1,2,3,4]}',
      '{"id":3,"image_id":1,"category_id":1,"segmentation":[[1.50,2,3e1,4,5,6]],"own":{"a":[1]},"area":-1}',
      '{"id":4,"image_id":1,"category_id":1,"segmentation":[[0.1,0.2,30,0.1,5,60]],"bbox":[1,2,3,4],"score":0.5}',
      '{"id":5,"image_id":9,"\\u0063ategory_id":1,"bbox":[1,2,3,4]}',
      '[1]',
      'null',
    ];
    const file = fileOf(
      'instances.json',
      `{"images":[{"id":1,"file_name":"one.jpg","width":64,"height":48}],"categories":[{"id":1,"name":"car"}],"annotations":[${annotations.join(',')}]}`,
    );
    const read = await runImport(coco.importer, file, scene);
    const parsed = await runImport(coco.importer, file, scene, { options: plain });
    expect(seen(read.task.shapes)).toEqual(seen(parsed.task.shapes));
    expect(read.task.shapes).toHaveLength(3);
    expect(read.summary).toEqual(parsed.summary);
    expect(read.summary.invalidCount).toBeGreaterThan(4);
  });
});
