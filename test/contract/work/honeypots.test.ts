import { beforeEach, describe, expect, test } from 'vitest';
import type { LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Job, Task, TaskValidationLayout } from '../../../preload/contract/schema/resources.ts';
import type { Statistics } from '../../../preload/contract/schema/statistics.ts';
import { imageForm } from '../../support/images.ts';
import { pictures, useWork, zipNames } from './work-harness.ts';

const work = await useWork();
const images = await pictures(12);
const labels: LabelWrite[] = [{ name: 'car' }];

const poolOf3 = {
  sorting_method: 'random',
  chunk_size: 4,
  validation_params: {
    mode: 'gt_pool',
    frame_selection_method: 'random_uniform',
    frame_count: 3,
    frames_per_job_count: 2,
    random_seed: 42,
  },
};
/** Names of the frames in each job and in the pool, computed with NumPy by the algorithm of CVAT 2.73. */
const jobsOfSeed42 = [
  [1, 2, 7, 5, 4, 0],
  [8, 6, 9, 10, 5, 3],
  [11, 7, 10],
];
const poolOfSeed42 = [5, 7, 10];

let task: Task;
let jobs: Job[];
let truth: Job;
let label: number;
beforeEach(async () => {
  task = await work.owner.taskWithImages({ labels, segment_size: 4 }, images, poolOf3);
  const all = await work.jobsOf(task.id);
  jobs = all.filter(({ type }) => type === 'annotation');
  truth = all.find(({ type }) => type === 'ground_truth')!;
  label = (await work.labelsOf({ task_id: task.id }))[0]!.id;
});

const layoutPath = (kind: 'tasks' | 'jobs', id: number) => `/api/${kind}/${id}/validation_layout`;
const layout = () => work.owner.good<Required<TaskValidationLayout>>('GET', layoutPath('tasks', task.id));
const jobLayout = (id: number) => work.owner.good<Required<TaskValidationLayout>>('GET', layoutPath('jobs', id));
const change = (kind: 'tasks' | 'jobs', id: number, json: object) =>
  work.owner.call('PATCH', layoutPath(kind, id), { json });
const changed = (kind: 'tasks' | 'jobs', id: number, json: object) =>
  work.owner.good<Required<TaskValidationLayout>>('PATCH', layoutPath(kind, id), { json });
const namesOf = async (kind: 'tasks' | 'jobs', id: number) =>
  (await work.owner.meta(kind, id)).frames!.map(({ name }) => name);
const deletedOf = async (kind: 'tasks' | 'jobs', id: number) => (await work.owner.meta(kind, id)).deleted_frames;
const box = (frame: number, x = 1) => ({
  type: 'rectangle' as const,
  frame,
  label_id: label,
  points: [x, 1, x + 8, 9],
});
const framesOf = (shapes: readonly { readonly frame: number }[]) =>
  shapes.map(({ frame }) => frame).sort((a, b) => a - b);
const named = (index: number) => `${index}.png`;
const fresh = (data: object, fields: object = {}) =>
  work.owner.createTask({ labels, segment_size: 4, ...fields }).then(async ({ id }) => {
    const rq = await work.owner.uploadImages(id, images, { ...poolOf3, ...data });
    return work.owner.ended(rq);
  });

