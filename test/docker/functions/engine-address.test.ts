import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineStatus } from '../../../preload/contract/schema/functions.ts';
import { signIn } from '../../support/client.ts';
import { deployBySource } from '../../support/functions/docker-harness.ts';
import { createOwnEngine } from '../../support/functions/test-engine.ts';
import { startServer } from '../../support/server.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const engine = createOwnEngine();
beforeAll(() => engine.start());
afterAll(() => engine.dispose());

/** Sets a home directory in which `docker` itself finds the Engine. */
function useHome() {
  const home = temporaryFolder();
  const env = { HOME: home, XDG_RUNTIME_DIR: join(home, 'run'), DOCKER_HOST: '', DOCKER_CONTEXT: '' };
  const docker = (...args: string[]) =>
    execFileSync('docker', args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  return { home, env, docker };
}

test("finds the Engine of docker's current context, without a restart", async () => {
  const { env, docker } = useHome();
  await using server = await startServer({ env });
  const client = await signIn(server);
  const status = () => client.good<EngineStatus>('GET', '/api/models/engine');
  expect(await status()).toMatchObject({ state: expect.not.stringMatching('connected') });
  docker('context', 'create', 'odd', '--docker', `host=unix://${engine.socket}`);
  docker('context', 'use', 'odd');
  expect(docker('info', '--format', '{{.ServerVersion}}').trim()).not.toBe('');
  expect(await status()).toMatchObject({ state: 'connected', message: '', socket: engine.socket });
});

test('finds and uses an Engine whose socket appears in the home folder after Limner started', async () => {
  const { home, env } = useHome();
  await using server = await startServer({ env });
  const client = await signIn(server);
  const status = () => client.good<EngineStatus>('GET', '/api/models/engine');
  expect(await status()).toMatchObject({
    state: 'missing',
    message: expect.stringContaining('.docker/run/docker.sock'),
  });
  mkdirSync(join(home, '.docker', 'run'), { recursive: true });
  symlinkSync(engine.socket, join(home, '.docker', 'run', 'docker.sock'));
  expect(await status()).toMatchObject({ state: 'connected' });
  const deployed = await deployBySource(client, { name: 'found' });
  expect(deployed).toMatchObject({ state: 'ready' });
  await engine.stop();
  const words = expect.stringMatching(/^The Docker Engine at .* does not respond/);
  expect(await status()).toMatchObject({ state: 'stopped', message: words });
  expect(await client.good('GET', '/api/models/functions/found')).toMatchObject({
    state: expect.not.stringMatching('ready'),
  });
  await engine.start();
  expect(await status()).toMatchObject({ state: 'connected' });
});
