import { expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { pictures, useWork } from './work-harness.ts';

const work = await useWork();
const fields = { labels: [{ name: 'car' }, { name: 'bus' }], segment_size: 2 };
const task = await work.owner.taskWithImages(fields, await pictures(4));
const jobs = await work.jobsOf(task.id);
const labels = await work.labelsOf({ task_id: task.id });

const box = (frame: number, x: number, label = 0) => ({
  type: 'rectangle' as const,
  frame,
  label_id: labels[label]!.id,
  points: [x, 0, x + 5, 5],
});
const lefts = ({ shapes }: LabeledData) => shapes.map(({ points }) => points[0]);

/** Reads everything twice, so that the second read finds the caches of the first. */
async function reads() {
  const { owner } = work;
  const seen = async () => ({
    task: lefts(await owner.annotations('tasks', task.id)),
    frames: await Promise.all([0, 2].map(async (frame) => lefts(await owner.annotations('tasks', task.id, frame)))),
    jobs: await Promise.all(jobs.map(async ({ id }) => lefts(await owner.annotations('jobs', id)))),
    frameOfJob: lefts(await owner.annotations('jobs', jobs[0]!.id, 0)),
  });
  const first = await seen();
  expect(await seen()).toEqual(first);
  return first;
}
const expectShapes = async (first: number[], second: number[]) =>
  expect(await reads()).toEqual({
    task: [...first, ...second],
    frames: [first, second],
    jobs: [first, second],
    frameOfJob: first,
  });

test('a read after saves of a job and of the task', async () => {
  const { owner } = work;
  await expectShapes([], []);
  const { shapes } = await owner.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0, 1)] });
  await expectShapes([1], []);
  await owner.changeAnnotations('tasks', task.id, 'create', { shapes: [box(2, 2)] });
  await expectShapes([1], [2]);
  await owner.changeAnnotations('jobs', jobs[0]!.id, 'update', { shapes: [{ ...shapes[0]!, points: [9, 0, 14, 5] }] });
  await expectShapes([9], [2]);
  await owner.changeAnnotations('jobs', jobs[0]!.id, 'delete', { shapes });
  await expectShapes([], [2]);
  await owner.replaceAnnotations('jobs', jobs[0]!.id, { shapes: [box(0, 3), box(0, 4)] });
  await expectShapes([3, 4], [2]);
  await owner.clearAnnotations('jobs', jobs[1]!.id);
  await expectShapes([3, 4], []);
  await owner.replaceAnnotations('tasks', task.id, { shapes: [box(0, 5), box(2, 6)] });
  await expectShapes([5], [6]);
  await owner.clearAnnotations('tasks', task.id);
  await expectShapes([], []);
});

test('a read after a refused save', async () => {
  await work.owner.replaceAnnotations('tasks', task.id, { shapes: [box(0, 1)] });
  await expectShapes([1], []);
  const json = { shapes: [box(0, 2), { ...box(0, 3), points: [1] }] };
  const refused = await work.owner.call('PUT', `/api/tasks/${task.id}/annotations/`, { json });
  expect(refused.status).toBe(400);
  await expectShapes([1], []);
});

test('a read after an import, which writes over another connection', async () => {
  const { owner } = work;
  const path = `/api/jobs/${jobs[1]!.id}/annotations/`;
  const xml = `<annotations><image id="2" name="2.png" width="64" height="48">
    <box label="car" xtl="7" ytl="1" xbr="20" ybr="20"/></image></annotations>`;
  const file = { name: 'annotations.zip', bytes: makeZip({ 'annotations.xml': xml }) };
  await expectShapes([1], []);
  const { status, body } = await work.sendFile(path, 'annotation_file', file, { format: 'CVAT 1.1' });
  expect(status).toBe(202);
  await owner.finished((body as { rq_id: string }).rq_id);
  await expectShapes([1], [7]);
});

test('a read after labels and attributes were added and deleted', async () => {
  const { owner } = work;
  await owner.replaceAnnotations('tasks', task.id, { shapes: [box(0, 1), box(0, 2, 1)] });
  await expectShapes([1, 2], []);
  const attributes = [{ name: 'wet', mutable: false, input_type: 'checkbox', default_value: 'true', values: [] }];
  await owner.good('PATCH', `/api/labels/${labels[0]!.id}`, { json: { name: 'car', attributes } });
  const [car] = (await owner.annotations('tasks', task.id, 0)).shapes;
  expect(car?.attributes.map(({ value }) => value)).toEqual(['true']);
  // Stale saves know the labels from before: added ones are accepted, deleted ones are refused.
  const wet = [{ spec_id: car!.attributes[0]!.spec_id, value: 'false' }];
  const { shapes } = await owner.changeAnnotations('jobs', jobs[0]!.id, 'create', {
    shapes: [{ ...box(0, 3), attributes: wet }],
  });
  expect(shapes[0]?.attributes).toEqual(wet);
  await owner.changeAnnotations('jobs', jobs[0]!.id, 'delete', { shapes });
  await owner.good('DELETE', `/api/labels/${labels[1]!.id}`);
  await expectShapes([1], []);
  const save = { json: { shapes: [box(0, 4, 1)] } };
  expect((await owner.call('PATCH', `/api/jobs/${jobs[0]!.id}/annotations/?action=create`, save)).status).toBe(400);
});

test('a read of several frames at once', async () => {
  const { owner } = work;
  await owner.replaceAnnotations('tasks', task.id, { shapes: [box(0, 1), box(1, 2), box(2, 3)] });
  const read = async (query: string) =>
    lefts(await owner.good<LabeledData>('GET', `/api/tasks/${task.id}/annotations/?${query}`));
  const all = await read('');
  expect(all).toHaveLength(3);
  expect(await read('frame=0&to_frame=1')).toEqual(all.slice(0, 2));
  expect(await read('frame=1&to_frame=2')).toEqual(all.slice(1));
  expect(await read('frame=1')).toEqual([all[1]]);
  expect(await read('to_frame=0')).toEqual([all[0]]);
});

test('a read by users without permission', async () => {
  const stranger = await work.workbench.addUser('stranger');
  await reads();
  expect((await stranger.call('GET', `/api/tasks/${task.id}/annotations/?frame=0`)).status).toBe(403);
  expect((await stranger.call('GET', `/api/jobs/${jobs[0]!.id}/annotations/`)).status).toBe(403);
});

test('a cached answer equals a new one', async () => {
  const anew = await work.workbench.owner.bytes(`/api/tasks/${task.id}/annotations/`);
  await work.owner.good('PATCH', `/api/tasks/${task.id}`, { json: { name: 'another name' } });
  expect((await work.owner.bytes(`/api/tasks/${task.id}/annotations/`)).equals(anew)).toBe(true);
  await work.owner.good('DELETE', `/api/tasks/${task.id}`);
  expect((await work.owner.call('GET', `/api/tasks/${task.id}/annotations/`)).status).toBe(404);
});
