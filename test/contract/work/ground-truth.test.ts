import { beforeAll, describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Job, Task, TaskValidationLayout } from '../../../preload/contract/schema/resources.ts';
import { pictures, useWork, zipNames } from './work-harness.ts';

const work = await useWork();
const task = await newTask();

async function newTask(data: object = {}): Promise<Task> {
  const fields = { labels: [{ name: 'car' }] as LabelWrite[], segment_size: 5 };
  return work.owner.taskWithImages(fields, await pictures(12), { sorting_method: 'natural', chunk_size: 4, ...data });
}

const post = (json: object) =>
  work.owner.call('POST', '/api/jobs', { json: { type: 'ground_truth', task_id: task.id, ...json } });
async function created(json: object): Promise<Job> {
  const { status, body } = await post(json);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body as Job;
}
const remove = (job: Job) => work.owner.good('DELETE', `/api/jobs/${job.id}`);
const included = async (job: Job) => (await work.owner.meta('jobs', job.id)).included_frames ?? [];
const layout = () => work.owner.good<TaskValidationLayout>('GET', `/api/tasks/${task.id}/validation_layout`);

describe('choosing frames', () => {
  test('is random, and reproducible with the same seed', async () => {
    const first = await created({ frame_selection_method: 'random_uniform', frame_count: 5, random_seed: 42 });
    expect(first).toMatchObject({
      type: 'ground_truth',
      start_frame: 0,
      stop_frame: 11,
      frame_count: 5,
      stage: 'annotation',
      state: 'new',
    });
    const frames = await included(first);
    expect(frames).toHaveLength(5);
    expect(frames).toEqual(frames.toSorted((a, b) => a - b));
    await remove(first);
    const again = await created({ frame_selection_method: 'random_uniform', frame_count: 5, random_seed: 42 });
    expect(await included(again)).toEqual(frames);
    await remove(again);
    const share = await created({ frame_share: 0.25, random_seed: 1 });
    expect(await included(share)).toHaveLength(3);
    await remove(share);
  });

  test('selects some of each job', async () => {
    const job = await created({ frame_selection_method: 'random_per_job', frames_per_job_count: 2, random_seed: 7 });
    const frames = await included(job);
    for (const [from, to] of [
      [0, 4],
      [5, 9],
      [10, 11],
    ] as const) {
      expect(frames.filter((frame) => frame >= from && frame <= to)).toHaveLength(2);
    }
    await remove(job);
  });

  test('accepts a manual selection, and refuses invalid ones', async () => {
    const wrong: [object, number][] = [
      [{ type: 'annotation', frame_count: 1 }, 400],
      [{ frame_selection_method: 'manual' }, 400],
      [{ frame_selection_method: 'manual', frames: [3, 12] }, 400],
      [{ frame_selection_method: 'manual', frames: [3, 3] }, 400],
      [{ frame_selection_method: 'random_uniform' }, 400],
      [{ frame_selection_method: 'random_uniform', frame_count: 2, frame_share: 0.5 }, 400],
      [{ frame_count: 13 }, 400],
      [{ frame_selection_method: 'by_magic', frame_count: 1 }, 400],
      [{ task_id: 999_999, frame_count: 1 }, 400],
    ];
    for (const [json, status] of wrong) expect(await post(json), JSON.stringify(json)).toMatchObject({ status });
    const job = await created({ frame_selection_method: 'manual', frames: [9, 2, 3] });
    expect(await included(job)).toEqual([2, 3, 9]);
    expect(await post({ frame_count: 1 })).toMatchObject({
      status: 400,
      body: ['Task with validation mode "gt" cannot have more than 1 GT job'],
    });
    await remove(job);
    const [ordinary] = await work.jobsOf(task.id);
    expect(await work.owner.call('DELETE', `/api/jobs/${ordinary?.id}`)).toMatchObject({ status: 400 });
    const stranger = await work.workbench.addUser('stranger');
    expect(
      await stranger.call('POST', '/api/jobs', { json: { type: 'ground_truth', task_id: task.id, frame_count: 1 } }),
    ).toMatchObject({ status: 403 });
    const empty = await work.owner.createTask();
    expect(await post({ task_id: empty.id, frame_count: 1 })).toMatchObject({ status: 400 });
  });

  test('works together with the data of a task, by the names of its files', async () => {
    const { id } = await newTask({
      validation_params: { mode: 'gt', frame_selection_method: 'manual', frames: ['3.png', '1.png'] },
    });
    const jobs = await work.jobsOf(id);
    const job = jobs.find(({ type }) => type === 'ground_truth');
    expect(job && (await included(job))).toEqual([1, 3]);
    const pool = {
      validation_params: { mode: 'gt_pool', frame_count: 2, frames_per_job_count: 1 },
      server_files: ['x'],
    };
    const other = await work.owner.createTask();
    expect(await work.owner.call('POST', `/api/tasks/${other.id}/data/`, { json: pool })).toMatchObject({
      status: 400,
    });
  });
});

