import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { Track } from '../../../preload/contract/schema/annotations.ts';
import type { LambdaRequest } from '../../../preload/contract/schema/functions.ts';
import type { Task } from '../../../preload/contract/schema/resources.ts';
import type { Caller } from '../people/people-harness.ts';
import { useLambdaWorld } from './lambda-world.ts';

const world = await useLambdaWorld();
const user = world.addUser('annotator');
afterEach(() => {
  world.dashboard.answerWith(null);
  world.dashboard.calls.length = 0;
});

const create = (body: object, caller = user) => caller.call('createLambdaRequest', { raw: body });
const get = (id: string, caller = user) => caller.call('getLambdaRequest', { params: { id } });
const remove = (id: string, caller = user) => caller.call('deleteLambdaRequest', { params: { id } });
const mapping = { car: { name: 'car' } };
const annotate = (task: Task, more: object = {}, caller = user) =>
  world.annotate(caller, { function: 'detector', task: task.id, ...more });
const upTo = (count: number) => Array.from({ length: count }, (_, frame) => frame);
const framesOf = async (task: Task) => (await user.rest.annotations('tasks', task.id)).shapes.map(({ frame }) => frame);
const idOfTask = (task: Task) => `action=autoannotate&target=task&target_id=${task.id}`;
const boxes = (count: number) => ({
  status: 200,
  body: JSON.stringify(
    Array.from({ length: count }, () => ({ label: 'car', type: 'rectangle', points: [1, 1, 4, 4], confidence: '0.5' })),
  ),
});
describe('annotating a whole task', () => {
  test('answers the request, and stores the results with source and score', async () => {
    const task = await world.task(user, 3);
    const { status, body } = await create({ function: 'detector', task: task.id, threshold: 0.25, mapping });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id: idOfTask(task),
      function: { id: 'detector', task: task.id, threshold: 0.25 },
      progress: expect.any(Number),
      enqueued: expect.any(String),
    });
    expect(['queued', 'started']).toContain((body as LambdaRequest).status);
    const done = await user.rest.finished(idOfTask(task));
    expect(done.message).toBe('Annotated 3 of 3 frames: 3 objects.');
    expect((await get(idOfTask(task))).body).toMatchObject({
      status: 'finished',
      progress: 100,
      ended: expect.any(String),
      exc_info: null,
    });
    const { shapes } = await user.rest.annotations('tasks', task.id);
    const found = { source: 'auto', score: 0.75, points: [1, 2, 5, 6] };
    expect(shapes).toMatchObject(upTo(3).map((frame) => ({ frame, ...found })));
    expect(world.dashboard.calls.map(({ payload }) => payload['threshold'])).toEqual([0.25, 0.25, 0.25]);
    expect(await user.rest.report(idOfTask(task))).toMatchObject({
      included: [{ type: 'rectangle', label: 'car', count: 3 }],
      invalidCount: 0,
    });
  });

  test('keeps existing annotations unless cleanup is requested', async () => {
    const task = await world.task(user, 2);
    const [label] = await user.rest.labels(task.id);
    const own = { type: 'rectangle' as const, frame: 0, label_id: label?.id ?? 0, points: [7, 7, 9, 9] };
    await user.rest.changeAnnotations('tasks', task.id, 'create', { shapes: [own] });
    await annotate(task, { mapping });
    expect(await framesOf(task)).toEqual([0, 0, 1]);
    await annotate(task, { mapping, cleanup: true });
    expect(await framesOf(task)).toEqual([0, 1]);
  });

  test('deletes nothing if the function does not answer at all', async () => {
    const task = await world.task(user, 2);
    await annotate(task);
    const before = await framesOf(task);
    world.dashboard.answerWith(() => ({ status: 500, body: 'broken' }));
    const failed = await annotate(task, { cleanup: true });
    expect(failed).toMatchObject({ status: 'failed', exc_info: expect.stringContaining('Nothing was changed') });
    expect(failed.exc_info).toContain('broken');
    expect(await framesOf(task)).toEqual(before);
  });

  test('skips deleted frames', async () => {
    const task = await world.task(user, 4);
    await user.rest.good('PATCH', `/api/tasks/${task.id}/data/meta`, { json: { deleted_frames: [1, 2] } });
    await annotate(task, { mapping });
    expect(await framesOf(task)).toEqual([0, 3]);
  });

  test("uses the task's own frames in all its jobs", async () => {
    const task = await world.task(user, 9, { segment_size: 2 }, { start_frame: 1, frame_filter: 'step=2' });
    expect(task.size).toBe(4);
    await annotate(task, { mapping });
    expect(await framesOf(task)).toEqual([0, 1, 2, 3]);
    const [, second] = await world.jobs(task);
    await annotate(task, { job: second?.id, mapping, cleanup: true });
    expect((await framesOf(task)).toSorted()).toEqual([0, 1, 2, 3]);
    expect(world.dashboard.calls).toHaveLength(6);
  });

  test('skips a ground-truth job; a run for that job annotates only its frames', async () => {
    const task = await world.task(user, 6);
    const created = await user.rest.call('POST', '/api/jobs', {
      json: { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [1, 4] },
    });
    expect(created.status).toBe(201);
    const truth = (created.body as { id: number }).id;
    await annotate(task, { mapping });
    expect((await user.rest.annotations('jobs', truth)).shapes).toEqual([]);
    expect(await framesOf(task)).toEqual([0, 1, 2, 3, 4, 5]);
    await annotate(task, { job: truth, mapping });
    expect((await user.rest.annotations('jobs', truth)).shapes.map(({ frame }) => frame)).toEqual([1, 4]);
    expect(await framesOf(task)).toHaveLength(6);
  });

  describe('with honeypots', () => {
    const pool = {
      sorting_method: 'random',
      validation_params: {
        mode: 'gt_pool',
        frame_selection_method: 'random_uniform',
        frame_count: 2,
        frames_per_job_count: 1,
        random_seed: 1,
      },
    };
    /** Two jobs of two frames and a honeypot each, and behind them the pool: frames 6 and 7. */
    const pooled = async () => {
      const task = await world.task(user, 6, { segment_size: 2 }, pool);
      const jobs = await world.jobs(task);
      const truth = jobs.find(({ type }) => type === 'ground_truth')!;
      expect([truth.start_frame, truth.stop_frame]).toEqual([6, 7]);
      const [label] = await user.rest.labels(task.id);
      const own = { type: 'rectangle' as const, frame: 6, label_id: label?.id ?? 0, points: [7, 7, 9, 9] };
      await user.rest.changeAnnotations('jobs', truth.id, 'create', { shapes: [own] });
      return { task, jobs, truth };
    };
    const shapesOf = async (id: number) => (await user.rest.annotations('jobs', id)).shapes;

    test('annotates honeypots like all frames of the jobs, and never the ground truth', async () => {
      const { task, truth } = await pooled();
      for (const cleanup of [false, true]) {
        const done = await annotate(task, { mapping, cleanup });
        expect(done).toMatchObject({ status: 'finished' });
        expect((await shapesOf(truth.id)).map(({ frame, source }) => [frame, source])).toEqual([[6, 'manual']]);
        const inJobs = (await framesOf(task)).filter((frame) => frame < 6);
        expect(inJobs.toSorted((a, b) => a - b)).toEqual(upTo(6));
      }
    });

    test('annotates all frames of one job, so that an annotator cannot tell its honeypots', async () => {
      const { task, jobs, truth } = await pooled();
      await annotate(task, { mapping, job: jobs[0]!.id });
      expect((await shapesOf(jobs[0]!.id)).map(({ frame }) => frame)).toEqual([0, 1, 2]);
      await annotate(task, { mapping, job: truth.id });
      expect((await shapesOf(truth.id)).map(({ frame }) => frame).toSorted()).toEqual([6, 6, 7]);
    });

    test.each([
      ['annotations', 6],
      ['predictions', 8],
    ])('a batch of %s takes %i frames', async (results, count) => {
      const { task, truth } = await pooled();
      const json = { function: 'detector', targets: [{ task: task.id }], mapping, results };
      const batch = await user.rest.good<{ id: number; frame_count: number }>('POST', '/api/models/batches', { json });
      expect(batch.frame_count).toBe(count);
      await expect
        .poll(() => user.rest.good<{ state: string }>('GET', `/api/models/batches/${batch.id}`))
        .toMatchObject({ state: 'finished' });
      expect((await shapesOf(truth.id)).map(({ frame, source }) => [frame, source])).toEqual([[6, 'manual']]);
    });

    test('creates no tracks, and says why', async () => {
      const { task } = await pooled();
      const refused = await world.annotate(user, { function: 'reid', task: task.id, max_distance: 50, threshold: 0.5 });
      expect(refused).toMatchObject({ status: 'failed', exc_info: expect.stringContaining('gt_pool') });
    });
  });

  test('sends only the region in each call, and moves all results back', async () => {
    const task = await world.task(user, 3);
    await annotate(task, { roi: [11, 13, 31, 43], mapping });
    const { shapes } = await user.rest.annotations('tasks', task.id);
    expect(shapes.map(({ points }) => points)).toEqual(upTo(3).map(() => [12, 15, 16, 19]));
    expect(world.dashboard.calls).toHaveLength(3);
  });

  test('changes nothing with an interactor or a tracker', async () => {
    const task = await world.task(user, 1);
    for (const id of ['interactor', 'tracker']) {
      expect(await annotate(task, { function: id })).toMatchObject({ status: 'finished' });
    }
    expect(await framesOf(task)).toEqual([]);
  });
});

