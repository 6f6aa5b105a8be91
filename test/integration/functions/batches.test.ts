import { once } from 'node:events';
import { join } from 'node:path';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ModelFileInspection } from '../../../preload/contract/schema/model-files.ts';
import type { Batch } from '../../../preload/contract/schema/batches.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { ModelMetrics } from '../../../preload/contract/schema/model-metrics.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImage } from '../../support/images.ts';
import { squareFinder, writeModel } from '../../support/onnx/square-finder.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';

const frames = 120;
const configuration = JSON.stringify({
  metadata: { name: 'far', annotations: { name: 'far', type: 'detector', spec: '[{"id":0,"name":"car"}]' } },
});
const box = [{ label: 'car', type: 'rectangle', points: [1, 1, 5, 5], confidence: '0.9' }];

/** An external detector that can stop and return on the same port. */
function createDetector() {
  let server: Server | null = null;
  let port = 0;
  let calls = 0;
  const detector = {
    calls: () => calls,
    url: () => `http://127.0.0.1:${port}/`,
    async start(): Promise<void> {
      server = createServer((request, answer) => {
        request.resume().on('end', () => {
          calls += 1;
          answer.setHeader('Content-Type', 'application/json');
          setTimeout(() => answer.end(JSON.stringify(box)), 5);
        });
      });
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
    },
    async stop(): Promise<void> {
      const going = server;
      server = null;
      going?.closeAllConnections();
      if (going) await new Promise((resolve) => going.close(resolve));
    },
  };
  return detector;
}

const detector = createDetector();
let server: RunningServer;
let client: TestClient;
let task: Task;
beforeAll(async () => {
  await detector.start();
  server = await startServer();
  client = await signIn(server);
  await client.good('POST', '/api/models/endpoints', { json: { configuration, url: detector.url() } });
  const bytes = await makeImage({ width: 16, height: 16 });
  const images = Array.from({ length: frames }, (_, index) => ({
    name: `${String(index).padStart(4, '0')}.jpg`,
    bytes,
  }));
  task = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
});
afterAll(async () => {
  await server?.stop();
  await detector.stop();
});

const create = (more: object = {}) =>
  client.good<Batch>('POST', '/api/models/batches', {
    json: { function: 'far', targets: [{ task: task.id }], ...more },
  });
const get = (id: number) => client.good<Batch>('GET', `/api/models/batches/${id}`);
async function until(id: number, isSo: (batch: Batch) => boolean): Promise<Batch> {
  for (;;) {
    const batch = await get(id);
    if (isSo(batch)) return batch;
    await sleep(20);
  }
}
const found = async () => (await client.annotations('tasks', task.id)).shapes.map(({ frame }) => frame);
const every = Array.from({ length: frames }, (_, frame) => frame);

test('a batch resumes after Limner is killed and the function disappears: nothing twice, nothing lost', async () => {
  const { id } = await create();
  await until(id, ({ done_count: done }) => done > 0);
  await server.kill9();
  server = await server.restart();
  client = await signIn(server);
  const { done_count: kept } = await until(id, ({ state }) => state === 'running' || state === 'finished');
  expect(kept).toBeGreaterThan(0);
  expect((await found()).length).toBeLessThan(frames);
  await detector.stop();
  expect(await until(id, ({ state }) => state === 'waiting')).toMatchObject({
    message: expect.stringMatching(/Nothing responds|connection.*broke|ended/),
  });
  await detector.start();
  expect(await until(id, ({ state }) => state === 'finished')).toMatchObject({
    done_count: frames,
    failed_count: 0,
    object_count: frames,
    message: `Annotated ${frames} of ${frames} frames: ${frames} objects.`,
  });
  expect((await found()).toSorted((a, b) => a - b)).toEqual(every);
  // Only frames without annotations are requested: none is left.
  const { status } = await client.call('POST', '/api/models/batches', {
    json: { function: 'far', targets: [{ task: task.id }], only_empty: true },
  });
  expect(status).toBe(400);
  expect(await client.good<Batch>('POST', `/api/models/batches/${id}/undo`, {})).toMatchObject({
    state: 'undone',
    message: `Undone: ${frames} of its ${frames} objects still existed and are deleted.`,
  });
  expect(await found()).toEqual([]);
});