describe('a ground-truth job', () => {
  let job: Job;
  let labelId: number;
  beforeAll(async () => {
    job = await created({ frame_selection_method: 'manual', frames: [1, 6, 7, 11] });
    labelId = (await work.labelsOf({ task_id: task.id }))[0]?.id ?? 0;
  });
  const box = (frame: number, x = 1) => ({
    type: 'rectangle' as const,
    frame,
    label_id: labelId,
    points: [x, 1, 9, 9],
  });

  test('has only its own frames: in meta, images and chunks', async () => {
    const meta = await work.owner.meta('jobs', job.id);
    expect(meta).toMatchObject({ size: 4, included_frames: [1, 6, 7, 11], start_frame: 0, stop_frame: 11 });
    expect(meta.frames).toHaveLength(12);
    const data = (query: object) =>
      work.owner.call('GET', `/api/jobs/${job.id}/data`, { query: { quality: 'original', ...query } });
    expect((await data({ type: 'frame', number: 6 })).status).toBe(200);
    expect((await data({ type: 'frame', number: 5 })).status).toBe(400);
    const chunk = (query: string) => work.owner.bytes(`/api/jobs/${job.id}/data?type=chunk&quality=original&${query}`);
    expect(await zipNames(await chunk('index=0'))).toHaveLength(4);
    expect(await zipNames(await chunk('number=1'))).toHaveLength(4);
    expect((await data({ type: 'chunk', index: 1 })).status).toBe(404);
    expect((await work.owner.call('GET', `/api/jobs/${job.id}/preview`)).status).toBe(200);
  });

  test('separates its annotations from those of the task: reading, saving, clearing, exporting, status', async () => {
    await work.owner.changeAnnotations('jobs', job.id, 'create', { shapes: [box(6), box(11)] });
    await work.owner.changeAnnotations('tasks', task.id, 'create', { shapes: [box(6, 2)] });
    expect((await work.owner.annotations('tasks', task.id)).shapes).toHaveLength(1);
    expect((await work.owner.annotations('jobs', job.id)).shapes).toHaveLength(2);
    const exported = await work.owner.finished(await work.owner.startExport('tasks', task.id, 'COCO 1.0'));
    expect((await work.owner.report(exported.id)).included).toMatchObject([{ type: 'rectangle', count: 1 }]);
    const ofJob = await work.owner.finished(await work.owner.startExport('jobs', job.id, 'CVAT for images 1.1', true));
    const names = await zipNames(await work.owner.bytes(ofJob.result_url ?? ''));
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(4);
    await work.owner.clearAnnotations('tasks', task.id);
    expect((await work.owner.annotations('jobs', job.id)).shapes).toHaveLength(2);
    for (const { id, type } of await work.jobsOf(task.id)) {
      if (type === 'annotation')
        await work.owner.good('PATCH', `/api/jobs/${id}`, { json: { stage: 'acceptance', state: 'completed' } });
    }
    expect((await work.owner.task(task.id)).status).toBe('completed');
  });

  test('refuses annotations on frames that it does not have', async () => {
    const change = await work.owner.call('PATCH', `/api/jobs/${job.id}/annotations/`, {
      query: { action: 'create' },
      json: { shapes: [box(5)] },
    });
    expect(change).toMatchObject({ status: 400, body: { frame: [expect.stringContaining('5')] } });
  });

  test('is the validation layout of the task; frames can be excluded from it', async () => {
    expect(await layout()).toMatchObject({ mode: 'gt', validation_frames: [1, 6, 7, 11], disabled_frames: [] });
    expect((await work.owner.task(task.id)).validation_mode).toBe('gt');
    const path = `/api/tasks/${task.id}/validation_layout`;
    expect(await work.owner.good('PATCH', path, { json: { disabled_frames: [7] } })).toMatchObject({
      disabled_frames: [7],
    });
    expect((await work.owner.meta('jobs', job.id)).deleted_frames).toEqual([7]);
    expect((await work.owner.meta('tasks', task.id)).deleted_frames).toEqual([]);
    await work.owner.good('PATCH', `/api/jobs/${job.id}/data/meta`, { json: { deleted_frames: [11, 1] } });
    expect(await layout()).toMatchObject({ disabled_frames: [1, 11] });
    for (const json of [{ disabled_frames: [5] }, { honeypot_real_frames: [1] }]) {
      expect(await work.owner.call('PATCH', path, { json })).toMatchObject({ status: 400 });
    }
    expect(await work.owner.good('GET', `/api/jobs/${job.id}/validation_layout`)).toEqual({
      honeypot_count: 0,
      honeypot_frames: [],
      honeypot_real_frames: [],
    });
    expect(await work.owner.call('PATCH', `/api/jobs/${job.id}/validation_layout`, { json: {} })).toMatchObject({
      status: 400,
    });
  });

  test('is deleted with its annotations; without it the task has no layout', async () => {
    await remove(job);
    expect(await work.owner.call('GET', `/api/jobs/${job.id}`)).toMatchObject({ status: 404 });
    expect(await layout()).toEqual({ mode: null });
    expect((await work.owner.task(task.id)).validation_mode).toBeNull();
    const { results } = await work.owner.good<{ results: Task[] }>('GET', '/api/tasks', {
      query: { validation_mode: 'gt' },
    });
    expect(results.map(({ id }) => id)).not.toContain(task.id);
  });
});

test('the state of the data of a task', async () => {
  const state = (id: number) => work.owner.good('GET', `/api/tasks/${id}/status`);
  expect(await state(task.id)).toMatchObject({ state: 'Finished' });
  const { id } = await work.owner.createTask();
  expect(await state(id)).toEqual({ state: 'Unknown', message: '', progress: 0 });
  const rqId = await work.owner.uploadImages(id, [{ name: 'a.png', bytes: Buffer.from('no picture') }]);
  await work.owner.ended(rqId);
  expect(await state(id)).toMatchObject({ state: 'Failed', message: expect.stringContaining('a.png') });
  expect(await work.owner.call('GET', '/api/tasks/999999/status')).toMatchObject({ status: 404 });
});
