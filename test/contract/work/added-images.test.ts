import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Job, Request } from '../../../preload/contract/schema/resources.ts';
import { imageForm, type NamedImage, writeImages } from '../../support/images.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { picture, useWork } from './work-harness.ts';

const work = await useWork();
const { owner } = work;

const named = async (names: readonly string[], width = 64): Promise<NamedImage[]> =>
  Promise.all(names.map(async (name) => ({ name, bytes: await picture(name, width) })));

const path = (id: number) => `/api/limner/tasks/${id}/images/`;
const add = (id: number, images: readonly NamedImage[], fields: Readonly<Record<string, string>> = {}) =>
  owner.call('POST', path(id), { body: imageForm(images, fields) });

async function added(id: number, images: readonly NamedImage[], fields: Readonly<Record<string, string>> = {}) {
  const { status, body } = await add(id, images, fields);
  expect({ status, body }).toMatchObject({ status: 202 });
  return owner.finished((body as { rq_id: string }).rq_id);
}

const newTask = (names: readonly string[], task: object = {}) =>
  named(names).then((images) => owner.taskWithImages({ labels: [{ name: 'thing' }], ...task }, images));

const namesOf = async (id: number) => (await owner.meta('tasks', id)).frames?.map(({ name }) => name);
const rangesOf = async (id: number) =>
  (await owner.jobs(id)).map(({ type, start_frame: start, stop_frame: stop }: Job) => [type, start, stop]);
const box = (label: number, frame: number, x = 1) => ({
  type: 'rectangle' as const,
  label_id: label,
  frame,
  points: [x, 1, x + 8, 8],
  attributes: [],
});

test('adds images behind the frames of a task and keeps its annotations, issues and deleted frames', async () => {
  const task = await newTask(['c.png', 'd.png'], { segment_size: 1 });
  const [label] = await owner.labels(task.id);
  const [first, second] = await owner.jobs(task.id);
  await owner.replaceAnnotations('jobs', second!.id, { shapes: [box(label!.id, 1)] });
  await owner.good('PATCH', `/api/tasks/${task.id}/data/meta`, { json: { deleted_frames: [0] } });
  await owner.good('POST', '/api/issues', {
    json: { job: second!.id, frame: 1, position: [1, 1, 2, 2], message: 'look' },
  });
  const before = await owner.annotations('tasks', task.id);

  const request = await added(task.id, await named(['b.png', 'a.png']));
  expect(request).toMatchObject({ status: 'finished', message: 'Added 2 images.' });
  expect(await namesOf(task.id)).toEqual(['c.png', 'd.png', 'a.png', 'b.png']);
  expect(await owner.task(task.id)).toMatchObject({ size: 4, segment_size: 1, jobs: { count: 4 } });
  expect(await rangesOf(task.id)).toEqual([0, 1, 2, 3].map((frame) => ['annotation', frame, frame]));
  expect((await owner.jobs(task.id)).slice(0, 2).map(({ id }) => id)).toEqual([first!.id, second!.id]);
  expect((await owner.annotations('tasks', task.id)).shapes).toEqual(before.shapes);
  expect(await owner.meta('tasks', task.id)).toMatchObject({ deleted_frames: [0], size: 4, stop_frame: 3 });
  expect(await owner.good('GET', '/api/issues', { query: { job_id: second!.id } })).toMatchObject({ count: 1 });
  const { shapes } = await owner.replaceAnnotations('tasks', task.id, { shapes: [box(label!.id, 3)] });
  expect(shapes).toMatchObject([{ frame: 3 }]);
  expect(await owner.bytes(`/api/tasks/${task.id}/data?type=frame&number=2&quality=original`)).toEqual(
    await picture('a.png'),
  );
});

test('keeps the answer of CVAT to data for a task that has data', async () => {
  const task = await newTask(['a.png']);
  const { status, body } = await owner.call('POST', `/api/tasks/${task.id}/data/`, {
    body: imageForm(await named(['b.png']), { image_quality: '70' }),
  });
  expect({ status, body }).toEqual({ status: 400, body: ['Adding more data is not supported'] });
});

