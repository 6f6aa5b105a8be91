import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignOptimally } from '../../../../preload/geometry/assignment.ts';
import { mergeOverlap } from '../../../../preload/geometry/overlap-merge.ts';
import type { MergeableObjects } from '../../../../preload/geometry/overlap-merge.ts';
import { labeledDataSchema } from '../../../../preload/contract/schema/annotations.ts';
import type { LabeledDataInput } from '../../../../preload/contract/schema/annotations.ts';

const objects = (data: LabeledDataInput): MergeableObjects => labeledDataSchema.parse(data);

/** Both jobs have the frames 8 and 9. */
const overlap = { startFrame: 8, frameCount: 2 };

const rectangle = (id: number, frame: number, points: number[], label_id = 1) => ({
  id,
  frame,
  label_id,
  type: 'rectangle' as const,
  points,
});

const key = (frame: number, points: number[], outside = false) => ({
  frame,
  type: 'rectangle' as const,
  points,
  outside,
});

describe('objects on frames that two jobs share', () => {
  it('are merged to those of the earlier job if they are similar', () => {
    const earlier = objects({ shapes: [rectangle(1, 8, [0, 0, 10, 10]), rectangle(2, 8, [50, 0, 60, 10])] });
    const later = objects({
      shapes: [rectangle(11, 8, [50, 0, 60, 11]), rectangle(12, 8, [1, 0, 10, 10]), rectangle(13, 9, [0, 0, 10, 10])],
    });
    const merged = mergeOverlap(earlier, later, overlap);
    expect(merged.shapes.map(({ id }) => id)).toEqual([1, 2, 13]);
    expect(merged.pairedCount).toBe(2);
  });

  it('stay separate if label, position or frame differ', () => {
    const earlier = objects({ shapes: [rectangle(1, 8, [0, 0, 10, 10])] });
    const later = objects({
      shapes: [
        rectangle(11, 8, [0, 0, 10, 10], 2),
        rectangle(12, 8, [4, 0, 14, 10]),
        rectangle(13, 10, [0, 0, 10, 10]),
      ],
    });
    expect(mergeOverlap(earlier, later, overlap).shapes.map(({ id }) => id)).toEqual([1, 11, 12, 13]);
  });

  it('are paired only once each', () => {
    const earlier = objects({ shapes: [rectangle(1, 8, [0, 0, 10, 10])] });
    const later = objects({ shapes: [rectangle(11, 8, [0, 0, 10, 10.5]), rectangle(12, 8, [0, 0, 10, 10])] });
    expect(mergeOverlap(earlier, later, overlap).shapes.map(({ id }) => id)).toEqual([1, 11]);
  });

  it('stay duplicated if no similarity is defined, and for polygons that cross themselves', () => {
    const shapes = [
      { frame: 8, label_id: 1, type: 'points' as const, points: [1, 1] },
      { frame: 8, label_id: 1, type: 'ellipse' as const, points: [5, 5, 8, 2] },
      { frame: 8, label_id: 1, type: 'mask' as const, points: [0, 1, 0, 0, 0, 0] },
      { frame: 8, label_id: 1, type: 'polygon' as const, points: [0, 0, 4, 4, 4, 0, 0, 4] },
      { frame: 8, label_id: 1, type: 'polygon' as const, points: [0, 0, 4, 0, 4, 4] },
    ];
    expect(mergeOverlap(objects({ shapes }), objects({ shapes }), overlap).shapes).toHaveLength(9);
  });

  it('pair tags by label', () => {
    const tag = (id: number, label_id: number) => ({ id, frame: 8, label_id });
    const merged = mergeOverlap(objects({ tags: [tag(1, 1)] }), objects({ tags: [tag(11, 1), tag(12, 2)] }), overlap);
    expect(merged.tags.map(({ id }) => id)).toEqual([1, 12]);
  });

  it('pair cuboids of point clouds by top and side view', () => {
    const cuboid = (z: number) => ({
      frame: 8,
      label_id: 1,
      type: 'cuboid' as const,
      points: [0, 0, z, 0, 0, 1, 4, 4, 4, 0, 0, 0, 0, 0, 0, 0],
    });
    const merge = (z: number) =>
      mergeOverlap(objects({ shapes: [cuboid(0)] }), objects({ shapes: [cuboid(z)] }), { ...overlap, dimension: '3d' });
    expect(merge(0.2).shapes).toHaveLength(1);
    expect(merge(3).shapes).toHaveLength(2);
  });
});

