import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelDescription } from '../../../preload/contract/schema/model-files.ts';
import { decodeDetections } from '../../../main/model-files/heads/decode.ts';
import { overlapOf, type Box } from '../../../main/model-files/heads/found.ts';
import type { Outputs, Tensor } from '../../../main/model-files/tensor.ts';

/** An image of 200 × 100 in a frame of 100 × 100: half its size, 25 below the top. */
const placing = { scaleX: 0.5, scaleY: 0.5, offsetX: 0, offsetY: 25, width: 100, height: 100 };
const picture = { width: 200, height: 100 };

const description = (
  head: ModelDescription['head'],
  output: Partial<ModelDescription['output']> = {},
  more: Partial<ModelDescription> = {},
): ModelDescription => ({
  kind: 'detector',
  head,
  task: 'detect',
  input: {
    layout: 'NCHW',
    type: 'float32',
    width: 100,
    height: 100,
    is_size_free: false,
    colour: 'RGB',
    divisor: 255,
    mean: [0, 0, 0],
    deviation: [1, 1, 1],
    fit: 'letterbox',
    smooth: false,
    least_side: 0,
    fill: 114,
  },
  output: {
    boxes: 'cxcywh',
    unit: 'pixels',
    scores: 'none',
    first_label: 0,
    shape: 'rectangle',
    row: 'box-score-label',
    map: 'planes',
    ...output,
  },
  threshold: 0.25,
  overlap: null,
  labels: ['cat', 'dog'],
  keypoints: [],
  frees_sizes: false,
  recognition: null,
  ...more,
});

const float = (values: readonly number[], ...dims: readonly number[]): Tensor => ({
  type: 'float32',
  dims,
  data: Float32Array.from(values),
});
const whole = (values: readonly number[], ...dims: readonly number[]): Tensor => ({
  type: 'int64',
  dims,
  data: BigInt64Array.from(values, BigInt),
});
const decoded = (outputs: Outputs, described: ModelDescription) =>
  decodeDetections({ outputs, description: described, placing, ...picture, threshold: described.threshold });

/** A dog in the centre of the frame: 20 wide and 10 high, twice that in the image. */
const dog = { label: 'dog', type: 'rectangle', confidence: '0.75', points: [80, 40, 120, 60] };
const half = { boxes: 'xyxy', unit: 'share' } as const;
const logit = Math.log(3);

const forms: readonly (readonly [string, Outputs, ModelDescription])[] = [
  ['columns', { o: float([50, 0, 50, 0, 20, 0, 10, 0, 0.1, 0, 0.75, 0], 1, 6, 2) }, description('yolo')],
  [
    'rows with a score for an object',
    { o: float([50, 50, 20, 10, 0.75, 0, 1, ...Array.from({ length: 7 * 8 }, () => 0)], 1, 9, 7) },
    description('yolo-objectness'),
  ],
  ['finished rows', { o: float([40, 45, 60, 55, 0.75, 1], 1, 1, 6) }, description('boxes', { boxes: 'xyxy' })],
  [
    'rows with a picture first',
    { o: float([0, 40, 45, 60, 55, 1, 0.75], 1, 7) },
    description('boxes', { boxes: 'xyxy' }),
  ],
  ['shares', { o: float([0.5, 0.5, 0.2, 0.1, 0.75, 1], 1, 1, 6) }, description('boxes', { unit: 'share' })],
  [
    'scores beside boxes',
    { logits: float([-5, logit], 1, 1, 2), pred_boxes: float([0.5, 0.5, 0.2, 0.1], 1, 1, 4) },
    description('detr', { unit: 'share', scores: 'sigmoid' }),
  ],
  [
    'with a label for nothing',
    { logits: float([-50, logit, 0], 1, 1, 3), pred_boxes: float([0.5, 0.5, 0.2, 0.1], 1, 1, 4) },
    description('detr', { unit: 'share', scores: 'softmax' }),
  ],
  [
    'boxes of the picture itself',
    { labels: whole([1], 1, 1), boxes: float([80, 40, 120, 60], 1, 1, 4), scores: float([0.75], 1, 1) },
    description('sized-boxes'),
  ],
  [
    'instances',
    { a: float([40, 45, 60, 55], 1, 4), b: float([0.75], 1), c: whole([2], 1) },
    description('instances', { boxes: 'xyxy', first_label: 1 }),
  ],
  [
    'top before left',
    {
      detection_boxes: float([0.45, 0.4, 0.55, 0.6], 1, 1, 4),
      detection_classes: float([1], 1, 1),
      detection_scores: float([0.75], 1, 1),
    },
    description('tensorflow-boxes', { ...half, boxes: 'yxyx' }),
  ],
  [
    'boxes with their score',
    { dets: float([40, 45, 60, 55, 0.75], 1, 1, 5), labels: whole([1], 1, 1) },
    description('scored-boxes', { boxes: 'xyxy' }),
  ],
];

test.each(forms)('one object in the form of %s is the same box of the image', (_name, outputs, described) => {
  expect(decoded(outputs, described)).toEqual([dog]);
});

