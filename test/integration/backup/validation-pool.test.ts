import { describe, expect, test } from 'vitest';
import type { Task, TaskValidationLayout } from '../../../preload/contract/schema/resources.ts';
import { picture, pictures, useWork } from '../../contract/work/work-harness.ts';
import { makeZip } from '../../support/craft-zip.ts';
import { entriesOf } from '../../support/zip-entries.ts';

const work = await useWork();
const { owner } = work;

async function restore(bytes: Buffer) {
  const { body } = await work.sendFile('/api/tasks/backup', 'task_file', { name: 'backup.zip', bytes });
  return owner.ended((body as { rq_id: string }).rq_id);
}
const layout = (id: number) => owner.good<Required<TaskValidationLayout>>('GET', `/api/tasks/${id}/validation_layout`);
const namesOf = async (id: number) => (await owner.meta('tasks', id)).frames?.map(({ name }) => name);
async function original(id: number): Promise<string[]> {
  const frames = (await namesOf(id)) ?? [];
  const path = (frame: number) => `/api/tasks/${id}/data?type=frame&quality=original&number=${frame}`;
  return Promise.all(frames.map(async (_, frame) => (await owner.bytes(path(frame))).toString('base64')));
}

/**
 * Files of the jobs and the pool. In a backup of CVAT, each segment of a task with the mode `gt_pool` lists its files,
 * `validation_layout` names those of the pool, and the ground-truth job is the last one (`cvat/apps/engine/backup.py`,
 * `serialize_segment_file_names` and `serialize_data`).
 */
const jobFiles = [
  ['sub/c.png', 'b.png', 'a.png'],
  ['e.png', 'd.png', 'f.png'],
];
const poolFiles = ['b.png', 'e.png'];
const shape = (frame: number, label = 'car') => ({
  type: 'rectangle',
  occluded: false,
  outside: false,
  z_order: 0,
  rotation: 0,
  points: [1, 2, 3 + frame, 9],
  frame,
  group: 0,
  source: 'manual',
  label,
  attributes: [],
  elements: [],
});
const annotationsOf = (...frames: number[]) => ({
  version: 0,
  tags: [],
  shapes: frames.map((frame) => shape(frame)),
  tracks: [],
});
const segment = (type: string, start: number, files: readonly string[]) => ({
  type,
  status: 'annotation',
  start_frame: start,
  stop_frame: start + files.length - 1,
  frames: [],
  files,
});
const taskFile = {
  name: 'From CVAT',
  bug_tracker: '',
  status: 'annotation',
  subset: '',
  labels: [{ name: 'car', color: '#ff0000', type: 'any', attributes: [], svg: '', sublabels: [] }],
  version: '1.0',
  data: {
    chunk_size: 3,
    image_quality: 70,
    start_frame: 0,
    stop_frame: 7,
    storage_method: 'cache',
    storage: 'local',
    sorting_method: 'random',
    chunk_type: 'imageset',
    deleted_frames: [1, 6],
    custom_segments: true,
    validation_layout: { mode: 'gt_pool', frames: ['e.png', 'b.png'], frames_per_job_count: 1 },
  },
  jobs: [
    segment('annotation', 0, jobFiles[0]!),
    segment('annotation', 3, jobFiles[1]!),
    segment('ground_truth', 6, poolFiles),
  ],
};
const order = [...jobFiles.flat(), ...poolFiles];

async function backupOfCvat(task: object = taskFile): Promise<Buffer> {
  const lines = order.map((file) =>
    JSON.stringify({ name: file.replace('.png', ''), extension: '.png', width: 64, height: 48, meta: {} }),
  );
  const files = [...new Set(order)];
  return makeZip({
    'task.json': JSON.stringify(task),
    'annotations.json': JSON.stringify([annotationsOf(0, 1), annotationsOf(4), annotationsOf(6, 7)]),
    'data/manifest.jsonl': ['{"version":"1.1"}', '{"type":"images"}', ...lines].join('\n'),
    'data/index.json': '{}',
    ...Object.fromEntries(await Promise.all(files.map(async (file) => [`data/${file}`, await picture(file)] as const))),
  });
}

