import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createDockerHarness, functionYaml, nodeBase } from '../../support/functions/docker-harness.ts';

const harness = await createDockerHarness();
await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
const directory = harness.folderWith({ 'notes.txt': 'about the model\n' });
afterAll(() => harness.dispose());

const name = 'changing';
const service = () => harness.core.functions.service;

async function deploy(number: number): Promise<void> {
  const spec = `  env:\n    - { name: SECRET, value: "value ${number}" }\n  triggers:\n    http: { kind: http, numWorkers: ${number} }`;
  writeFileSync(join(directory, 'function.yaml'), functionYaml({ name, spec }));
  writeFileSync(
    join(directory, 'main.js'),
    `const number = ${number};\nexports.handler = async () => ({ number, secret: process.env.SECRET });\n`,
  );
  const files = [{ path: 'data.bin', content: Buffer.from([0, number]).toString('base64') }];
  const deployed = await harness.deploy({ directory, files, base_image: nodeBase });
  expect(deployed).toMatchObject({ state: 'ready', message: '', version: number });
}
const answer = async () => (await harness.call(name, {})).body;
const kept = async () =>
  (await service().versions(harness.admin, name)).versions.map(({ version, is_current: isCurrent }) =>
    isCurrent ? `${version}!` : String(version),
  );
const names = async () => (await harness.docker.listImages()).flatMap(({ RepoTags }) => RepoTags ?? []);

test('versions exist side by side, are compared, and an earlier one is restored', async () => {
  await deploy(1);
  await deploy(2);
  expect(await answer()).toEqual({ number: 2, secret: 'value 2' });
  expect(await kept()).toEqual(['2!', '1']);

  const changes = await service().versionChanges(harness.admin, name, 2);
  expect(changes).toMatchObject({ since: 1, version: 2, variables: ['SECRET'], knows_files: true });
  expect(changes.files.map(({ path, change }) => [path, change])).toEqual([
    ['function.yaml', 'changed'],
    ['data.bin', 'changed'],
    ['main.js', 'changed'],
  ]);
  expect(changes.files[1]?.lines).toBeNull();
  expect(changes.files[2]?.lines).toEqual([
    { kind: 'removed', text: 'const number = 1;' },
    { kind: 'added', text: 'const number = 2;' },
    { kind: 'same', text: 'exports.handler = async () => ({ number, secret: process.env.SECRET });' },
  ]);
  expect(JSON.stringify(changes)).not.toContain('value 1');

  // Later changes of the folder have no effect.
  writeFileSync(join(directory, 'main.js'), 'not JavaScript');
  await service().rollBack(harness.admin, name, 1);
  await service().deployed(name);
  expect(harness.function(name)).toMatchObject({ state: 'ready', message: '', version: 1, way: 'handler', workers: 1 });
  expect(await answer()).toEqual({ number: 1, secret: 'value 1' });
  expect(await kept()).toEqual(['2', '1!']);
  await expect(service().rollBack(harness.admin, name, 1)).rejects.toThrow(/is the current version/);
  await expect(service().rollBack(harness.admin, name, 9)).rejects.toThrow(/no version 9.*There are: 2, 1/);

  const counted = service().numbers(harness.admin, name, { hours: 1 }).versions;
  expect(counted.map(({ version, call_count: calls }) => [version, calls])).toEqual([
    [2, 1],
    [1, 1],
  ]);
});

test('keeps the configured number of versions, always the active one, and never reuses a number', async () => {
  for (const number of [3, 4, 5, 6]) await deploy(number);
  expect(await kept()).toEqual(['6!', '5', '4', '3', '2']);
  await service().rollBack(harness.admin, name, 2);
  await service().deployed(name);
  expect(await answer()).toEqual({ number: 2, secret: 'value 2' });
  await deploy(7);
  expect(await kept()).toEqual(['7!', '6', '5', '4', '3']);
  const held = (await names()).filter((one) => one.startsWith(`limner-function/${name}:version-`));
  expect(held.toSorted()).toEqual([3, 4, 5, 6, 7].map((number) => `limner-function/${name}:version-${number}`));
});

test('reports a version whose image was removed, and the active one keeps running', async () => {
  const image = await harness.docker.getImage(`limner-function/${name}:version-4`).inspect();
  await harness.docker.getImage(image.Id).remove({ force: true });
  await expect(service().rollBack(harness.admin, name, 4)).rejects.toThrow(/no longer has the image of version 4/);
  expect(await answer()).toEqual({ number: 7, secret: 'value 7' });
});

test('deleting the function deletes its versions, their images and their stored folders', async () => {
  await service().remove(harness.admin, name);
  expect((await names()).filter((one) => one.startsWith(`limner-function/${name}:`))).toEqual([]);
  expect(readdirSync(join(harness.folder, 'data', 'functions', name))).toEqual([]);
  await deploy(1);
  expect(await kept()).toEqual(['1!']);
});