test('a batch can be paused and resumed; a higher priority goes first; a cancelled one keeps its results', async () => {
  const slow = await create();
  const first = await create({ targets: [{ task: task.id, first: 3, last: 5 }], priority: 5 });
  await until(first.id, ({ state }) => state === 'finished');
  expect((await get(slow.id)).done_count).toBeLessThan(frames);
  const paused = await client.good<Batch>('PATCH', `/api/models/batches/${slow.id}`, { json: { state: 'paused' } });
  expect(paused).toMatchObject({ state: 'paused' });
  expect(await found()).toHaveLength(paused.done_count + 3);
  await client.good('PATCH', `/api/models/batches/${slow.id}`, { json: { state: 'queued' } });
  await until(slow.id, ({ done_count: done }) => done > paused.done_count);
  const cancelled = await client.good<Batch>('POST', `/api/models/batches/${slow.id}/cancel`, {});
  expect(await found()).toHaveLength(cancelled.object_count + 3);
  await client.good('POST', `/api/models/batches/${first.id}/undo`, {});
  expect(await found()).toHaveLength(cancelled.object_count);
});

test('a batch creates prediction sets of a project, beside its annotations; a cancelled one reports its results', async () => {
  const bytes = await makeImage({ width: 16, height: 16 });
  const project = await client.good<{ id: number }>('POST', '/api/projects', {
    json: { name: 'roads', labels: [{ name: 'car' }] },
  });
  const images = Array.from({ length: 40 }, (_, index) => ({ name: `${index}.jpg`, bytes }));
  const filled = await client.taskWithImages({ project_id: project.id }, images);
  await client.good('POST', '/api/tasks', { json: { name: 'without data', project_id: project.id } });
  const requested = { targets: [{ project: project.id }], results: 'predictions', name: 'far, first' };
  const sets = async () =>
    (await client.good<{ results: object[] }>('GET', `/api/limner/tasks/${filled.id}/predictions`, {})).results;

  const { id, results, prediction_sets: made } = await create(requested);
  expect({ results, made }).toEqual({ results: 'predictions', made: [{ task: filled.id, id: expect.any(Number) }] });
  const { object_count: count } = await until(id, ({ state }) => state === 'finished');
  expect(count).toBe(40);
  expect(await sets()).toMatchObject([
    { name: 'far, first', state: 'ready', object_count: 40, source: 'function', detail: 'far' },
  ]);
  expect((await client.annotations('tasks', filled.id)).shapes).toEqual([]);

  const second = await create(requested);
  await until(second.id, ({ done_count: done }) => done > 0);
  const { done_count: done } = await client.good<Batch>('POST', `/api/models/batches/${second.id}/cancel`, {});
  const kept = done < 40 ? `far, first (${done} of 40 frames)` : 'far, first';
  expect((await sets())[0]).toMatchObject({ name: kept, state: 'ready', object_count: done });
  await client.good('POST', `/api/models/batches/${second.id}/undo`, {});
  await client.good('POST', `/api/models/batches/${id}/undo`, {});
  expect(await sets()).toEqual([]);
});