describe('a task with a validation pool', () => {
  test('mixes the frames of the pool into its jobs as CVAT does with the same seed', async () => {
    expect(await Promise.all(jobs.map(({ id }) => namesOf('jobs', id)))).toEqual(
      jobsOfSeed42.map((job) => job.map(named)),
    );
    expect(await namesOf('jobs', truth.id)).toEqual(poolOfSeed42.map(named));
    expect(task).toMatchObject({ size: 18, validation_mode: 'gt_pool', mode: 'annotation' });
    expect(truth).toMatchObject({ start_frame: 15, stop_frame: 17, frame_count: 3 });
    expect(await layout()).toEqual({
      mode: 'gt_pool',
      frames_per_job_count: 2,
      validation_frames: [15, 16, 17],
      disabled_frames: [],
      honeypot_count: 6,
      honeypot_frames: [2, 3, 9, 10, 13, 14],
      honeypot_real_frames: [16, 15, 17, 15, 16, 17],
    });
    expect(await jobLayout(jobs[1]!.id)).toEqual({
      honeypot_count: 2,
      honeypot_frames: [9, 10],
      honeypot_real_frames: [17, 15],
    });
    expect(await jobLayout(truth.id)).toMatchObject({ honeypot_count: 0 });
  });

  test('shows the image of the pool on a honeypot, in frames and in chunks', async () => {
    const data = (query: object) =>
      work.owner.bytes(`/api/jobs/${jobs[0]!.id}/data?${new URLSearchParams({ quality: 'original', ...query })}`);
    expect((await data({ type: 'frame', number: '3' })).equals(images[5]!.bytes)).toBe(true);
    expect(await zipNames(await data({ type: 'chunk', index: '0' }))).toHaveLength(4);
    expect(await zipNames(await data({ type: 'chunk', index: '1' }))).toHaveLength(2);
  });

  test('does not tell an annotator which frames are honeypots', async () => {
    const annotator = await work.workbench.addUser(`annotator-${task.id}`);
    const { id: assignee } = await annotator.good<{ id: number }>('GET', '/api/users/self');
    await work.owner.good('PATCH', `/api/jobs/${jobs[0]!.id}`, { json: { assignee } });
    const seen = await annotator.good<{ results: Job[] }>('GET', '/api/jobs');
    expect(seen.results.map(({ id }) => id)).toEqual([jobs[0]!.id]);
    const meta = await annotator.meta('jobs', jobs[0]!.id);
    expect(new Set(meta.frames!.map((frame) => Object.keys(frame).sort().join()))).toHaveLength(1);
    for (const path of [
      layoutPath('jobs', jobs[0]!.id),
      layoutPath('tasks', task.id),
      `/api/jobs/${truth.id}`,
      `/api/jobs/${truth.id}/annotations/`,
    ])
      expect(await annotator.call('GET', path), path).toMatchObject({ status: 403 });
  });

  test('is selected by share and by name', async () => {
    const byShare = { mode: 'gt_pool', frame_share: 0.25, frames_per_job_share: 0.5 };
    const shared = await work.owner.taskWithImages({ labels, segment_size: 4 }, images, {
      ...poolOf3,
      validation_params: byShare,
    });
    const { results } = await work.owner.good<{ results: Job[] }>('GET', '/api/jobs', {
      query: { task_id: shared.id, type: 'annotation', sort: 'id' },
    });
    expect(results.map(({ frame_count: count }) => count)).toEqual([6, 6, 3]);
    const byName = {
      mode: 'gt_pool',
      frame_selection_method: 'manual',
      frames: ['11.png', '3.png'],
      frames_per_job_count: 1,
    };
    const chosen = await work.owner.taskWithImages({ labels, segment_size: 5 }, images, {
      ...poolOf3,
      validation_params: byName,
    });
    const [pool] = (await work.jobsOf(chosen.id)).filter(({ type }) => type === 'ground_truth');
    expect(await namesOf('jobs', pool!.id)).toEqual(['3.png', '11.png']);
  });

  test('refuses parameters that contradict a pool', async () => {
    const { id } = await work.owner.createTask({ labels });
    const overlapping = await work.owner.createTask({ labels, overlap: 1, segment_size: 4 });
    const pool = poolOf3.validation_params;
    const wrong: [object, RegExp, number?][] = [
      [{ sorting_method: 'natural' }, /can only be used with "random" sorting/],
      [{ job_file_mapping: [['0.png']] }, /cannot be used with "job_file_mapping"/],
      [{}, /cannot be used with "overlap"/, overlapping.id],
      [{ validation_params: { ...pool, frame_selection_method: 'random_per_job' } }, /random_per_job/],
      [{ validation_params: { ...pool, frames_per_job_count: undefined } }, /frames_per_job_count/],
      [{ validation_params: { ...pool, frame_count: undefined } }, /frame_count/],
      [{ validation_params: { ...pool, frame_selection_method: 'manual' } }, /required/],
    ];
    for (const [data, pattern, other = id] of wrong) {
      const json = { server_files: ['x'], ...poolOf3, ...data };
      const answer = await work.owner.call('POST', `/api/tasks/${other}/data/`, { json });
      expect([answer.status, JSON.stringify(answer.body).replaceAll('\\', '')], JSON.stringify(data)).toEqual([
        400,
        expect.stringMatching(pattern),
      ]);
    }
    const unknown = { ...pool, frame_selection_method: 'manual', frames: ['x.png'] };
    expect(await fresh({ validation_params: unknown })).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('Unknown validation frames requested: x.png'),
    });
    expect(await fresh({ validation_params: { ...pool, frame_count: 12 } })).toMatchObject({ status: 'failed' });
    expect(await fresh({ validation_params: { ...pool, frames_per_job_count: 4 } })).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('greater than the validation pool size (3)'),
    });
  });

  test('keeps its ground-truth job, has no second one, and takes no more images', async () => {
    expect(await work.owner.call('DELETE', `/api/jobs/${truth.id}`)).toMatchObject({
      status: 400,
      body: ['GT jobs cannot be removed when task validation mode is "gt_pool"'],
    });
    const json = { type: 'ground_truth', task_id: task.id, frame_count: 1 };
    expect(await work.owner.call('POST', '/api/jobs', { json })).toMatchObject({ status: 400 });
    const more = await work.owner.call('POST', `/api/limner/tasks/${task.id}/images/`, {
      body: imageForm(images.slice(0, 1)),
    });
    expect(more).toMatchObject({ status: 400 });
    expect(JSON.stringify(more.body)).toContain('honeypots');
    const gone = await work.owner.call('POST', `/api/limner/tasks/${task.id}/frames/remove`, {
      json: { frames: [2] },
    });
    expect(gone.status).toBe(400);
    expect(JSON.stringify(gone.body)).toContain('honeypots');
    const { results } = await work.owner.good<{ results: Task[] }>('GET', '/api/tasks', {
      query: { validation_mode: 'gt_pool' },
    });
    expect(results.map(({ id }) => id)).toContain(task.id);
  });
});