describe('failing frames', () => {
  test('reports and skips a failing frame', async () => {
    const task = await world.task(user, 5);
    let call = 0;
    world.dashboard.answerWith(() => {
      call += 1;
      return call === 3 ? { status: 500, body: 'tensor of the third frame' } : boxes(1);
    });
    expect(await annotate(task)).toMatchObject({ status: 'finished' });
    expect(await framesOf(task)).toEqual([0, 1, 3, 4]);
    const report = await user.rest.report(idOfTask(task));
    expect(report.invalid).toEqual([
      { file: 'frame_002.png', at: 'frame 2', reason: expect.stringContaining('tensor of the third frame') },
    ]);
    const { message } = await user.rest.request(idOfTask(task));
    expect(message).toBe('Annotated 4 of 5 frames: 4 objects. 1 frame could not be annotated; see the report.');
  });

  // Results of about two seconds are stored together, so the second failure falls after one such save.
  test.each([0, 2100])(
    'ends the run when a function disappears, slowly (%d ms), and keeps the finished frames',
    async (ms) => {
      const task = await world.task(user, 12);
      let call = 0;
      world.dashboard.answerWith(async () => {
        call += 1;
        if (call === 7) await sleep(ms);
        return call > 5 ? 'reset' : boxes(1);
      });
      const failed = await annotate(task);
      expect(failed.status).toBe('failed');
      expect(failed.exc_info).toMatch(
        /Stopped: .* The results of 5 of 12 frames are saved. Resume to continue behind them/,
      );
      expect(await framesOf(task)).toEqual([0, 1, 2, 3, 4]);

      world.dashboard.answerWith(() => boxes(1));
      expect(await annotate(task, { resume: true })).toMatchObject({ status: 'finished' });
      expect(await framesOf(task)).toEqual(upTo(12));
    },
  );
});