describe('a backup of CVAT with honeypots', () => {
  test('is restored with its jobs, its pool, its honeypots and their annotations', async () => {
    const request = await restore(await backupOfCvat());
    expect(request).toMatchObject({ status: 'finished' });
    const id = request.result_id ?? 0;
    expect(await owner.task(id)).toMatchObject({ size: 8, validation_mode: 'gt_pool', segment_size: 3, overlap: 0 });
    expect(await namesOf(id)).toEqual(order);
    expect(await original(id)).toEqual(
      await Promise.all(order.map(async (file) => (await picture(file)).toString('base64'))),
    );
    expect(await layout(id)).toEqual({
      mode: 'gt_pool',
      frames_per_job_count: 1,
      validation_frames: [6, 7],
      disabled_frames: [6],
      honeypot_count: 2,
      honeypot_frames: [1, 3],
      honeypot_real_frames: [6, 7],
    });
    expect((await owner.meta('tasks', id)).deleted_frames).toEqual([1, 6]);
    const jobs = await work.jobsOf(id);
    expect(jobs.map(({ type, start_frame, stop_frame }) => [type, start_frame, stop_frame])).toEqual([
      ['annotation', 0, 2],
      ['annotation', 3, 5],
      ['ground_truth', 6, 7],
    ]);
    const framesOf = async (job: number) => (await owner.annotations('jobs', job)).shapes.map(({ frame }) => frame);
    expect(await Promise.all(jobs.map((job) => framesOf(job.id)))).toEqual([[0, 1], [4], [6, 7]]);
  });

  test.each<readonly [string, (task: typeof taskFile) => object, string]>([
    [
      'no ground-truth job',
      (task) => ({ ...task, jobs: task.jobs.map((job) => ({ ...job, type: 'annotation' })) }),
      '0 ground-truth jobs instead of one',
    ],
    [
      'another pool than its ground-truth job',
      (task) => ({
        ...task,
        data: { ...task.data, validation_layout: { mode: 'gt_pool', frames: ['a.png', 'b.png'] } },
      }),
      'the files of its ground-truth job are not those of its validation pool',
    ],
    [
      'a job without its files',
      (task) => ({ ...task, jobs: task.jobs.map(({ files: _files, ...job }) => job) }),
      'lists 0 files',
    ],
    [
      'a gap between its jobs',
      (task) => ({
        ...task,
        jobs: task.jobs.map((job, at) => (at === 1 ? { ...job, start_frame: 4, files: job.files.slice(1) } : job)),
      }),
      'starts at frame 4 instead of 3',
    ],
    [
      'a file that is not in the archive',
      (task) => ({
        ...task,
        jobs: task.jobs.map((job, at) => (at === 0 ? { ...job, files: ['x.png', 'b.png', 'a.png'] } : job)),
      }),
      'x.png',
    ],
  ])('is refused with %s, and nothing is restored', async (_, change, reason) => {
    const before = (await work.tasks()).length;
    const request = await restore(await backupOfCvat(change(taskFile)));
    expect(request).toMatchObject({ status: 'failed', message: expect.stringContaining(reason) });
    expect(await work.tasks()).toHaveLength(before);
  });

  test('has the ground truth of its jobs if its layout is not a pool', async () => {
    const data = {
      ...taskFile.data,
      deleted_frames: [],
      custom_segments: undefined,
      validation_layout: { mode: 'gt', frames: [] },
    };
    const files = ['a.png', 'b.png'];
    const jobs = [segment('annotation', 0, files), { ...segment('ground_truth', 0, files), frames: [1] }];
    const bytes = makeZip({
      'task.json': JSON.stringify({ ...taskFile, data: { ...data, stop_frame: 1 }, jobs }),
      'annotations.json': JSON.stringify([annotationsOf(0), annotationsOf(1)]),
      ...Object.fromEntries(
        await Promise.all(files.map(async (file) => [`data/${file}`, await picture(file)] as const)),
      ),
    });
    const request = await restore(bytes);
    expect(request).toMatchObject({ status: 'finished' });
    expect(await owner.task(request.result_id ?? 0)).toMatchObject({ size: 2, validation_mode: 'gt' });
  });
});