describe('annotations of a task with a validation pool', () => {
  test('include those of the pool; exports leave honeypots out', async () => {
    await work.owner.changeAnnotations('jobs', truth.id, 'create', { shapes: [box(15), box(16)] });
    await work.owner.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0), box(2)] });
    expect(framesOf((await work.owner.annotations('tasks', task.id)).shapes)).toEqual([0, 2, 15, 16]);
    const request = await work.owner.finished(
      await work.owner.startExport('tasks', task.id, 'CVAT for images 1.1', true),
    );
    const names = await zipNames(await work.owner.bytes(request.result_url!));
    expect(names.filter((name) => name.endsWith('.png')).toSorted()).toEqual(
      images.map(({ name }) => `images/${name}`).toSorted(),
    );
    expect((await work.owner.report(request.id)).included).toMatchObject([{ type: 'rectangle', count: 3 }]);
  });

  test('are counted once in the statistics of the task, as exported', async () => {
    await work.owner.changeAnnotations('jobs', truth.id, 'create', { shapes: [box(15), box(16)] });
    await work.owner.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0), box(2), box(3)] });
    await work.owner.good('PATCH', `/api/jobs/${jobs[0]!.id}/data/meta`, { json: { deleted_frames: [1, 3] } });
    const counted = async (kind: 'tasks' | 'jobs', id: number) => {
      const { frames, labels: counts } = await work.owner.good<Statistics>(
        'GET',
        `/api/limner/${kind}/${id}/statistics`,
      );
      return { ...frames, objects: counts.flatMap(({ kinds }) => kinds).reduce((sum, one) => sum + one.objects, 0) };
    };
    expect(await counted('tasks', task.id)).toEqual({ total: 11, deleted: 1, with_objects: 3, objects: 3 });
    expect(await counted('jobs', jobs[0]!.id)).toEqual({ total: 4, deleted: 2, with_objects: 2, objects: 2 });
    expect(await counted('jobs', truth.id)).toEqual({ total: 3, deleted: 0, with_objects: 2, objects: 2 });
    await changed('tasks', task.id, { disabled_frames: [16] });
    expect(await counted('tasks', task.id)).toEqual({ total: 10, deleted: 2, with_objects: 2, objects: 2 });
  });

  test('of the pool are copied to its honeypots when the task is replaced, and other objects there are not kept', async () => {
    await work.owner.replaceAnnotations('tasks', task.id, { shapes: [box(0), box(3, 20), box(15)] });
    const { shapes } = await work.owner.annotations('tasks', task.id);
    expect(framesOf(shapes)).toEqual([0, 3, 10, 15]);
    expect(shapes.map(({ points }) => points[0])).toEqual([1, 1, 1, 1]);
    expect(framesOf((await work.owner.annotations('jobs', truth.id)).shapes)).toEqual([15]);
    const stored = shapes.find(({ frame }) => frame === 15)!;
    for (const action of ['update', 'delete'] as const) {
      const refused = work.owner.changeAnnotations('tasks', task.id, action, { shapes: [stored] });
      await expect(refused).rejects.toThrow('can only be edited via task import or the GT job');
    }
    await work.owner.changeAnnotations('tasks', task.id, 'create', { shapes: [box(17)] });
    expect(framesOf((await work.owner.annotations('tasks', task.id)).shapes)).toEqual([0, 3, 9, 10, 14, 15, 17]);
  });

  test('return from an exported file, with copies on the honeypots', async () => {
    await work.owner.changeAnnotations('jobs', truth.id, 'create', { shapes: [box(15), box(16)] });
    const request = await work.owner.finished(await work.owner.startExport('tasks', task.id, 'CVAT for images 1.1'));
    const bytes = await work.owner.bytes(request.result_url!);
    const sent = await work.sendFile(
      `/api/tasks/${task.id}/annotations/`,
      'annotation_file',
      { name: 'a.zip', bytes },
      {
        format: 'CVAT 1.1',
      },
    );
    await work.owner.finished((sent.body as { rq_id: string }).rq_id);
    expect(framesOf((await work.owner.annotations('tasks', task.id)).shapes)).toEqual([2, 3, 10, 13, 15, 16]);
  });

  test('return from a backup, with the pool and its honeypots', async () => {
    await work.owner.changeAnnotations('jobs', truth.id, 'create', { shapes: [box(15)] });
    await work.owner.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0), box(3, 20)] });
    await changed('tasks', task.id, { disabled_frames: [16] });
    const saved = await work.owner.good<{ rq_id: string }>('POST', `/api/tasks/${task.id}/backup/export`);
    const bytes = await work.owner.bytes((await work.owner.finished(saved.rq_id)).result_url!);
    const sent = await work.sendFile('/api/tasks/backup', 'task_file', { name: 'backup.zip', bytes });
    const { result_id: id } = await work.owner.finished((sent.body as { rq_id: string }).rq_id);
    const restored = await work.owner.good<TaskValidationLayout>('GET', layoutPath('tasks', id!));
    expect(restored).toEqual(await layout());
    expect(await namesOf('tasks', id!)).toEqual(await namesOf('tasks', task.id));
    expect(await deletedOf('tasks', id!)).toEqual(await deletedOf('tasks', task.id));
    expect(framesOf((await work.owner.annotations('tasks', id!)).shapes)).toEqual([0, 3, 15]);
    const [first] = await work.jobsOf(id!);
    const frame = await work.owner.bytes(`/api/jobs/${first!.id}/data?type=frame&number=3&quality=original`);
    expect(frame.equals(images[5]!.bytes)).toBe(true);
  });

  test('cannot be tracks', async () => {
    const track = { frame: 0, label_id: label, shapes: [{ ...box(0), label_id: undefined, outside: false }] };
    for (const [kind, id] of [
      ['tasks', task.id],
      ['jobs', jobs[0]!.id],
    ] as const)
      expect(
        await work.owner.call('PATCH', `/api/${kind}/${id}/annotations/`, {
          query: { action: 'create' },
          json: { tracks: [track] },
        }),
      ).toMatchObject({ status: 400, body: ['Tracks are not supported when task validation mode is gt_pool'] });
  });
});

