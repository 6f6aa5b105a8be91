import { beforeAll, describe, expect, test } from 'vitest';
import type { LabeledData } from '../../../preload/contract/schema/annotations.ts';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Job, Project, Task } from '../../../preload/contract/schema/resources.ts';
import { createClient } from '../../support/client.ts';
import { choiceOf, picture, pictures, useWork, zipNames } from './work-harness.ts';

const work = await useWork();

const list = choiceOf('side', ['left', 'right']);
const fields = { labels: [{ name: 'car', attributes: [list] }], segment_size: 4, overlap: 1 };
const task = await work.owner.taskWithImages(fields, await pictures(9), { chunk_size: 4 });
const job = (await work.jobsOf(task.id))[0] as Job;
const label = (await work.labelsOf({ task_id: task.id }))[0] as Label;

const tag = (frame: number, id?: number) => ({
  ...(id === undefined ? {} : { id }),
  frame,
  label_id: label.id,
  attributes: [],
});
const annotations = (action: string, tags: object[]) =>
  work.owner.call('PATCH', `/api/jobs/${job.id}/annotations`, { query: { action }, json: { tags } });

test('an update without an id adds, beside those that it changes', async () => {
  const first = await annotations('update', [tag(0)]);
  expect(first).toMatchObject({ status: 200, body: { tags: [{ frame: 0 }] } });
  const [{ id }] = (first.body as { tags: [{ id: number }] }).tags;
  const second = await annotations('update', [tag(1, id), tag(2)]);
  expect(second).toMatchObject({ status: 200, body: { tags: [{ id, frame: 1 }, { frame: 2 }] } });
});

const refusedChanges: [object, RegExp][] = [
  [{ values: ['left'] }, /none can be removed/],
  [{ deleted: true, id: undefined }, /send its id/],
  [{ mutable: true }, /cannot be changed/],
  [{ input_type: 'radio' }, /cannot be changed/],
  [{ default_value: 'above' }, /is invalid/],
];

test('attributes keep their values in annotations until they are removed', async () => {
  const [side] = label.attributes;
  const patch = (attribute: object) =>
    work.owner.call('PATCH', `/api/labels/${label.id}`, { json: { attributes: [attribute] } });
  expect(await patch({ ...list, id: side?.id, values: ['left', 'right', 'none'] })).toMatchObject({ status: 200 });
  const valued = { ...tag(3), attributes: [{ spec_id: side?.id, value: 'right' }] };
  const { body } = await annotations('create', [valued]);
  expect(body).toMatchObject({ tags: [{ attributes: [{ value: 'right' }] }] });
  expect(await patch({ ...list, id: side?.id, deleted: true })).toMatchObject({
    status: 200,
    body: { attributes: [] },
  });
  const read = await work.owner.good<{ tags: { frame: number; attributes: object[] }[] }>(
    'GET',
    `/api/jobs/${job.id}/annotations`,
  );
  expect(read.tags.find(({ frame }) => frame === 3)?.attributes).toEqual([]);
});