test('a batch uses the filtered tasks, and selects frames by existing annotations', async () => {
  const bytes = await makeImage({ width: 16, height: 16 });
  const project = await client.good<{ id: number }>('POST', '/api/projects', {
    json: { name: 'yard', labels: [{ name: 'car' }, { name: 'tree' }] },
  });
  const images = Array.from({ length: 6 }, (_, index) => ({ name: `${index}.jpg`, bytes }));
  const chosen = await client.taskWithImages({ name: 'yard one', project_id: project.id, segment_size: 3 }, images);
  await client.taskWithImages({ name: 'field', project_id: project.id }, images);
  const [car = 0, tree = 0] = (await client.labels(chosen.id)).map(({ id }) => id);
  const shape = { type: 'rectangle' as const, points: [1, 1, 5, 5], occluded: false, outside: false, attributes: [] };
  await client.changeAnnotations('tasks', chosen.id, 'create', {
    tags: [{ frame: 0, label_id: tree }],
    // Visible on frames 3 and 4, though its keyframes are 3 and 5.
    tracks: [
      {
        frame: 3,
        label_id: car,
        shapes: [
          { ...shape, frame: 3 },
          { ...shape, frame: 5, outside: true },
        ],
      },
    ],
  });
  const byName = JSON.stringify({
    and: [{ in: ['yard', { var: 'name' }] }, { '==': [{ var: 'project_id' }, project.id] }],
  });
  const countOf = async (more: object): Promise<number> => {
    const {
      id,
      frame_count: count,
      tasks,
    } = await create({ targets: [{ tasks: byName }], results: 'predictions', ...more });
    expect(tasks).toEqual([chosen.id]);
    await client.good('POST', `/api/models/batches/${id}/cancel`, {});
    return count;
  };
  expect(await countOf({})).toBe(6);
  expect(await countOf({ only_empty: true })).toBe(3);
  expect(await countOf({ only_annotated: true })).toBe(3);
  expect(await countOf({ with_labels: ['car'] })).toBe(2);
  expect(await countOf({ without_labels: ['car'] })).toBe(4);
  expect(await countOf({ only_annotated: true, without_labels: ['car'] })).toBe(1);
  const ofTask = JSON.stringify({ '==': [{ var: 'task_id' }, chosen.id] });
  expect(await countOf({ targets: [{ jobs: ofTask }], with_labels: ['tree'] })).toBe(1);

  const refused = async (more: object) =>
    (
      await client.call('POST', '/api/models/batches', {
        json: { function: 'far', targets: [{ task: chosen.id }], ...more },
      })
    ).status;
  expect(await refused({ only_empty: true, only_annotated: true })).toBe(400);
  expect(await refused({ without_labels: ['bush'] })).toBe(400);
  expect(await refused({ targets: [{ tasks: byName, first: 1 }] })).toBe(400);
  expect(await refused({ targets: [{ tasks: byName, task: chosen.id }] })).toBe(400);
  expect(await refused({ targets: [{ tasks: 'no filter' }] })).toBe(400);
});

test('a batch counts calls of a function and their durations', async () => {
  const { versions } = await client.good<ModelMetrics>('GET', '/api/models/functions/far/metrics?hours=1', {});
  const [version] = versions;
  expect(version).toMatchObject({ version: 1, cpu_cores: null });
  expect(version!.call_count).toBeGreaterThan(frames);
  // The detector takes 5 ms.
  expect(version!.p50_ms).toBeGreaterThan(4);
  expect(version!.p99_ms).toBeGreaterThanOrEqual(version!.p50_ms!);
});

test('a batch with a model that cannot run fails at the first frame and names the reason', async () => {
  const path = writeModel(join(sharedFolder(), 'squares.onnx'), squareFinder());
  const { id, description } = await client.good<ModelFileInspection>('POST', '/api/models/files/inspect', {
    json: { path },
  });
  await client.good('POST', '/api/models/files', { json: { id, name: 'squares', description } });
  const wrong = { ...description!, labels: ['car', 'bus', 'dog'] };
  await client.good('PATCH', '/api/models/files/squares', { json: { description: wrong } });
  const batch = await create({ function: 'squares' });
  expect(await until(batch.id, ({ state }) => !['queued', 'running'].includes(state))).toMatchObject({
    state: 'failed',
    done_count: 0,
    message: expect.stringContaining('does not match 3 labels'),
  });
});

test('a batch of a filter whose mapping names a label that one task lacks is refused with that task', async () => {
  const image = { name: 'a.jpg', bytes: await makeImage({ width: 16, height: 16 }) };
  const names = { name: 'mapped', labels: [{ name: 'vehicle' }] };
  await client.taskWithImages(names, [image]);
  const other = await client.taskWithImages({ ...names, labels: [{ name: 'car' }] }, [image]);
  const filter = JSON.stringify({ and: [{ '==': [{ var: 'name' }, 'mapped'] }] });
  const json = { function: 'far', targets: [{ tasks: filter }], mapping: { car: { name: 'vehicle' } } };
  await expect(client.good('POST', '/api/models/batches', { json })).rejects.toThrow(
    `Cannot annotate task ${other.id} (`,
  );
});
