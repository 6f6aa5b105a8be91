import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  labeledDataSchema,
  type LabeledData,
  type LabeledDataInput,
  type Shape,
} from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { makeImages } from '../../support/images.ts';
import { createCoreHarness, useCoreHarness } from './core-harness.ts';

const work = { rows: 0 };
const harness = useCoreHarness({
  counter: { count: (rowsRead, rowsWritten) => void (work.rows += rowsRead + rowsWritten) },
});
const { core, admin } = harness;
const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

const portion = 200;
const stagedRows = () => harness.database.query('SELECT count(*) FROM staged_portion').pluck().get();

async function makeJob({ frames = 2, jobs = 1 } = {}) {
  const images = join(harness.folder, randomUUID());
  mkdirSync(images);
  for (const { name, bytes } of await makeImages(frames, { width: 64, height: 48 }))
    writeFileSync(join(images, name), bytes);
  const segments = jobs === 1 ? {} : { segment_size: frames / jobs, overlap: 0 };
  const body = { name: 'streets', labels: [{ name: 'car' }], ...segments };
  const task = core.tasks.create(admin, taskWriteSchema.parse(body));
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

test('a large save of tracks writes a portion of their pieces in each turn', async () => {
  const jobs = 600;
  const { task, label } = await makeJob({ frames: jobs, jobs });
  const shapes = [0, jobs - 1].map((frame) => ({ type: 'rectangle' as const, frame, points: [1, 1, 11 + frame, 9] }));
  const save = (count: number) =>
    longestTurn(() =>
      core.annotations.saveInPortions(admin, { kind: 'task', id: task, action: 'create' }, (take) =>
        take(data({ tracks: Array.from({ length: count }, () => ({ frame: 0, label_id: label, shapes })) })),
      ),
    );
  const longest = await save(1);
  // The publication writes some rows for each job. One track has more: a piece, its keyframes and a set for each.
  expect(longest).toBeLessThan(4 * jobs);
  expect(await save(8)).toBeLessThanOrEqual(longest);
  expect(core.annotations.readTask(admin, task).tracks).toHaveLength(9 * jobs);
});

const listOf = (text: unknown): number[] =>
  (JSON.parse(String(text)) as { shapes: { id: number }[] }).shapes.map(({ id }) => id);

const inPortions =
  (objects: readonly LabeledDataInput['shapes'][]) => async (take: (portion: LabeledData) => Promise<void>) => {
    for (const shapes of objects) {
      await take(data({ shapes }));
      await nextTurn();
    }
  };

const portionsOfShapes = (shapes: readonly Shape[]) =>
  Array.from({ length: Math.ceil(shapes.length / portion) }, (_, at) => shapes.slice(at * portion, (at + 1) * portion));

test.each(['update', 'delete'] as const)('a large change (%s) works on a portion in each turn', async (action) => {
  const change = async (count: number): Promise<number> => {
    const { job, label } = await makeJob();
    core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(count, label) }));
    const { shapes } = core.annotations.readJob(admin, job);
    const sent = shapes.map((shape) => ({ ...shape, points: [2, 2, 12, 10] }));
    let answer: unknown;
    const longest = await longestTurn(async () => {
      const save = { kind: 'job', id: job, action } as const;
      answer = await core.annotations.saveInPortions(admin, save, inPortions(portionsOfShapes(sent)));
    });
    expect(listOf(await new Response(answer as BodyInit).text())).toEqual(shapes.map(({ id }) => id));
    const left = core.annotations.readJob(admin, job).shapes;
    expect(left).toEqual(action === 'update' ? sent : []);
    if (action === 'delete') {
      const [removed] = core.annotationChanges.list(admin, 'job', job);
      expect(removed?.object_count).toBe(count);
      core.annotationChanges.undo(admin, removed!.id);
      expect(core.annotations.readJob(admin, job).shapes).toEqual(shapes);
    }
    return longest;
  };
  const few = await change(2 * portion);
  expect(few).toBeLessThan(30 * portion);
  expect(await change(20 * portion)).toBeLessThanOrEqual(few);
});

