import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCore, type Core } from '../../../main/core/core.ts';
import { createClock } from '../../../main/platform/clock.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import {
  createDockerHarness,
  functionYaml,
  nodeBase,
  obedientHandler,
  until,
  type DockerHarness,
} from '../../support/functions/docker-harness.ts';
import { createOwnEngine, withSocket } from '../../support/functions/own-engine.ts';

const answerOf = async (core: Core, harness: DockerHarness, name: string) => {
  const answer = await core.functions.service.invoke(harness.admin, name, {
    method: 'POST',
    path: '/',
    headers: { 'Content-Type': 'application/json' },
    body: [Buffer.from('{}')],
    timeoutMs: 60_000,
  });
  return answer.status;
};

describe('functions outlive Limner and the containers behind them', () => {
  let harness: DockerHarness;
  let now = Date.now();
  beforeAll(async () => {
    harness = await createDockerHarness();
    await harness.core.functions.service.makeBaseImage(harness.admin, 'node', []);
  });
  afterAll(() => harness?.dispose());

  const deploy = (name: string, spec = '') =>
    harness.deploy({
      directory: harness.folderWith({ 'main.js': obedientHandler, 'function.yaml': functionYaml({ name, spec }) }),
      base_image: nodeBase,
    });
  const own = async (name: string) =>
    (await harness.containers()).filter(({ Labels }) => Labels['app.limner.function'] === name);
  /** Another Limner on the same data directory, as after a restart. */
  const nextCore = () =>
    createCore({
      database: harness.database,
      databaseFile: harness.databaseFile,
      dataDirectory: harness.folder,
      workers: harness.workers,
      clock: createClock(),
      log: createSilentLogger(),
      shareDirectory: () => null,
    });

  test('after a restart of Limner the same container answers', async () => {
    const { node_port: port } = await deploy('survivor');
    const [before] = await own('survivor');
    const next = nextCore();
    expect(await answerOf(next, harness, 'survivor')).toBe(200);
    expect(next.functions.service.get(harness.admin, 'survivor')).toMatchObject({ state: 'ready', node_port: port });
    expect((await own('survivor')).map(({ Id }) => Id)).toEqual([before?.Id]);
    await next.functions.stop();
  });

  test('a container that was stopped or killed behind its back starts when it is called', async () => {
    await deploy('sleeper');
    const [info] = await own('sleeper');
    await harness.docker.getContainer(info?.Id ?? '').stop({ t: 1 });
    expect((await harness.call('sleeper', {})).status).toBe(200);
    await harness.docker.getContainer(info?.Id ?? '').kill();
    expect((await harness.call('sleeper', {})).status).toBe(200);
    expect(harness.function('sleeper').state).toBe('ready');
  });

  test('a container that was removed is made again from its image', async () => {
    await deploy('removed');
    const [info] = await own('removed');
    await harness.docker.getContainer(info?.Id ?? '').remove({ force: true });
    expect((await harness.call('removed', {})).status).toBe(200);
    const [again] = await own('removed');
    expect(again?.Id).not.toBe(info?.Id);
  });

  test('a port that was taken meanwhile is given up for another one', async () => {
    const { node_port: port } = await deploy('mover');
    const [info] = await own('mover');
    await harness.docker.getContainer(info?.Id ?? '').stop({ t: 1 });
    await until(() => harness.function('mover').state === 'scaledToZero');
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port ?? 0, '127.0.0.1', resolve));
    expect((await harness.call('mover', {})).status).toBe(200);
    expect(harness.function('mover').node_port).not.toBe(port);
    expect(await own('mover')).toHaveLength(1);
    server.close();
  });

  test('one that a person stopped stays stopped until it is started', async () => {
    await deploy('stopped');
    const { service } = harness.core.functions;
    expect(await service.update(harness.admin, 'stopped', { state: 'stopped' })).toMatchObject({
      state: 'stopped',
      replicas: '0/1',
    });
    await expect(harness.call('stopped', {})).rejects.toThrow(/"stopped" is stopped. Start it first/);
    expect(await service.update(harness.admin, 'stopped', { state: 'ready' })).toMatchObject({ state: 'ready' });
    expect((await harness.call('stopped', {})).status).toBe(200);
  });

  test('one that rests is stopped, and starts when it is called', async () => {
    await deploy('idle', '  platform:\n    attributes:\n      idleStopSeconds: 1');
    expect(harness.function('idle').idle_stop_seconds).toBe(1);
    await harness.call('idle', {});
    now = Date.now();
    await until(async () => {
      await harness.core.functions.keeper.sweep();
      return harness.function('idle').state === 'scaledToZero';
    });
    expect(Date.now() - now).toBeGreaterThan(900);
    expect((await own('idle'))[0]?.State).toBe('exited');
    expect((await harness.call('idle', {})).status).toBe(200);
    expect(harness.function('idle').state).toBe('ready');
  });

  test('what a killed Limner left half deployed is cleared away', async () => {
    await deploy('half');
    const instance = harness.core.functions.repository.setting('instance', () => '');
    harness.database
      .prepare("UPDATE model_function SET state = 'building', container_id = NULL WHERE name = 'half'")
      .run();
    const orphan = await harness.docker.createContainer({
      Image: nodeBase,
      Cmd: ['node'],
      Labels: { 'app.limner.instance': instance, 'app.limner.function': 'never-finished' },
    });
    const next = nextCore();
    await next.functions.keeper.attached();
    expect(next.functions.service.get(harness.admin, 'half')).toMatchObject({
      state: 'error',
      message: expect.stringContaining('Limner stopped while this function was deployed'),
    });
    expect(await own('half')).toEqual([]);
    await expect(orphan.inspect()).rejects.toThrow(/No such container/);
    await next.functions.stop();
  });

  test('containers of another data directory are left alone', async () => {
    await deploy('mine');
    const other = await createDockerHarness();
    await other.core.functions.keeper.attached();
    expect(await own('mine')).toHaveLength(1);
    await other.dispose();
    expect((await harness.call('mine', {})).status).toBe(200);
  });
});

describe('an Engine that ends and starts again', () => {
  const engine = createOwnEngine();
  let harness: DockerHarness | null = null;
  afterAll(async () => {
    await harness?.dispose().catch(() => undefined);
    await engine.dispose();
  });

  test('is found again: calls fail with a sentence while it is away, and go on afterwards', async () => {
    await engine.start();
    const active = await withSocket(engine.socket, () => createDockerHarness());
    harness = active;
    await active.core.functions.service.makeBaseImage(active.admin, 'node', []);
    const directory = active.folderWith({
      'main.js': obedientHandler,
      'function.yaml': functionYaml({ name: 'returns' }),
    });
    const deployed = await active.deploy({ directory, base_image: nodeBase });
    expect(deployed).toMatchObject({ state: 'ready' });
    expect((await active.call('returns', {})).status).toBe(200);

    await engine.stop();
    await expect(active.call('returns', {})).rejects.toThrow(/Docker Engine/);
    await engine.start();
    expect((await active.call('returns', {})).status).toBe(200);
    expect(active.function('returns').state).toBe('ready');
  });
});
