import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLambdaWorld, type LambdaWorld } from './lambda-world.ts';

let world: LambdaWorld;
beforeAll(async () => {
  world = await startLambdaWorld();
});
afterAll(() => world?.stop());

const configuration = `metadata:\n  name: elsewhere\n  annotations: {type: detector, spec: '[{"id":0,"name":"car"}]'}\nspec: {}\n`;

test('a deployment that does not run cannot be cancelled, and nobody but the owner may try', async () => {
  await world.admin.good('addEndpoint', { body: { configuration, url: 'http://127.0.0.1:9' } });
  const params = { name: 'elsewhere' };
  const idle = await world.admin.call('cancelDeployment', { params });
  expect(idle).toMatchObject({ status: 409, body: { detail: expect.stringContaining('is not being deployed') } });
  expect((await world.admin.call('cancelDeployment', { params: { name: 'nothing' } })).status).toBe(404);
  expect((await world.addUser('annotator').call('cancelDeployment', { params })).status).toBe(403);
  expect((await world.anonymous.call('cancelDeployment', { params })).status).toBe(401);
});

test('a check tells what a function wants of the graphics cards', async () => {
  const gpu = `${configuration.replace('spec: {}', 'spec:')}  resources: {limits: {nvidia.com/gpu: 1}}\n  platform: {attributes: {gpuMemoryMiB: 700}}\n`;
  const check = await world.admin.good('checkModel', { body: { configuration: gpu, way: 'image', image: 'any:1' } });
  expect(check.gpu).toEqual({ count: 1, workers: 1, per_worker_mib: 700, problem: null });
  const plain = await world.admin.good('checkModel', { body: { configuration, way: 'image', image: 'any:1' } });
  expect(plain.gpu).toMatchObject({ count: 0, problem: null });
});