describe('cancelling', () => {
  async function begun() {
    const task = await world.task(user, 30);
    world.dashboard.answerWith(() => boxes(1));
    const { body } = await create({ function: 'detector', task: task.id });
    while (world.dashboard.calls.length < 8) await sleep(5);
    return { task, id: (body as LambdaRequest).id };
  }

  test('keeps the finished frames, and resumes after them', async () => {
    const { task, id } = await begun();
    expect((await remove(id)).status).toBe(204);
    expect((await get(id)).status).toBe(404);
    const done = (await framesOf(task)).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(30);
    await annotate(task, { resume: true });
    expect(await framesOf(task)).toEqual(upTo(30));
  });

  test('resumes an interrupted run after its last stored results when the program starts again', async () => {
    const { task } = await begun();
    // The queue releases its work, as when the program ends, and resumes it.
    const { database } = world;
    await world.core.functions.requests.remove(
      {
        userId: user.id,
        username: user.username,
        group: 'user',
        organization: { kind: 'all' },
        readOnly: false,
        baseUrl: '',
      },
      idOfTask(task),
    );
    const stored = database
      .query<number[], { next_frame: number; request_date: string }>(
        'SELECT next_frame, request_date FROM model_run WHERE task_id = ?',
      )
      .get(task.id)!;
    expect(stored.next_frame).toBeGreaterThan(0);
    const parameters = JSON.stringify({
      function: 'detector',
      task: task.id,
      job: null,
      threshold: null,
      maxDistance: null,
      cleanup: false,
      masksToPolygons: false,
      mapping: null,
      region: null,
      resume: false,
    });
    database
      .query(
        `INSERT INTO request (id, type, target, subresource, task_id, owner_id, status, parameters, created_date)
         VALUES (?, 'autoannotate:task', 'task', '', ?, ?, 'started', ?, ?)`,
      )
      .run(idOfTask(task), task.id, user.id, parameters, stored.request_date);
    world.core.recover();
    await user.rest.finished(idOfTask(task));
    expect(await framesOf(task)).toEqual(upTo(30));
  });

  test('allows only one run per task', async () => {
    const task = await world.task(user, 40);
    const first = await create({ function: 'detector', task: task.id });
    const second = await create({ function: 'shapes', task: task.id });
    const refusal = `Only one running request is allowed for the same task #${task.id}`;
    expect(second).toMatchObject({ status: 409, body: refusal });
    await remove((first.body as LambdaRequest).id);
    expect((await create({ function: 'detector', task: task.id })).status).toBe(200);
    await remove((first.body as LambdaRequest).id);
  });
});

