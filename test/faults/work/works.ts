import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Backups } from '../../../preload/contract/schema/backups.ts';
import type { Storage, StorageMove } from '../../../preload/contract/schema/storage.ts';
import { makeShapes } from '../../bench/support/shapes.ts';
import { ApiError, type TestClient } from '../../support/client.ts';
import { imageForm } from '../../support/images.ts';
import type { World } from './world.ts';

/** Work in the background that began. */
export interface Begun {
  /** Resolves when the work is in the middle, or has ended. */
  readonly running: (client: TestClient) => Promise<unknown>;
  /** Waits for its end after an interruption, and checks the result. */
  readonly ended: (client: TestClient) => Promise<void>;
}

export interface Work {
  readonly name: string;
  /** Types of the queue of background requests; none for other work. */
  readonly types: readonly string[];
  readonly begin: (client: TestClient, world: World) => Promise<Begun>;
}

const pollMs = 10;
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(pollMs);
}

type Check = (client: TestClient, resultId: number) => Promise<void>;
const nothingMore: Check = async () => undefined;

/** A background request, which runs again after an interruption. */
function request(
  name: string,
  types: readonly string[],
  start: (client: TestClient, world: World) => Promise<string>,
  check: (world: World) => Check = () => nothingMore,
): Work {
  return {
    name,
    types,
    async begin(client, world) {
      const id = await start(client, world);
      return {
        running: (now) => until(async () => (await now.request(id)).status !== 'queued'),
        async ended(now) {
          const { result_id: result } = await now.finished(id);
          await check(world)(now, result ?? 0);
        },
      };
    },
  };
}

const post = async (client: TestClient, path: string, json: object = {}): Promise<string> => {
  const { rq_id: id } = await client.good<{ rq_id: string }>('POST', path, { json });
  return id;
};

async function sendFile(client: TestClient, path: string, field: string, file: string): Promise<string> {
  const form = new FormData();
  form.set(field, new Blob([new Uint8Array(readFileSync(file))]), basename(file));
  const { rq_id: id } = await client.good<{ rq_id: string }>('POST', path, { body: form });
  return id;
}

const newTask = async (client: TestClient) => (await client.createTask({ labels: [{ name: 'car' }] })).id;
const lastTask = async (client: TestClient): Promise<number> => {
  const { results } = await client.good<{ results: { id: number }[] }>('GET', '/api/tasks?sort=-id');
  return results[0]!.id;
};

const hasFrames =
  (count: number): Check =>
  async (client) => {
    expect((await client.task(await lastTask(client))).size).toBe(count);
  };
const shapesOf = async (client: TestClient, kind: 'tasks' | 'jobs', id: number): Promise<number> =>
  (await client.annotations(kind, id)).shapes.length;
const keepsShapes =
  ({ job }: World): Check =>
  async (client) => {
    expect(await shapesOf(client, 'jobs', job)).toBe(24_000);
  };

const exported =
  (query: string) =>
  (client: TestClient, { task }: World) =>
    post(client, `/api/tasks/${task}/dataset/export?${query}`);