describe.each(['labels', 'tasks', 'projects'] as const)('labels that are changed through /api/%s', (through) => {
  let one: Label;
  let places: string[];
  let change: (label: object) => ReturnType<typeof work.owner.call>;
  beforeAll(async () => {
    const labels = [{ name: 'car', attributes: [list] }, { name: 'bus' }];
    const project = through === 'tasks' ? null : await work.owner.createProject('of labels', labels);
    const own = project ? { project_id: project.id } : { labels };
    const made = await work.owner.taskWithImages(own, [{ name: 'a.png', bytes: await picture('a') }]);
    const [first] = await work.jobsOf(made.id);
    one = (await work.labelsOf(project ? { project_id: project.id } : { task_id: made.id }))[0] as Label;
    places = [`tasks/${made.id}`, `jobs/${first?.id}`, ...(project ? [`projects/${project.id}`] : [])];
    const owner = { tasks: `/api/tasks/${made.id}`, projects: `/api/projects/${project?.id}` };
    change = (json) =>
      through === 'labels'
        ? work.owner.call('PATCH', `/api/labels/${one.id}`, { json })
        : work.owner.call('PATCH', owner[through], { json: { labels: [{ id: one.id, ...json }] } });
  });
  const dates = async () =>
    Promise.all(places.map(async (path) => (await work.owner.good<Task>('GET', `/api/${path}`)).updated_date));

  test.each(refusedChanges)('refuse %j of an attribute', async (part, reason) => {
    const { status, body } = await change({ attributes: [{ ...list, id: one.attributes[0]?.id, ...part }] });
    expect({ status, text: JSON.stringify(body) }).toEqual({ status: 400, text: expect.stringMatching(reason) });
  });

  test.each([
    ['a name', () => change({ name: 'lorry' })],
    ['a new attribute', () => change({ attributes: [{ ...list, name: 'another' }] })],
    ['an attribute that goes', () => change({ attributes: [{ ...list, id: one.attributes[0]?.id, deleted: true }] })],
    [
      'a label that goes',
      () => (through === 'labels' ? work.owner.call('DELETE', `/api/labels/${one.id}`) : change({ deleted: true })),
    ],
  ])('assign all annotations to another label with %s', async (_, ask) => {
    const before = await dates();
    expect((await ask()).status).toBeLessThan(300);
    for (const [index, date] of (await dates()).entries())
      expect(date > (before[index] ?? ''), places[index]).toBe(true);
  });
});

test.each(['projects', 'tasks', 'jobs'])('the date of an assignee of %s changes with the assignee', async (kind) => {
  const { id } = await work.owner.good<{ id: number }>('GET', '/api/users/self');
  const key = kind === 'jobs' ? 'assignee' : 'assignee_id';
  const made =
    kind === 'jobs'
      ? await work.owner.good<Job>('PATCH', `/api/jobs/${job.id}`, { json: { assignee: id } })
      : await work.owner.good<Project>('POST', `/api/${kind}`, { json: { name: 'dated', assignee_id: id } });
  const patch = async (assignee: number | null) =>
    (await work.owner.good<Job>('PATCH', `/api/${kind}/${made.id}`, { json: { [key]: assignee } }))
      .assignee_updated_date;
  expect(made.assignee_updated_date).not.toBeNull();
  expect(await patch(id)).toBe(made.assignee_updated_date);
  const nobody = await patch(null);
  expect(nobody).not.toBe(made.assignee_updated_date);
  expect(await patch(null)).toBe(nobody);
});

test('a task counts the jobs in validation separately from those that are accepted', async () => {
  const [first, second] = await work.jobsOf(task.id);
  await work.owner.good('PATCH', `/api/jobs/${first?.id}`, { json: { stage: 'validation' } });
  await work.owner.good('PATCH', `/api/jobs/${second?.id}`, { json: { stage: 'acceptance' } });
  expect((await work.owner.task(task.id)).jobs).toMatchObject({ completed: 0, validation: 1 });
});

test('refuses a source that only screens use', async () => {
  const json = { tags: [{ ...tag(0), source: 'Ground truth' }] };
  for (const ask of [
    { query: { action: 'create' }, json },
    { query: { action: 'update' }, json },
  ]) {
    const answer = await work.owner.call('PATCH', `/api/jobs/${job.id}/annotations`, ask);
    expect(answer).toMatchObject({
      status: 400,
      body: { tags: [{ source: ['"Ground truth" is not a valid choice.'] }] },
    });
  }
});

test('a task without data says so, and returns no image where none is needed', async () => {
  const empty = await work.owner.createTask();
  const ask = (method: string, path: string, headers = {}) =>
    work.owner.call(method, `/api/tasks/${empty.id}/${path}`, { headers });
  const backup = await ask('POST', 'backup/export');
  expect(backup).toMatchObject({ status: 400, body: ['Backup of a task without data is not allowed'] });
  for (const path of ['data/meta', 'data?type=frame&number=0', 'annotations']) {
    expect(await ask('GET', path), path).toMatchObject({ status: 400, body: [expect.stringContaining('no data yet')] });
  }
  expect((await ask('GET', 'preview')).status).toBe(404);
  const preferred = await ask('GET', 'preview', { Prefer: 'handling=empty' });
  expect(preferred.status).toBe(204);
  expect(preferred.headers.get('Preference-Applied')).toBe('handling=empty');
});

