import { afterAll, expect, test } from 'vitest';
import type { Page } from '../../../preload/contract/schema/common.ts';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { startWork } from './work-harness.ts';

const work = await startWork();
afterAll(() => work.stop());

const preparations = async (taskId: number): Promise<Request[]> =>
  (
    await work.owner.good<Page<Request>>('GET', '/api/requests', {
      query: { task_id: taskId, action: 'create', target: 'task' },
    })
  ).results;

test('a task whose images could not be prepared says why, and takes others', async () => {
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
