import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cvatImagesExporter, cvatImporter, cvatVideoExporter } from '../../main/formats/cvat/index.ts';
import { flattenTrack } from '../../main/formats/kit/flatten-track.ts';
import { createInMemoryTaskData, type InMemoryTaskData } from '../../main/formats/kit/in-memory-task-data.ts';
import type { LabeledShape, Tag, Track } from '../../main/formats/kit/task-data.ts';
import { keyframeOf, runExport, runImport } from './support/format-fixtures.ts';
import { attribute, skeleton } from './support/cvat-labels.ts';
import { runsOf } from './support/runs-of.ts';

const frameCount = 6;
const odd = 'Auto "1" & <2> 写真 🐈';
// Any numbers: this format preserves them exactly.
const takesOutside = true;
const labels = [
  {
    name: odd,
    attributes: [attribute('plate'), attribute('speed & "more"', true)],
  },
  { name: 'plain' },
  skeleton('person', ['head', 'left hand']),
];
const frames = Array.from({ length: frameCount }, (_, index) => ({
  name: `folder ${index % 2}/bild ${index} ä.jpg`,
  width: 640,
  height: 480,
}));

/** Beyond the first pixel, because smaller objects are read as fractions of the image. */
const cents = fc
  .integer({ min: -100_000, max: 1_000_000 })
  .map((value) => (value >= 0 && value <= 100 ? value + 101 : value) / 100);
const frame = fc.integer({ min: 0, max: frameCount - 1 });
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter(
  // oxlint-disable-next-line no-control-regex -- the characters that XML 1.0 forbids
  (value) => !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF\r]|[\uD800-\uDFFF](?![\uDC00-\uDFFF])/.test(value),
);
const pairs = (minimum: number) =>
  fc.array(fc.tuple(cents, cents), { minLength: minimum, maxLength: 8 }).map((list) => list.flat());
const rotation = fc.integer({ min: 0, max: 35_999 }).map((value) => value / 100);

const mask = fc
  .tuple(
    fc.integer({ min: 0, max: 300 }),
    fc.integer({ min: 0, max: 200 }),
    fc.integer({ min: 1, max: 6 }),
    fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
  )
  .map(([left, top, width, bits]) => {
    const height = Math.ceil(bits.length / width);
    const pixels = Array.from({ length: width * height }, (_, index) => bits[index] ?? false);
    return [...runsOf(pixels), left, top, left + width - 1, top + height - 1];
  });

const sides = fc
  .tuple(cents, cents, cents, cents)
  .map(([a, b, c, d]) => [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)]);

/** Rotation and points by type; a rotation of zero equals no rotation. */
const geometry = fc.oneof(
  fc.record({ type: fc.constant('rectangle' as const), points: sides, rotation }),
  fc.record({ type: fc.constant('ellipse' as const), points: fc.tuple(cents, cents, cents, cents), rotation }),
  fc.record({ type: fc.constant('polygon' as const), points: pairs(3) }),
  fc.record({ type: fc.constant('polyline' as const), points: pairs(2) }),
  fc.record({ type: fc.constant('points' as const), points: pairs(1) }),
  fc.record({ type: fc.constant('cuboid' as const), points: fc.array(cents, { minLength: 16, maxLength: 16 }) }),
);
const drawn = fc.oneof(geometry, fc.record({ type: fc.constant('mask' as const), points: mask }));

const common = {
  frame,
  z_order: fc.integer({ min: -5, max: 5 }),
  group: fc.integer({ min: 0, max: 3 }),
  occluded: fc.boolean(),
};
const attributesOf = (names: readonly string[]) =>
  fc
    .tuple(
      ...names.map((name) =>
        fc.option(text, { nil: undefined }).map((value) => (value === undefined ? [] : [{ name, value }])),
      ),
    )
    .map((lists) => lists.flat());

const plainShape = fc
  .tuple(drawn, fc.record(common), fc.constantFrom(odd, 'plain'), attributesOf(['plate', 'speed & "more"']))
  .map(([drawing, rest, label, attributes]): LabeledShape => ({
    ...drawing,
    ...rest,
    label,
    attributes: label === odd ? attributes : [],
  }));