const requests: readonly Work[] = [
  request(
    'a task of uploaded images',
    ['create:task'],
    async (client, { images }) => client.uploadImages(await newTask(client), images),
    ({ images }) => hasFrames(images.length),
  ),
  request(
    'a task of a folder',
    ['create:task'],
    async (client, { images, folder }) =>
      client.useServerFiles(
        await newTask(client),
        images.map(({ name }) => join(folder, name)),
        { copy_data: true },
      ),
    ({ images }) => hasFrames(images.length),
  ),
  request(
    'a task of an archive',
    ['create:task'],
    async (client, { files }) => client.useServerFiles(await newTask(client), [files.images]),
    ({ images }) => hasFrames(images.length),
  ),
  request(
    'a task of a video',
    ['create:task'],
    async (client, { files }) => client.useServerFiles(await newTask(client), [files.film]),
    () => hasFrames(500),
  ),
  request(
    'images added to a task',
    ['import:images'],
    async (client, { images }) => {
      const { id } = await client.taskWithImages({ labels: [{ name: 'car' }], segment_size: 5 }, images.slice(0, 3));
      const more = images.slice(1).map(({ name, bytes }) => ({ name: `more/${name}`, bytes }));
      const path = `/api/limner/tasks/${id}/images/`;
      const { rq_id: started } = await client.good<{ rq_id: string }>('POST', path, { body: imageForm(more) });
      return started;
    },
    ({ images }) => hasFrames(images.length + 2),
  ),
  request(
    'an import of annotations',
    ['import:annotations'],
    (client, { job, files }) => client.startImport('jobs', job, 'COCO 1.0', { path: files.annotations }),
    keepsShapes,
  ),
  request(
    'an import of a dataset',
    ['import:dataset'],
    (client, { project, files }) =>
      sendFile(client, `/api/projects/${project}/dataset/?format=COCO%201.0`, 'dataset_file', files.dataset),
    ({ images }) => hasFrames(images.length),
  ),
  request(
    'the restore of a task',
    ['import:backup'],
    (client, { files }) => sendFile(client, '/api/tasks/backup/', 'task_file', files.backup),
    ({ images }) => hasFrames(images.length),
  ),
  request('an export of annotations', ['export:annotations'], exported('format=CVAT%20for%20images%201.1')),
  request('an export with images', ['export:dataset'], exported('format=COCO%201.0&save_images=true')),
  request('a backup of a task', ['export:backup'], (client, { task }) =>
    post(client, `/api/tasks/${task}/backup/export`),
  ),
  request(
    'a task of video frames',
    ['create:frames'],
    (client, { video }) => post(client, `/api/limner/tasks/${video}/frames/task`, { name: 'stills', every: 2 }),
    () => hasFrames(250),
  ),
  request('an export of video frames', ['export:frames'], (client, { video }) =>
    post(client, `/api/limner/tasks/${video}/frames/files`, { every: 2 }),
  ),
  request('an import of predictions', ['import:predictions'], (client, { task, files }) =>
    sendFile(
      client,
      `/api/limner/tasks/${task}/predictions/file/?format=COCO%201.0&name=file`,
      'annotation_file',
      files.annotations,
    ),
  ),
  request('predictions of a task', ['copy:predictions'], (client, { task, replicated }) =>
    post(client, `/api/limner/tasks/${task}/predictions/task`, { name: 'copy', source_task_id: replicated }),
  ),
  request('an evaluation', ['create:evaluation'], (client, { task, predictions }) =>
    post(client, '/api/limner/evaluations', { name: 'again', task_id: task, kind: 'bbox', predictions: [predictions] }),
  ),
  request('an export of events', ['export:events'], (client) => post(client, '/api/events/export')),
  request('a merge of replicas', ['merge:task'], (client, { replicated }) =>
    post(client, '/api/consensus/merges', { task_id: replicated }),
  ),
  request('a merge of one job', ['merge:job'], async (client, { replicated }) => {
    const [parent] = await client.jobs(replicated);
    return post(client, '/api/consensus/merges', { job_id: parent!.id });
  }),
  request(
    'a checkout from a server',
    ['checkout:remote'],
    (client, { far }) =>
      post(client, `/api/limner/remotes/${far.connection}/checkouts`, {
        kind: 'job',
        id: far.job,
        budget_bytes: 1e9,
      }),
    ({ far, images }) =>
      async (client) => {
        const { results } = await client.perform('listRemoteJobs', { query: { server_id: String(far.connection) } });
        expect(results).toMatchObject([{ state: 'out', remote_job_id: far.job, frame_count: images.length }]);
        expect(await shapesOf(client, 'jobs', results[0]!.job_id!)).toBe(far.shapeCount);
      },
  ),
  request(
    'a publication on a server',
    ['publish:remote'],
    async (client, { far, images }) => {
      const { id } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
      return post(client, `/api/limner/remotes/${far.connection}/publications`, { kind: 'task', id });
    },
    ({ far, images }) =>
      async () => {
        const { results } = await far.client.perform('listTasks', { query: { sort: '-id' } });
        expect(results[0]?.size).toBe(images.length);
      },
  ),
  request('a quality report', ['calculate:quality'], (client, { task }) =>
    post(client, '/api/quality/reports', { task_id: task }),
  ),
];