test('skips images whose names exist, and counts them', async () => {
  const task = await newTask(['a.png', 'b.png']);
  const request = await added(task.id, await named(['b.png', 'c.png'], 32));
  expect(request.message).toBe('Added 1 image. Skipped 1 image whose names exist.');
  expect((await owner.report(request.id)).warnings).toEqual(['b.png was skipped: a frame has this name.']);
  expect(await namesOf(task.id)).toEqual(['a.png', 'b.png', 'c.png']);
  expect((await owner.meta('tasks', task.id)).frames?.[1]).toMatchObject({ width: 64 });
});

test('replaces the images of names that exist, keeps their objects and reports another size', async () => {
  const task = await newTask(['a.png', 'b.png']);
  const [label] = await owner.labels(task.id);
  await owner.replaceAnnotations('tasks', task.id, { shapes: [box(label!.id, 1)] });
  const [image] = await named(['b.png'], 32);
  await owner.bytes(`/api/tasks/${task.id}/data?type=chunk&number=0&quality=compressed`);
  const request = await added(task.id, [image!], { existing_names: 'replace' });
  expect(request.message).toBe('Added 0 images. Replaced 1 image.');
  expect((await owner.report(request.id)).warnings).toEqual([
    expect.stringContaining('b.png was replaced, and its size changed from 64 × 48 to 32 × 48'),
  ]);
  expect((await owner.meta('tasks', task.id)).frames).toMatchObject([{ width: 64 }, { width: 32, name: 'b.png' }]);
  const original = `/api/tasks/${task.id}/data?type=frame&number=1&quality=original`;
  expect(await owner.bytes(original)).toEqual(Buffer.from(image!.bytes));
  expect((await owner.annotations('tasks', task.id)).shapes).toHaveLength(1);
});

test('keeps both images of a name, the added one under a free name', async () => {
  const task = await newTask(['a.png']);
  const request = await added(task.id, await named(['a.png', 'a_2.png'], 32), { existing_names: 'keep_both' });
  expect((await owner.report(request.id)).warnings).toEqual(['a.png was added as a_3.png: a frame has its name.']);
  expect(await namesOf(task.id)).toEqual(['a.png', 'a_3.png', 'a_2.png']);
  const original = `/api/tasks/${task.id}/data?type=frame&number=1&quality=original`;
  expect(await owner.bytes(original)).toEqual(await picture('a.png', 32));
});

test('fills the last job while it is new, unassigned and without tracks', async () => {
  const grows = await newTask(['a.png', 'b.png', 'c.png'], { segment_size: 2 });
  await added(grows.id, await named(['d.png', 'e.png']));
  expect(await rangesOf(grows.id)).toEqual([
    ['annotation', 0, 1],
    ['annotation', 2, 3],
    ['annotation', 4, 4],
  ]);

  const assigned = await newTask(['a.png', 'b.png', 'c.png'], { segment_size: 2 });
  const last = (await owner.jobs(assigned.id))[1]!;
  await owner.good('PATCH', `/api/jobs/${last.id}`, { json: { state: 'in progress' } });
  await added(assigned.id, await named(['d.png', 'e.png']));
  expect((await rangesOf(assigned.id)).slice(1)).toEqual([
    ['annotation', 2, 2],
    ['annotation', 3, 4],
  ]);

  const tracked = await newTask(['a.png'], { segment_size: 2 });
  const [label] = await owner.labels(tracked.id);
  const shape = { type: 'rectangle' as const, frame: 0, points: [1, 1, 5, 5], outside: false, attributes: [] };
  await owner.replaceAnnotations('tasks', tracked.id, {
    tracks: [{ label_id: label!.id, frame: 0, attributes: [], shapes: [shape] }],
  });
  await added(tracked.id, await named(['b.png']), { segment_size: '2' });
  expect(await rangesOf(tracked.id)).toEqual([
    ['annotation', 0, 0],
    ['annotation', 1, 1],
  ]);
});

test('keeps one job for all frames, or adds one, if the task was not divided', async () => {
  const grows = await newTask(['a.png', 'b.png']);
  await added(grows.id, await named(['c.png', 'd.png', 'e.png']));
  expect(await rangesOf(grows.id)).toEqual([['annotation', 0, 4]]);

  const begun = await newTask(['a.png']);
  const [job] = await owner.jobs(begun.id);
  await owner.good('PATCH', `/api/jobs/${job!.id}`, { json: { state: 'in progress' } });
  await added(begun.id, await named(['b.png', 'c.png', 'd.png']));
  expect(await rangesOf(begun.id)).toEqual([
    ['annotation', 0, 0],
    ['annotation', 1, 3],
  ]);
  expect(await owner.task(begun.id)).toMatchObject({ segment_size: 3, size: 4 });
});

