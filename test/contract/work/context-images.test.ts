import { afterAll, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import { picture, startWork, zipNames, zipOf } from './work-harness.ts';

const work = await startWork();
const archive = zipOf({
  'street/one.png': await picture('one'),
  'street/two.png': await picture('two'),
  'street/related_images/one_png/10-back.png': await picture('back', 20, 10),
  'street/related_images/one_png/9-front.png': await picture('front', 10, 20),
});
const task = await work.owner.taskWithImages({ labels: [{ name: 'car' }] as LabelWrite[] }, [
  { name: 'images.zip', bytes: archive },
]);
afterAll(() => work.stop());

test('related images are no frames, and their frames say how many they have', async () => {
  const { size, frames } = await work.owner.meta('tasks', task.id);
  expect(size).toBe(2);
  expect(
    frames?.map(({ name, related_files, has_related_context }) => [name, related_files, has_related_context]),
  ).toEqual([
    ['street/one.png', 2, true],
    ['street/two.png', 0, false],
  ]);
});

test('they come as an archive, of a task and of a job', async () => {
  const [job] = await work.jobsOf(task.id);
  for (const path of [`/api/tasks/${task.id}/data`, `/api/jobs/${job?.id}/data`]) {
    const answer = await work.owner.call('GET', path, { query: { type: 'context_image', number: 0 } });
    expect(answer.headers.get('Content-Type')).toBe('application/zip');
    expect(answer.headers.get('X-Checksum')).toMatch(/^[0-9a-f]{8}$/);
    const names = await zipNames(await work.owner.bytes(`${path}?type=context_image&number=0`));
    expect(names).toEqual(['9-front.png', '10-back.png']);
  }
});

test('where there are none, or no such frame, the answer says so', async () => {
  const path = `/api/tasks/${task.id}/data`;
  for (const [number, status] of [
    [1, 404],
    [2, 404],
    ['x', 400],
  ] as const) {
    expect((await work.owner.call('GET', path, { query: { type: 'context_image', number } })).status).toBe(status);
  }
});