const functionWorks: readonly Work[] = [
  {
    name: 'automatic annotation',
    types: ['autoannotate:task'],
    async begin(client, { images }) {
      const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
      const json = { function: 'far', task, mapping: { car: { name: 'car' } } };
      const { id } = await client.good<{ id: string }>('POST', '/api/lambda/requests', { json });
      const get = (now: TestClient) =>
        now.good<{ status: string; progress: number }>('GET', `/api/lambda/requests/${id}`);
      return {
        running: (now) => until(async () => (await get(now)).status !== 'queued'),
        async ended(now) {
          await until(async () => /finished|failed/.test((await get(now)).status));
          expect(await shapesOf(now, 'tasks', task)).toBe(images.length);
        },
      };
    },
  },
  {
    name: 'a batch of functions',
    types: [],
    async begin(client, { images }) {
      const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
      const json = { function: 'far', targets: [{ task }] };
      const { id } = await client.good<{ id: number }>('POST', '/api/models/batches', { json });
      const get = (now: TestClient) =>
        now.good<{ state: string; done_count: number }>('GET', `/api/models/batches/${id}`);
      return {
        running: (now) => until(async () => (await get(now)).done_count > 0),
        async ended(now) {
          await until(async () => /finished|failed/.test((await get(now)).state));
          expect(await shapesOf(now, 'tasks', task)).toBe(images.length);
        },
      };
    },
  },
];

/** Requests whose client waits: the interruption is an error for it, and all or nothing of the change is there. */
function change(
  name: string,
  prepare: (
    client: TestClient,
    world: World,
  ) => Promise<{
    readonly run: () => Promise<unknown>;
    readonly check: (client: TestClient) => Promise<void>;
  }>,
): Work {
  return {
    name,
    types: [],
    async begin(client, world) {
      const { run, check } = await prepare(client, world);
      const running = run().catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) throw error;
      });
      return {
        running: () => sleep(30),
        async ended(now) {
          await running;
          await check(now);
        },
      };
    },
  };
}

const changes: readonly Work[] = [
  change('a large save', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    const shapes = makeShapes(20_000, label!.id);
    await client.replaceAnnotations('tasks', task, { shapes: shapes.slice(0, 10) });
    return {
      run: () => client.replaceAnnotations('tasks', task, { shapes }),
      check: async (now) => expect([10, 20_000]).toContain(await shapesOf(now, 'tasks', task)),
    };
  }),
  change('a large update', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    const before = await client.annotations('tasks', task);
    const shapes = before.shapes.map((shape) => ({ ...shape, z_order: 7 }));
    return {
      run: () => client.changeAnnotations('tasks', task, 'update', { shapes }),
      async check(now) {
        const orders = (await now.annotations('tasks', task)).shapes.map(({ z_order: order }) => order);
        expect(orders).toHaveLength(20_000);
        expect(new Set(orders).size).toBe(1);
      },
    };
  }),
  change('a large deletion', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    const { shapes } = await client.annotations('tasks', task);
    return {
      run: () => client.changeAnnotations('tasks', task, 'delete', { shapes }),
      check: async (now) => expect([0, 20_000]).toContain(await shapesOf(now, 'tasks', task)),
    };
  }),
  change('the deletion of a label', async (client, { images }) => {
    const labels = [{ name: 'car' }, { name: 'bus' }];
    const { id: task } = await client.taskWithImages({ labels }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    return {
      run: () => client.good('DELETE', `/api/labels/${label!.id}`),
      async check(now) {
        const isThere = (await now.labels(task)).length === 2;
        expect(await shapesOf(now, 'tasks', task)).toBe(isThere ? 20_000 : 0);
      },
    };
  }),
  change('the removal of a deleted task', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    return {
      // The removal begins a second after the deletion.
      run: () => client.good('DELETE', `/api/tasks/${task}`).then(() => sleep(1000)),
      async check(now) {
        expect((await now.call('GET', `/api/tasks/${task}`)).status).toBe(404);
      },
    };
  }),
  change('a backup of the data directory', async (client, { folder }) => {
    const file = join(folder, 'workbench.limner-backup');
    return {
      run: () => client.good('POST', '/api/limner/backups', { json: { file } }),
      async check(now) {
        const { running } = await now.good<{ running: unknown }>('GET', '/api/limner/backups');
        expect(running).toBeNull();
      },
    };
  }),
  change('an encrypted backup', async (client, { folder }) => {
    const json = { file: join(folder, 'sealed.limner-backup'), passphrase: 'correct horse battery staple' };
    return {
      run: () => client.good('POST', '/api/limner/backups', { json }),
      async check(now) {
        const { running } = await now.good<{ running: unknown }>('GET', '/api/limner/backups');
        expect(running).toBeNull();
        await now.good('POST', '/api/limner/backups', { json: { ...json, file: `${json.file}-again` } });
        await until(async () => (await now.good<Backups>('GET', '/api/limner/backups')).running === null);
        const { last } = await now.good<Backups>('GET', '/api/limner/backups');
        expect(last).toMatchObject({ succeeded: true });
      },
    };
  }),
  change('the move of the media', async (client, world) => {
    const home = join(world.folder, 'moved');
    mkdirSync(home);
    const json = { volume: 'media', folder: home };
    const image = (now: TestClient) => now.bytes(`/api/tasks/${world.task}/data?type=frame&number=7&quality=original`);
    const before = await image(client);
    return {
      run: () => client.good('POST', '/api/limner/storage/move', { json }),
      async check(now) {
        expect(await image(now)).toEqual(before);
        const { volumes, running } = await now.good<Storage>('GET', '/api/limner/storage');
        expect(running).toBeNull();
        const isMoved = volumes.some(({ name, moved }) => name === 'media' && moved);
        const further = isMoved ? world.server.dataDir : home;
        await now.good('POST', '/api/limner/storage/move', { json: { ...json, folder: further } });
        await until(() => hasEnded(now));
        expect(await image(now)).toEqual(before);
      },
    };
  }),
  change('a push to Git', async (client, { images, folder }) => {
    const { task, json } = await boundTask(client, images, folder);
    return {
      run: () => client.good('POST', `/api/limner/tasks/${task}/git/push`, { json }),
      async check(now) {
        await now.good('POST', `/api/limner/tasks/${task}/git/push`, { json });
        const { to_push } = await now.good<{ to_push: object }>('GET', `/api/limner/tasks/${task}/git`);
        expect(to_push).toEqual({ added: 0, changed: 0, removed: 0 });
      },
    };
  }),
  change('a pull from Git', async (client, { images, folder }) => {
    const { task, address, json } = await boundTask(client, images, folder);
    await client.good('POST', `/api/limner/tasks/${task}/git/push`, { json });
    const { id: other } = await client.taskWithImages({ name: 'git', labels: [{ name: 'car' }] }, images.slice(0, 2));
    await client.good('PUT', `/api/limner/tasks/${other}/git`, { json: { address, folder: 'task' } });
    return {
      run: () => client.good('POST', `/api/limner/tasks/${other}/git/pull`, { json }),
      async check(now) {
        await now.good('POST', `/api/limner/tasks/${other}/git/pull`, { json });
        expect(await shapesOf(now, 'tasks', other)).toBe(boundShapes);
      },
    };
  }),
];

