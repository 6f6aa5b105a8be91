import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createServices } from '../../../main/composition/services.ts';
import { createClock } from '../../../main/platform/clock.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import type { ModelFunction } from '../../../preload/contract/schema/functions.ts';
import { signIn } from '../../support/client.ts';
import {
  createDockerHarness,
  deployBySource,
  nodeBase,
  testSocket,
  until,
  type DockerHarness,
} from '../../support/functions/docker-harness.ts';
import { createOwnEngine, withSocket } from '../../support/functions/test-engine.ts';
import { startServer } from '../../support/server.ts';
import { sharedWorkers } from '../../support/shared-workers.ts';

describe('functions outlive Limner and the containers behind them', () => {
  let harness: DockerHarness;
  let now = Date.now();
  beforeAll(async () => {
    harness = await createDockerHarness();
    await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
  });
  afterAll(() => harness?.dispose());

  const deploy = (name: string, spec = '') => harness.deployHandler({ name, spec });
  const own = (name: string) => harness.containers(name);
  test('a container that was stopped, killed or removed externally is started again by the next call', async () => {
    await deploy('sleeper');
    const container = await harness.container('sleeper');
    await container.stop({ t: 1 });
    expect((await harness.call('sleeper', {})).status).toBe(200);
    await container.kill();
    expect((await harness.call('sleeper', {})).status).toBe(200);
    await container.remove({ force: true });
    expect((await harness.call('sleeper', {})).status).toBe(200);
    expect((await own('sleeper')).map(({ Id }) => Id)).not.toContain(container.id);
    expect(harness.function('sleeper').state).toBe('ready');
  });

  test('a port that was taken since is replaced by another one', async () => {
    const { node_port: port } = await deploy('mover');
    await (await harness.container('mover')).stop({ t: 1 });
    await until(() => harness.function('mover').state === 'scaledToZero');
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port ?? 0, '127.0.0.1', resolve));
    expect((await harness.call('mover', {})).status).toBe(200);
    expect(harness.function('mover').node_port).not.toBe(port);
    expect(await own('mover')).toHaveLength(1);
    server.close();
  });

  test('an idle one is stopped, and started by the next call', async () => {
    await deploy('idle', '  platform:\n    attributes:\n      idleStopSeconds: 1');
    expect(harness.function('idle').idle_stop_seconds).toBe(1);
    await harness.call('idle', {});
    now = Date.now();
    await until(async () => {
      await harness.core.functions.runtimes.sweep();
      return harness.function('idle').state === 'scaledToZero';
    });
    expect(Date.now() - now).toBeGreaterThan(900);
    expect((await own('idle'))[0]?.State).toBe('exited');
    expect((await harness.call('idle', {})).status).toBe(200);
    expect(harness.function('idle').state).toBe('ready');
  });

  test('they are stopped when Limner ends, if configured', async () => {
    const own = await createDockerHarness();
    await own.core.functions.service.buildBaseImage(own.admin, { language: 'node' });
    await own.deployHandler({ name: 'rester', spec: '' });
    expect(own.core.functions.runtimes.running()).toEqual(['rester']);
    await own.core.functions.stop({ restsFunctions: true });
    expect(await own.containers('rester')).toMatchObject([{ State: 'exited' }]);
    expect(own.function('rester').state).toBe('scaledToZero');
    await own.dispose();
  });

  test('containers of another data directory are not changed', async () => {
    await deploy('mine');
    const other = await createDockerHarness();
    await other.core.functions.runtimes.attached();
    expect(await own('mine')).toHaveLength(1);
    await other.dispose();
    expect((await harness.call('mine', {})).status).toBe(200);
  });
});

