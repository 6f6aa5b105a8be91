import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createDockerHarness } from '../../support/functions/docker-harness.ts';
import { modelEnvironment, weightsIn } from '../../support/functions/python-models.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { startServer } from '../../support/server.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';

interface Item {
  readonly label: string;
  readonly type: string;
  readonly confidence: string;
  readonly points: readonly number[];
}

const harness = await createDockerHarness();
const environment = await modelEnvironment();
const fileOf = await weightsIn(environment);
const baseImage = (
  await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'python', environment })
).image;
afterAll(() => harness.dispose());

async function look(file: string) {
  const { id, description } = await harness.core.functions.modelFiles.inspectFile(harness.admin, fileOf(file));
  if (description === null) throw new Error(`${file} was not recognised`);
  return { id, description, decoder: null, title: '' };
}

const photoFile = (photo: string): string => join(projectRoot, '..', 'shared', 'media', 'photos', photo);
async function found(name: string, photo: string): Promise<Item[]> {
  const image = readFileSync(photoFile(photo)).toString('base64');
  return JSON.parse((await harness.call(name, { image })).text) as Item[];
}

test('an ONNX model gives the same results in a container as in Limner', async () => {
  const { modelFiles, service } = harness.core.functions;
  await modelFiles.add(harness.admin, { ...(await look('centerface.onnx')), name: 'faces-here' });

  const file = await look('centerface.onnx');
  const container = { base_image: baseImage, resource_limits: { cpu: '1', memory: '2Gi' } };
  const missing = { ...container, base_image: 'limner-test/not-here:1' };
  await expect(modelFiles.add(harness.admin, { ...file, name: 'faces', container: missing })).rejects.toThrow(
    /limner-test\/not-here/,
  );
  // A request that was refused before the start did not delete the file.
  const begun = await modelFiles.add(harness.admin, { ...file, name: 'faces', container });
  expect(begun).toMatchObject({ state: 'building', is_model_file: true, kind: 'detector' });
  await service.deployed('faces');
  expect(harness.function('faces')).toMatchObject({
    state: 'ready',
    message: '',
    provider: 'docker',
    is_model_file: true,
    description: 'centerface.onnx',
    labels: [{ name: 'face' }],
    cpu_cores: 1,
    memory_bytes: 2 * 1024 ** 3,
  });
  expect(await harness.log('faces')).toContain('model.onnx runs on CPUExecutionProvider');

  for (const photo of ['messi5.jpg', 'basketball1.png', 'fruits.jpg']) {
    const [here, there] = [await found('faces-here', photo), await found('faces', photo)];
    expect(there.map(({ label, type }) => [label, type])).toEqual(here.map(({ label, type }) => [label, type]));
    for (const [index, { confidence, points }] of there.entries()) {
      expect(Number(confidence)).toBeCloseTo(Number(here[index]?.confidence), 2);
      for (const [at, value] of points.entries()) expect(value).toBeCloseTo(here[index]?.points[at] ?? 0, 0);
    }
  }
  expect((await found('faces', 'basketball1.png')).map(({ label }) => label)).toEqual(['face', 'face']);
  expect(service.numbers(harness.admin, 'faces', { hours: 1 }).versions).toMatchObject([
    { version: 1, call_count: 4, error_count: 0 },
  ]);

  const { description } = modelFiles.get(harness.admin, 'faces');
  modelFiles.update(harness.admin, 'faces', { description: { ...description, threshold: 0.99 } });
  expect(await found('faces', 'basketball1.png')).toEqual([]);

  await service.redeploy(harness.admin, 'faces');
  await service.deployed('faces');
  expect(harness.function('faces')).toMatchObject({ state: 'ready', version: 2 });
  await expect(harness.deployHandler({ name: 'faces' }, undefined, { base_image: baseImage })).rejects.toThrow(
    /The name "faces" is used by a model file/,
  );

  const folder = join(harness.folder, 'data', 'weights', 'faces');
  expect(existsSync(folder)).toBe(true);
  await service.remove(harness.admin, 'faces');
  expect(existsSync(folder)).toBe(false);
  expect(await harness.containers('faces')).toEqual([]);
  expect(await found('faces-here', 'basketball1.png')).toHaveLength(2);
});

test('the command line builds the base image of an environment, and shows the progress of the deployment', async () => {
  const server = await startServer();
  const limner = (...args: string[]) => runLimner([...args, '--data-dir', server.dataDir]);
  const file = fileOf('centerface.onnx');
  const added = await limner('model', 'add', file, '--container', '--base', environment, '--idle-stop', '900');
  expect(added.output).toMatch(/^Function centerface is a detector, in a container on limner\/base-python:/);
  expect(added.errorOutput).toMatch(/Adding the handler to [^]*^Started on port \d+; waiting until it is ready$/m);
  const { output } = await limner('function', 'invoke', 'centerface', '--input', photoFile('messi5.jpg'));
  expect((JSON.parse(output) as Item[]).map(({ label }) => label)).toEqual(['face']);
  expect((await limner('function', 'get', 'centerface')).output).toMatch(/Rests after: +900 s without a call/);
  expect((await limner('function', 'delete', 'centerface')).exitCode).toBe(0);
  await server.stop();
});
