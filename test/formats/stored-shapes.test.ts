import { expect, it } from 'vitest';
import { StoredShape } from '../../main/import-export/annotation-reader/stored-shape.ts';
import { type StoredShapeFields, toBatch } from '../../main/import-export/bulk-writer/stored-shape-batch.ts';
import { flagsOf, sourceCode, typeCode } from '../../main/work/annotations/annotation-rows.ts';
import { encodePoints } from '../../main/db/points-codec.ts';
import { createFormatRegistry } from '../../main/formats/registry.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { readArchive, runExport, shapeOf } from './support/format-fixtures.ts';
import { scene } from './support/scenes.ts';

const complete = (shape: LabeledShape): LabeledShape => ({
  outside: false,
  rotation: 0,
  source: 'manual',
  score: 1,
  ...shape,
  ...(shape.elements ? { elements: shape.elements.map(complete) } : {}),
});

function stored(shape: LabeledShape): LabeledShape {
  const points = encodePoints(shape.points);
  const { type, frame, source = 'manual', z_order, group, rotation = 0, score = 1, area = null } = shape;
  const flags = flagsOf(shape);
  const numbers = [z_order, group, rotation, score, area] as const;
  const row: StoredShapeFields = [
    frame,
    1,
    0,
    typeCode(type),
    sourceCode(source),
    flags,
    ...numbers,
    null,
    null,
    points.length,
  ];
  const batch = toBatch([{ points, rows: [row] }]);
  const names = { labelName: () => shape.label, packedAttributes: () => shape.attributes };
  return new StoredShape(batch, 0, names, shape.elements?.map(stored));
}

const body = scene.labels.find(({ name }) => name === 'body');
const elements = (body?.sublabels ?? []).map(({ name }, index) =>
  shapeOf({ type: 'points', label: name, points: [10.25 + index, 20.5], outside: index === 1 }),
);
const text = { name: 'text', value: 'blue' };
const shapes = [
  shapeOf({ type: 'rectangle', label: 'car', points: [10.5, 10, 30, 25.25], attributes: [text], occluded: true }),
  shapeOf({ type: 'rectangle', label: 'car', points: [10, 10, 30, 25], rotation: 30, z_order: 2 }),
  shapeOf({ type: 'ellipse', label: 'car', points: [30, 24, 40, 18] }),
  shapeOf({ type: 'polygon', label: 'car', points: [10, 10, 30.75, 10, 20, 30.5], area: 210.5 }),
  shapeOf({ type: 'polygon', label: 'tall tree', points: [1, 1, 9, 1.123, 5, 9], group: 4 }),
  shapeOf({ type: 'polygon', label: 'tall tree', points: [31, 1, 39, 1.123, 35, 9], group: 4 }),
  shapeOf({ type: 'polygon', label: 'car', points: [Math.PI, 1, 9, 1, 5, 9] }),
  shapeOf({ type: 'polyline', label: 'car', points: [10, 10, 30, 10, 20, 30], score: 0.5 }),
  shapeOf({ type: 'points', label: 'car', points: [10, 10, 30, 10, 20, 20, 12, 30, 28, 30], source: 'auto' }),
  shapeOf({ type: 'cuboid', label: 'car', points: [10, 10, 10, 20, 20, 10, 20, 20, 14, 8, 14, 18, 24, 8, 24, 18] }),
  shapeOf({ type: 'mask', label: 'car', points: [0, 100, 10, 10, 19, 19] }),
  shapeOf({ type: 'skeleton', label: 'body', points: [], elements }),
].map((shape, index) => complete({ ...shape, frame: index % 2 }));

const { exporters } = createFormatRegistry();

it.each(exporters.map((exporter) => [exporter.display_name, exporter] as const))(
  '%s writes shapes that unpack their points on demand like plain ones',
  async (_name, exporter) => {
    const plain = await runExport(exporter, { ...scene, shapes });
    const packed = await runExport(exporter, { ...scene, shapes: shapes.map(stored) });
    expect(packed.summary).toEqual(plain.summary);
    expect(await readArchive(packed.path)).toEqual(await readArchive(plain.path));
  },
);
