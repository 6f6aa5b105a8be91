import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Label } from '../../../preload/contract/schema/labels.ts';
import type { Job, Project, Task } from '../../../preload/contract/schema/resources.ts';
import { createClient } from '../../support/client.ts';
import { picture, startWork, zipNames } from './work-harness.ts';

const work = await startWork();
afterAll(() => work.stop());

const list = {
  name: 'side',
  input_type: 'select' as const,
  mutable: false,
  default_value: 'left',
  values: ['left', 'right'],
};
let task: Task;
let job: Job;
let label: Label;
beforeAll(async () => {
  const images = await Promise.all(
    Array.from({ length: 9 }, async (_, index) => ({ name: `${index}.png`, bytes: await picture(`${index}`) })),
  );
  const fields = { labels: [{ name: 'car', attributes: [list] }], segment_size: 4, overlap: 1 };
  task = await work.owner.taskWithImages(fields, images, { chunk_size: 4 });
  job = (await work.jobsOf(task.id))[0] as Job;
  label = (await work.labelsOf({ task_id: task.id }))[0] as Label;
});

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

test('attributes keep what annotations say of them, until they are removed', async () => {
  const [side] = label.attributes;
  const patch = (attribute: object) =>
    work.owner.call('PATCH', `/api/labels/${label.id}`, { json: { attributes: [attribute] } });
  const refused: [object, RegExp][] = [
    [{ values: ['right', 'left'] }, /can only be appended/],
    [{ values: ['left'] }, /can only be appended/],
    [{ mutable: true }, /cannot be changed/],
    [{ input_type: 'radio' }, /cannot be changed/],
    [{ default_value: 'above' }, /is invalid/],
  ];
  for (const [change, reason] of refused) {
    const { status, body } = await patch({ ...list, id: side?.id, ...change });
    expect({ status, text: JSON.stringify(body) }).toEqual({ status: 400, text: expect.stringMatching(reason) });
  }
  expect(await patch({ ...list, id: side?.id, values: ['left', 'right', 'none'] })).toMatchObject({ status: 200 });

  const valued = { ...tag(3), attributes: [{ spec_id: side?.id, value: 'right' }] };
  const { body } = await annotations('create', [valued]);
  expect(body).toMatchObject({ tags: [{ attributes: [{ value: 'right' }] }] });
  const before = (await work.owner.good<Task>('GET', `/api/tasks/${task.id}`)).updated_date;
  const removed = await patch({ ...list, id: side?.id, deleted: true });
  expect(removed).toMatchObject({ status: 200, body: { attributes: [] } });
  const read = await work.owner.good<{ tags: { frame: number; attributes: object[] }[] }>(
    'GET',
    `/api/jobs/${job.id}/annotations`,
  );
  expect(read.tags.find(({ frame }) => frame === 3)?.attributes).toEqual([]);
  for (const path of [`/api/tasks/${task.id}`, `/api/jobs/${job.id}`]) {
    expect((await work.owner.good<Task>('GET', path)).updated_date > before, path).toBe(true);
  }
});

test('an assignee is dated when it becomes another one, from the beginning', async () => {
  const { id } = await work.owner.good<{ id: number }>('GET', '/api/users/self');
  const made = await work.owner.good<Project>('POST', '/api/projects', { json: { name: 'dated', assignee_id: id } });
  expect(made.assignee_updated_date).not.toBeNull();
  const path = `/api/projects/${made.id}`;
  const same = await work.owner.good<Project>('PATCH', path, { json: { assignee_id: id } });
  expect(same.assignee_updated_date).toBe(made.assignee_updated_date);
  const nobody = await work.owner.good<Job>('PATCH', `/api/jobs/${job.id}`, { json: { assignee: null } });
  expect(nobody.assignee_updated_date).toBeNull();
});

test('a ground truth describes every frame, and gives out its own', async () => {
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
  expect(left.status).toBe(400);
  await work.owner.good('DELETE', `/api/jobs/${truth.id}`);
});

test('a seed chooses the frames that it chooses elsewhere; an overlap counts for both jobs', async () => {
  const made = async (json: object) => {
    const truth = await work.owner.good<Job>('POST', '/api/jobs', {
      json: { type: 'ground_truth', task_id: task.id, ...json },
    });
    const { included_frames: frames } = await work.owner.meta('jobs', truth.id);
    await work.owner.good('DELETE', `/api/jobs/${truth.id}`);
    return frames ?? [];
  };
  // as NumPy's Generator(MT19937(42)).choice(9, 3, replace=False, shuffle=False)
  expect(await made({ frame_selection_method: 'random_uniform', frame_count: 3, random_seed: 42 })).toEqual([3, 5, 7]);
  const perJob = await made({ frame_selection_method: 'random_per_job', frames_per_job_count: 2, random_seed: 1 });
  for (const one of await work.jobsOf(task.id)) {
    const inside = perJob.filter((frame) => frame >= one.start_frame && frame <= one.stop_frame);
    expect(inside.length, `job from ${one.start_frame}`).toBeGreaterThanOrEqual(2);
  }
  expect(perJob.length).toBeLessThanOrEqual(6);
});

test('a token that may only read may export', async () => {
  const token = await work.owner.good<{ value: string }>('POST', '/api/auth/access_tokens', {
    json: { name: 'reads' },
  });
  const reader = createClient(work.owner.baseUrl, `Bearer ${token.value}`);
  const exported = await reader.call('POST', `/api/tasks/${task.id}/dataset/export`, { query: { format: 'COCO 1.0' } });
  expect(exported.status).toBe(202);
  const { rq_id: id } = exported.body as { rq_id: string };
  await work.owner.ended(id);
  const userId = /user_id=(\d+)/.exec(id)?.[1];
  const earlier = `export:task-${task.id}-annotations-in-COCO_1@0-format-by-${userId}`;
  expect(await work.owner.good('GET', `/api/requests/${encodeURIComponent(earlier)}`)).toMatchObject({ id });
  expect((await reader.call('PATCH', `/api/tasks/${task.id}`, { json: { name: 'no' } })).status).toBe(403);
  expect((await reader.call('PATCH', '/api/users/1', { json: { first_name: 'no' } })).status).toBe(403);
});

test('places say what may be asked of them; filters that exclude each other are refused', async () => {
  const options = await work.owner.call('OPTIONS', `/api/tasks/${task.id}`);
  expect(options.status).toBe(200);
  expect(options.headers.get('Allow')).toContain('PATCH');
  const both = await work.owner.call('GET', '/api/labels', { query: { task_id: task.id, job_id: job.id } });
  expect(both.status).toBe(400);
  const foreign = await work.owner.call('PATCH', `/api/tasks/${task.id}`, {
    json: { labels: [{ id: 999_999, name: 'x' }] },
  });
  expect(foreign).toMatchObject({ status: 404, body: { detail: 'Not found label with id #999999 to change' } });
  expect(job).toMatchObject({ bug_tracker: null });
});

test('a point of a skeleton is changed with its skeleton only', async () => {
  const labels = [
    { name: 'figure', type: 'skeleton' as const, sublabels: [{ name: 'head', type: 'points' as const }] },
  ];
  const project = await work.owner.createProject('with a skeleton', labels);
  const [figure] = await work.labelsOf({ project_id: project.id });
  const head = figure?.sublabels[0];
  expect(head && Object.keys(head).sort()).toEqual(['attributes', 'color', 'has_parent', 'id', 'name', 'type']);
  expect((await work.owner.call('PATCH', `/api/labels/${head?.id}`, { json: { name: 'top' } })).status).toBe(400);
});

test('a password that is tried first is refused', async () => {
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
