import Docker from 'dockerode';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Batch } from '../../../preload/contract/schema/batches.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { deployBySource, until } from '../../support/functions/docker-harness.ts';
import { createOwnEngine } from '../../support/functions/test-engine.ts';
import { makeImage } from '../../support/images.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

const frames = 1000;
const handler = `exports.handler = async () => {
  await new Promise((resolve) => setTimeout(resolve, 8));
  return [{ label: 'car', type: 'rectangle', points: [1, 1, 5, 5], confidence: '0.9' }];
};`;

const engine = createOwnEngine();
let server: RunningServer;
let client: TestClient;
beforeAll(async () => {
  await engine.start();
  server = await startServer({ env: { DOCKER_HOST: `unix://${engine.socket}` } });
  client = await signIn(server);
});
afterAll(async () => {
  await server?.stop();
  await engine.dispose();
});

const get = (id: number) => client.good<Batch>('GET', `/api/models/batches/${id}`);
async function goesOn(id: number, more = 60): Promise<void> {
  const { done_count: done } = await get(id);
  await until(async () => (await get(id)).done_count >= Math.min(frames, done + more));
}

test('a batch of 1,000 frames survives the end of its container, of Limner and of the Engine', async () => {
  const spec = '  triggers:\n    http:\n      kind: http\n      numWorkers: 2';
  expect(await deployBySource(client, { name: 'quick', spec }, handler)).toMatchObject({ state: 'ready' });
  const bytes = await makeImage({ width: 16, height: 16 });
  const images = Array.from({ length: frames }, (_, index) => ({
    name: `${String(index).padStart(4, '0')}.jpg`,
    bytes,
  }));
  const task = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
  const { id } = await client.good<Batch>('POST', '/api/models/batches', {
    json: { function: 'quick', targets: [{ task: task.id }] },
  });

  await goesOn(id);
  const docker = new Docker({ socketPath: engine.socket });
  const [container] = await docker.listContainers({ filters: { label: ['app.limner.function=quick'] } });
  await docker.getContainer(container?.Id ?? '').kill();
  await goesOn(id);
  await server.kill9();
  server = await server.restart();
  client = await signIn(server);
  await goesOn(id);
  await engine.stop();
  await until(async () => (await get(id)).state === 'waiting');
  expect((await get(id)).done_count).toBeLessThan(frames);
  await engine.start();

  const ended = await until(async () => {
    const batch = await get(id);
    return batch.state === 'finished' || batch.state === 'failed' ? batch : null;
  });
  expect(ended).toMatchObject({
    state: 'finished',
    done_count: frames,
    problems: [],
    failed_count: 0,
    object_count: frames,
  });
  const { shapes } = await client.annotations('tasks', task.id);
  expect(shapes.map(({ frame }) => frame).toSorted((a, b) => a - b)).toEqual(images.map((_, index) => index));
});