test('a backup of a task with replicas lists the jobs of a segment together, as CVAT assigns annotations by position', async () => {
  const task = await owner.taskWithImages(
    { labels: [{ name: 'car' }], segment_size: 2, consensus_replicas: 2 },
    await pictures(4),
  );
  const jobs = await work.jobsOf(task.id);
  const [label] = await work.labelsOf({ task_id: task.id });
  for (const { id, start_frame: frame } of jobs.filter(({ start_frame: start }) => start === 2)) {
    const box = { type: 'rectangle' as const, frame, label_id: label!.id, points: [1, 2, 10, 20] };
    await owner.changeAnnotations('jobs', id, 'create', { shapes: [box] });
  }
  const { rq_id: rqId } = await owner.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`);
  const bytes = await owner.bytes((await owner.finished(rqId)).result_url ?? '');
  const entries = await entriesOf(bytes);
  const file = JSON.parse(entries['task.json']?.toString() ?? '') as typeof taskFile;
  const replica = 'consensus_replica';
  const expected = [0, 2].flatMap((start) => [
    ['annotation', start],
    [replica, start],
    [replica, start],
  ]);
  expect(file.jobs.map(({ type, start_frame: start }) => [type, start])).toEqual(expected);
  const lists = JSON.parse(entries['annotations.json']?.toString() ?? '') as { shapes: { frame: number }[] }[];
  expect(lists.map(({ shapes }) => shapes.map(({ frame }) => frame))).toEqual([[], [], [], [2], [2], [2]]);
  const { result_id: id } = await restore(bytes);
  const restored = await work.jobsOf(id ?? 0);
  const parents = new Map(restored.map((job) => [job.id, job]));
  for (const { parent_job_id: parent, start_frame: start, type } of restored)
    if (type === replica) expect(parents.get(parent ?? 0)).toMatchObject({ type: 'annotation', start_frame: start });
  const counts = restored.map(async (job) => (await owner.annotations('jobs', job.id)).shapes.length);
  expect(await Promise.all(counts)).toEqual(restored.map(({ start_frame: start }) => (start === 2 ? 1 : 0)));
});

describe('a backup of a task with honeypots', () => {
  const parameters = {
    sorting_method: 'random',
    validation_params: {
      mode: 'gt_pool',
      frame_selection_method: 'random_uniform',
      frame_count: 3,
      frames_per_job_count: 2,
      random_seed: 7,
    },
  };

  test('has the layout that CVAT reads, and is restored the same', async () => {
    const images = await pictures(9);
    const odd = images.map((image, at) => (at === 4 ? { ...image, name: 'a:b?.png' } : image));
    const task: Task = await owner.taskWithImages({ labels: [{ name: 'car' }], segment_size: 4 }, odd, parameters);
    const { rq_id: rqId } = await owner.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`);
    const bytes = await owner.bytes((await owner.finished(rqId)).result_url ?? '');
    const entries = await entriesOf(bytes);
    const file = JSON.parse(entries['task.json']?.toString() ?? '') as typeof taskFile;
    const {
      validation_frames: pool = [],
      honeypot_frames: honeypots = [],
      honeypot_real_frames: real = [],
    } = await layout(task.id);

    const listed = file.jobs.filter(({ type }) => type === 'annotation').flatMap(({ files }) => files);
    const [truth] = file.jobs.filter(({ type }) => type === 'ground_truth');
    // CVAT asserts when it restores that the pool is at the end and that repeated files are its honeypots.
    expect(file.data).toMatchObject({ custom_segments: true, start_frame: 0, stop_frame: task.size! - 1 });
    expect(file.data.validation_layout).toEqual({ mode: 'gt_pool', frames: truth?.files, frames_per_job_count: 2 });
    const all = [...listed, ...truth!.files];
    const manifest = entries['data/manifest.jsonl']!.toString().trim().split('\n').slice(2);
    const names = manifest.map((line) => JSON.parse(line) as { name: string; extension: string });
    expect(names.map(({ name, extension }) => `${name}${extension}`)).toEqual(all);
    expect(pool.map((frame) => all[frame])).toEqual(truth?.files);
    expect(listed.flatMap((name, frame) => (truth!.files.includes(name) ? [frame] : []))).toEqual(honeypots);
    expect(honeypots.map((frame) => all[frame])).toEqual(real.map((frame) => all[frame]));
    expect(Object.keys(entries).filter((path) => path.endsWith('.png'))).toHaveLength(images.length);

    const { result_id: id } = await restore(bytes);
    expect(await layout(id ?? 0)).toEqual(await layout(task.id));
    expect(await namesOf(id ?? 0)).toEqual(await namesOf(task.id));
    expect(await original(id ?? 0)).toEqual(await original(task.id));
  });
});