test('a ground truth describes every frame, and serves only its own', async () => {
  const json = { type: 'ground_truth', task_id: task.id, frame_selection_method: 'manual', frames: [1, 6] };
  const truth = await work.owner.good<Job>('POST', '/api/jobs', { json });
  const meta = await work.owner.meta('jobs', truth.id);
  expect(meta).toMatchObject({ size: 2, included_frames: [1, 6], chapters: null });
  expect(meta.frames?.map(({ name }) => name)).toEqual(
    Array.from({ length: 9 }, (_, frame) => (frame === 1 || frame === 6 ? `${frame}.png` : 'placeholder.jpg')),
  );
  const chunk = (query: string) => work.owner.bytes(`/api/jobs/${truth.id}/data?type=chunk&quality=original&${query}`);
  expect(await zipNames(await chunk('number=0'))).toEqual(['000000.jpeg', '000001.png', '000002.jpeg', '000003.jpeg']);
  expect(await zipNames(await chunk('index=0'))).toEqual(['000000.png', '000001.png']);
  const left = await work.owner.call('GET', `/api/jobs/${truth.id}/data`, { query: { type: 'frame', number: 2 } });
  expect(left).toMatchObject({ status: 400, body: ['Incorrect requested frame number: 2'] });
  expect(meta.frames?.every(({ width, height }) => width === 64 && height === 48)).toBe(true);
  await work.owner.good('DELETE', `/api/jobs/${truth.id}`);
});

test('a seed selects the same frames as in CVAT; each of overlapping jobs has the requested number', async () => {
  const made = async (json: object) => {
    const truth = await work.owner.good<Job>('POST', '/api/jobs', {
      json: { type: 'ground_truth', task_id: task.id, ...json },
    });
    const { included_frames: frames } = await work.owner.meta('jobs', truth.id);
    await work.owner.good('DELETE', `/api/jobs/${truth.id}`);
    return frames ?? [];
  };
  // Same result as NumPy's Generator(MT19937(42)).choice(9, 3, replace=False, shuffle=False).
  expect(await made({ frame_selection_method: 'random_uniform', frame_count: 3, random_seed: 42 })).toEqual([3, 5, 7]);
  const jobs = await work.jobsOf(task.id);
  for (let seed = 1; seed <= 20; seed += 1) {
    const perJob = await made({
      frame_selection_method: 'random_per_job',
      frames_per_job_count: 2,
      random_seed: seed,
    });
    const inside = jobs.map(
      ({ start_frame: first, stop_frame: last }) => perJob.filter((frame) => frame >= first && frame <= last).length,
    );
    expect(inside, `seed ${seed}`).toEqual(jobs.map(() => 2));
  }
});

test('a read-only token may export and back up', async () => {
  const token = await work.owner.good<{ value: string }>('POST', '/api/auth/access_tokens', {
    json: { name: 'reads' },
  });
  const reader = createClient(work.owner.baseUrl, `Bearer ${token.value}`);
  const exported = await reader.call('POST', `/api/tasks/${task.id}/dataset/export`, { query: { format: 'COCO 1.0' } });
  expect(exported.status).toBe(202);
  const backup = await reader.call('POST', `/api/tasks/${task.id}/backup/export`);
  expect(backup.status).toBe(202);
  await work.owner.ended((backup.body as { rq_id: string }).rq_id);
  const { rq_id: id } = exported.body as { rq_id: string };
  await work.owner.ended(id);
  const userId = /user_id=(\d+)/.exec(id)?.[1];
  const earlier = `export:task-${task.id}-annotations-in-COCO_1@0-format-by-${userId}`;
  expect(await work.owner.good('GET', `/api/requests/${encodeURIComponent(earlier)}`)).toMatchObject({ id });
  expect((await reader.call('PATCH', `/api/tasks/${task.id}`, { json: { name: 'no' } })).status).toBe(403);
  expect((await reader.call('PATCH', '/api/users/1', { json: { first_name: 'no' } })).status).toBe(403);
});

