import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createModelRuntime, nodeRuntime } from '../../../main/model-files/runtime/runtime-process.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const folder = sharedFolder();
const script = join(projectRoot, 'resources', 'runtimes', 'onnx', 'server.cjs');

/** Stands for onnxruntime on a computer with a GPU. The folder of a model says how it behaves on CUDA. */
const library = join(folder, 'node_modules', 'runtime', 'dist', 'index.js');
mkdirSync(join(library, '..'), { recursive: true });
writeFileSync(
  library,
  `const { basename, dirname } = require('node:path');
exports.Tensor = class {
  constructor(type, data, dims) {
    Object.assign(this, { type, data, dims });
  }
};
exports.InferenceSession = {
  async create(path, { executionProviders: [provider] }) {
    const behaviour = provider === 'cuda' ? basename(dirname(path)) : 'cpu';
    if (behaviour === 'ends') process.exit(1);
    if (behaviour === 'fails') throw new Error('the driver is too old');
    const shift = { cpu: 0, rounds: 0.001, differs: 1 }[behaviour];
    const run = async ({ x }) => ({ y: { type: x.type, dims: x.dims, data: x.data.map((value) => value + shift) } });
    return { inputNames: ['x'], outputNames: ['y'], run };
  },
};`,
);

async function runOnCuda(name: string) {
  const own = join(folder, name);
  mkdirSync(own);
  writeFileSync(join(own, 'model.onnx'), '');
  const placement = { provider: 'cuda', text: 'GPU 0 by CUDA' } as const;
  const runtime = createModelRuntime({ name, folder: own, start: nodeRuntime(script, library), placement });
  const x = { type: 'float32', dims: [1], data: Float32Array.from([1]) };
  const results: number[] = [];
  for (let time = 0; time < 2; time += 1) {
    const { y } = await runtime.run('model.onnx', { x });
    results.push(Math.round(Number(y?.data[0]) * 1000) / 1000);
  }
  runtime.stop();
  return { results, where: runtime.where() };
}

test('a model stays on the GPU if its first result is that of the CPU, up to rounding', async () => {
  expect(await runOnCuda('rounds')).toEqual({ results: [1.001, 1.001], where: 'GPU 0 by CUDA' });
});

test('a GPU that returns other results than the CPU is not used, and the line says so', async () => {
  const where = 'CPU: CUDA returned other results than the CPU';
  expect(await runOnCuda('differs')).toEqual({ results: [1, 1], where });
});

test('a model runs on the CPU if the GPU refuses it or ends its process', async () => {
  expect(await runOnCuda('fails')).toEqual({ results: [1, 1], where: 'CPU: CUDA failed: the driver is too old' });
  expect(await runOnCuda('ends')).toEqual({ results: [1, 1], where: 'CPU: CUDA ended the process of the model' });
});