test('rotated boxes keep their angle, points their visibility, prototypes their shape', () => {
  const turned = { o: float([50, 50, 20, 10, 0, 0.75, Math.PI / 6, 0, 0, 0, 0, 0, 0, 0], 1, 2, 7) };
  const obb = description('yolo', {}, { task: 'oriented' });
  expect(decoded(turned, obb)).toMatchObject([{ label: 'dog', points: dog.points, rotation: 30 }]);

  const pose = description('yolo', { shape: 'skeleton' }, { task: 'pose', keypoints: ['nose', 'tail'] });
  const row = [50, 50, 20, 10, 0, 0.75, 45, 48, 0.9, 55, 52, 0.1];
  expect(decoded({ o: float([...row, ...row.map(() => 0)], 1, 2, 12) }, pose)).toMatchObject([
    {
      type: 'skeleton',
      elements: [
        { label: 'nose', outside: 0, points: [90, 46] },
        { label: 'tail', outside: 1, points: [110, 54] },
      ],
    },
  ]);

  const segment = description('yolo', { shape: 'mask' }, { task: 'segment' });
  // Two prototypes of a quarter of the frame: the left half is set by the first.
  const left = Array.from({ length: 25 * 25 }, (_, index) => (index % 25 < 12 ? 5 : -5));
  const outputs = {
    o: float([50, 50, 20, 10, 0, 0.75, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], 1, 2, 8),
    p: float([...left, ...left.map(() => 0)], 1, 2, 25, 25),
  };
  const [found] = decoded(outputs, segment) as { type: string; mask: number[] }[];
  const [x1 = 0, , x2 = 0] = found?.mask.slice(-4) ?? [];
  expect([found?.type, x1, x2 >= 94 && x2 <= 98]).toEqual(['mask', 80, true]);
});

test('complete images: the likeliest label, all above the threshold, the maximum map', () => {
  const tags = (scores: 'softmax' | 'sigmoid') => description('classes', { shape: 'tag', scores });
  expect(decoded({ o: float([0, logit], 1, 2) }, tags('softmax'))).toEqual([
    { label: 'dog', confidence: '0.75', type: 'tag' },
  ]);
  expect(decoded({ o: float([logit, logit], 1, 2) }, tags('sigmoid'))).toHaveLength(2);
  const maps = [
    ...Array.from({ length: 16 }, (_, index) => (index % 4 < 2 ? 1 : 0)),
    ...Array.from({ length: 16 }, () => 0.5),
  ];
  const found = decoded({ o: float(maps, 1, 2, 4, 4) }, description('semantic', { shape: 'mask' }));
  expect(found.map(({ label, mask }) => [label, (mask as number[]).slice(-4)])).toEqual([
    ['cat', [0, 0, 99, 99]],
    ['dog', [100, 0, 199, 99]],
  ]);
});

test('the best of overlapping boxes of a label stays, like in a naive search', () => {
  const place = fc.integer({ min: 0, max: 90 });
  const candidate = fc.tuple(place, place, fc.integer({ min: 2, max: 40 }), fc.integer({ min: 0, max: 1 }));
  fc.assert(
    fc.property(fc.array(candidate, { minLength: 1, maxLength: 25 }), (all) => {
      const rows = all.map(([x, y, size, label], index) => [x, y, x + size, y + size, 0.99 - index / 100, label]);
      const outputs = { o: float(rows.flat(), 1, rows.length, 6) };
      const found = decoded(outputs, description('boxes', { boxes: 'xyxy' }, { overlap: 0.45 }));
      const boxes: { box: Box; label: number; score: number }[] = rows.map(([l, t, r, b, score, label]) => ({
        box: { left: l!, top: t!, right: r!, bottom: b! },
        label: label!,
        score: score!,
      }));
      const kept: typeof boxes = [];
      for (const one of boxes) {
        if (!kept.some((other) => other.label === one.label && overlapOf(other.box, one.box) > 0.45)) kept.push(one);
      }
      // Boxes outside of the image are not results.
      const seen = kept.filter(({ box }) => box.bottom > 25 && box.top < 75);
      expect(found.map(({ confidence }) => Number(confidence))).toEqual(
        seen.map(({ score }) => Math.round(score * 10_000) / 10_000),
      );
    }),
    { numRuns: 100 },
  );
});

/** Multiples of a quarter, so that equal scores occur, with values that are no numbers. */
const score = fc.oneof(
  fc.integer({ min: -8, max: 8 }).map((value) => value / 4),
  fc.constant(Number.NaN),
);

test('columns of any scores give the objects of a search candidate by candidate', () => {
  const scores = fc.array(fc.array(score, { minLength: 5, maxLength: 5 }), { minLength: 10, maxLength: 40 });
  fc.assert(
    fc.property(scores, fc.boolean(), fc.constantFrom(0.1, 0.5, 0.75), (all, isSigmoid, threshold) => {
      const boxes = all.map((_, index) => [10 + index, 50, 4, 4]);
      const rows = all.map((own, index) => [...boxes[index]!, ...own]);
      const columns = rows[0]!.flatMap((_, place) => rows.map((row) => row[place]!));
      const labels = ['a', 'b', 'c', 'd', 'e'];
      const described = description('yolo', { scores: isSigmoid ? 'sigmoid' : 'none' }, { labels, threshold });
      const expected = all.flatMap((own, index) => {
        let [label, most] = ['', 0];
        for (const [place, value] of own.entries()) {
          const seen = isSigmoid ? 1 / (1 + Math.exp(-value)) : value;
          if (seen > most) [label, most] = [labels[place]!, seen];
        }
        return most >= threshold ? [[label, most, 2 * (8 + index)] as const] : [];
      });
      const found = decoded({ o: float(columns, 1, 9, rows.length) }, described);
      const shown = found.map(({ label, confidence, points }) => [label, Number(confidence), (points as number[])[0]]);
      expect(shown).toEqual(
        expected
          .toSorted((a, b) => b[1] - a[1])
          .map(([label, most, left]) => [label, Math.round(most * 10_000) / 10_000, left]),
      );
    }),
    { numRuns: 200 },
  );
});

test('names outputs of another model', () => {
  const outputs = { o: float([1, 2], 1, 2) };
  expect(() => decoded(outputs, description('detr'))).toThrow(/o float32 \[1, 2\]/);
  expect(() => decoded({ o: float([1, 2, 3], 1, 3) }, description('classes'))).toThrow(/3 scores, but there are 2/);
});
