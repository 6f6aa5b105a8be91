import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import {
  keyframeWriteSchema,
  labeledDataSchema,
  type LabeledDataInput,
} from '../../../preload/contract/schema/annotations.ts';
import { addImagesSchema, dataRequestSchema, taskWriteSchema } from '../../../preload/contract/schema/resources.ts';
import { useCoreHarness } from './core-harness.ts';

/**
 * The work of an operation is counted, not timed: statements, and rows that they read and write. Doubling what an
 * operation does not concern leaves its work unchanged; doubling what it concerns at most doubles it.
 */
const work = { statements: 0, rows: 0 };
/** Size of the blobs in the rows read: points are blobs. */
const blobs = { bytes: 0 };
/** Rows of the largest statement. */
const largest = { rows: 0 };
const harness = useCoreHarness({
  counter: {
    count(rowsRead, rowsWritten, blobBytes) {
      work.statements += 1;
      work.rows += rowsRead + rowsWritten;
      blobs.bytes += blobBytes;
      largest.rows = Math.max(largest.rows, rowsRead);
    },
  },
});
const { core, admin, folder } = harness;

/** Sizes of a store with one task of interest. */
interface Sizes {
  readonly labels: number;
  readonly jobs: number;
  readonly framesPerJob: number;
  readonly shapesPerFrame: number;
  /** Keyframes of the one track, which is in the second job. */
  readonly keyframes: number;
  /** Deleted frames, all in the second job. */
  readonly deletedFrames: number;
  readonly otherTasks: number;
}
type Dimension = keyof Sizes;

const base: Sizes = {
  labels: 8,
  jobs: 6,
  framesPerJob: 12,
  shapesPerFrame: 4,
  keyframes: 4,
  deletedFrames: 4,
  otherTasks: 1,
};

const data = (input: LabeledDataInput) => labeledDataSchema.parse(input);
const box = (frame: number, label_id: number) => ({
  type: 'rectangle' as const,
  frame,
  label_id,
  points: [1, 1, 11, 9],
});

const keyframe = (frame: number) => ({ type: 'rectangle' as const, frame, points: [1, 1, 11, 9] });

const folders = new Map<number, Promise<string>>();
async function makeImages(count: number): Promise<string> {
  const images = join(folder, `images-${count}`);
  mkdirSync(images);
  const png = sharp({ create: { width: 16, height: 16, channels: 3, background: '#777777' } }).png();
  for (let frame = 0; frame < count; frame += 1) await png.clone().toFile(join(images, `${1000 + frame}.png`));
  return images;
}

async function createTask(sizes: Omit<Sizes, 'otherTasks'>) {
  const { labels, jobs, framesPerJob, shapesPerFrame, keyframes, deletedFrames } = sizes;
  const frames = framesPerJob * jobs;
  const images = await (folders.get(frames) ?? folders.set(frames, makeImages(frames)).get(frames)!);
  const names = Array.from({ length: labels }, (_, index) => `label ${index}`);
  const attributes = [{ name: 'parked', mutable: true, input_type: 'checkbox', default_value: 'false', values: [] }];
  const body = {
    name: 'task',
    segment_size: framesPerJob,
    overlap: 0,
    labels: names.map((name) => ({ name, attributes })),
  };
  const task = core.tasks.create(admin, taskWriteSchema.parse(body));
  const { rq_id } = core.taskData.start(admin, task.id, dataRequestSchema.parse({ server_files: [images] }), []);
  expect(await harness.ended(rq_id)).toMatchObject({ status: 'finished' });
  const listing = { page: 1, pageSize: 'all' as const, equals: { task_id: String(task.id) } };
  const [label] = core.labels.list(admin, listing).results;
  const jobIds = core.jobs.list(admin, { ...listing, sort: 'id' }).results.map(({ id }) => id);
  const shapes = Array.from({ length: frames * shapesPerFrame }, (_, index) => box(index % frames, label!.id));
  core.annotations.changeTask(admin, task.id, 'create', data({ shapes }));
  const first = framesPerJob;
  const track = Array.from({ length: keyframes }, (_, index) => keyframe(first + index));
  const made = core.annotations.changeJob(
    admin,
    jobIds[1]!,
    'create',
    data({ tracks: [{ frame: first, label_id: label!.id, shapes: track }] }),
  );
  const deleted_frames = Array.from({ length: deletedFrames }, (_, index) => first + index);
  core.frames.updateTaskMeta(admin, task.id, { deleted_frames });
  return {
    id: task.id,
    label: label!.id,
    job: jobIds[1]!,
    first,
    track: made.tracks[0]!.id!,
    frames,
    deleted_frames,
    listing,
  };
}

