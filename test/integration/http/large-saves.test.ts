import { afterAll, beforeAll, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import { makeImages } from '../../support/images.ts';
import type { TestClient } from '../../support/client.ts';
import { startWorkbench, type TestWorkbench } from './support.ts';

const frames = 4;
const shapeCount = 20_000;

let workbench: TestWorkbench;
let client: TestClient;
let label: number;
let taskId: number;
let jobs: readonly { readonly id: number }[];
beforeAll(async () => {
  workbench = await startWorkbench();
  client = workbench.owner;
  const images = await makeImages(frames, { width: 64, height: 48 });
  ({ id: taskId } = await client.taskWithImages(
    { name: 'streets', labels: [{ name: 'car' }], segment_size: 2, overlap: 0 },
    images,
  ));
  jobs = await client.jobs(taskId);
  label = (await client.labels(taskId))[0]!.id;
});
afterAll(() => workbench.stop());

const box = (frame: number, at: number) => ({
  type: 'rectangle',
  frame,
  label_id: label,
  points: [at % 50, 1.25, (at % 50) + 10, 20.5],
});
const boxes = (count: number, frameOf: (at: number) => number) =>
  Array.from({ length: count }, (_, at) => box(frameOf(at), at));
const track = (last: number) => ({
  frame: 0,
  label_id: label,
  shapes: [0, last].map((frame) => ({ type: 'rectangle', frame, points: [frame, 1, frame + 9, 9] })),
});
const path = (kind: 'jobs' | 'tasks', id: number) => `/api/${kind}/${id}/annotations`;
const read = (kind: 'jobs' | 'tasks', id: number) => client.good<LabeledData>('GET', path(kind, id));
const pointsOf = ({ shapes }: LabeledData) => shapes.map(({ frame, points }) => [frame, ...points]);

test.each([
  ['replaces', 'PUT', '', 0],
  ['adds to', 'PATCH', '?action=create', 1],
])('a large save %s the annotations of a job', async (_, method, query, stay) => {
  const job = jobs[0]!.id;
  await client.good('PUT', path('jobs', job), { json: { shapes: [box(0, 1)] } });
  await client.good(method, path('jobs', job) + query, { json: { shapes: boxes(shapeCount, (at) => at % 2) } });
  expect((await read('jobs', job)).shapes).toHaveLength(shapeCount + stay);
});

test('a large update of a task keeps the ids of its objects, and a large deletion can be undone', async () => {
  const task = (action: string) => `${path('tasks', taskId)}?action=${action}`;
  await client.good('PUT', path('tasks', taskId), {
    json: { shapes: boxes(8000, (at) => at % frames), tags: [{ frame: 1, label_id: label }], tracks: [track(3)] },
  });
  const before = await read('tasks', taskId);
  const shapes = before.shapes.map((shape) => ({ ...shape, points: shape.points.map((value) => value + 0.5) }));
  const answer = await client.good<LabeledData>('PATCH', task('update'), { json: { ...before, shapes } });
  const after = await read('tasks', taskId);
  expect(after.shapes).toEqual(shapes);
  expect(after.tracks.map(({ id }) => id)).toEqual(before.tracks.map(({ id }) => id));
  expect(answer.shapes.map(({ id }) => id)).toEqual(shapes.map(({ id }) => id));
  await client.good('PATCH', task('delete'), { json: after });
  expect(await read('tasks', taskId)).toMatchObject({ shapes: [], tags: [], tracks: [] });
  const { results } = await client.good<{ results: { id: number; object_count: number }[] }>(
    'GET',
    `/api/limner/annotation-changes?task_id=${taskId}`,
  );
  const { shapes: all, tags, tracks } = after;
  expect(results[0]!.object_count).toBe(all.length + tags.length + tracks.length);
  await client.good('POST', `/api/limner/annotation-changes/${results[0]!.id}/undo`);
  expect(await read('tasks', taskId)).toEqual(after);
});

test.each(['update', 'delete'])('a large PATCH (%s) of an unknown object changes nothing', async (action) => {
  const job = jobs[0]!.id;
  await client.good('PUT', path('jobs', job), { json: { shapes: boxes(5000, () => 0) } });
  const before = await read('jobs', job);
  const shapes = before.shapes.map((shape, at) => ({ ...shape, z_order: 1, id: at === 4999 ? 999_999_999 : shape.id }));
  const { status, body } = await client.call('PATCH', `${path('jobs', job)}?action=${action}`, { json: { shapes } });
  expect(status).toBe(400);
  expect(body).toEqual([expect.stringContaining('no shape with id 999999999 here. Nothing of this save was applied.')]);
  expect(await read('jobs', job)).toEqual(before);
});

test('a large job that was read can be put back', async () => {
  const job = jobs[0]!.id;
  const tags = [{ frame: 1, label_id: label }];
  const sent = { shapes: boxes(shapeCount, (at) => at % 2), tags, tracks: [track(1)] };
  await client.good('PUT', path('jobs', job), { json: sent });
  const before = await read('jobs', job);
  const answer = await client.good<LabeledData>('PUT', path('jobs', job), { json: before });
  const after = await read('jobs', job);
  const withoutIds = (data: LabeledData) =>
    JSON.parse(JSON.stringify(data, (key, value: unknown) => (key === 'id' ? undefined : value))) as unknown;
  expect(withoutIds(after)).toEqual(withoutIds(before));
  expect(answer.shapes.map(({ id }) => id)).toEqual(after.shapes.map(({ id }) => id));
  expect(pointsOf(answer)).toEqual(pointsOf(after));
  expect(after.shapes[0]!.id).not.toBe(before.shapes[0]!.id);
});

test('a large save of a task puts each object into the job of its frame', async () => {
  const shapes = boxes(8000, (at) => at % frames);
  await client.good('PUT', path('tasks', taskId), { json: { shapes, tracks: [track(3)] } });
  for (const [index, { id }] of jobs.entries()) {
    const data = await read('jobs', id);
    expect(new Set(data.shapes.map(({ frame }) => frame))).toEqual(new Set([2 * index, 2 * index + 1]));
    expect(data.shapes).toHaveLength(4000);
    expect(data.tracks).toHaveLength(1);
  }
});

test('a large save can be undone', async () => {
  const job = jobs[1]!.id;
  await client.good('PUT', path('jobs', job), { json: { shapes: [box(2, 1)] } });
  await client.good('PUT', path('jobs', job), { json: { shapes: boxes(5000, () => 3) } });
  const { results } = await client.good<{ results: { id: number; object_count: number }[] }>(
    'GET',
    `/api/limner/annotation-changes?job_id=${job}`,
  );
  await client.good('POST', `/api/limner/annotation-changes/${results[0]!.id}/undo`);
  expect(pointsOf(await read('jobs', job))).toEqual([[2, 1, 1.25, 11, 20.5]]);
});

test.each([
  ['PUT', ''],
  ['PATCH', '?action=create'],
])('an invalid object at the end of a large %s is named, and nothing is saved', async (method, query) => {
  const job = jobs[0]!.id;
  await client.good('PUT', path('jobs', job), { json: { shapes: [box(0, 3)] } });
  const shapes = boxes(10_001, () => 0);
  shapes[5000]!.label_id = -1;
  const { status, body } = await client.call(method, path('jobs', job) + query, { json: { shapes } });
  expect(status).toBe(400);
  expect(body).toMatchObject({ shapes: { 5000: { label_id: [expect.any(String)] } } });
  expect((await read('jobs', job)).shapes).toHaveLength(1);
});

test.each([
  ['a label of another task', () => ({ shapes: [...boxes(10_000, () => 0), { ...box(0, 1), label_id: 99_999 }] })],
  ['a frame outside of the job', () => ({ shapes: [...boxes(10_000, () => 0), box(frames, 1)] })],
])('a large save with %s is refused and changes nothing', async (_, json) => {
  const job = jobs[0]!.id;
  await client.good('PUT', path('jobs', job), { json: { shapes: [box(0, 3)] } });
  expect((await client.call('PUT', path('jobs', job), { json: json() })).status).toBe(400);
  expect((await read('jobs', job)).shapes).toHaveLength(1);
});

test('a large save whose list is there twice is refused, as is broken JSON', async () => {
  const job = jobs[0]!.id;
  const list = JSON.stringify(boxes(10_000, () => 0));
  for (const body of [`{"shapes":${list},"shapes":[]}`, `{"shapes":${list}`, list]) {
    const headers = { 'Content-Type': 'application/json' };
    expect((await client.call('PUT', path('jobs', job), { headers, body })).status).toBe(400);
  }
});

test('a large save needs the access that a small one needs', async () => {
  const stranger = await workbench.addUser('stranger');
  const json = { shapes: boxes(5000, () => 0) };
  expect((await stranger.call('PUT', path('jobs', jobs[0]!.id), { json })).status).toBe(403);
  expect((await client.call('PUT', path('jobs', 99_999), { json })).status).toBe(404);
});
