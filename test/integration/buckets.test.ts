import { afterAll, describe, expect, test } from 'vitest';
import type { CloudStorage } from '../../preload/contract/schema/cloud-storages.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';

const bucket = await startBucketServer();
afterAll(() => bucket.stop());
const server = await useServer();
const client = await signIn(server);
const images = await makeImages(6, { width: 64, height: 48 });
for (const { name, bytes } of images) bucket.objects.set(`week/${name}`, bytes);
bucket.objects.set('week/damaged.jpg', Buffer.from('no image'));

const { id: storage } = await client.good<CloudStorage>('POST', '/api/cloudstorages', { json: bucket.storage });

async function newTask(files: readonly string[], data: object = {}): Promise<number> {
  const { id } = await client.createTask({ labels: [{ name: 'car' }] });
  const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, {
    json: { image_quality: 70, server_files: files, cloud_storage_id: storage, use_cache: true, ...data },
  });
  await client.finished(request);
  return id;
}

const frameOf = (task: number, number: number) =>
  client.call('GET', `/api/tasks/${task}/data/`, { query: { type: 'frame', quality: 'original', number } });

describe('a task whose images are in a bucket', () => {
  test('reads only parts of the images until they are shown, and each of them once', async () => {
    const task = await newTask(['week/image-000.jpg', 'week/image-001.jpg']);
    expect(bucket.requests.filter((request) => /^GET week\/image-00[01].jpg$/.test(request))).toEqual([]);
    expect((await client.meta('tasks', task)).frames).toMatchObject([
      { name: 'week/image-000.jpg', width: 64, height: 48 },
      { name: 'week/image-001.jpg', width: 64, height: 48 },
    ]);
    for (let time = 0; time < 3; time += 1) expect((await frameOf(task, 0)).status).toBe(200);
    expect(bucket.requests.filter((request) => request === 'GET week/image-000.jpg')).toHaveLength(1);
  });

  test('keeps the number of an object that is not an image, and says why', async () => {
    const task = await newTask(['week/']);
    const meta = await client.meta('tasks', task);
    expect(meta.frames?.[0]).toMatchObject({ name: 'week/damaged.jpg', limner_state: 'unusable' });
    expect(meta.deleted_frames).toEqual([0]);
    expect((await frameOf(task, 0)).body).toMatchObject({ detail: expect.stringContaining('damaged.jpg') });
  });

  test('says on the frame that an object is missing, changed or forbidden', async () => {
    const task = await newTask(['week/image-002.jpg', 'week/image-003.jpg', 'week/image-004.jpg']);
    const original = bucket.objects.get('week/image-002.jpg') ?? Buffer.alloc(0);
    bucket.objects.delete('week/image-002.jpg');
    bucket.objects.set('week/image-003.jpg', original);
    const missing = await frameOf(task, 0);
    expect(missing).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/frame 0: week\/image-002.jpg is not in the bucket/) },
    });
    const changed = await frameOf(task, 1);
    expect(changed).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/frame 1: week\/image-003.jpg has changed/) },
    });
    bucket.state.isForbidden = true;
    const forbidden = await frameOf(task, 2);
    expect(forbidden).toMatchObject({
      status: 503,
      body: { detail: expect.stringMatching(/frame 2: Access to .* is forbidden/) },
    });
    const state = await client.good<object>('GET', `/api/limner/cloudstorages/${storage}/state`);
    expect(state).toMatchObject({ status: 'FORBIDDEN', reachable: true });
    bucket.state.isForbidden = false;
    expect((await frameOf(task, 2)).status).toBe(200);
  });

  test('opens from a manifest that was written to the bucket, without reading its images', async () => {
    for (const { name, bytes } of images.slice(0, 3)) bucket.objects.set(`listed/sub/${name}`, bytes);
    bucket.objects.set('listed/broken.jpg', Buffer.from('no image'));
    bucket.objects.set('listed/notes.txt', Buffer.from('no image'));
    const path = `/api/limner/cloudstorages/${storage}/manifest`;
    const { rq_id: request } = await client.good<{ rq_id: string }>('POST', path, { json: { prefix: 'listed/' } });
    const { message } = await client.finished(request);
    expect(message).toBe('listed/manifest.jsonl with 3 images written. 1 object is not an image and was left out.');
    const lines = `${bucket.objects.get('listed/manifest.jsonl')}`.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      { version: '1.1' },
      { type: 'images' },
      ...[0, 1, 2].map((number) => ({
        name: `sub/image-00${number}`,
        extension: '.jpg',
        width: 64,
        height: 48,
        meta: { related_images: [] },
      })),
    ]);
    expect(await client.good<CloudStorage>('GET', `/api/cloudstorages/${storage}`)).toMatchObject({
      manifests: ['listed/manifest.jsonl'],
    });

    bucket.requests.length = 0;
    const task = await newTask(['listed/manifest.jsonl']);
    expect((await client.meta('tasks', task)).frames).toMatchObject(
      [0, 1, 2].map((number) => ({ name: `listed/sub/image-00${number}.jpg`, width: 64, height: 48 })),
    );
    expect(bucket.requests.filter((sent) => sent.startsWith('GET listed/sub'))).toEqual([]);

    const again = await client.call('POST', path, { json: { prefix: 'listed/' } });
    expect(again).toMatchObject({ status: 400, body: { path: [expect.stringContaining('exists in the bucket')] } });
    const { rq_id: replaced } = await client.good<{ rq_id: string }>('POST', path, {
      json: { prefix: 'listed/', replace: true },
    });
    expect((await client.finished(replaced)).status).toBe('finished');
  });

  test('takes its images from another cloud storage with the same objects', async () => {
    const task = await newTask(['week/image-005.jpg']);
    const other = await client.good<CloudStorage>('POST', '/api/cloudstorages', {
      json: { ...bucket.storage, display_name: 'Other' },
    });
    const path = `/api/tasks/${task}/data/meta`;
    await client.good('PATCH', path, { json: { cloud_storage_id: other.id } });
    expect(await client.meta('tasks', task)).toMatchObject({ cloud_storage_id: other.id, storage: 'cloud_storage' });
    expect((await client.call('PATCH', path, { json: { cloud_storage_id: 987_654 } })).status).toBe(400);
  });

  test.each([
    ['copy_data', { copy_data: true }],
    [
      'validation_params',
      {
        validation_params: {
          mode: 'gt_pool',
          frame_selection_method: 'random_uniform',
          frame_count: 1,
          frames_per_job_count: 1,
        },
        sorting_method: 'random',
      },
    ],
    ['cloud_storage_id', { cloud_storage_id: 987_654 }],
  ])('refuses %s in words', async (field, data) => {
    const { id } = await client.createTask();
    const answer = await client.call('POST', `/api/tasks/${id}/data/`, {
      json: { image_quality: 70, server_files: ['week/'], cloud_storage_id: storage, ...data },
    });
    expect(answer).toMatchObject({ status: 400, body: { [field]: [expect.any(String)] } });
  });

  test('shows cached frames without a connection, and says which are not cached', async () => {
    const { bytes } = images[4] ?? { bytes: Buffer.alloc(0) };
    bucket.objects.set('week/offline.jpg', bytes);
    bucket.objects.set('week/offline-2.jpg', bytes);
    const task = await newTask(['week/offline.jpg', 'week/offline-2.jpg'], { sorting_method: 'natural' });
    const names = (await client.meta('tasks', task)).frames?.map(({ name }) => name) ?? [];
    expect((await frameOf(task, 0)).status).toBe(200);
    await bucket.stop();
    expect((await frameOf(task, 0)).status).toBe(200);
    expect(names).toHaveLength(2);
    expect(await frameOf(task, 1)).toMatchObject({
      status: 503,
      body: {
        detail: expect.stringMatching(
          /^Frame 1 is not in the cache; connect to see it\. Cannot connect to 127\.0\.0\.1/,
        ),
      },
    });
    const state = await client.good<object>('GET', `/api/limner/cloudstorages/${storage}/state`);
    expect(state).toMatchObject({ status: 'NOT_FOUND', reachable: false });
  });
});