type World = Awaited<ReturnType<typeof createTask>>;

interface Operation {
  readonly name: string;
  readonly run: (world: World) => unknown;
  /** Sizes that the operation concerns: its work may grow with them, in proportion. */
  readonly concerns: readonly Dimension[];
}

const signal = new AbortController().signal;
const track = ({ label }: World) => data({ tracks: [{ frame: 0, label_id: label, shapes: [keyframe(0)] }] });

const operations: readonly Operation[] = [
  { name: 'list the labels of a task', run: ({ listing }) => core.labels.list(admin, listing), concerns: ['labels'] },
  {
    name: 'list the jobs of a task',
    run: ({ listing }) => core.jobs.list(admin, { ...listing, sort: 'id' }),
    concerns: ['jobs'],
  },
  { name: 'read a task', run: ({ id }) => core.tasks.get(admin, id), concerns: [] },
  {
    name: 'progress of a job',
    run: ({ job }) => core.progress.ofJob(admin, job, signal),
    concerns: ['framesPerJob', 'keyframes', 'deletedFrames'],
  },
  {
    name: 'statistics of a job',
    run: ({ job }) => core.statistics.ofJob(admin, job, signal),
    concerns: ['labels', 'framesPerJob', 'shapesPerFrame', 'keyframes', 'deletedFrames'],
  },
  {
    name: 'read one frame of a job',
    run: ({ job, first }) => core.annotations.readJob(admin, job, { frame: first, without: 'tracks' }),
    concerns: ['labels', 'shapesPerFrame'],
  },
  {
    name: 'create a shape in a job',
    run: ({ job, first, label }) =>
      core.annotations.changeJob(admin, job, 'create', data({ shapes: [box(first, label)] })),
    concerns: ['labels'],
  },
  {
    name: 'create a shape in a task',
    run: ({ id, label }) => core.annotations.changeTask(admin, id, 'create', data({ shapes: [box(2, label)] })),
    concerns: ['labels', 'jobs'],
  },
  {
    name: 'create a track that is visible in all jobs',
    run: (world) => core.annotations.changeTask(admin, world.id, 'create', track(world)),
    concerns: ['labels', 'jobs'],
  },
  {
    name: 'create one keyframe of a track',
    run: ({ job, track, first }) =>
      core.annotations.putKeyframe(
        admin,
        { id: job, track, frame: first + 10 },
        keyframeWriteSchema.parse(keyframe(0)),
      ),
    concerns: ['labels'],
  },
  {
    name: 'delete one keyframe of a track',
    run: ({ job, track, first }) => core.annotations.deleteKeyframe(admin, { id: job, track, frame: first }),
    concerns: ['labels'],
  },
  {
    name: 'read the tracks of some frames of a job',
    run: ({ job, first }) => core.annotations.tracksOfJob(admin, job, { frame: first, to_frame: first + 1 }),
    concerns: ['labels'],
  },
  {
    name: 'frames of a job',
    run: ({ job }) => core.frames.jobMeta(admin, job),
    concerns: ['framesPerJob', 'deletedFrames'],
  },
  {
    name: 'replace the set of deleted frames',
    run: ({ job, first, deleted_frames }) =>
      core.frames.updateJobMeta(admin, job, { deleted_frames: [...deleted_frames, first + 11] }),
    concerns: ['labels', 'framesPerJob', 'deletedFrames'],
  },
  {
    name: 'state of one frame',
    run: ({ job, first }) => core.frames.jobFrame(admin, job, first),
    concerns: [],
  },
  {
    name: 'delete one frame',
    run: ({ job, first }) => core.frames.updateJobFrame(admin, job, first + 10, { deleted: true }),
    concerns: ['labels'],
  },
  {
    name: 'restore one frame',
    run: ({ job, first }) => core.frames.updateJobFrame(admin, job, first, { deleted: false }),
    concerns: ['labels'],
  },
  {
    name: 'rename a task',
    run: ({ id }) => core.tasks.update(admin, id, { name: `task ${Math.random()}` }),
    concerns: ['labels'],
  },
  {
    name: 'change the state of a job',
    run: ({ job }) => core.jobs.update(admin, job, { state: 'in progress' }),
    concerns: ['labels'],
  },
];
/** Runs after all others: the removal of its rows in the background would run beside them. */
const deletion: Operation = {
  name: 'delete a task',
  run: ({ id }) => core.tasks.remove(admin, id),
  concerns: ['jobs', 'labels'],
};

