import { describe, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness, type Caller } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const anna = harness.addUser('anna');
const bob = harness.addUser('bob');
const stranger = harness.addUser('stranger');

const project = await anna.good('createProject', { body: { name: 'harbour', labels: [{ name: 'boat' }] } });
const images = await makeImages(2, { width: 20, height: 20 });
const task = await anna.rest.taskWithImages({ name: 'quay', project_id: project.id }, images);
const [job] = await anna.rest.jobs(task.id);

const of = async (caller: Caller, query: Record<string, string | number>) =>
  (await caller.good('listHistory', { query })).results;

describe('the history', () => {
  test('lists who changed what, with old and new values, newest first', async () => {
    await anna.good('updateTask', { params: { id: task.id }, body: { name: 'pier' } });
    await harness.admin.good('updateJob', {
      params: { id: job!.id },
      body: { assignee: bob.id, state: 'in progress' },
    });
    const [ofJob, ofTask, ...rest] = await of(anna, { task_id: task.id });
    expect(ofJob).toMatchObject({
      username: 'admin',
      user_id: harness.admin.id,
      action: 'update',
      kind: 'job',
      object_id: String(job!.id),
      project_id: project.id,
      task_id: task.id,
      job_id: job!.id,
    });
    expect(ofJob?.changes).toEqual(
      expect.arrayContaining([
        { field: 'assignee', from: null, to: 'bob' },
        { field: 'state', from: 'new', to: 'in progress' },
      ]),
    );
    expect(ofTask).toMatchObject({
      kind: 'task',
      name: 'pier',
      changes: [{ field: 'name', from: 'quay', to: 'pier' }],
    });
    expect(rest.at(-1)).toMatchObject({ action: 'create', kind: 'task', name: 'quay', changes: [] });
    expect(JSON.stringify([ofJob, ofTask, rest])).not.toContain('updated_date');
  });

  test('omits equal values', async () => {
    const before = await of(anna, { task_id: task.id });
    await anna.good('updateTask', { params: { id: task.id }, body: { name: 'pier' } });
    expect(await of(anna, { task_id: task.id })).toEqual(before);
  });

  test('can be filtered by kind, user and name, and continues on the next page', async () => {
    expect((await of(anna, { project_id: project.id, kind: 'project' })).map(({ action }) => action)).toEqual([
      'create',
    ]);
    expect(await of(anna, { project_id: project.id, user_id: bob.id })).toEqual([]);
    expect(await of(anna, { project_id: project.id, search: 'PIER' })).not.toEqual([]);
    const all = await of(anna, { project_id: project.id });
    const first = await anna.good('listHistory', { query: { project_id: project.id, limit: 2 } });
    expect(first).toEqual({ results: all.slice(0, 2), more: true });
    const next = await of(anna, { project_id: project.id, before: first.results[1]!.id });
    expect(next).toEqual(all.slice(2));
  });

  test('remains with the name when its object is deleted', async () => {
    const { id } = await anna.good('createProject', { body: { name: 'to go' } });
    await anna.good('deleteProject', { params: { id } });
    const found = await of(harness.admin, { project_id: id });
    expect(found.map(({ action, name }) => [action, name])).toEqual([
      ['delete', 'to go'],
      ['create', 'to go'],
    ]);
  });

  test('is visible to users who see the work, and completely to administrators', async () => {
    await stranger.refused(403, 'listHistory', { query: { task_id: task.id } });
    await anna.refused(403, 'listHistory', {});
    expect((await of(harness.admin, {})).length).toBeGreaterThan(3);
    expect((await of(bob, { job_id: job!.id })).every((entry) => entry.job_id === job!.id)).toBe(true);
  });
});
