import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { labeledDataSchema, type LabeledDataInput } from '../../../preload/contract/schema/annotations.ts';
import { dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { sharedWorkers } from '../../support/shared-workers.ts';
import { useCoreHarness } from './core-harness.ts';

const harness = useCoreHarness();

const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);

async function createTask(frames: number, segmentSize = 0, overlap = 0) {
  const { core, admin, folder } = harness;
  const images = join(folder, `images-${frames}-${segmentSize}-${overlap}-${Math.random()}`);
  mkdirSync(images);
  for (let frame = 0; frame < frames; frame += 1) {
    await sharp({ create: { width: 64, height: 48, channels: 3, background: '#777777' } })
      .png()
      .toFile(join(images, `image_${String(frame).padStart(2, '0')}.png`));
  }
  const body = taskWriteSchema.parse({
    name: 'task',
    segment_size: segmentSize,
    overlap,
    labels: [
      { name: 'car', attributes: [{ name: 'parked', input_type: 'checkbox', default_value: 'false', values: [] }] },
      { name: 'person' },
      { name: 'figure', type: 'skeleton', sublabels: [{ name: 'head' }, { name: 'tail' }] },
    ],
  });
  const task = core.tasks.create(admin, body);
  const { rq_id } = core.taskData.start(admin, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  const request = await harness.ended(rq_id);
  expect(request).toMatchObject({ status: 'finished' });
  const { results: labels } = core.labels.list(admin, {
    page: 1,
    pageSize: 'all',
    equals: { task_id: String(task.id) },
  });
  const { results: jobs } = core.jobs.list(admin, {
    page: 1,
    pageSize: 'all',
    sort: 'id',
    equals: { task_id: String(task.id) },
  });
  const named = (name: string) => labels.find((label) => label.name === name)!;
  return { task, labels, jobs, car: named('car'), person: named('person'), figure: named('figure') };
}

const box = (frame: number, label_id: number, at = 1) => ({
  type: 'rectangle' as const,
  frame,
  label_id,
  points: [at, at, at + 10.25, at + 8.5],
});

describe('a task with data', () => {
  test('has one job for all frames, and its meta lists every frame', async () => {
    const { task, jobs } = await createTask(3);
    expect(jobs.map((job) => [job.start_frame, job.stop_frame])).toEqual([[0, 2]]);
    const meta = await harness.core.frames.taskMeta(harness.admin, task.id);
    expect(meta.frames?.map((frame) => [frame.name.split('/').at(-1), frame.width, frame.height])).toEqual([
      ['image_00.png', 64, 48],
      ['image_01.png', 64, 48],
      ['image_02.png', 64, 48],
    ]);
    expect(meta.storage).toBe('share');
  });

  test('is split into jobs of the segment size that share the overlap', async () => {
    const { jobs } = await createTask(7, 3, 1);
    expect(jobs.map((job) => [job.start_frame, job.stop_frame])).toEqual([
      [0, 2],
      [2, 4],
      [4, 6],
    ]);
  });
});

describe('annotations of a job', () => {
  test('are created with ids, read back exactly, and have the defaults of their label', async () => {
    const { jobs, car } = await createTask(2);
    const { core, admin } = harness;
    const points = [0.1 + 0.2, 1 / 3, 17.12345678901234, 40];
    const created = core.annotations.changeJob(
      admin,
      jobs[0]!.id,
      'create',
      data({ shapes: [{ ...box(1, car.id), points }] }),
    );
    expect(created.shapes[0]?.id).toBeTypeOf('number');
    const [shape] = core.annotations.readJob(admin, jobs[0]!.id).shapes;
    expect(shape?.points).toEqual(points);
    expect(shape?.attributes).toEqual([{ spec_id: car.attributes[0]?.id, value: 'false' }]);
    expect(core.annotations.readJob(admin, jobs[0]!.id, { frame: 0 }).shapes).toEqual([]);
  });

  test('equal an answer that is written in parts', async () => {
    const { jobs, car, figure } = await createTask(2);
    const { core, admin } = harness;
    const id = jobs[0]!.id;
    const readBoth = async () => {
      const written = String(await core.annotations.readJobJson(admin, id));
      expect(JSON.parse(written)).toEqual(core.annotations.readJob(admin, id));
    };
    await readBoth();
    const elements = figure.sublabels.map(({ id: label_id }, x) => ({
      type: 'points' as const,
      frame: 0,
      label_id,
      points: [x, x],
    }));
    const skeleton = { type: 'skeleton' as const, frame: 0, label_id: figure.id, points: [], elements };
    const tags = [{ frame: 1, label_id: car.id }];
    const boxes = (frame: number, count: number) => Array.from({ length: count }, (_, x) => box(frame, car.id, x));
    const shapes = [...boxes(0, 1999), skeleton, ...boxes(0, 10), ...boxes(1, 2500)];
    core.annotations.changeJob(admin, id, 'create', data({ shapes, tags }));
    expect(core.annotations.readJob(admin, id).shapes).toHaveLength(shapes.length);
    await readBoth();
  });

  test('keep their ids when they change, and can move to another frame', async () => {
    const { jobs, car, person } = await createTask(3);
    const { core, admin } = harness;
    const id = jobs[0]!.id;
    const [shape] = core.annotations.changeJob(admin, id, 'create', data({ shapes: [box(0, car.id)] })).shapes;
    core.annotations.changeJob(admin, id, 'update', data({ shapes: [{ ...box(2, person.id, 5), id: shape!.id }] }));
    const after = core.annotations.readJob(admin, id).shapes;
    expect(after).toHaveLength(1);
    expect(after[0]).toMatchObject({ id: shape!.id, frame: 2, label_id: person.id, points: [5, 5, 15.25, 13.5] });
    expect(core.annotations.readJob(admin, id, { frame: 0 }).shapes).toEqual([]);
  });

  test('a save with one wrong object changes nothing', async () => {
    const { jobs, car } = await createTask(1);
    const { core, admin } = harness;
    const id = jobs[0]!.id;
    const wrong = data({ shapes: [box(0, car.id), { ...box(0, car.id), points: [1, 2, 3] }] });
    expect(() => core.annotations.changeJob(admin, id, 'create', wrong)).toThrow(
      "invalid length for shape type 'rectangle'",
    );
    const foreign = data({ shapes: [box(0, car.id), box(0, 999_999)] });
    expect(() => core.annotations.changeJob(admin, id, 'create', foreign)).toThrow('Unknown label');
    expect(core.annotations.readJob(admin, id).shapes).toEqual([]);
  });

  test('skeletons keep their elements through an update', async () => {
    const { jobs, figure } = await createTask(1);
    const [head, tail] = figure.sublabels;
    const { core, admin } = harness;
    const id = jobs[0]!.id;
    const element = (label_id: number, x: number) => ({ type: 'points' as const, frame: 0, label_id, points: [x, x] });
    const skeleton = {
      type: 'skeleton' as const,
      frame: 0,
      label_id: figure.id,
      points: [],
      elements: [element(head!.id, 1), element(tail!.id, 2)],
    };
    const [created] = core.annotations.changeJob(admin, id, 'create', data({ shapes: [skeleton] })).shapes;
    const moved = { ...skeleton, id: created!.id, elements: [element(tail!.id, 7)] };
    core.annotations.changeJob(admin, id, 'update', data({ shapes: [moved] }));
    const [after] = core.annotations.readJob(admin, id).shapes;
    expect(after?.elements).toMatchObject([{ id: created!.elements[1]!.id, label_id: tail!.id, points: [7, 7] }]);
    core.annotations.changeJob(admin, id, 'delete', data({ shapes: [{ ...moved }] }));
    expect(core.annotations.readJob(admin, id).shapes).toEqual([]);
  });
});

describe('annotations of a task with several jobs', () => {
  test('belong to the job of their frame, and in an overlap to both; the task shows them once', async () => {
    const { task, jobs, car } = await createTask(5, 3, 1);
    const { core, admin } = harness;
    core.annotations.changeTask(
      admin,
      task.id,
      'create',
      data({ shapes: [box(0, car.id), box(2, car.id, 4), box(4, car.id)] }),
    );
    const perJob = jobs.map((job) => core.annotations.readJob(admin, job.id).shapes.map((shape) => shape.frame));
    expect(perJob).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(
      core.annotations
        .readTask(admin, task.id)
        .shapes.map((shape) => shape.frame)
        .sort(),
    ).toEqual([0, 2, 4]);
  });

  test('a replacement is atomic, and old rows are deleted in the background', async () => {
    const { task, car } = await createTask(2);
    const { core, admin, database, databaseFile, folder } = harness;
    core.annotations.changeTask(admin, task.id, 'create', data({ shapes: [box(0, car.id), box(1, car.id)] }));
    core.annotations.replaceTask(admin, task.id, data({ shapes: [box(1, car.id, 3)] }));
    expect(core.annotations.readTask(admin, task.id).shapes).toMatchObject([{ frame: 1, points: [3, 3, 13.25, 11.5] }]);
    core.annotations.clearTask(admin, task.id);
    expect(core.annotations.readTask(admin, task.id).shapes).toEqual([]);
    await sharedWorkers.run('collectGarbage', { databaseFile, dataDirectory: folder });
    // Restorable annotations are stored until they expire.
    const kept = database.query('SELECT count(*) AS n FROM shape WHERE set_id IN (SELECT id FROM annotation_set)');
    expect(kept.get()).not.toEqual({ n: 0 });
    database.query("UPDATE annotation_change SET expiry_date = '2020'").run();
    core.housekeep();
    await sharedWorkers.run('collectGarbage', { databaseFile, dataDirectory: folder });
    const left = database.query("SELECT count(*) AS n FROM annotation_set WHERE state = 'discarded' OR job_id IS NULL");
    expect(left.get()).toEqual({ n: 0 });
    const orphans = database.query(
      'SELECT count(*) AS n FROM shape WHERE set_id NOT IN (SELECT id FROM annotation_set)',
    );
    expect(orphans.get()).toEqual({ n: 0 });
  });
});
