import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { useCoreHarness } from './core-harness.ts';

/** Rows of the largest statement. */
const largest = { rows: 0 };
const harness = useCoreHarness({
  counter: { count: (rowsRead) => void (largest.rows = Math.max(largest.rows, rowsRead)) },
});
const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

const frames = 6;
const shapesOfFrame = 2500;
let taskId: number;
let jobIds: number[];
let labelId: number;

const box = (frame: number, at: number) => ({
  type: 'rectangle' as const,
  frame,
  label_id: labelId,
  points: [at % 50, 1, (at % 50) + 10.25, 20.5],
});

beforeAll(async () => {
  ({ taskId, jobIds, labelId } = await makeTask({ name: 'wide', segment_size: 3 }));
  const all = Array.from({ length: frames }, (_, frame) => frame);
  const shapes = all.flatMap((frame) => Array.from({ length: shapesOfFrame }, (_, at) => box(frame, at)));
  const tracks = Array.from({ length: 200 }, (_, at) => ({
    frame: 0,
    label_id: labelId,
    shapes: all.map((frame) => ({ type: 'rectangle' as const, frame, points: [at % 40, frame, (at % 40) + 9, 20] })),
  }));
  const tags = all.map((frame) => ({ frame, label_id: labelId }));
  harness.core.annotations.changeTask(harness.admin, taskId, 'create', data({ shapes, tracks, tags }));
});

async function makeTask({
  labels = [{ name: 'car' }],
  count = frames,
  ...given
}: {
  name: string;
  segment_size: number;
  overlap?: number;
  labels?: readonly object[];
  count?: number;
}) {
  const { core, admin, folder } = harness;
  const images = join(folder, given.name);
  mkdirSync(images);
  for (const { name, bytes } of await makeImages(count, { width: 64, height: 48 }))
    writeFileSync(join(images, name), bytes);
  const task = core.tasks.create(admin, taskWriteSchema.parse({ ...given, labels }));
  const { rq_id: request } = core.taskData.start(
    admin,
    task.id,
    dataRequestSchema.parse({ server_files: [images] }),
    [],
  );
  await harness.ended(request);
  const query = { page: 1, pageSize: 'all' as const, equals: { task_id: String(task.id) } };
  const jobs = core.jobs.list(admin, { ...query, sort: 'id' }).results;
  return { taskId: task.id, jobIds: jobs.map(({ id }) => id), labelId: core.labels.list(admin, query).results[0]!.id };
}

/** Counts the turns of the event loop until the result is there, and runs `each` in every turn. */
async function turnsOf<Result>(running: Result | Promise<Result>, each: () => void = () => undefined) {
  const state = { turns: 0, isDone: false };
  const done = Promise.resolve(running).finally(() => (state.isDone = true));
  while (!state.isDone) {
    await nextTurn();
    state.turns += 1;
    each();
  }
  return { turns: state.turns, result: await done };
}
const textOf = async (json: ConstructorParameters<typeof Response>[0]) => new Response(json).text();

test('a read of many objects gives way after at most 500 of them', async () => {
  const { core, admin } = harness;
  const { turns } = await turnsOf(core.annotations.readTaskJson(admin, taskId));
  expect(turns).toBeGreaterThan((frames * shapesOfFrame) / 500);
});

test('a read of many objects answers one moment, while others edit', async () => {
  const { core, admin } = harness;
  const wanted = { frame: 0, to_frame: frames };
  const before = JSON.stringify(core.annotations.readTask(admin, taskId, wanted));
  const edit = () => {
    const { shapes } = core.annotations.changeJob(admin, jobIds[0]!, 'create', data({ shapes: [box(0, 1)] }));
    core.annotations.changeJob(admin, jobIds[1]!, 'create', data({ shapes: [box(4, 1)] }));
    core.annotations.changeJob(admin, jobIds[0]!, 'delete', data({ shapes: [{ ...box(0, 1), id: shapes[0]!.id }] }));
  };
  const { result, turns } = await turnsOf(core.annotations.readTaskJson(admin, taskId, wanted), edit);
  expect(turns).toBeGreaterThan(10);
  expect(await textOf(result as string)).toBe(before);
  const after = JSON.stringify(core.annotations.readTask(admin, taskId, wanted));
  expect(after).not.toBe(before);
  // The first answer is outdated, so it was not kept.
  expect(await textOf((await core.annotations.readTaskJson(admin, taskId, wanted)) as string)).toBe(after);
});

test.each([{}, { without: 'tracks' as const }, { frame: 2 }, { frame: 1, to_frame: 4 }])(
  'a read in portions equals one in one go: %j',
  async (wanted) => {
    const { core, admin } = harness;
    const job = await core.annotations.readJobJson(admin, jobIds[0]!, wanted);
    expect(await textOf(job as string)).toBe(JSON.stringify(core.annotations.readJob(admin, jobIds[0]!, wanted)));
    const task = await core.annotations.readTaskJson(admin, taskId, wanted);
    expect(await textOf(task as string)).toBe(JSON.stringify(core.annotations.readTask(admin, taskId, wanted)));
  },
);