describe('tracks on frames that two jobs share', () => {
  const track = (id: number, shapes: ReturnType<typeof key>[], label_id = 1) => ({
    id,
    frame: shapes[0]!.frame,
    label_id,
    shapes,
  });

  it('are merged with the keyframes of both', () => {
    const earlier = objects({ tracks: [track(1, [key(0, [0, 0, 10, 10]), key(9, [9, 0, 19, 10])])] });
    const later = objects({
      tracks: [track(11, [key(8, [8, 0, 18, 10]), key(9, [9, 1, 19, 11]), key(15, [20, 0, 30, 10])])],
    });
    const merged = mergeOverlap(earlier, later, overlap);
    expect(merged.tracks).toHaveLength(1);
    expect(merged.tracks[0]).toMatchObject({ id: 1, frame: 0 });
    expect(merged.tracks[0]!.shapes.map(({ frame, points }) => [frame, points])).toEqual([
      [0, [0, 0, 10, 10]],
      [8, [8, 0, 18, 10]],
      [9, [9, 0, 19, 10]],
      [15, [20, 0, 30, 10]],
    ]);
  });

  it('end after the shared frames without a partner, elements too', () => {
    const element = { frame: 0, label_id: 7, shapes: [{ frame: 0, type: 'points' as const, points: [1, 1] }] };
    const skeleton = {
      id: 2,
      frame: 0,
      label_id: 2,
      shapes: [{ frame: 0, type: 'skeleton' as const }],
      elements: [element],
    };
    const earlier = objects({ tracks: [track(1, [key(0, [0, 0, 10, 10])]), skeleton] });
    const later = objects({ tracks: [track(11, [key(8, [80, 0, 90, 10])])] });
    const merged = mergeOverlap(earlier, later, overlap);
    expect(merged.tracks.map(({ id }) => id)).toEqual([1, 2, 11]);
    expect(merged.tracks[0]!.shapes.at(-1)).toMatchObject({ frame: 10, outside: true, points: [0, 0, 10, 10] });
    expect(merged.tracks[1]!.elements[0]!.shapes.at(-1)).toMatchObject({ frame: 10, outside: true });
    expect(earlier.tracks[0]!.shapes).toHaveLength(1);
  });

  it('are unchanged if they ended before', () => {
    const earlier = objects({ tracks: [track(1, [key(0, [0, 0, 10, 10]), key(5, [0, 0, 10, 10], true)])] });
    const merged = mergeOverlap(earlier, objects({ tracks: [track(11, [key(9, [0, 0, 10, 10])])] }), overlap);
    expect(merged.tracks.map(({ shapes }) => shapes.length)).toEqual([2, 1]);
  });

  it('are not paired by frames on which only one of them is present', () => {
    const earlier = objects({ tracks: [track(1, [key(0, [0, 0, 10, 10])])] });
    const wide = { startFrame: 8, frameCount: 6 };
    const late = objects({ tracks: [track(11, [key(12, [0, 0, 10, 10])])] });
    expect(mergeOverlap(earlier, late, wide).tracks).toHaveLength(2);
    const early = objects({ tracks: [track(11, [key(10, [0, 0, 10, 10])])] });
    expect(mergeOverlap(earlier, early, wide).tracks).toHaveLength(1);
  });

  it('of masks stay separate and cause no error', () => {
    const masks = [0, 9].map((frame) => ({ frame, type: 'mask' as const, points: [0, 1, 0, 0, 0, 0] }));
    const data = objects({ tracks: [{ frame: 0, label_id: 1, shapes: masks }] });
    expect(mergeOverlap(data, data, overlap).tracks).toHaveLength(2);
  });
});

describe('optimal assignment', () => {
  it('takes the cheapest pairs overall, not one by one', () => {
    expect(
      assignOptimally([
        [1, 2],
        [1, 9],
      ]),
    ).toEqual([1, 0]);
    expect(assignOptimally([[5], [1], [3]])).toEqual([-1, 0, -1]);
    expect(assignOptimally([])).toEqual([]);
    expect(assignOptimally([[], []])).toEqual([-1, -1]);
  });

  it('is as cheap as the best of all assignments', () => {
    const matrices = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: -9, max: 20 }), { minLength: columns, maxLength: columns }), {
        minLength: rows,
        maxLength: rows,
      }),
    );
    const cheapest = (costs: number[][], row: number, used: ReadonlySet<number>, spare: number): number => {
      if (row === costs.length) return 0;
      const totals = costs[row]!.map((cost, column) =>
        used.has(column) ? Infinity : cost + cheapest(costs, row + 1, new Set([...used, column]), spare),
      );
      if (spare > 0) totals.push(cheapest(costs, row + 1, used, spare - 1));
      return Math.min(...totals);
    };
    fc.assert(
      fc.property(matrices, (costs) => {
        const columns = assignOptimally(costs);
        const pairs = columns.flatMap((column, row) => (column < 0 ? [] : [[row, column] as const]));
        expect(pairs).toHaveLength(Math.min(costs.length, costs[0]!.length));
        expect(new Set(pairs.map(([, column]) => column)).size).toBe(pairs.length);
        const total = pairs.reduce((sum, [row, column]) => sum + costs[row]![column]!, 0);
        expect(total).toBe(cheapest(costs, 0, new Set(), Math.max(0, costs.length - costs[0]!.length)));
      }),
    );
  });
});