const skeletonShape = fc
  .tuple(
    fc.record(common),
    fc.array(fc.record({ points: pairs(1), outside: fc.boolean(), occluded: fc.boolean(), group: common.group }), {
      minLength: 2,
      maxLength: 2,
    }),
  )
  .map(([rest, points]): LabeledShape => {
    const elements = points.map((element, index) => ({
      ...element,
      type: 'points' as const,
      label: ['head', 'left hand'][index] ?? '',
      frame: rest.frame,
      z_order: 0,
      attributes: [],
    }));
    return {
      ...rest,
      type: 'skeleton',
      label: 'person',
      points: [],
      attributes: [],
      elements,
      occluded: elements.every(({ occluded }) => occluded),
    };
  });

const tag = fc
  .tuple(frame, fc.constantFrom(odd, 'plain'), common.group, attributesOf(['plate']))
  .map(([at, label, group, attributes]): Tag => ({
    frame: at,
    label,
    group,
    attributes: label === odd ? attributes : [],
  }));

const track = fc
  .tuple(
    geometry.chain((first) =>
      fc.tuple(
        fc.constant(first),
        fc.array(
          geometry.filter(({ type }) => type === first.type),
          { maxLength: 3 },
        ),
      ),
    ),
    fc.uniqueArray(frame, { minLength: 4, maxLength: 4 }),
    fc.array(fc.record({ outside: fc.boolean(), occluded: fc.boolean(), z_order: common.z_order }), {
      minLength: 4,
      maxLength: 4,
    }),
    common.group,
    text,
    fc.array(text, { minLength: 4, maxLength: 4 }),
  )
  .map(([[first, others], at, states, group, plate, speeds]): Track => {
    const sorted = at.toSorted((a, b) => a - b);
    const shapes = [first, ...others].map((drawing, index) =>
      keyframeOf({
        ...drawing,
        ...states[index],
        frame: sorted[index] ?? 0,
        attributes: [{ name: 'speed & "more"', value: speeds[index] ?? '' }],
      }),
    );
    return { label: odd, group, attributes: [{ name: 'plate', value: plate }], shapes };
  });

/** Content that a file preserves: everything except the source. A rotation of zero equals no rotation. */
function normalized({ source: _source, rotation: turn = 0, outside: _outside, ...shape }: LabeledShape): unknown {
  const { elements, ...rest } = shape;
  return {
    ...rest,
    ...(turn === 0 ? {} : { rotation: turn }),
    ...(elements
      ? { elements: elements.map((element) => ({ ...(normalized(element) as object), outside: element.outside })) }
      : {}),
  };
}

const byFrameAndOrder = (shapes: readonly LabeledShape[]): LabeledShape[] =>
  shapes.toSorted((a, b) => a.frame - b.frame || a.z_order - b.z_order);

function ellipsesToCents(shape: LabeledShape): LabeledShape {
  return shape.type === 'ellipse' ? { ...shape, points: shape.points.map((value) => Number(value.toFixed(2))) } : shape;
}

/** Visible shapes of a track on every frame, independent of its keyframes. */
function visible(task: InMemoryTaskData, track: Track): unknown[] {
  return [...flattenTrack(track, 0, task.frame_count)].map(
    ({ keyframe: _keyframe, source: _source, elements = [], ...shape }) => ({
      ...shape,
      elements: elements.map(({ keyframe: _own, source: _from, group: _group, ...element }) => element),
    }),
  );
}

it('CVAT for images preserves every scene of shapes and tags exactly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 4, arbitrary: plainShape }, skeletonShape), { maxLength: 12 }),
      fc.array(tag, { maxLength: 4 }),
      async (shapes, tags) => {
        const original = createInMemoryTaskData({ frames, labels, shapes, tags });
        const { path, summary: exported } = await runExport(cvatImagesExporter, original);
        const { task, summary } = await runImport(cvatImporter, path, { frames, labels, takesOutside });
        expect(exported.dropped).toEqual([]);
        expect(exported.warnings.filter((warning) => !warning.includes('beyond'))).toEqual([]);
        expect(summary.invalid).toEqual([]);
        expect(summary.dropped.filter(({ rule }) => !rule.startsWith('It has no extent'))).toEqual([]);
        expect(task.shapes.map(normalized)).toEqual(byFrameAndOrder(shapes).map(ellipsesToCents).map(normalized));
        expect(task.tags.map(({ source: _source, ...rest }) => rest)).toEqual(
          tags.toSorted((a, b) => a.frame - b.frame),
        );
      },
    ),
    { numRuns: 24 },
  );
});