test.each([
  { segment_size: 3, overlap: 1, steps: [4, 3] },
  { segment_size: 2, overlap: 0, steps: [2, 1, 4] },
  { segment_size: 0, overlap: 0, steps: [2, 3] },
  { segment_size: 4, overlap: 2, steps: [5, 1, 6] },
])('divides a grown task into the jobs of a task made at once: $segment_size, $steps', async (layout) => {
  const { steps, segment_size: size, overlap } = layout;
  const total = steps.reduce((sum, count) => sum + count, 0);
  const names = Array.from({ length: total }, (_, index) => `${String(index).padStart(2, '0')}.png`);
  const [start = 0, ...more] = steps;
  const options = { segment_size: size, overlap };
  const grown = await newTask(names.slice(0, start), options);
  let from = start;
  for (const count of more) {
    await added(grown.id, await named(names.slice(from, from + count)), { segment_size: String(size) });
    from += count;
  }
  const atOnce = await newTask(names, options);
  expect(await rangesOf(grown.id)).toEqual(await rangesOf(atOnce.id));
  const facts = async (id: number) => {
    const { size: frames, segment_size: frameCount, mode, data_chunk_size: chunk, jobs } = await owner.task(id);
    return { frames, frameCount, mode, chunk, jobs: jobs.count, meta: await namesOf(id) };
  };
  expect(await facts(grown.id)).toEqual(await facts(atOnce.id));
});

test('keeps the frames of the ground truth, and gives added jobs replicas', async () => {
  const task = await newTask(['a.png', 'b.png'], { segment_size: 1, consensus_replicas: 2 });
  await owner.good('POST', '/api/jobs', {
    json: { task_id: task.id, type: 'ground_truth', frame_selection_method: 'manual', frames: [1] },
  });
  await added(task.id, await named(['c.png']));
  const jobs = await owner.jobs(task.id);
  const truth = jobs.find(({ type }) => type === 'ground_truth')!;
  expect(truth).toMatchObject({ start_frame: 0, stop_frame: 2, frame_count: 1 });
  expect((await owner.meta('jobs', truth.id)).included_frames).toEqual([1]);
  const third = jobs.filter(({ start_frame: start, type }) => start === 2 && type !== 'ground_truth');
  expect(third.map(({ type }) => type)).toEqual(['annotation', 'consensus_replica', 'consensus_replica']);
});

test('adds a folder in place to a task of uploads', async () => {
  const task = await newTask(['a.png']);
  const folder = join(temporaryFolder(), 'more');
  mkdirSync(folder);
  await writeImages(folder, await named(['b.png', 'c.png']));
  const { rq_id: id } = await owner.good<Request & { rq_id: string }>('POST', path(task.id), {
    json: { server_files: [folder] },
  });
  await owner.finished(id);
  expect(await namesOf(task.id)).toEqual(['a.png', 'b.png', 'c.png']);
  for (const [number, name] of ['a.png', 'b.png', 'c.png'].entries()) {
    const url = `/api/tasks/${task.id}/data?type=frame&number=${number}&quality=original`;
    expect(await owner.bytes(url)).toEqual(await picture(name));
  }
});

test('refuses what cannot be added, in words', async () => {
  const empty = await owner.createTask({ labels: [{ name: 'thing' }] });
  const images = await named(['a.png']);
  const refusal = async (id: number, fields = {}) => {
    const { status, body } = await add(id, images, fields);
    return { status, body: JSON.stringify(body) };
  };
  expect(await refusal(empty.id)).toEqual({ status: 400, body: expect.stringContaining('has no data yet') });
  const task = await newTask(['x.png']);
  expect(await refusal(task.id, { open_early: 'true' })).toMatchObject({ status: 400 });
  expect(await owner.call('POST', path(task.id), { json: {} })).toMatchObject({ status: 400 });
  const request = await add(task.id, [{ name: 'bad.png', bytes: Buffer.from('no') }]);
  const failed = await owner.ended((request.body as { rq_id: string }).rq_id);
  expect(failed).toMatchObject({ status: 'failed', message: expect.stringContaining('bad.png') });
  expect(await owner.task(task.id)).toMatchObject({ size: 1, jobs: { count: 1 } });
});
