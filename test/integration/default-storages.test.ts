import { afterAll, describe, expect, test } from 'vitest';
import type { CloudStorage } from '../../preload/contract/schema/cloud-storages.ts';
import type { Task } from '../../preload/contract/schema/resources.ts';
import { startBucketServer } from '../support/bucket-server.ts';
import { signIn } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { useServer } from '../support/use-server.ts';

const bucket = await startBucketServer();
afterAll(() => bucket.stop());
const server = await useServer();
const client = await signIn(server);
for (const { name, bytes } of await makeImages(2)) bucket.objects.set(`week/${name}`, bytes);
const { id: storage } = await client.good<CloudStorage>('POST', '/api/cloudstorages', { json: bucket.storage });
const inBucket = { location: 'cloud_storage', cloud_storage_id: storage } as const;

async function newTask(): Promise<number> {
  const { id } = await client.createTask({ labels: [{ name: 'car' }] });
  const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, {
    json: { image_quality: 70, server_files: ['week/'], cloud_storage_id: storage, use_cache: true },
  });
  await client.finished(request);
  await client.good('PATCH', `/api/tasks/${id}`, { json: { target_storage: inBucket, source_storage: inBucket } });
  return id;
}
const run = async (method: 'POST', path: string, query: Record<string, string>) => {
  const { rq_id: request } = await client.good<{ rq_id: string }>(method, path, { query });
  return client.finished(request);
};

describe('a task whose source and target storage are in a bucket', () => {
  test('answers them, and its jobs do', async () => {
    const id = await newTask();
    const place = { id: expect.any(Number), ...inBucket };
    expect(await client.good<Task>('GET', `/api/tasks/${id}`)).toMatchObject({
      target_storage: place,
      source_storage: place,
    });
    const { results } = await client.good<{ results: object[] }>('GET', '/api/jobs', { query: { task_id: `${id}` } });
    expect(results).toMatchObject([{ target_storage: place, source_storage: place }]);
    await client.good('PATCH', `/api/tasks/${id}`, { json: { target_storage: { location: 'local' } } });
    expect(await client.good<Task>('GET', `/api/tasks/${id}`)).toMatchObject({
      target_storage: { location: 'local', cloud_storage_id: null },
      source_storage: place,
    });
  });

  test('exports to it without a location, and to this computer with location=local', async () => {
    const id = await newTask();
    const path = `/api/tasks/${id}/dataset/export`;
    const query = { format: 'COCO 1.0', filename: 'exports/default.zip', save_images: 'false' };
    expect(await run('POST', path, query)).toMatchObject({ status: 'finished', result_url: null });
    expect(bucket.objects.has('exports/default.zip')).toBe(true);
    const local = await run('POST', path, { ...query, filename: 'local.zip', location: 'local' });
    expect(local.result_url).toEqual(expect.any(String));
    expect(bucket.objects.has('local.zip')).toBe(false);
    await run('POST', `/api/tasks/${id}/backup/export`, { filename: 'exports/backup.zip' });
    expect(bucket.objects.has('exports/backup.zip')).toBe(true);
  });

  test('imports an object of it without a location, and the file that a request has', async () => {
    const id = await newTask();
    await run('POST', `/api/tasks/${id}/dataset/export`, {
      format: 'COCO 1.0',
      filename: 'exports/import.zip',
      save_images: 'false',
    });
    const query = { format: 'COCO 1.0', filename: 'exports/import.zip' };
    expect(await run('POST', `/api/tasks/${id}/annotations`, query)).toMatchObject({ status: 'finished' });
    const read = 'GET exports/import.zip';
    expect(bucket.requests.filter((request) => request === read)).toHaveLength(1);
    const absent = { ...query, filename: 'exports/absent.zip' };
    const refused = await client.call('POST', `/api/tasks/${id}/annotations`, { query: absent });
    expect(refused, 'before a background request starts').toMatchObject({ status: 404 });
    const missing = await client.call('POST', `/api/tasks/${id}/annotations`, { query: { format: 'COCO 1.0' } });
    expect(missing).toMatchObject({ status: 400, body: { filename: [expect.any(String)] } });
    const form = new FormData();
    const zip = bucket.objects.get('exports/import.zip') ?? Buffer.alloc(0);
    bucket.objects.delete('exports/import.zip');
    form.set('annotation_file', new Blob([new Uint8Array(zip)]), 'import.zip');
    const { rq_id: request } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/annotations`, {
      query: { format: 'COCO 1.0' },
      body: form,
    });
    expect(await client.finished(request)).toMatchObject({ status: 'finished' });
  });

  test('refuses a cloud storage that does not exist, and keeps one that is used', async () => {
    const id = await newTask();
    const wrong = { target_storage: { ...inBucket, cloud_storage_id: 987_654 } };
    expect((await client.call('PATCH', `/api/tasks/${id}`, { json: wrong })).status).toBe(400);
    const other = await client.good<CloudStorage>('POST', '/api/cloudstorages', { json: bucket.storage });
    const project = await client.good<{ id: number }>('POST', '/api/projects', {
      json: { name: 'City', labels: [], target_storage: { ...inBucket, cloud_storage_id: other.id } },
    });
    const path = `/api/cloudstorages/${other.id}`;
    expect((await client.call('DELETE', path)).status).toBe(400);
    await client.good('DELETE', `/api/projects/${project.id}`);
    expect((await client.call('DELETE', path)).status).toBe(204);
  });
});