describe('CVAT for video', () => {
  it('preserves every track exactly, keyframe by keyframe', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(track, { maxLength: 4 }), async (tracks) => {
        const original = createInMemoryTaskData({ meta: { start_frame: 7, frame_step: 3 }, frames, labels, tracks });
        const { path, summary: exported } = await runExport(cvatVideoExporter, original);
        const { task, summary } = await runImport(cvatImporter, path, {
          meta: { start_frame: 7, frame_step: 3 },
          frames,
          takesOutside,
          labels,
        });
        expect(exported.dropped).toEqual([]);
        expect(summary.invalid).toEqual([]);
        const plain = (list: readonly Track[]): unknown[] =>
          list.map(({ source: _source, ...rest }) => ({
            ...rest,
            shapes: rest.shapes.map(({ rotation: turn = 0, ...shape }) => ({
              ...shape,
              ...(turn === 0 ? {} : { rotation: turn }),
            })),
          }));
        expect(plain(task.tracks)).toEqual(plain(tracks));
      }),
      { numRuns: 24 },
    );
  });

  it('preserves the visible shapes of skeleton tracks on each frame', async () => {
    const point = fc.record({
      at: frame,
      x: fc.integer({ min: 0, max: 600 }),
      y: fc.integer({ min: 0, max: 400 }),
      outside: fc.boolean(),
    });
    const series = fc.uniqueArray(point, { minLength: 1, maxLength: 3, selector: ({ at }) => at });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(frame, { minLength: 1, maxLength: 3 }),
        fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }),
        series,
        series,
        async (at, hidden, head, hand) => {
          const sorted = at.toSorted((a, b) => a - b);
          const shapes = sorted.map((one, index) =>
            keyframeOf({ type: 'skeleton', points: [], frame: one, outside: hidden[index] ?? false }),
          );
          const elements = [head, hand].map((list, index) => ({
            label: ['head', 'left hand'][index] ?? '',
            group: 0,
            // Points exist from the skeleton's first frame on, as in every program.
            shapes: list
              .toSorted((a, b) => a.at - b.at)
              .map(({ at: one, x, y, outside }, place) =>
                keyframeOf({
                  type: 'points',
                  points: [x, y],
                  frame: place === 0 ? 0 : one,
                  outside,
                }),
              )
              .filter((shape, place, all) => all.findIndex((other) => other.frame === shape.frame) === place),
          }));
          const tracks: Track[] = [{ label: 'person', group: 0, attributes: [], shapes, elements }];
          const original = createInMemoryTaskData({ frames, labels, tracks });
          const { path } = await runExport(cvatVideoExporter, original);
          const { task, summary } = await runImport(cvatImporter, path, { frames, labels, takesOutside });
          expect(summary.invalid).toEqual([]);
          const before = tracks.flatMap((one) => visible(original, one));
          const after = task.tracks.flatMap((one) => visible(task, one));
          const rounded = (value: unknown): unknown =>
            JSON.parse(
              JSON.stringify(value, (_key, item: unknown) =>
                typeof item === 'number' ? Math.round(item * 10) / 10 : item,
              ),
            );
          const shown = (list: unknown[]): unknown => rounded(list);
          expect(shown(after)).toEqual(shown(before));
        },
      ),
      { numRuns: 32 },
    );
  });

  it('converts shapes to tracks of one frame, and keeps masks as shapes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 4, arbitrary: plainShape }, skeletonShape), { maxLength: 8 }),
        async (shapes) => {
          const original = createInMemoryTaskData({ frames, labels, shapes });
          const { path, summary: exported } = await runExport(cvatVideoExporter, original);
          const { task, summary } = await runImport(cvatImporter, path, { frames, labels, takesOutside });
          expect(summary.invalid).toEqual([]);
          const masks = shapes.filter(({ type }) => type === 'mask');
          expect(task.shapes.map(normalized)).toEqual(masks.map(normalized));
          const others = shapes.filter(({ type }) => type !== 'mask');
          expect(exported.dropped.reduce((sum, { count }) => sum + count, 0)).toBe(others.length);
          // A skeleton without a visible point is not visible on any frame.
          const seen = others.filter(({ elements }) => elements?.every(({ outside }) => outside === true) !== true);
          const flat = task.tracks.flatMap((one) => [...flattenTrack(one, 0, frameCount)]);
          expect(flat.map(({ frame: at, type, points }) => [at, type, points])).toEqual(
            seen.map(ellipsesToCents).map(({ frame: at, type, points }) => [at, type, points]),
          );
        },
      ),
      { numRuns: 20 },
    );
  });
});