describe('frames of a validation pool', () => {
  test.each(['gt_job_meta', 'task_validation_layout'])(
    'are excluded with their honeypots, and restored, by %s',
    async (way) => {
      for (const [frames, honeypots] of [
        [[15], [3, 10]],
        [[16], [2, 13]],
        [[], []],
      ] as const) {
        if (way === 'gt_job_meta')
          await work.owner.good('PATCH', `/api/jobs/${truth.id}/data/meta`, { json: { deleted_frames: frames } });
        else await changed('tasks', task.id, { disabled_frames: frames });
        expect((await layout()).disabled_frames).toEqual(frames);
        expect(await deletedOf('jobs', truth.id)).toEqual(frames);
        expect(await deletedOf('tasks', task.id)).toEqual([...honeypots, ...frames]);
        for (const { id, start_frame: start, stop_frame: stop } of jobs)
          expect(await deletedOf('jobs', id)).toEqual(honeypots.filter((frame) => frame >= start && frame <= stop));
      }
    },
  );

  test('are restored by the meta of the task only all together', async () => {
    await changed('tasks', task.id, { disabled_frames: [15] });
    const meta = (frames: number[]) =>
      work.owner.call('PATCH', `/api/tasks/${task.id}/data/meta`, { json: { deleted_frames: frames } });
    const refused = await meta([15, 16]);
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('GT frames can only be deleted');
    expect(await meta([])).toMatchObject({ status: 200, body: { deleted_frames: [] } });
    expect((await layout()).disabled_frames).toEqual([]);
  });

  test('keep their honeypots deleted, also when one frame of a job is restored', async () => {
    await changed('tasks', task.id, { disabled_frames: [15] });
    const restore = (frame: number) =>
      work.owner.call('PATCH', `/api/limner/jobs/${jobs[0]!.id}/frames/${frame}`, { json: { deleted: false } });
    expect(await restore(3)).toMatchObject({ status: 400, body: { deleted: [expect.stringContaining('frame 3')] } });
    expect(JSON.stringify((await restore(3)).body)).not.toMatch(/honeypot|ground truth/i);
    expect(await deletedOf('jobs', jobs[0]!.id)).toEqual([3]);
    expect(await restore(2)).toMatchObject({ status: 200, body: { deleted: false } });
    await changed('tasks', task.id, { disabled_frames: [] });
    expect(await restore(3)).toMatchObject({ status: 200, body: { deleted: false } });
  });

  test('stay when a honeypot is deleted in its job', async () => {
    await work.owner.good('PATCH', `/api/jobs/${jobs[0]!.id}/data/meta`, { json: { deleted_frames: [3] } });
    expect(await deletedOf('jobs', truth.id)).toEqual([]);
    expect(await deletedOf('tasks', task.id)).toEqual([3]);
  });
});

