import { join } from 'node:path';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { useCoreHarness } from '../../db/work/core-harness.ts';
import { startInferenceServer } from '../../support/inference-server.ts';
import { rowsOfSix, squareFinder, writeModel } from '../../support/onnx/square-finder.ts';

const harness = useCoreHarness();
const files = () => harness.core.functions.modelFiles;
const square = { create: { width: 64, height: 64, channels: 3 as const, background: 'red' } };
const picture = await sharp({ create: { width: 320, height: 320, channels: 3, background: '#223344' } })
  .composite([{ input: square, left: 64, top: 128 }])
  .png()
  .toBuffer();

async function call(name: string): Promise<unknown> {
  const body = [Buffer.from(JSON.stringify({ image: picture.toString('base64') }))];
  const request = { method: 'POST', path: '/', headers: {}, body, timeoutMs: 60_000 };
  const answer = await harness.core.functions.catalog.invoke(name, request);
  return JSON.parse(answer.body.toString('utf8')) as unknown;
}

type Inspection = Awaited<ReturnType<ReturnType<typeof files>['inspectServer']>>;
const inspectFile = (content: Buffer) =>
  files().inspectFile(harness.admin, writeModel(join(harness.folder, 'squares.onnx'), content));

/** A server tells shapes, but not the metadata of the file, which describe this model. */
async function add(name: string, { id }: Inspection) {
  const { description } = await inspectFile(squareFinder());
  return files().add(harness.admin, { id, decoder: null, name, title: '', description: description! });
}

test.each([
  ['as bytes', true],
  ['as JSON', false],
])('a model of a server finds what its file finds, with tensors %s', async (_how, isBinary) => {
  await using server = await startInferenceServer('squares', squareFinder(), isBinary);
  const [local, remote] = [`local-${isBinary}`, `remote-${isBinary}`];
  await add(local, await inspectFile(squareFinder()));
  const model = await add(remote, await files().inspectServer(harness.admin, server.model));
  expect(server.state.requests).toEqual(
    expect.arrayContaining(['GET /v2/health/ready', 'GET /v2/models/squares', 'POST /v2/models/squares/infer']),
  );
  expect(model).toMatchObject({ address: server.model, runtime: `Server ${new URL(server.url).host}` });
  const found = await call(remote);
  expect(found).toMatchObject([{ label: 'red square', type: 'rectangle' }]);
  expect(found).toEqual(await call(local));
});

test('a model of a server is recognized like its file, by its shapes and a first run', async () => {
  await using server = await startInferenceServer('rows', rowsOfSix(), true);
  const served = await files().inspectServer(harness.admin, server.model);
  const file = await inspectFile(rowsOfSix());
  expect(served.readings.map(({ id }) => id)).toEqual(file.readings.map(({ id }) => id));
  expect(served.readings.length).toBeGreaterThan(1);
});

test('a server that is not ready, lacks the model or is gone is refused with its reason', async () => {
  const inspect = (url: string) => files().inspectServer(harness.admin, url);
  const server = await startInferenceServer('squares', squareFinder(), true);
  const host = new URL(server.url).host;
  await expect(inspect(server.url)).rejects.toThrow(/names no model of an inference server/);
  await expect(inspect(`${server.url}/v2/models/cats`)).rejects.toThrow(
    `The inference server at ${host} does not offer "cats": Request for unknown model: '/v2/models/cats' (404).`,
  );
  server.state.isReady = false;
  await expect(inspect(server.model)).rejects.toThrow(`The inference server at ${host} is not ready (503)`);
  server.state.isReady = true;
  await add('remote', await inspect(server.model));
  await server[Symbol.asyncDispose]();
  await expect(call('remote')).rejects.toThrow(`Nothing responds at ${host} (ECONNREFUSED)`);
  await expect(inspect(server.model)).rejects.toThrow(`Nothing responds at ${host}`);
});

test('addresses of servers follow the address settings', async () => {
  const inspect = (url: string) => files().inspectServer(harness.admin, url);
  await expect(inspect('http://10.99.98.97/v2/models/squares')).rejects.toThrow(
    'Allow private networks in the webhook settings if the model server is there.',
  );
  await expect(inspect('http://169.254.169.254/v2/models/squares')).rejects.toThrow('Limner never connects');
});

test('a check of the address tells whether the server is ready to run the model', async () => {
  const server = await startInferenceServer('squares', squareFinder(), true);
  await add('checked', await files().inspectServer(harness.admin, server.model));
  const check = () => harness.core.functions.service.checkAddress(harness.admin, 'checked');
  server.state.requests.length = 0;
  expect(await check()).toMatchObject({ is_reachable: true, reason: '' });
  expect(server.state.requests).toEqual(['GET /v2/models/squares/ready']);
  await server[Symbol.asyncDispose]();
  expect(await check()).toMatchObject({ is_reachable: false, reason: expect.stringContaining('ECONNREFUSED') });
});
