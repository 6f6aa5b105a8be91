import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeployCheck, ModelEngine, ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { runLimner } from '../../integration/cli/support/run-limner.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { functionYaml, obedientHandler, until, type YamlOptions } from '../../support/functions/docker-harness.ts';
import { cutSsh, startRemoteEngine } from '../../support/functions/remote-engine.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

type RemoteEngine = Awaited<ReturnType<typeof startRemoteEngine>>;
let remote: RemoteEngine;
let server: RunningServer;
let client: TestClient;
beforeAll(async () => {
  remote = await startRemoteEngine();
  remote.docker('context', 'create', 'gpu-box', '--docker', `host=${remote.address}`);
  server = await startServer({ env: remote.env });
  client = await signIn(server);
});
afterAll(async () => {
  await server?.stop();
  await remote?.dispose();
});

const functionOf = (name: string) => client.good<ModelFunction>('GET', `/api/models/functions/${name}`);
const request = (yaml: YamlOptions, more: object = {}) => ({
  configuration: functionYaml(yaml),
  files: [{ path: 'main.js', content: btoa(obedientHandler) }],
  base_image: 'limner/base-node:latest',
  engine: 'gpu-box',
  ...more,
});
async function deploy(yaml: YamlOptions, more: object = {}): Promise<ModelFunction> {
  await client.good('POST', '/api/models/functions', { json: request(yaml, more) });
  return until(async () => {
    const model = await functionOf(yaml.name);
    return model.state === 'building' ? null : model;
  });
}
const invoke = (name: string, json: object = {}) =>
  client.call('POST', `/api/models/functions/${name}/invoke`, { json });
const testEngine = (name = 'gpu-box') => client.good<ModelEngine>('POST', `/api/models/engines/${name}/test`);
const remoteDocker = () => new Docker({ socketPath: remote.socket });

test('the Engine of a Docker context is listed, and a test shows its version, GPUs and latency', async () => {
  const before = await client.good<ModelEngine[]>('GET', '/api/models/engines');
  expect(before.map(({ name, source, transport, state }) => ({ name, source, transport, state }))).toEqual([
    { name: 'default', source: 'local', transport: 'local', state: 'unknown' },
    { name: 'gpu-box', source: 'context', transport: 'ssh', state: 'unknown' },
  ]);
  const engine = await testEngine();
  expect(engine).toMatchObject({ state: 'connected', message: '', address: remote.address });
  expect(engine.version).toBe((await remoteDocker().version()).Version);
  expect(engine.latency_ms).toBeGreaterThan(0);
  expect(engine.gpus.map(({ name, memory_mib: memory }) => [name, memory])).toEqual([
    ['RTX A6000', 49_140],
    ['RTX A6000', 49_140],
  ]);
  expect(await testEngine('default')).toMatchObject({ state: 'missing' });
});

test('a function runs on it without a network, and is called over SSH and by its port on this computer', async () => {
  const model = await deploy({ name: 'far' });
  expect(model).toMatchObject({ state: 'ready', message: '', engine: 'gpu-box', grants: [] });
  const answer = await invoke('far', { do: 'whoami' });
  expect(answer).toMatchObject({ status: 200, body: { uid: 65_534 } });
  const [container] = await remoteDocker().listContainers({ filters: { label: ['app.limner.function=far'] } });
  const facts = await remoteDocker()
    .getContainer(container?.Id ?? '')
    .inspect();
  expect(facts.HostConfig).toMatchObject({ NetworkMode: 'none', ReadonlyRootfs: true, CapDrop: ['ALL'] });
  expect(facts.Mounts).toEqual([]);
  const direct = await fetch(`http://127.0.0.1:${model.node_port}/`, { method: 'POST', body: '{}' });
  expect(direct.status).toBe(200);
  const here = await invoke('far', { do: 'connect', host: '127.0.0.1', port: remote.sshd.port });
  expect(here.body).toMatchObject({ connected: false });
});

