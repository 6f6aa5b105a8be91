import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { inspectModel } from '../../../main/model-files/first-run.ts';
import { readOnnx } from '../../../main/model-files/onnx/read-onnx.ts';
import { createModelRuntime, nodeRuntime } from '../../../main/model-files/runtime/runtime-process.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { forms, formsFolder, verdictOf } from './form-judge.ts';

const folder = join(formsFolder, 'models');
const library = createRequire(import.meta.url).resolve('onnxruntime-node');
const start = nodeRuntime(join(projectRoot, 'resources', 'runtimes', 'onnx', 'server.cjs'), library);
const runtime = createModelRuntime({ name: 'forms', folder, start });
afterAll(() => runtime.stop());

test('reads every export form right, or asks, after a first run of its file', async () => {
  const wrong: string[] = [];
  const asked: string[] = [];
  let tried = 0;
  for (const form of forms) {
    const file = `${form.id}.onnx`;
    const { facts } = readOnnx(join(folder, file), file);
    const run: typeof runtime.run = (_, feeds, signal) => runtime.run(file, feeds, signal);
    // oxlint-disable-next-line no-await-in-loop -- one process runs one model at a time
    const found = await inspectModel({ name: file, facts, runtime: { run } });
    const { verdict, words } = verdictOf(form, found);
    if (verdict === 'wrong' || verdict === 'refused')
      wrong.push(`${form.id}: ${verdict} (${words}) ${found.problem ?? ''}`);
    if (verdict === 'asked') asked.push(form.id);
    tried += found.trial === null ? 0 : 1;
  }
  expect(wrong).toEqual([]);
  expect(asked).toEqual(['detr-hf', 'efficientdet-tf', 'unet-binary', 'grounding-dino-hf']);
  // The others are parts that take no image, or more than an image.
  expect(tried).toBe(63);
}, 600_000);