test('a read of jobs that share frames merges their objects', async () => {
  const { core, admin } = harness;
  const shared = await makeTask({ name: 'shared', segment_size: 4, overlap: 2 });
  const shapes = Array.from({ length: 1200 }, (_, at) => ({ ...box(0, at), label_id: shared.labelId }));
  const both = [{ ...box(2, 7), label_id: shared.labelId }];
  for (const id of shared.jobIds) core.annotations.changeJob(admin, id, 'create', data({ shapes: both }));
  core.annotations.changeJob(admin, shared.jobIds[0]!, 'create', data({ shapes }));
  const read = core.annotations.readTask(admin, shared.taskId);
  expect(read.shapes).toHaveLength(1201);
  const json = await core.annotations.readTaskJson(admin, shared.taskId);
  expect(await textOf(json as string)).toBe(JSON.stringify(read));
});

test('a read in portions has the order of frames, also if a job shows several sets', async () => {
  const { core, admin, database } = harness;
  const [job = 0] = jobIds;
  const insert = database.query("INSERT INTO annotation_set (job_id, state) VALUES (?, 'live')");
  const { lastInsertRowid: set } = insert.run(job);
  const shown = "(SELECT min(id) FROM annotation_set WHERE state = 'live' AND job_id = +?)";
  database.query(`UPDATE shape SET set_id = ? WHERE id % 3 = 0 AND set_id = ${shown}`).run(set, job);
  database.query(`UPDATE shape_frame SET set_id = ? WHERE shape_id % 3 = 0 AND set_id = ${shown}`).run(set, job);
  const read = core.annotations.readJob(admin, job);
  expect(read.shapes.length).toBeGreaterThan(shapesOfFrame);
  expect(await textOf((await core.annotations.readJobJson(admin, job)) as string)).toBe(JSON.stringify(read));
});

test('a read gives way within a track of many keyframes', async () => {
  const { core, admin } = harness;
  const keyframes = 600;
  const skeleton = { name: 'person', type: 'skeleton', sublabels: ['head', 'foot'].map((name) => ({ name })) };
  const labels = [{ name: 'car' }, { ...skeleton, svg: '' }];
  const long = await makeTask({ name: 'long', segment_size: keyframes, count: keyframes, labels });
  const all = core.labels.list(admin, { page: 1, pageSize: 'all', equals: { task_id: String(long.taskId) } }).results;
  const shapes = (type: 'rectangle' | 'points' | 'skeleton', points: number[]) =>
    Array.from({ length: keyframes }, (_, frame) => ({ type, frame, points: points.map((at) => at + (frame % 9)) }));
  const [car, person] = [all.find(({ name }) => name === 'car')!, all.find(({ name }) => name === 'person')!];
  const elements = person.sublabels.map(({ id }) => ({ frame: 0, label_id: id, shapes: shapes('points', [5, 5]) }));
  const tracks = [
    { frame: 0, label_id: car.id, shapes: shapes('rectangle', [1, 1, 9, 9]) },
    { frame: 0, label_id: person.id, shapes: shapes('skeleton', []), elements },
  ];
  core.annotations.changeTask(admin, long.taskId, 'create', data({ tracks }));
  largest.rows = 0;
  const { turns, result } = await turnsOf(core.annotations.readTaskJson(admin, long.taskId));
  expect(largest.rows).toBeLessThanOrEqual(500);
  expect(turns).toBeGreaterThan((4 * keyframes) / 100);
  expect(await textOf(result as string)).toBe(JSON.stringify(core.annotations.readTask(admin, long.taskId)));
});

test('a read of many jobs gives way while it merges them', async () => {
  const { core, admin } = harness;
  const count = 120;
  const many = await makeTask({ name: 'many', segment_size: 1, overlap: 0, count });
  const { turns, result } = await turnsOf(core.annotations.readTaskJson(admin, many.taskId));
  // Each job is read, and merged.
  expect(turns).toBeGreaterThan(2 * (count - 1) + count);
  expect(await textOf(result as string)).toBe(JSON.stringify(core.annotations.readTask(admin, many.taskId)));
});

test('a read ends when the client leaves', async () => {
  const { core, admin } = harness;
  const controller = new AbortController();
  core.annotations.changeJob(admin, jobIds[0]!, 'create', data({ shapes: [box(0, 1)] }));
  const running = Promise.resolve(core.annotations.readTaskJson(admin, taskId, {}, controller));
  controller.abort();
  await expect(running).rejects.toThrow('aborted');
});
