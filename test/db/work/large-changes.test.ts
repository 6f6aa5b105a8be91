import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { useCoreHarness } from './core-harness.ts';

const work = { rows: 0 };
const harness = useCoreHarness({
  counter: { count: (rowsRead, rowsWritten) => void (work.rows += rowsRead + rowsWritten) },
});
const { core, admin } = harness;
const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

const portion = 200;

async function makeJob() {
  const images = join(harness.folder, randomUUID());
  mkdirSync(images);
  for (const { name, bytes } of await makeImages(2, { width: 64, height: 48 }))
    writeFileSync(join(images, name), bytes);
  const task = core.tasks.create(admin, taskWriteSchema.parse({ name: 'streets', labels: [{ name: 'car' }] }));
  const { rq_id } = core.taskData.start(admin, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  await harness.ended(rq_id);
  const query = { page: 1, pageSize: 'all' as const, equals: { task_id: String(task.id) } };
  return {
    task: task.id,
    job: core.jobs.list(admin, query).results[0]!.id,
    label: core.labels.list(admin, query).results[0]!.id,
  };
}

/** Rows that were read and written in the longest turn of the event loop. */
async function longestTurn(run: () => unknown): Promise<number> {
  work.rows = 0;
  const running = Promise.resolve(run());
  const state = { longest: 0, isDone: false };
  const done = running.finally(() => (state.isDone = true));
  while (!state.isDone) {
    await nextTurn();
    state.longest = Math.max(state.longest, work.rows);
    work.rows = 0;
  }
  await done;
  return state.longest;
}

const boxes = (count: number, label: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: 'rectangle' as const,
    frame: at % 2,
    label_id: label,
    points: [1, 1, 11, 9],
  }));

test.each(['replace', 'create'] as const)('a large save (%s) works on a portion in each turn', async (action) => {
  const { job, label } = await makeJob();
  const save = (count: number) =>
    core.annotations.saveInPortions(admin, { kind: 'job', id: job, action }, async (take) => {
      for (let at = 0; at < count; at += portion) {
        await take(data({ shapes: boxes(portion, label) }));
        await nextTurn();
      }
      // Nothing is visible before the end.
      if (count === few) expect(core.annotations.readJob(admin, job).shapes).toEqual([]);
    });
  const few = 2 * portion;
  const longest = await longestTurn(() => save(few));
  expect(longest).toBeLessThan(4 * portion);
  expect(await longestTurn(() => save(20 * few))).toBeLessThanOrEqual(longest);
});

test('the deletion of a label with many objects works on a portion in each turn', async () => {
  const deletion = async (count: number): Promise<number> => {
    const { job, label } = await makeJob();
    const tracks = Array.from({ length: count / 4 }, () => ({
      frame: 0,
      label_id: label,
      shapes: [{ type: 'rectangle' as const, frame: 0, points: [1, 1, 11, 9] }],
    }));
    core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(count, label), tracks }));
    const longest = await longestTurn(() => core.labels.remove(admin, label));
    const left = core.annotations.readJob(admin, job);
    expect([left.shapes, left.tracks]).toEqual([[], []]);
    const [change] = core.annotationChanges.list(admin, 'job', job);
    expect(change?.object_count).toBe(count + count / 4);
    core.annotationChanges.undo(admin, change!.id);
    expect(core.annotations.readJob(admin, job).shapes).toHaveLength(count);
    return longest;
  };
  const few = await deletion(1000);
  expect(await deletion(8000)).toBeLessThanOrEqual(few);
});

test('a label whose annotations are changed while it is deleted keeps none', async () => {
  const { job, label } = await makeJob();
  core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(2000, label) }));
  const deletion = core.labels.remove(admin, label);
  for (let turn = 0; turn < 4; turn += 1) {
    core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(2, label) }));
    await nextTurn();
  }
  await deletion;
  expect(core.annotations.readJob(admin, job).shapes).toEqual([]);
});

test('a change of a task that fails after its labels were emptied keeps their annotations', async () => {
  const { task, job, label } = await makeJob();
  core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(2000, label) }));
  const body = { labels: [{ id: label, deleted: true }] };
  const change = core.labels.changing(admin, { kind: 'task', id: task }, body.labels, () => {
    expect(core.annotations.readJob(admin, job).shapes).toEqual([]);
    throw new Error('refused');
  });
  await expect(change).rejects.toThrow('refused');
  expect(core.annotations.readJob(admin, job).shapes).toHaveLength(2000);
  expect(core.annotationChanges.list(admin, 'job', job)).toEqual([]);
});
