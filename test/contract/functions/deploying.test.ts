import { join } from 'node:path';
import { expect, test } from 'vitest';
import { maskBox } from '../../../preload/geometry/mask-runs.ts';
import { colourDecoder } from '../../support/onnx/region-grower.ts';
import { writeModel } from '../../support/onnx/square-finder.ts';
import { useLambdaWorld } from './lambda-world.ts';

const world = await useLambdaWorld();

/** Features in the layout of CVAT's Segment Anything. The left half of the image differs from the right half. */
const features = Float32Array.from({ length: 256 * 64 * 64 }, (_, index) => (index < 4096 && index % 64 < 32 ? 1 : 0));
const blob = Buffer.from(features.buffer).toString('base64');

test('a function that returns features gets a decoder and is called once per image', async () => {
  const { admin, dashboard } = world;
  const user = world.addUser('clicker');
  const task = await world.task(user, 2);
  const click = async (frame: number, at: readonly number[]) => {
    const raw = { task: task.id, frame, pos_points: [at], neg_points: [] };
    return user.call('callLambdaFunction', { params: { id: 'interactor' }, raw });
  };
  dashboard.answerWith(() => ({ status: 200, body: JSON.stringify({ blob }) }));
  expect((await click(0, [10, 10])).body).toEqual({ blob });

  const path = writeModel(join(world.folder, 'decoder.onnx'), colourDecoder());
  const { id } = await admin.good('inspectModelFile', { body: { path } });
  await admin.good('setDecoder', { params: { name: 'interactor' }, body: { id } });
  dashboard.calls.length = 0;
  const box = async (frame: number, at: readonly number[]) => {
    const { body, status } = await click(frame, at);
    expect(status).toBe(200);
    const { shapes } = body as { shapes: { points: number[] }[] };
    const { left, top, right, bottom } = maskBox(shapes[0]!.points);
    return [left, top, right, bottom];
  };
  // The image has 64 × 48 pixels, each a cell of the features.
  expect(await box(0, [10, 10])).toEqual([0, 0, 31, 47]);
  expect(await box(0, [50, 40])).toEqual([32, 0, 63, 47]);
  expect(dashboard.calls).toHaveLength(1);
  expect(await box(1, [50, 40])).toEqual([32, 0, 63, 47]);
  expect(dashboard.calls).toHaveLength(2);

  dashboard.answerWith(() => ({ status: 200, body: JSON.stringify({ blob: 'AAAA' }) }));
  const other = await world.task(user, 3);
  const wrong = await user.call('callLambdaFunction', {
    params: { id: 'interactor' },
    raw: { task: other.id, frame: 2, pos_points: [[1, 1]], neg_points: [] },
  });
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([503, expect.stringContaining('features of 3 bytes')]);
});

test('a handler that answers features reports before deployment that it needs a decoder', async () => {
  const configuration = JSON.stringify({
    metadata: { name: 'segment', annotations: { name: 'Segment', type: 'interactor', spec: '' } },
    spec: { handler: 'main:handler', runtime: 'python:3.10' },
  });
  const handler = 'def handler(context, event):\n    return {"blob": "AAAA"}\n';
  const files = [{ path: 'main.py', content: Buffer.from(handler).toString('base64') }];
  const { warnings } = await world.admin.good('checkModel', { body: { configuration, files } });
  expect(warnings).toEqual(expect.arrayContaining([expect.stringContaining('limner model decoder segment FILE')]));
  const other = [{ path: 'main.py', content: Buffer.from('mask = []').toString('base64') }];
  const plain = await world.admin.good('checkModel', { body: { configuration, files: other } });
  expect(plain.warnings.join()).not.toContain('decoder');
});

const configuration = `metadata:\n  name: elsewhere\n  annotations: {type: detector, spec: '[{"id":0,"name":"car"}]'}\nspec: {}\n`;

test('the check refuses a handler in a language without a runtime', async () => {
  const golang = configuration.replace('spec: {}', 'spec: {runtime: golang, handler: "main:Handler"}');
  const files = [{ path: 'main.go', content: '' }];
  const { status, body } = await world.admin.call('checkModel', { body: { configuration: golang, files } });
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('has the runtime \\"golang\\"')]);
});

test("a volume of the request replaces the configuration's volume at the same target before permissions are checked", async () => {
  const volume = (path: string, target: string) => ({
    volume: { name: path, hostPath: { path } },
    volumeMount: { name: path, mountPath: target },
  });
  const volumes = [volume('/not/there', '/opt/nuclio/common/'), volume(world.folder, '/data')];
  const document = JSON.stringify({ metadata: { name: 'mounted' }, spec: { handler: 'main:handler', volumes } });
  const typed = { source: world.folder, target: '/opt/nuclio/common', read_only: true };
  const { permissions } = await world.admin.good('checkModel', {
    body: { configuration: document, way: 'image', image: 'any:1', volumes: [typed] },
  });
  expect(permissions.map(({ id }) => id)).toEqual([`volume:${world.folder}:rw`, `volume:${world.folder}:ro`]);
});

test('an exported configuration keeps the values of the function with its name, and lists the empty ones', async () => {
  const withEnv = (name: string, env: object[]) =>
    JSON.stringify({ metadata: { name, annotations: { type: 'detector', spec: '[]' } }, spec: { env } });
  const url = 'http://127.0.0.1:9';
  await world.admin.good('addEndpoint', {
    body: { configuration: withEnv('sealed', [{ name: 'MODEL', value: 'canary-51d0' }]), url },
  });
  const check = (name: string) =>
    world.admin.good('checkModel', {
      body: { configuration: withEnv(name, [{ name: 'MODEL' }]), way: 'image', image: 'any:1' },
    });
  const again = await check('sealed');
  expect(again.warnings).toContain('Values missing in the configuration were taken from the current function: MODEL.');
  expect(JSON.stringify(again)).not.toContain('canary');
  expect((await check('other')).warnings.join()).toContain('are empty: MODEL. Set them with --env NAME=VALUE.');
});

test('a deployment that does not run cannot be cancelled', async () => {
  await world.admin.good('addEndpoint', { body: { configuration, url: 'http://127.0.0.1:9' } });
  const params = { name: 'elsewhere' };
  const idle = await world.admin.call('cancelDeployment', { params });
  expect(idle).toMatchObject({ status: 409, body: { detail: expect.stringContaining('is not being deployed') } });
});

test('a check reports the GPUs that a function needs', async () => {
  const gpu = `${configuration.replace('spec: {}', 'spec:')}  resources: {limits: {nvidia.com/gpu: 1}}\n  platform: {attributes: {gpuMemoryMiB: 700}}\n`;
  const check = await world.admin.good('checkModel', { body: { configuration: gpu, way: 'image', image: 'any:1' } });
  expect(check.gpu).toEqual({ count: 1, workers: 1, per_worker_mib: 700, problem: null });
  const plain = await world.admin.good('checkModel', { body: { configuration, way: 'image', image: 'any:1' } });
  expect(plain.gpu).toMatchObject({ count: 0, problem: null });
});