const others: World[] = [];
/** Waits until nothing runs in the background, such as the end of the request that created a task. */
async function atRest(): Promise<void> {
  for (let quiet = 0, seen = work.statements; quiet < 5; quiet = work.statements === seen ? quiet + 1 : 0) {
    seen = work.statements;
    await setTimeout(4);
  }
}

interface Measured {
  readonly world: World;
  /** Work by the name of the operation. */
  readonly found: Map<string, { statements: number; rows: number }>;
}

async function run({ world, found }: Measured, operation: Operation): Promise<void> {
  await atRest();
  Object.assign(work, { statements: 0, rows: 0 });
  const running = operation.run(world);
  // A synchronous operation is counted before anything else can run.
  if (running instanceof Promise) await running;
  found.set(operation.name, { ...work });
}

async function measure(sizes: Sizes): Promise<Measured> {
  while (others.length < sizes.otherTasks) others.push(await createTask({ ...base, shapesPerFrame: 20 }));
  const measured = { world: await createTask(sizes), found: new Map() };
  for (const operation of operations) await run(measured, operation);
  return measured;
}

describe('work of an operation', async () => {
  const usual = await measure(base);
  const dimensions = Object.keys(base) as readonly Dimension[];
  const doubled = new Map<Dimension, Measured>();
  for (const dimension of dimensions) {
    const otherTasks = dimension === 'otherTasks' ? base.otherTasks + 6 : base.otherTasks;
    doubled.set(dimension, await measure({ ...base, [dimension]: 2 * base[dimension], otherTasks }));
  }

  for (const measured of [usual, ...doubled.values()]) await run(measured, deletion);

  const rows = [...operations, deletion].flatMap(({ name, concerns }) =>
    dimensions.map((dimension) => ({ name, dimension, mayGrow: concerns.includes(dimension) })),
  );
  test('replacing the set of deleted frames writes the difference', () => {
    const name = 'replace the set of deleted frames';
    expect(doubled.get('deletedFrames')!.found.get(name)!.statements).toBe(usual.found.get(name)!.statements);
  });
  test('a track is written to all jobs in few statements', () => {
    const statements = ({ found }: Measured) => found.get('create a track that is visible in all jobs')!.statements;
    expect(statements(doubled.get('jobs')!) - statements(usual)).toBeLessThan(base.jobs);
  });
  /** Access check, row after the change; for a job also its task before, the steps of all jobs, and the task after. */
  test.each([
    ['rename a task', 2 + 2],
    ['change the state of a job', 5 + 2],
  ])('%s takes %i statements with its history', (name, statements) => {
    expect(usual.found.get(name)!.statements).toBe(statements);
  });
  test.each(rows)('$name, with twice the $dimension', ({ name, dimension, mayGrow }) => {
    const [before, after] = [usual.found.get(name)!, doubled.get(dimension)!.found.get(name)!];
    expect(before.statements).toBeGreaterThan(0);
    if (!mayGrow) return expect(after).toEqual(before);
    expect(after.statements).toBeLessThanOrEqual(2 * before.statements);
    expect(after.rows).toBeLessThanOrEqual(2 * before.rows);
  });
});

const readings: readonly (readonly [name: string, run: (world: World) => Promise<unknown>])[] = [
  ['progress', ({ job }) => core.progress.ofJob(admin, job, signal)],
  ['statistics', ({ job }) => core.statistics.ofJob(admin, job, signal)],
  ['search', ({ job }) => core.frameSearch.search(admin, job, { filter: null }, signal)],
];

