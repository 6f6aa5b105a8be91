import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import type { RemoteJob } from '../../../preload/contract/schema/remotes.ts';
import { makeShapes } from '../../bench/support/shapes.ts';
import type { TestClient } from '../../support/client.ts';
import { imageForm } from '../../support/images.ts';
import { checkOut } from '../../support/remote-pair.ts';
import { shapesOf, until, type Work } from './work.ts';
import type { World } from './world.ts';

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
const keepsShapes =
  ({ job }: World): Check =>
  async (client) => {
    expect(await shapesOf(client, 'jobs', job)).toBe(24_000);
  };

const exported =
  (query: string) =>
  (client: TestClient, { task }: World) =>
    post(client, `/api/tasks/${task}/dataset/export?${query}`);

async function linkOf(client: TestClient, { connection }: World['far']): Promise<RemoteJob> {
  const { results } = await client.perform('listRemoteJobs', { query: { server_id: String(connection) } });
  return results[0]!;
}
async function drawShapes(client: TestClient, task: number, job: number): Promise<void> {
  const [label] = await client.labels(task);
  const shapes = makeShapes(500, label!.id).map((shape) => ({ ...shape, frame: 0 }));
  await client.changeAnnotations('jobs', job, 'create', { shapes });
}
const hasEqualEnds =
  ({ far }: World): Check =>
  async (client) => {
    const { id, job_id: job } = await linkOf(client, far);
    expect(await client.perform('compareRemoteJob', { params: { id } })).toMatchObject({ state: 'out' });
    expect(await shapesOf(client, 'jobs', job!)).toBe(await shapesOf(far.client, 'jobs', far.job));
  };

export const requests: readonly Work[] = [
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
        const link = await linkOf(client, far);
        expect(link).toMatchObject({ state: 'out', remote_job_id: far.job, frame_count: images.length });
        expect(await shapesOf(client, 'jobs', link.job_id!)).toBe(far.shapeCount);
      },
  ),
  request(
    'a pull from a server',
    ['pull:remote'],
    async (client, { far }) => {
      const [link] = await checkOut(client, far.connection, 'job', far.job);
      await drawShapes(far.client, link!.remote_task_id, far.job);
      return post(client, `/api/limner/remote-jobs/${link!.id}/pull`);
    },
    hasEqualEnds,
  ),
  request(
    'a push to a server',
    ['push:remote'],
    async (client, { far }) => {
      const [link] = await checkOut(client, far.connection, 'job', far.job);
      await drawShapes(client, link!.task_id, link!.job_id!);
      return post(client, `/api/limner/remote-jobs/${link!.id}/push`);
    },
    hasEqualEnds,
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
  request(
    'a manifest of a bucket',
    ['create:manifest'],
    (client, { bucket }) => post(client, `/api/limner/cloudstorages/${bucket.id}/manifest`),
    ({ bucket, images }) =>
      async () => {
        const lines = `${bucket.server.objects.get('manifest.jsonl')}`.trim().split('\n');
        expect(lines).toHaveLength(images.length + 2);
      },
  ),
  request('a quality report', ['calculate:quality'], (client, { task }) =>
    post(client, '/api/quality/reports', { task_id: task }),
  ),
];
