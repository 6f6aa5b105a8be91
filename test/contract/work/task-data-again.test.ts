import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { makeImages, writeImages } from '../../support/images.ts';
import { useWork } from './work-harness.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const work = await useWork();

const preparations = async (taskId: number): Promise<Request[]> =>
  (
    await work.owner.good<Page<Request>>('GET', '/api/requests', {
      query: { task_id: taskId, action: 'create', target: 'task' },
    })
  ).results;

test('reports why the images of a task could not be prepared, and accepts others', async () => {
  const { id } = await work.owner.createTask({ labels: [{ name: 'thing' }] });
  const text = { name: 'bad.jpg', bytes: Buffer.from('not a picture') };
  const failed = await work.owner.ended(await work.owner.uploadImages(id, [text]));
  expect(failed).toMatchObject({ status: 'failed', message: expect.stringContaining('bad.jpg') });
  expect(await preparations(id)).toMatchObject([{ status: 'failed', message: failed.message }]);
  expect(await work.owner.task(id)).not.toHaveProperty('size');

  const images = await makeImages(3);
  const again = await work.owner.ended(await work.owner.uploadImages(id, images));
  expect(again).toMatchObject({ status: 'finished', message: '' });
  expect(await work.owner.task(id)).toMatchObject({ size: 3 });
  const names = (await work.owner.meta('tasks', id)).frames?.map(({ name }) => name);
  expect(names).toEqual(images.map(({ name }) => name));
  expect(await preparations(id)).toMatchObject([{ status: 'finished' }]);
});

test('retries missing paths; uploaded files must be uploaded again', async () => {
  const path = join(temporaryFolder(), 'later');
  const { id } = await work.owner.createTask({ labels: [{ name: 'thing' }] });
  const again = () => work.owner.call('POST', `/api/limner/tasks/${id}/data/retry`);
  expect(await again()).toMatchObject({ status: 400, body: [expect.stringContaining('No preparation')] });
  const first = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${id}/data/`, {
    json: { server_files: [path], sorting_method: 'natural' },
  });
  expect(await work.owner.ended(first.rq_id)).toMatchObject({ status: 'failed' });
  mkdirSync(path);
  await writeImages(path, await makeImages(2));
  const { status, body } = await again();
  expect(status).toBe(202);
  expect(await work.owner.ended((body as { rq_id: string }).rq_id)).toMatchObject({ status: 'finished' });
  expect(await work.owner.task(id)).toMatchObject({ size: 2 });

  const other = await work.owner.createTask({ labels: [{ name: 'thing' }] });
  const text = { name: 'bad.jpg', bytes: Buffer.from('not a picture') };
  await work.owner.ended(await work.owner.uploadImages(other.id, [text]));
  const refused = await work.owner.call('POST', `/api/limner/tasks/${other.id}/data/retry`);
  expect(refused).toMatchObject({ status: 400, body: [expect.stringContaining('Upload them again')] });
});
