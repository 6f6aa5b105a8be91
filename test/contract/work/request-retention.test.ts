import { expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness } from '../people/people-harness.ts';

const hourMs = 3600 * 1000;
const harness = await usePeopleHarness();
const owner = harness.addUser('the-owner');

function later(hours: number): void {
  harness.advance(hours * hourMs);
  harness.core.housekeep();
}

test('keeps the file of an export for a day after its last use, then deletes the request', async () => {
  const task = await owner.rest.taskWithImages({ labels: [{ name: 'car' }] }, await makeImages(1));
  const id = await owner.rest.startExport('tasks', task.id, 'COCO 1.0');
  const { result_url: url } = await owner.rest.finished(id);
  later(23);
  expect((await owner.rest.bytes(url!)).length).toBeGreaterThan(0);
  later(23);
  expect((await owner.good('getRequest', { params: { id } })).status).toBe('finished');
  expect((await owner.rest.bytes(url!)).length).toBeGreaterThan(0);
  later(25);
  expect(await owner.refused(404, 'getRequest', { params: { id } })).toBe('There is no request with specified id');
  expect((await owner.rest.call('GET', url!)).status).toBe(404);
});

test('keeps requests without a file for an hour, and failed ones for thirty days', async () => {
  const { id: taskId } = await owner.rest.createTask({ labels: [{ name: 'car' }] });
  const good = await owner.rest.uploadImages(taskId, await makeImages(1));
  await owner.rest.finished(good);
  const empty = await owner.rest.createTask({ labels: [{ name: 'car' }] });
  const bad = await owner.rest.uploadImages(empty.id, [{ name: 'no-image.jpg', bytes: Buffer.from('text') }]);
  expect((await owner.rest.ended(bad)).status).toBe('failed');
  later(2);
  await owner.refused(404, 'getRequest', { params: { id: good } });
  later(29 * 24);
  expect((await owner.good('getRequest', { params: { id: bad } })).message).not.toBe('');
  later(24);
  await owner.refused(404, 'getRequest', { params: { id: bad } });
});
