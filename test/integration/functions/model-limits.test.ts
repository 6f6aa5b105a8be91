import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { levelTensor, type Tensor } from '../../../main/model-files/tensor.ts';
import { readOnnx } from '../../../main/model-files/onnx/read-onnx.ts';
import { createModelRuntime, nodeRuntime, runtimeLimits } from '../../../main/model-files/runtime/runtime-process.ts';
import { AppError } from '../../../main/platform/errors.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { buildModel } from '../../support/onnx/build-model.ts';
import { finderSide, squareFinder, writeModel } from '../../support/onnx/square-finder.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
const library = createRequire(import.meta.url).resolve('onnxruntime-node');
const script = join(projectRoot, 'resources', 'runtimes', 'onnx', 'server.cjs');

function runtimeOf(name: string, content: Buffer, limits: Partial<typeof runtimeLimits> = {}) {
  const own = join(folder, name);
  mkdirSync(own);
  writeModel(join(own, 'model.onnx'), content);
  const all = { ...runtimeLimits, ...limits };
  return createModelRuntime({ name, folder: own, start: nodeRuntime(script, library, all), limits: all });
}

const filling = (count: number) =>
  buildModel({
    inputs: [{ name: 'x', dims: [1] }],
    outputs: [{ name: 'y', dims: [] }],
    weights: [{ name: 'shape', dims: [1], values: BigInt64Array.from([BigInt(count)]) }],
    nodes: [
      { operator: 'ConstantOfShape', inputs: ['shape'], outputs: ['zeros'] },
      { operator: 'Add', inputs: ['zeros', 'x'], outputs: ['sum'] },
      { operator: 'ReduceSum', inputs: ['sum'], outputs: ['y'], attributes: { keepdims: 0 } },
    ],
  });
const one = { x: { type: 'float32', dims: [1], data: Float32Array.from([1]) } };

test('a model that needs too much memory ends with a sentence, and the next one is not affected', async () => {
  const greedy = runtimeOf('greedy', filling(2 ** 34), { memoryMiB: 512 });
  await expect(greedy.run('model.onnx', one)).rejects.toThrow(
    /"greedy" needed more|Cannot run "greedy"|process of "greedy"/,
  );
  greedy.stop();
  const good = runtimeOf('good', squareFinder());
  const images = {
    type: 'float32',
    dims: [1, 3, finderSide, finderSide],
    data: new Float32Array(3 * finderSide * finderSide),
  };
  expect((await good.run('model.onnx', { images })).output0?.dims).toEqual([1, 6, 25]);
  good.stop();
});

test('a model that takes too long or is cancelled is stopped, and both can be called again', async () => {
  const slow = runtimeOf('slow', filling(2 ** 26), { runMs: 1 });
  await expect(slow.run('model.onnx', one)).rejects.toMatchObject({ code: 'timeout' });
  await expect(slow.run('model.onnx', one)).rejects.toMatchObject({ code: 'timeout' });
  expect(slow.isRunning()).toBe(false);
  const given = runtimeOf('given-up', filling(2 ** 26));
  const controller = new AbortController();
  const running = given.run('model.onnx', one, controller.signal);
  controller.abort();
  await expect(running).rejects.toMatchObject({ code: 'cancelled' });
  given.stop();
});

/** An output that is the image itself. */
const mirror = (side: number) =>
  buildModel({
    inputs: [{ name: 'x', dims: [1, 3, side, side] }],
    outputs: [{ name: 'y', dims: [1, 3, side, side] }],
    weights: [],
    nodes: [{ operator: 'Identity', inputs: ['x'], outputs: ['y'] }],
  });

function imageOf(side: number, seed: number, isPlanar = true): Tensor {
  const levels = Uint8Array.from({ length: 3 * side * side }, (_, at) => (at * 31 + seed) % 256);
  const tables = [1, 2, 3].map((factor) => Float32Array.from({ length: 256 }, (_, level) => (level * factor) / 8));
  return levelTensor({ type: 'float32', dims: [1, 3, side, side] }, { levels, tables, isPlanar });
}

test('a model gets every pixel of images that are larger than a buffer of the system', async () => {
  const runtime = runtimeOf('mirror', mirror(700));
  for (const image of [imageOf(700, 1), imageOf(700, 2, false), imageOf(700, 3)]) {
    const { y } = await runtime.run('model.onnx', { x: image });
    expect(Buffer.from(y!.data.buffer, y!.data.byteOffset, y!.data.byteLength)).toEqual(Buffer.from(image.data.buffer));
  }
  runtime.stop();
});

test('a failed or cancelled run leaves no pixels for the next one', async () => {
  const runtime = runtimeOf('two-sizes', mirror(64));
  await expect(runtime.run('model.onnx', { x: imageOf(32, 1) })).rejects.toMatchObject({ code: 'invalid' });
  const controller = new AbortController();
  const given = runtime.run('model.onnx', { x: imageOf(64, 2) }, controller.signal);
  controller.abort();
  await expect(given).rejects.toMatchObject({ code: 'cancelled' });
  const image = imageOf(64, 3);
  expect((await runtime.run('model.onnx', { x: image })).y?.data).toEqual(image.data);
  runtime.stop();
});

test('refuses damaged files with a sentence, whatever is damaged', () => {
  const whole = squareFinder();
  const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 8 }), fc.nat(whole.length), (changes, length) => {
      const damaged = Buffer.from(whole.subarray(0, length));
      for (const [at, byte] of changes) if (at < length) damaged[at] = byte;
      try {
        readOnnx(writeModel(join(folder, 'damaged.onnx'), damaged), 'damaged.onnx');
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
    { numRuns: 300 },
  );
});