describe('matching boxes over a whole task', () => {
  const framesOfTrack = ({ source, shapes }: Track) =>
    `${source}: ${shapes.map(({ frame, outside }) => `${frame}${outside ? '-outside' : ''}`).join(' ')}`;

  async function boxedTask(frames: number, more: object = {}) {
    const task = await world.task(user, frames, more);
    const [label] = await user.rest.labels(task.id);
    const shapes = Array.from({ length: frames }, (_, frame) => ({
      type: 'rectangle' as const,
      frame,
      label_id: label?.id ?? 0,
      points: [frame, frame, frame + 5, frame + 5],
    }));
    const polygon = { type: 'polygon' as const, frame: 0, label_id: label?.id ?? 0, points: [0, 0, 4, 0, 4, 4] };
    await user.rest.changeAnnotations('tasks', task.id, 'create', { shapes: [...shapes, polygon] });
    return task;
  }

  test('creates tracks of rectangles, split at the borders of jobs and ended by an outside shape, and keeps other shapes', async () => {
    const task = await boxedTask(6, { segment_size: 4 });
    const done = await annotate(task, { function: 'reid', threshold: 0.5, max_distance: 50 });
    expect(done).toMatchObject({ status: 'finished' });
    const jobs = await world.jobs(task);
    const tracks = await Promise.all(jobs.map(async ({ id }) => (await user.rest.annotations('jobs', id)).tracks));
    expect(tracks.map((list) => list.map(framesOfTrack))).toEqual([['auto: 0 1 2 3'], ['auto: 4 5']]);
    const { shapes } = await user.rest.annotations('tasks', task.id);
    expect(shapes.map(({ type }) => type)).toEqual(['polygon']);
    expect(world.dashboard.calls[0]?.payload).toMatchObject({
      threshold: 0.5,
      max_distance: 50,
      boxes0: [{ points: [0, 0, 5, 5] }],
    });
  });

  test('creates tracks of one frame from boxes without a match', async () => {
    const task = await boxedTask(3);
    const [job] = await world.jobs(task);
    await annotate(task, { function: 'reid-none', job: job?.id });
    const { tracks } = await user.rest.annotations('tasks', task.id);
    expect(tracks.map(framesOfTrack)).toEqual(['auto: 0 1-outside', 'auto: 1 2-outside', 'auto: 2']);
  });
});

describe('invalid requests', () => {
  test('answers 400 by field without a function or a task', async () => {
    const task = await world.task(user, 1);
    const required = ['This field is required.'];
    expect(await create({ task: task.id })).toMatchObject({ status: 400, body: { function: required } });
    expect(await create({ function: 'detector' })).toMatchObject({ status: 400, body: { task: required } });
    expect(await create({})).toMatchObject({ status: 400 });
  });

  test('answers 400 to an unknown task, one without data, and a job of another task', async () => {
    expect((await create({ function: 'detector', task: 99_999 })).status).toBe(400);
    const [first, second] = [await world.task(user, 1), await world.task(user, 1)];
    const empty = await user.rest.createTask({ labels: [{ name: 'car' }] });
    expect((await create({ function: 'detector', task: empty.id })).status).toBe(400);
    const [job] = await world.jobs(second);
    expect(await create({ function: 'detector', task: first.id, job: job?.id })).toMatchObject({
      status: 400,
      body: 'Job task ID does not match task ID',
    });
  });

  test('answers 400 immediately to an invalid mapping', async () => {
    const task = await world.task(user, 1);
    expect((await create({ function: 'detector', task: task.id, mapping: { x: { name: 'car' } } })).status).toBe(400);
  });
});