test.each(['update', 'delete'] as const)(
  'a large change (%s) with an unknown object at its end changes nothing',
  async (action) => {
    const { job, label } = await makeJob();
    core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(2 * portion, label) }));
    const { shapes } = core.annotations.readJob(admin, job);
    const sent = shapes.map((shape) => ({ ...shape, points: [2, 2, 12, 10] }));
    const unknown = { ...sent[0]!, id: 999_999_999 };
    const saving = core.annotations.saveInPortions(
      admin,
      { kind: 'job', id: job, action },
      inPortions(portionsOfShapes([...sent, unknown])),
    );
    await expect(saving).rejects.toThrow('there is no shape with id 999999999 here');
    expect(core.annotations.readJob(admin, job).shapes).toEqual(shapes);
    expect(core.annotationChanges.list(admin, 'job', job)).toEqual([]);
    expect(stagedRows()).toBe(0);
  },
);

test('a large change keeps what others delete while it is applied', async () => {
  const { job, label } = await makeJob();
  core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(4 * portion, label) }));
  const { shapes } = core.annotations.readJob(admin, job);
  const sent = shapes.map((shape) => ({ ...shape, points: [2, 2, 12, 10] }));
  const last = shapes.at(-1)!;
  await core.annotations.saveInPortions(admin, { kind: 'job', id: job, action: 'update' }, async (take) => {
    await inPortions(portionsOfShapes(sent))(take);
    // All portions are checked; none is applied.
    core.annotations.changeJob(admin, job, 'delete', data({ shapes: [last] }));
  });
  expect(core.annotations.readJob(admin, job).shapes).toEqual(sent.slice(0, -1));
});

test('a large change that was received before a kill is applied at the next start', async () => {
  const { job, label } = await makeJob();
  core.annotations.changeJob(admin, job, 'create', data({ shapes: boxes(4 * portion, label) }));
  const { shapes } = core.annotations.readJob(admin, job);
  const sent = shapes.map((shape) => ({ ...shape, points: [2, 2, 12, 10] }));
  const save = core.annotations.saveInPortions(
    admin,
    { kind: 'job', id: job, action: 'update' },
    inPortions(portionsOfShapes(sent)),
  );
  const begun = async (): Promise<void> => {
    for (let turn = 0; core.annotations.readJob(admin, job).shapes[0]?.points[0] !== 2; turn += 1) {
      expect(turn).toBeLessThan(1000);
      await nextTurn();
    }
  };
  await Promise.race([begun(), save]);
  expect(core.annotations.readJob(admin, job).shapes.at(-1)?.points[0]).toBe(1);
  // The rest is in the store: another process would find it there.
  core.annotations.recover();
  expect(core.annotations.readJob(admin, job).shapes).toEqual(sent);
  await save;
  expect(stagedRows()).toBe(0);
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

test('a large save that is still arriving when the service stops is refused', async () => {
  const stopped = createCoreHarness();
  const { core: services, admin: owner } = stopped;
  const images = join(stopped.folder, 'images');
  mkdirSync(images);
  for (const { name, bytes } of await makeImages(2, { width: 64, height: 48 }))
    writeFileSync(join(images, name), bytes);
  const task = services.tasks.create(owner, taskWriteSchema.parse({ name: 'streets', labels: [{ name: 'car' }] }));
  const { rq_id } = services.taskData.start(owner, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  await stopped.ended(rq_id);
  const [label] = services.labels.list(owner, { page: 1, pageSize: 'all', equals: {} }).results;
  const save = services.annotations.saveInPortions(
    owner,
    { kind: 'task', id: task.id, action: 'create' },
    async (take) => {
      await take(data({ shapes: boxes(2, label!.id) }));
      services.annotations.refuseLargeSaves();
      await take(data({ shapes: boxes(2, label!.id) }));
    },
  );
  await expect(save).rejects.toThrow('the service is stopping. Nothing of this save was applied.');
  expect(services.annotations.readTask(owner, task.id).shapes).toEqual([]);
  await stopped.dispose();
});