test('endpoints list their methods on OPTIONS, and refuse contradicting filters', async () => {
  const options = await work.owner.call('OPTIONS', `/api/tasks/${task.id}`);
  expect(options.status).toBe(200);
  expect(options.headers.get('Allow')).toContain('PATCH');
  const both = await work.owner.call('GET', '/api/labels', { query: { task_id: task.id, job_id: job.id } });
  expect(both.status).toBe(400);
  expect(JSON.stringify(both.body)).toContain('cannot be used together');
  const foreign = await work.owner.call('PATCH', `/api/tasks/${task.id}`, {
    json: { labels: [{ id: 999_999, name: 'x' }] },
  });
  expect(foreign).toMatchObject({ status: 404, body: { detail: 'Not found label with id #999999 to change' } });
  expect(job).toMatchObject({ bug_tracker: null });
});

test('a point of a skeleton can only be changed with its skeleton', async () => {
  const labels = [
    { name: 'figure', type: 'skeleton' as const, sublabels: [{ name: 'head', type: 'points' as const }] },
  ];
  const project = await work.owner.createProject('with a skeleton', labels);
  const [figure] = await work.labelsOf({ project_id: project.id });
  const head = figure?.sublabels[0];
  expect(head && Object.keys(head).sort()).toEqual(['attributes', 'color', 'has_parent', 'id', 'name', 'type']);
  expect((await work.owner.call('PATCH', `/api/labels/${head?.id}`, { json: { name: 'top' } })).status).toBe(400);
  expect((await work.owner.call('PATCH', `/api/labels/${label.id}`, { json: { type: 'skeleton' } })).status).toBe(400);
});

test('refuses a common password', async () => {
  const { status, body } = await createClient(work.owner.baseUrl, null).call('POST', '/api/auth/register', {
    json: {
      username: 'somebody',
      email: 'somebody@example.com',
      password1: 'password',
      password2: 'password',
      first_name: '',
      last_name: '',
    },
  });
  expect({ status, text: JSON.stringify(body) }).toEqual({ status: 400, text: expect.stringContaining('too common') });
});

test('a skeleton track begins with the earliest of its elements, all of which have a shape there', async () => {
  const figure: LabelWrite = {
    name: 'figure',
    type: 'skeleton',
    sublabels: [
      { name: 'head', type: 'points' },
      { name: 'foot', type: 'points' },
    ],
  };
  const { id } = await work.owner.taskWithImages({ labels: [figure] }, await pictures(9));
  const [label] = await work.labelsOf({ task_id: id });
  const [head, foot] = label?.sublabels ?? [];
  const point = (frame: number, points: number[], outside = false) => ({ type: 'points', frame, points, outside });
  const track = {
    frame: 1,
    label_id: label?.id,
    shapes: [{ type: 'skeleton', frame: 1, points: [] }],
    elements: [
      { label_id: head?.id, frame: 0, shapes: [point(1, [7, 8], true), point(7, [7, 8])] },
      { label_id: foot?.id, frame: 0, shapes: [point(0, [20, 30])] },
    ],
  };
  for (const method of ['PATCH', 'PUT'] as const) {
    const query = method === 'PATCH' ? { action: 'create' } : {};
    await work.owner.good(method, `/api/tasks/${id}/annotations`, { query, json: { tracks: [track] } });
    const { tracks } = await work.owner.good<LabeledData>('GET', `/api/tasks/${id}/annotations`);
    const frames = (shapes: readonly { readonly frame: number; readonly outside: boolean }[]) =>
      shapes.map(({ frame, outside }) => [frame, outside]);
    const [saved] = tracks;
    expect([saved?.frame, ...(saved?.elements.map(({ frame }) => frame) ?? [])]).toEqual([0, 0, 0]);
    expect(frames(saved?.shapes ?? [])).toEqual([[0, false]]);
    expect(saved?.elements.map(({ shapes }) => frames(shapes))).toEqual([
      [
        [0, true],
        [7, false],
      ],
      [[0, false]],
    ]);
    await work.owner.good('DELETE', `/api/tasks/${id}/annotations`);
  }
});
