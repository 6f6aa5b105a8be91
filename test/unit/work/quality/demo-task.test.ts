import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { labeledDataSchema } from '../../../../preload/contract/schema/annotations.ts';
import { usualChoices } from '../../../../preload/contract/schema/quality.ts';
import { compareQuality } from '../../../../main/work/quality/compare-frame.ts';
import type { ComparedLabel } from '../../../../main/comparison/compared-object.ts';
import { countsOfJob } from '../../../../main/work/quality/quality-counts.ts';

interface Sent {
  readonly shapes: readonly { readonly frame: number; readonly elements?: readonly object[] }[];
  readonly tags: readonly object[];
}
interface DemoTask {
  readonly sizes: readonly (readonly [width: number, height: number])[];
  readonly labels: readonly ComparedLabel[];
  readonly truth: Sent;
  readonly own: Sent;
  readonly summary: Readonly<Record<string, unknown>>;
  /** Type, frame and ids; the annotation's come before those of the ground truth. */
  readonly conflicts: readonly (readonly (string | number)[])[];
}
const file = new URL('../../../fixtures/quality/task-22.json', import.meta.url);
const demo = JSON.parse(readFileSync(file, 'utf8')) as DemoTask;

const annotations = ({ shapes, tags }: Sent): z.output<typeof labeledDataSchema> =>
  labeledDataSchema.parse({
    tags,
    shapes: shapes.map((shape) => ({
      ...shape,
      elements: (shape.elements ?? []).map((element) => ({ frame: shape.frame, type: 'points', ...element })),
    })),
  });

const compared = compareQuality(
  {
    labels: demo.labels,
    frames: demo.sizes.map(([width, height], frame) => ({ frame, width, height })),
    truth: { jobId: 28, data: annotations(demo.truth) },
    own: { jobId: 27, data: annotations(demo.own) },
    choices: usualChoices,
    requirements: [],
  },
  {
    signal: new AbortController().signal,
    progress: () => undefined,
    checkCancelled: () => undefined,
    turns: undefined,
  },
);

test("finds CVAT's conflicts in its demo task", () => {
  const found = compared.flatMap(([, { conflicts }]) => conflicts);
  const listed = found.map(({ type, frame, annotation_ids: ids }) => [type, frame, ...ids.map((id) => id.obj_id)]);
  const sorted = (all: readonly (readonly unknown[])[]) => all.map((one) => one.join(' ')).toSorted();
  expect(sorted(listed)).toEqual(sorted(demo.conflicts));
});

test("counts the annotations of CVAT's demo task like CVAT", () => {
  const { annotations: counts } = countsOfJob(
    compared.map(([, one]) => one.counts),
    demo.labels.length,
    false,
  );
  const { valid_count, ds_count, gt_count, total_count } = demo.summary;
  expect(counts).toMatchObject({ valid_count, ds_count, gt_count, total_count });
  expect(counts.valid_count / counts.total_count).toBeCloseTo(0.4583, 4);
});
