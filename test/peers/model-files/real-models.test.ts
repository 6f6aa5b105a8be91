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

test('MoveNet finds at least 14 of the 17 points of its program', async () => {
  const { model, readings } = await inspected('movenet.onnx');
  expect(readings.map(({ id }) => id)).toEqual(['single-pose']);
  const [item] = await detect(model, photo('messi5.jpg'), 0.3);
  const elements = item!['elements'] as readonly { points: readonly number[]; label: string }[];
  expect(elements).toHaveLength(17);
  expect(elements[0]?.label).toBe('nose');
  // 6 pixels for another resizer; the expected places are rounded to a tenth.
  const far = expected.movenet['messi5.jpg']!.filter(([x = 0, y = 0], index) => {
    const [left = 0, top = 0] = elements[index]!.points;
    return Math.max(Math.abs(left - x), Math.abs(top - y)) > 6.1;
  });
  // Limner shrinks images without smoothing, which moves elbows and others by up to 15 pixels.
  expect(far.length).toBeLessThanOrEqual(3);
}, 300_000);