describe('reading a job with 30 tracks of 12 keyframes each', async () => {
  const tracks = 30;
  const world = await createTask({ ...base, keyframes: base.framesPerJob });
  const keyframes = Array.from({ length: base.framesPerJob }, (_, index) => keyframe(world.first + index));
  const one = { frame: world.first, label_id: world.label, shapes: keyframes };
  const more = Array.from({ length: tracks - 1 }, () => one);
  core.annotations.changeJob(admin, world.job, 'create', data({ tracks: more }));

  test.each(readings)('for its %s reads the keyframes of one track at once', async (_, run) => {
    await atRest();
    largest.rows = 0;
    await run(world);
    expect(largest.rows).toBeLessThan(2 * tracks);
  });

  test.each(readings)('for its %s reads no points', async (_, run) => {
    await atRest();
    blobs.bytes = 0;
    await run(world);
    expect(blobs.bytes).toBe(0);
  });
});

describe('reading a job with 60 tracks of 24 keyframes each', async () => {
  const [tracks, framesPerJob] = [60, 24];
  const world = await createTask({ ...base, jobs: 2, framesPerJob, keyframes: 1, deletedFrames: 0 });
  const keyframes = Array.from({ length: framesPerJob }, (_, index) => keyframe(world.first + index));
  const one = { frame: world.first, label_id: world.label, shapes: keyframes };
  core.annotations.changeJob(admin, world.job, 'create', data({ tracks: Array.from({ length: tracks }, () => one) }));

  test.each([
    ...readings,
    ['statistics of the task', ({ id }) => core.statistics.ofTask(admin, id, signal)],
  ] satisfies typeof readings)('for its %s reads nothing but its size on the answering thread', async (_, run) => {
    await atRest();
    Object.assign(work, { statements: 0, rows: 0 });
    await run(world);
    expect(work.rows).toBeLessThan(20);
  });

  test('counts what is there', async () => {
    const objects = base.shapesPerFrame + tracks + 1;
    expect(await core.progress.ofJob(admin, world.job, signal)).toEqual({ frames: 24, annotated: 24 });
    expect(await core.frameSearch.search(admin, world.job, { filter: null }, signal)).toMatchObject({
      counts: Array.from({ length: framesPerJob }, () => objects),
    });
    const { labels } = await core.statistics.ofJob(admin, world.job, signal);
    expect(labels[0]!.kinds).toMatchObject([
      { type: 'rectangle', objects: base.shapesPerFrame * framesPerJob, tracks: tracks + 1 },
    ]);
  });
});

describe('adding one image to a task', async () => {
  const { id, frames } = await createTask({ ...base, framesPerJob: 4 * base.framesPerJob });
  const image = join(folder, 'one-more.png');
  await sharp({ create: { width: 16, height: 16, channels: 3, background: '#777777' } }).toFile(image);

  test.each(['skip', 'replace'] as const)('reads no list of its frames: %s', async (existing_names) => {
    await atRest();
    largest.rows = 0;
    const request = addImagesSchema.parse({ server_files: [image], existing_names });
    expect(await harness.ended(core.addedImages.start(admin, id, request, []).rq_id)).toMatchObject({
      status: 'finished',
    });
    expect(largest.rows).toBeLessThan(frames / 4);
  });
});

test('a task that is opened by the names of its images reads no frame singly', async () => {
  const statementsFor = async (count: number): Promise<number> => {
    const { id } = core.tasks.create(admin, taskWriteSchema.parse({ name: `${count} names`, labels: [] }));
    await atRest();
    work.statements = 0;
    const names = Array.from({ length: count }, (_, index) => `${index}.jpg`);
    const { signal } = new AbortController();
    const { rq_id } = await core.unsentImages.open(admin, id, { names, image_quality: 70 }, signal);
    core.tasks.remove(admin, id);
    expect(await harness.ended(rq_id)).toMatchObject({ status: 'failed' });
    return work.statements;
  };
  const few = await statementsFor(10);
  expect(await statementsFor(2000)).toBeLessThan(few + 1000);
});