test('a large image arrives unchanged, and calls run side by side', async () => {
  await deploy({
    name: 'wide',
    spec: '  triggers:\n    http:\n      kind: http\n      numWorkers: 2\n      attributes:\n        maxRequestBodySize: 33554432',
  });
  const big = { pad: 'a'.repeat(8 * 1024 * 1024) };
  const answers = await Promise.all([
    invoke('wide', big),
    invoke('wide', big),
    invoke('wide', { do: 'flood', bytes: 3_000_000 }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const size = JSON.stringify(big).length;
  expect(answers.slice(0, 2).map(({ body }) => (body as { size: number }).size)).toEqual([size, size]);
});

test('the log of its container is read over SSH', async () => {
  await invoke('far', { do: 'log' });
  const log = await client.bytes('/api/models/functions/far/logs?tail=1000');
  expect(log.toString()).toContain('said something');
});

test('a function gets a GPU of that Engine', async () => {
  const gpu = '  resources:\n    limits:\n      nvidia.com/gpu: 1';
  const check = await client.good<DeployCheck>('POST', '/api/models/check', {
    json: request({ name: 'seer', spec: gpu }),
  });
  expect(check.gpu).toMatchObject({ count: 1, problem: null });
  const model = await deploy({ name: 'seer', spec: gpu }, { gpu_memory_mib: 4000 });
  expect(model).toMatchObject({ state: 'ready', message: '' });
  expect(model.gpu.devices).toEqual(['GPU-a']);
  const { gpus } = await testEngine();
  expect(gpus.map(({ functions, used_mib: used }) => [functions, used])).toEqual([
    [['seer'], 4000],
    [[], 0],
  ]);
});

test('a call fails with the reason when the connection is cut, and the next one connects again', async () => {
  const cut = invoke('far', { do: 'sleep', ms: 20_000 });
  // The function logs nothing when a call begins; its connection to the container exists shortly after.
  await new Promise((resolve) => setTimeout(resolve, 4000));
  expect(cutSsh(server.pid)).toBeGreaterThan(0);
  const answer = await cut;
  expect(answer.status).toBe(503);
  expect(JSON.stringify(answer.body)).toMatch(/connection .*(broke|ended)/i);
  const next = await until(() => invoke('far', { do: 'whoami' }).then((one) => (one.status === 200 ? one : null)));
  expect(next.body).toMatchObject({ uid: 65_534 });
});

test('calls fail at once while it is unreachable, and work again when it is back', async () => {
  await remote.sshd.stop();
  cutSsh(server.pid);
  const failed = await until(() => invoke('far').then((one) => (one.status === 200 ? null : one)));
  expect(failed.status).toBe(503);
  expect(JSON.stringify(failed.body)).toMatch(/Cannot reach the Docker Engine at ssh:.*(refused|ended)/);
  await testEngine();
  const before = remote.sshStarts();
  for (let count = 0; count < 20; count += 1) expect((await invoke('far')).status).toBe(503);
  expect(remote.sshStarts() - before).toBeLessThan(10);
  const unreachable = await functionOf('far');
  expect(unreachable.state).toBe('unhealthy');
  expect(unreachable.message).toContain('Cannot reach the Docker Engine');
  await remote.sshd.start();
  await until(() => invoke('far').then(({ status }) => status === 200));
  expect(await functionOf('far')).toMatchObject({ state: 'ready', message: '' });
});

test('its functions are found again after Limner was killed', async () => {
  const idsOf = async () =>
    (await remoteDocker().listContainers({ filters: { label: ['app.limner.function=far'] } })).map(({ Id }) => Id);
  const before = await idsOf();
  await server.kill9();
  server = await server.restart();
  client = await signIn(server);
  expect((await invoke('far', { do: 'whoami' })).status).toBe(200);
  expect(await idsOf()).toEqual(before);
});

test('the command line lists the Engines, and deploys and calls on one', async () => {
  const limner = (...args: string[]) => runLimner([...args, '--data-dir', server.dataDir]);
  const { output } = await limner('engine', 'list', '--json');
  expect(JSON.parse(output)).toMatchObject([
    { name: 'default', state: 'missing' },
    { name: 'gpu-box', state: 'connected', functions: ['far', 'seer', 'wide'] },
  ]);
  const deployed = await limner('function', 'deploy', '--sample', 'colored-objects', '--engine', 'gpu-box', '--json');
  expect(deployed).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(deployed.output)).toMatchObject({ name: 'colored-objects', state: 'ready', engine: 'gpu-box' });
  const shown = await limner('function', 'get', 'colored-objects');
  expect(shown.output).toMatch(/^Engine: +gpu-box$/m);
  expect((await limner('function', 'delete', 'colored-objects')).exitCode).toBe(0);
  const missing = await limner('engine', 'test', 'default');
  expect(missing.exitCode).not.toBe(0);
  expect(missing.errorOutput).toContain('Docker');
});

test.each([
  [
    'volumes',
    { volumes: [{ source: '/tmp', target: '/data', read_only: true }], grants: ['volume:/tmp:ro'] },
    /volumes are folders of this computer/,
  ],
  ['a network', { network: 'bridge', grants: ['network:bridge'] }, /needs the network "bridge"/],
  ['an unknown Engine', { engine: 'nowhere' }, /There is no Engine "nowhere"/],
])('a deployment with %s is refused in words', async (_what, more, words) => {
  const answer = await client.call('POST', '/api/models/functions', { json: request({ name: 'refused' }, more) });
  expect(answer.status).toBe(400);
  expect(
    Object.values(answer.body as object)
      .flat()
      .join(' '),
  ).toMatch(words);
});

test('a deployed function is not moved to another Engine silently', async () => {
  const answer = await client.call('POST', '/api/models/functions', {
    json: request({ name: 'far' }, { engine: 'default' }),
  });
  expect(answer.status).toBe(409);
  expect(JSON.stringify(answer.body)).toContain('is deployed on the Engine \\"gpu-box\\"');
});

test('an Engine with an unknown host key is refused, and its functions stay', async () => {
  const known = readFileSync(remote.knownHosts, 'utf8');
  writeFileSync(remote.knownHosts, '');
  const json = { name: 'stranger', address: remote.address };
  await client.good('POST', '/api/models/engines', { json });
  expect(await testEngine('stranger')).toMatchObject({ state: 'failed' });
  expect((await testEngine('stranger')).message).toContain('SSH does not know the key of that computer');
  writeFileSync(remote.knownHosts, known);
  expect(await testEngine('stranger')).toMatchObject({ state: 'connected' });
  await client.call('DELETE', '/api/models/engines/stranger');
});

test.each([
  'ssh://-oProxyCommand=touch@host',
  'ssh://host;id',
  'ssh://user@host/run/$(id).sock',
  'tcp://10.0.0.8:2375',
])('the address %s is refused', async (address) => {
  const answer = await client.call('POST', '/api/models/engines', { json: { name: 'bad', address } });
  expect(answer.status).toBe(400);
});

test('deleting a function removes its container there, and only then can the Engine be removed', async () => {
  const engines = await client.good<ModelEngine[]>('GET', '/api/models/engines');
  expect(engines.find(({ name }) => name === 'gpu-box')?.functions.toSorted()).toEqual(['far', 'seer', 'wide']);
  const refused = await client.call('DELETE', '/api/models/engines/gpu-box');
  expect(refused.status).toBe(409);
  for (const name of ['far', 'seer', 'wide']) await client.call('DELETE', `/api/models/functions/${name}`);
  expect(await remoteDocker().listContainers({ all: true })).toEqual([]);
  const context = await client.call('DELETE', '/api/models/engines/gpu-box');
  expect(JSON.stringify(context.body)).toContain('docker context rm gpu-box');
  expect(readFileSync(join(remote.folder, 'docker', 'contexts', 'meta', contextId(), 'meta.json'), 'utf8')).toContain(
    'gpu-box',
  );
});

const contextId = () =>
  remote.docker('context', 'inspect', 'gpu-box', '--format', '{{.Storage.MetadataPath}}').trim().split('/').at(-1) ??
  '';
