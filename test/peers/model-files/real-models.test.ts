import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inspectModel } from '../../../main/model-files/first-run.ts';
import { detect } from '../../../main/model-files/onnx-model.ts';
import { readOnnx } from '../../../main/model-files/onnx/read-onnx.ts';
import { createModelRuntime, nodeRuntime } from '../../../main/model-files/runtime/runtime-process.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { sharedFixtures, sharedMedia } from '../shared-fixtures.ts';

interface Box {
  readonly label: string;
  readonly score: number;
  readonly box: readonly number[];
}

const folder = join(sharedFixtures, 'models');
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as {
  readonly centernet: Readonly<Record<string, readonly Box[]>>;
  /** x, y and score of each point. */
  readonly movenet: Readonly<Record<string, readonly (readonly number[])[]>>;
};
const library = createRequire(import.meta.url).resolve('onnxruntime-node');
const start = nodeRuntime(join(projectRoot, 'resources', 'runtimes', 'onnx', 'server.cjs'), library);
const runtime = createModelRuntime({ name: 'real', folder, start });
afterAll(() => runtime.stop());

async function inspected(file: string) {
  const { facts } = readOnnx(join(folder, file), file);
  const model = { name: file, facts, runtime: { run: (_: string, ...rest: [never]) => runtime.run(file, ...rest) } };
  const { description, readings } = await inspectModel(model as Parameters<typeof inspectModel>[0]);
  return { model: { ...model, description: description! } as Parameters<typeof detect>[0], readings };
}

const photo = (name: string) => readFileSync(join(sharedMedia, 'photos', name));

test('CenterNet, whose outputs declare no shapes, finds the boxes of its program', async () => {
  const { model, readings } = await inspected('centernet.onnx');
  expect(readings.map(({ id }) => id)).toEqual(['rows-box-score-label-xyxy']);
  for (const [name, boxes] of Object.entries(expected.centernet)) {
    // oxlint-disable-next-line no-await-in-loop -- one process runs one image at a time
    const found = await detect(model, photo(name), 0.2);
    for (const wanted of boxes.filter(({ score }) => score > 0.3)) {
      const isSame = (one: (typeof found)[number]) =>
        one['label'] === wanted.label &&
        Math.abs(Number(one['confidence']) - wanted.score) <= 0.05 &&
        (one['points'] as readonly number[]).every((value, index) => {
          // Boxes of Limner end at the border of the image.
          return Math.abs(value - Math.max(0, wanted.box[index] ?? 0)) <= 4;
        });
      expect(found.some(isSame), `${name}: ${wanted.label} ${wanted.score} ${wanted.box.join(' ')}`).toBe(true);
    }
  }
}, 300_000);

test('MoveNet finds the points of its program', async () => {
  const { model, readings } = await inspected('movenet.onnx');
  expect(readings.map(({ id }) => id)).toEqual(['single-pose']);
  for (const [name, points] of Object.entries(expected.movenet)) {
    // oxlint-disable-next-line no-await-in-loop -- one process runs one image at a time
    const [item] = await detect(model, photo(name), 0.3);
    const elements = item!['elements'] as readonly { points: readonly number[]; label: string; confidence: string }[];
    expect(elements).toHaveLength(17);
    expect(elements[0]?.label).toBe('nose');
    for (const [index, [x = 0, y = 0, score = 0]] of points.entries()) {
      const { points: at, label, confidence } = elements[index]!;
      const [left = 0, top = 0] = at;
      expect(Math.max(Math.abs(left - x), Math.abs(top - y)), `${name}: ${label}`).toBeLessThanOrEqual(1);
      expect(Math.abs(Number(confidence) - score), `${name}: ${label}`).toBeLessThanOrEqual(0.01);
    }
  }
}, 300_000);