describe('honeypots', () => {
  const usesOf = (frames: readonly number[], pool: readonly number[]) =>
    pool.map((frame) => frames.filter((one) => one === frame).length);

  test('of a task are changed by hand: names, images and annotations follow', async () => {
    await work.owner.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0), box(2), box(3)] });
    const before = await work.owner.meta('jobs', jobs[0]!.id);
    await work.owner.good('PATCH', `/api/jobs/${jobs[0]!.id}/data/meta`, { json: { deleted_frames: [2] } });
    const answer = await changed('tasks', task.id, {
      frame_selection_method: 'manual',
      honeypot_real_frames: [17, 15, 17, 15, 16, 17],
    });
    expect(answer).toMatchObject({ honeypot_count: 6, honeypot_real_frames: [17, 15, 17, 15, 16, 17] });
    const meta = await work.owner.meta('jobs', jobs[0]!.id);
    expect(meta.frames!.map(({ name }) => name)).toEqual([1, 2, 10, 5, 4, 0].map(named));
    expect(meta.chunks_updated_date > before.chunks_updated_date).toBe(true);
    expect(meta.deleted_frames).toEqual([]);
    const frame = await work.owner.bytes(`/api/jobs/${jobs[0]!.id}/data?type=frame&number=2&quality=original`);
    expect(frame.equals(images[10]!.bytes)).toBe(true);
    expect(framesOf((await work.owner.annotations('jobs', jobs[0]!.id)).shapes)).toEqual([0, 3]);
  });

  test('of a task are selected again at random: each frame equally often, and not twice in a job', async () => {
    await changed('tasks', task.id, { frame_selection_method: 'manual', honeypot_real_frames: Array(6).fill(15) });
    const { honeypot_real_frames: real = [] } = await changed('tasks', task.id, {
      frame_selection_method: 'random_uniform',
    });
    expect(usesOf(real, [15, 16, 17])).toEqual([2, 2, 2]);
    for (const at of [0, 2, 4]) expect(real[at]).not.toBe(real[at + 1]);
  });

  test('repeat active frames of the pool only, also in the request that excludes frames', async () => {
    const { honeypot_real_frames: real = [] } = await changed('tasks', task.id, {
      disabled_frames: [15],
      frame_selection_method: 'random_uniform',
    });
    expect(usesOf(real, [15, 16, 17])).toEqual([0, 3, 3]);
    const refused = await change('tasks', task.id, {
      frame_selection_method: 'manual',
      honeypot_real_frames: Array(6).fill(15),
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toContain('frames 15 are disabled. Restore them');
    const tooFew = await change('tasks', task.id, {
      disabled_frames: [15, 16],
      frame_selection_method: 'random_uniform',
    });
    expect(tooFew.status).toBe(400);
    expect((await layout()).disabled_frames).toEqual([15]);
  });

  test.each(['manual', 'random_uniform'])('of a job are changed, and no others: %s', async (method) => {
    const { id } = jobs[1]!;
    const real = method === 'manual' ? { honeypot_real_frames: [15, 16] } : {};
    const answer = await changed('jobs', id, { frame_selection_method: method, ...real });
    expect(answer).toMatchObject({ honeypot_count: 2, honeypot_frames: [9, 10] });
    if (method === 'manual') expect(answer.honeypot_real_frames).toEqual([15, 16]);
    expect(new Set(answer.honeypot_real_frames)).toHaveLength(2);
    expect((await jobLayout(jobs[0]!.id)).honeypot_real_frames).toEqual([16, 15]);
    expect((await jobLayout(jobs[2]!.id)).honeypot_real_frames).toEqual([16, 17]);
  });

  test('are refused with a reason', async () => {
    const { id } = jobs[0]!;
    const wrong: [object, RegExp][] = [
      [{}, /frame_selection_method/],
      [{ frame_selection_method: 'manual' }, /honeypot_real_frames/],
      [{ frame_selection_method: 'random_uniform', honeypot_real_frames: [15, 16] }, /can only be used when/],
      [{ frame_selection_method: 'manual', honeypot_real_frames: [15] }, /must remain the same/],
      [{ frame_selection_method: 'manual', honeypot_real_frames: [0, 15] }, /not from the validation pool/],
    ];
    for (const [json, pattern] of wrong) {
      const { status, body } = await change('jobs', id, json);
      expect([status, JSON.stringify(body)], JSON.stringify(json)).toEqual([400, expect.stringMatching(pattern)]);
    }
    expect(await change('jobs', truth.id, { frame_selection_method: 'random_uniform' })).toMatchObject({ status: 400 });
    const plain = await work.owner.taskWithImages({ labels }, images.slice(0, 2));
    const [job] = await work.jobsOf(plain.id);
    expect(await change('jobs', job!.id, { frame_selection_method: 'random_uniform' })).toMatchObject({
      status: 400,
      body: ["Honeypots can only be modified if the task validation mode is 'gt_pool'"],
    });
  });

  test('are compared with the frame that they repeat', async () => {
    await work.owner.changeAnnotations('jobs', truth.id, 'create', { shapes: [box(15), box(16), box(17)] });
    // Frame 2 repeats 16, frame 3 repeats 15.
    await work.owner.changeAnnotations('jobs', jobs[0]!.id, 'create', { shapes: [box(0, 30), box(2), box(3, 40)] });
    await work.owner.good('PATCH', `/api/jobs/${truth.id}`, { json: { stage: 'acceptance', state: 'completed' } });
    const report = async () => {
      const started = await work.owner.good<{ rq_id: string }>('POST', '/api/quality/reports', {
        json: { task_id: task.id },
      });
      const { result_id: id } = await work.owner.finished(started.rq_id);
      const { results } = await work.owner.good<{ results: { job_id: number; summary: object }[] }>(
        'GET',
        '/api/quality/reports',
        { query: { parent_id: id! } },
      );
      const { results: conflicts } = await work.owner.good<{ results: { frame: number; type: string }[] }>(
        'GET',
        '/api/quality/conflicts',
        { query: { report_id: id!, page_size: 100 } },
      );
      return { job: results.find(({ job_id: job }) => job === jobs[0]!.id)!.summary, conflicts };
    };
    const first = await report();
    expect(first.job).toMatchObject({ valid_count: 1, ds_count: 2, gt_count: 2, frame_count: 2 });
    const onThird = first.conflicts.filter(({ frame }) => frame === 3).map(({ type }) => type);
    expect(onThird.toSorted()).toEqual(['extra_annotation', 'missing_annotation']);
    await changed('tasks', task.id, { disabled_frames: [15] });
    expect((await report()).job).toMatchObject({ valid_count: 1, ds_count: 1, gt_count: 1, frame_count: 1 });
  });
});
