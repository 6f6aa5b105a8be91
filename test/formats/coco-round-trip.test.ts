import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coco } from '../../main/formats/coco/index.ts';
import type { InMemoryTaskDataOptions } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabeledShape } from '../../main/formats/kit/task-data.ts';
import { decodeFixed, encodePoints } from '../../main/db/points-codec.ts';
import { exportToCoco } from './support/coco-files.ts';
import { runImport, shapeOf } from './support/format-fixtures.ts';
import { runsOf } from './support/runs-of.ts';
import { attributeOf } from './support/scenes.ts';

const base: InMemoryTaskDataOptions = {
  // Any numbers: this format preserves them exactly.
  takesOutside: true,
  frames: Array.from({ length: 5 }, (_, index) => ({
    name: `folder ${index}/bild ä ${index}.jpg`,
    width: 320,
    height: 240,
  })),
  labels: [
    {
      name: 'A "1" 写真',
      attributes: [attributeOf('text'), attributeOf('flag', 'checkbox'), attributeOf('count', 'number')],
    },
    { name: 'b' },
  ],
};

const cents = fc.integer({ min: -50_000, max: 100_000 }).map((value) => value / 100);
const anyDouble = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value + 0);
const coordinate = fc.oneof({ weight: 5, arbitrary: cents }, { weight: 1, arbitrary: anyDouble });
const box = fc
  .tuple(cents, cents, fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 1, max: 20_000 }))
  // Normalizes -0 to 0, like for doubles.
  .map(([x, y, width, height]) => [
    x,
    y,
    Math.round(x * 100 + width) / 100 + 0,
    Math.round(y * 100 + height) / 100 + 0,
  ]);
const polygon = fc
  .array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 12 })
  .map((pairs) => pairs.flat());
/** Objects within the first pixel are read as fractions of the image. */
const isBeyondFirstPixel = (points: readonly number[]) => points.some((value) => value < 0 || value > 1);
const mask = fc
  .record({
    left: fc.nat(200),
    top: fc.nat(150),
    width: fc.integer({ min: 1, max: 20 }),
    bits: fc.array(fc.boolean(), { minLength: 1, maxLength: 200 }),
  })
  .map(({ left, top, width, bits }) => {
    // All four corners are set, so that the box is tight.
    const height = Math.ceil(bits.length / width);
    const pixels = Array.from({ length: width * height }, (_, index) => bits[index] ?? false);
    for (const corner of [0, width - 1, width * (height - 1), width * height - 1]) pixels[corner] = true;
    return [...runsOf(pixels), left, top, left + width - 1, top + height - 1];
  });

const geometry = fc.oneof(
  fc.record(
    {
      type: fc.constant('rectangle' as const),
      points: box.filter(isBeyondFirstPixel),
      rotation: fc.integer({ min: 1, max: 359 }),
    },
    { requiredKeys: ['type', 'points'] },
  ),
  fc.record({ type: fc.constant('polygon' as const), points: polygon.filter(isBeyondFirstPixel) }),
  fc.record({ type: fc.constant('mask' as const), points: mask }),
);
const own = fc.uniqueArray(
  fc.oneof(
    fc.record({ name: fc.constant('text'), value: fc.string({ unit: 'grapheme' }) }),
    fc.record({ name: fc.constant('flag'), value: fc.constantFrom('true', 'false') }),
    fc.record({
      name: fc.constant('count'),
      value: fc.oneof(fc.integer().map(String), fc.constantFrom('01', '1e3', '', ' 5')),
    }),
  ),
  { selector: ({ name }) => name },
);

const shape: fc.Arbitrary<LabeledShape> = fc
  .record({
    geometry,
    frame: fc.nat(4),
    isFirst: fc.boolean(),
    attributes: own,
    occluded: fc.boolean(),
    z_order: fc.integer({ min: -3, max: 3 }),
    area: fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0),
    source: fc.option(fc.constantFrom('auto' as const, 'semi-auto' as const, 'consensus' as const)),
    outside: fc.boolean(),
    score: fc.double({ min: 0, max: 0.999, noNaN: true }).map((value) => value + 0),
  })
  .map(({ geometry: outline, isFirst, attributes, source, outside, ...rest }) => ({
    ...outline,
    ...rest,
    ...(source ? { source } : {}),
    ...(outside ? { outside } : {}),
    label: isFirst ? 'A "1" 写真' : 'b',
    attributes: isFirst ? attributes : [],
    group: 0,
  }));

const inOrder = (shapes: readonly LabeledShape[]): LabeledShape[] =>
  shapes.toSorted((a, b) => a.frame - b.frame || a.z_order - b.z_order);

async function throughCoco(options: InMemoryTaskDataOptions): Promise<readonly LabeledShape[]> {
  const { path } = await exportToCoco(options);
  const { task, summary } = await runImport(coco.importer, path, base);
  expect(summary).toMatchObject({ invalidCount: 0, dropped: [] });
  return task.shapes;
}

describe('COCO round trip', () => {
  it('preserves boxes, polygons and masks exactly, with all their fields', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 12 }), async (shapes) => {
        expect(await throughCoco({ ...base, shapes })).toEqual(inOrder(shapes));
      }),
      { numRuns: 60 },
    );
  });

  it('preserves the parts of an object as one group', async () => {
    const group = fc.record({
      frame: fc.nat(4),
      parts: fc.array(polygon, { minLength: 2, maxLength: 5 }),
      area: fc.double({ min: 1, max: 1e6, noNaN: true }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 5 }), async (groups) => {
        const shapes = groups.flatMap(({ frame, parts }, index) =>
          parts.map((points) => shapeOf({ type: 'polygon', label: 'b', points, frame, group: index + 1 })),
        );
        const first = await throughCoco({ ...base, shapes });
        const partition = (list: readonly LabeledShape[]): string[] =>
          [...Map.groupBy(list, (one) => `${one.frame}/${one.group}`).values()]
            .map((members) => JSON.stringify(members.map(({ points }) => points)))
            .toSorted();
        expect(partition(first)).toEqual(partition(shapes));
        // The computed areas are stated now, so a second round trip changes nothing.
        expect(await throughCoco({ ...base, shapes: first })).toEqual(first);
      }),
      { numRuns: 20 },
    );
  });

  it('writes the same digits from the form of the store', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(polygon, { minLength: 1, maxLength: 6 }), async (polygons) => {
        const shapes = polygons.map((points) => shapeOf({ type: 'polygon', label: 'b', points }));
        const stored = shapes.map((plain): LabeledShape => {
          const blob = encodePoints(plain.points);
          return { ...plain, fixed_points: { capacity: blob.length, read: (target) => decodeFixed(blob, target) } };
        });
        const plainFile = await exportToCoco({ ...base, shapes });
        const storedFile = await exportToCoco({ ...base, shapes: stored });
        expect([...storedFile.entries.values()]).toEqual([...plainFile.entries.values()]);
      }),
      { numRuns: 40 },
    );
  });
});