/** A receiver that never answers its first request. */
const deliveries: Work = {
  name: 'a delivery of a webhook',
  types: [],
  async begin(client, { project }) {
    let requests = 0;
    const receiver = createServer((incoming, answer) => {
      requests += 1;
      if (requests > 1) incoming.resume().on('end', () => answer.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const target_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const json = { target_url, type: 'project', project_id: project, content_type: 'application/json' };
    await client.good('POST', '/api/webhooks', { json: { ...json, events: ['update:project'], is_active: true } });
    await client.good('PATCH', `/api/projects/${project}`, { json: { name: 'Renamed' } });
    return {
      running: () => until(async () => requests > 0),
      async ended() {
        await until(async () => requests > 1);
        receiver.close();
      },
    };
  },
};

/** The service restarts at the end of a move, and then does not answer for a moment. */
async function hasEnded(client: TestClient): Promise<boolean> {
  const answer = await client.call('GET', '/api/limner/storage/move').catch(() => null);
  return answer?.status === 200 && (answer.body as StorageMove).running === null;
}

const boundShapes = 10_000;
async function boundTask(client: TestClient, images: World['images'], folder: string) {
  const { id: task } = await client.taskWithImages({ name: 'git', labels: [{ name: 'car' }] }, images.slice(0, 2));
  const [label] = await client.labels(task);
  await client.replaceAnnotations('tasks', task, { shapes: makeShapes(boundShapes, label!.id) });
  const address = join(folder, `${task}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', address]);
  await client.good('PUT', `/api/limner/tasks/${task}/git`, { json: { address, folder: 'task' } });
  return { task, address, json: {} };
}

/** All work that runs beside requests, or longer than a moment. New work needs one row. */
export const works: readonly Work[] = [...requests, ...functionWorks, ...changes, deliveries];