describe('a Limner that was killed', () => {
  test('finds its functions again: the same containers answer, at the same ports', async () => {
    const server = await startServer();
    const client = await signIn(server);
    const ports = new Map<string, number | null>();
    for (const name of ['survivor', 'sleeper']) {
      const model = await deployBySource(client, { name });
      expect(model).toMatchObject({ state: 'ready', message: '' });
      ports.set(name, model.node_port);
    }
    const docker = new Docker({ socketPath: testSocket() });
    const containersOf = async (name: string) => {
      const filters = { label: [`app.limner.function=${name}`] };
      return (await docker.listContainers({ all: true, filters })).map(({ Id }) => Id);
    };
    const before = await containersOf('survivor');
    await server.kill9();

    const again = await server.restart();
    const next = await signIn(again);
    // One by a call of Limner, the other by a direct request to its address.
    await next.good('POST', '/api/models/functions/survivor/invoke', { json: {} });
    const answer = await until(() =>
      fetch(`http://127.0.0.1:${ports.get('sleeper')}/`, { method: 'POST', body: '{}' }).catch(() => null),
    );
    expect(answer.status).toBe(200);
    for (const [name, port] of ports) {
      const model = await next.good<ModelFunction>('GET', `/api/models/functions/${name}`);
      expect(model).toMatchObject({ state: 'ready', node_port: port, message: '' });
    }
    expect(await containersOf('survivor')).toEqual(before);
    for (const name of ports.keys()) await next.call('DELETE', `/api/models/functions/${name}`);
    expect(await containersOf('survivor')).toEqual([]);
    expect(readdirSync(join(again.dataDir, 'run', 'functions'))).toEqual([]);
    await again.stop();
  });

  test('leaves functions that stop themselves when they are not called', async () => {
    const server = await startServer();
    const client = await signIn(server);
    expect(await deployBySource(client, { name: 'alone' })).toMatchObject({ state: 'ready' });
    const modelOf = (from: typeof client) => from.good<ModelFunction>('GET', '/api/models/functions/alone');
    // Later settings apply to the running container.
    await client.good('PATCH', '/api/models/functions/alone', { json: { idle_stop_seconds: 5 } });
    await client.good('POST', '/api/models/functions/alone/invoke', { json: {} });
    await server.kill9();
    const docker = new Docker({ socketPath: testSocket() });
    const filters = { label: ['app.limner.function=alone'] };
    const [found] = await docker.listContainers({ filters });
    const container = docker.getContainer(found?.Id ?? '');
    const { State } = await until(async () => {
      const facts = await container.inspect();
      return facts.State.Running ? null : facts;
    });
    expect(State).toMatchObject({ Status: 'exited', ExitCode: 0, OOMKilled: false });

    const again = await server.restart();
    const next = await signIn(again);
    const resting = await until(async () => {
      const model = await modelOf(next);
      return model.state === 'ready' ? null : model;
    });
    expect(resting).toMatchObject({ state: 'scaledToZero', message: '' });
    await next.good('POST', '/api/models/functions/alone/invoke', { json: {} });
    expect(await modelOf(next)).toMatchObject({ state: 'ready', message: '' });
    expect((await container.inspect()).State.Running).toBe(true);
    await next.call('DELETE', '/api/models/functions/alone');
    await again.stop();
  });

  test('leaves a partial deployment, which the next one removes', async () => {
    const harness = await createDockerHarness();
    await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
    await harness.deployHandler({ name: 'half' });
    const instance = harness.core.functions.repository.setting('instance', () => '');
    await harness.core.functions.stop();
    harness.database
      .query("UPDATE model_function SET state = 'building', container_id = NULL WHERE name = 'half'")
      .run();
    const orphan = await harness.docker.createContainer({
      Image: nodeBase,
      Cmd: ['node'],
      Labels: { 'app.limner.instance': instance, 'app.limner.function': 'never-finished' },
    });
    const next = createServices({
      database: harness.database,
      databaseFile: harness.databaseFile,
      dataDirectory: harness.folder,
      workers: sharedWorkers,
      clock: createClock(),
      log: createSilentLogger(),
      shareDirectory: () => null,
    });
    await next.functions.runtimes.attached();
    expect(next.functions.service.get(harness.admin, 'half')).toMatchObject({
      state: 'error',
      message: expect.stringContaining('Limner was stopped while this function was deployed'),
    });
    expect(await harness.containers()).toEqual([]);
    await expect(orphan.inspect()).rejects.toThrow(/No such container/);
    await next.functions.stop();
    await harness.dispose();
  });
});

describe('an Engine that ends and starts again', () => {
  const engine = createOwnEngine();
  let harness: DockerHarness | null = null;
  afterAll(async () => {
    await harness?.dispose().catch(() => undefined);
    await engine.dispose();
  });

  test('is found again: calls fail with a sentence while it is down, and succeed afterwards', async () => {
    await engine.start();
    const active = await withSocket(engine.socket, () => createDockerHarness());
    harness = active;
    await active.core.functions.service.buildBaseImage(active.admin, { language: 'node' });
    expect(await active.deployHandler({ name: 'returns' })).toMatchObject({ state: 'ready' });
    expect((await active.call('returns', {})).status).toBe(200);

    await engine.stop();
    await expect(active.call('returns', {})).rejects.toThrow(/Docker Engine/);
    await engine.start();
    expect((await active.call('returns', {})).status).toBe(200);
    expect(active.function('returns').state).toBe('ready');
  });
});