describe('permissions', () => {
  /** Only an admin can name users outside of shared organizations. */
  async function assignedTask(owner: Caller, assignee: Caller) {
    const task = await world.task(owner, 1);
    await world.admin.rest.good('PATCH', `/api/tasks/${task.id}`, { json: { assignee_id: assignee.id } });
    return task;
  }

  test('refuses strangers everything, and lets the assignee of the task read', async () => {
    const [stranger, assignee] = [world.addUser('a-stranger'), world.addUser('an-assignee')];
    const task = await assignedTask(user, assignee);
    expect((await create({ function: 'detector', task: task.id }, stranger)).status).toBe(403);
    const raw = { function: 'detector', task: task.id };
    expect((await world.anonymous.call('createLambdaRequest', { raw })).status).toBe(401);
    const { id } = await annotate(task);
    expect((await get(id, stranger)).status).toBe(403);
    expect((await get(id, assignee)).status).toBe(200);
    expect((await get(id, world.admin)).status).toBe(200);
    expect((await get(id, world.anonymous as Caller)).status).toBe(401);
    expect((await get('no-such-request')).status).toBe(404);

    expect((await stranger.good('listLambdaRequests')).filter((one) => one.id === id)).toEqual([]);
    expect((await assignee.good('listLambdaRequests')).map((one) => one.id)).toContain(id);
    expect((await world.anonymous.call('listLambdaRequests')).status).toBe(401);
  });

  test('lets only the requester or an admin delete it', async () => {
    const [owner, assignee] = [world.addUser('the-owner'), world.addUser('the-assignee')];
    const task = await assignedTask(owner, assignee);
    const { id } = await annotate(task, {}, assignee);
    expect((await remove(id, world.anonymous as Caller)).status).toBe(401);
    expect((await remove(id, owner)).status).toBe(403);
    expect((await remove(id, assignee)).status).toBe(204);
    expect(await remove(id, assignee)).toMatchObject({ status: 404, body: `${id} lambda job is not found` });
  });

  test('lets the assignee of a job start it for the job, not for the task', async () => {
    const worker = world.addUser('job-worker', 'worker');
    const task = await world.task(user, 4, { segment_size: 2 });
    const [job] = await world.jobs(task);
    await world.admin.rest.good('PATCH', `/api/jobs/${job?.id}`, { json: { assignee: worker.id } });
    const call = (body: object) => worker.call('callLambdaFunction', { params: { id: 'detector' }, raw: body });
    expect((await call({ task: task.id, frame: 0 })).status).toBe(403);
    expect((await call({ job: job?.id, frame: 0 })).status).toBe(200);
    expect((await call({ job: job?.id, frame: 2 })).status).toBe(400);
    expect((await create({ function: 'detector', task: task.id }, worker)).status).toBe(403);
    const done = await annotate(task, { job: job?.id }, worker);
    expect(done).toMatchObject({ status: 'finished', function: { job: job?.id } });
    expect((await get(done.id, worker)).status).toBe(200);
  });

  test('forgets finished requests after half an hour, and failed ones, which no list shows, after three', async () => {
    const task = await world.task(user, 1);
    const { id } = await annotate(task);
    const other = await world.task(user, 1);
    world.dashboard.answerWith(() => ({ status: 500, body: 'no' }));
    const failed = await annotate(other);
    expect(failed).toMatchObject({ status: 'failed', exc_info: expect.any(String) });
    const listed = (await user.good('listLambdaRequests')).map((one) => one.id);
    expect(listed).toContain(id);
    expect(listed).not.toContain(failed.id);
    expect((await get(failed.id)).status).toBe(200);
    const old = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const age = world.database.query('UPDATE request SET finished_date = ? WHERE id = ?');
    age.run(old(0.6), id);
    expect((await get(id)).status).toBe(404);
    age.run(old(0.6), failed.id);
    expect((await get(failed.id)).status).toBe(200);
    age.run(old(3.1), failed.id);
    expect((await get(failed.id)).status).toBe(404);
  });
});
