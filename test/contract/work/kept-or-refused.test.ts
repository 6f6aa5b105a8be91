import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness } from '../people/people-harness.ts';

const harness = await usePeopleHarness();
const caller = harness.addUser('somebody');
const project = await caller.good('createProject', { body: { name: 'a project', labels: [{ name: 'thing' }] } });
const images = await makeImages(4, { width: 8, height: 8 });
const task = await caller.rest.taskWithImages({ project_id: project.id, segment_size: 2 }, images);
const other = await caller.rest.taskWithImages({ labels: [{ name: 'thing' }] }, images.slice(0, 1));

const local = { location: 'local' as const };
const storage = { id: expect.any(Number), location: 'local', cloud_storage_id: null };

describe('storages', () => {
  test('of a project are stored, returned with an id, and deleted with it', async () => {
    const body = { name: 'stored', target_storage: local, source_storage: { ...local, cloud_storage_id: null } };
    const created = await caller.good('createProject', { body });
    expect(created).toMatchObject({ target_storage: storage, source_storage: storage });
    expect(created.target_storage?.id).not.toBe(created.source_storage?.id);
    const params = { id: created.id };
    expect(await caller.good('getProject', { params })).toEqual(created);
    const patched = await caller.good('updateProject', { params, body: { target_storage: null } });
    expect(patched.target_storage, 'null names nothing').toEqual(created.target_storage);
    const plain = await caller.good('createProject', { body: { name: 'plain', target_storage: null } });
    expect(plain).toMatchObject({ target_storage: null, source_storage: null });
    await caller.good('deleteProject', { params });
    expect(harness.database.query('SELECT count(*) FROM storage').pluck().get()).toBe(0);
  });

  test('of a task are stored, and its jobs return them', async () => {
    const params = { id: task.id };
    const patched = await caller.good('updateTask', { params, body: { source_storage: local } });
    expect(patched).toMatchObject({ target_storage: null, source_storage: storage });
    const again = await caller.good('updateTask', { params, body: { source_storage: local } });
    expect(again.source_storage).toEqual(patched.source_storage);
    const [job] = await caller.rest.jobs(task.id);
    expect(job).toMatchObject({ target_storage: null, source_storage: patched.source_storage });
    const created = await caller.good('createTask', { body: { name: 'stored', target_storage: local } });
    expect(created).toMatchObject({ target_storage: storage, source_storage: null });
  });

  test('are restored from a backup', async () => {
    const named = await caller.good('createProject', { body: { name: 'kept', target_storage: local } });
    await caller.good('createTask', { body: { name: 'inside', project_id: named.id, source_storage: local } });
    const { rq_id: id } = await caller.good('exportProjectBackup', { params: { id: named.id } });
    const { result_url: url } = await caller.rest.finished(id);
    const file = join(harness.folder, 'backup.zip');
    await caller.rest.download(url ?? '', file);
    const form = new FormData();
    form.set('project_file', new Blob([readFileSync(file)]), 'backup.zip');
    const started = await caller.rest.good<{ rq_id: string }>('POST', '/api/projects/backup/', { body: form });
    const { result_id: restored } = await caller.rest.finished(started.rq_id);
    expect(await caller.good('getProject', { params: { id: restored ?? 0 } })).toMatchObject({
      name: 'kept',
      target_storage: storage,
      source_storage: null,
    });
    const { results } = await caller.good('listTasks', { query: { project: String(restored) } });
    expect(results).toMatchObject([{ name: 'inside', target_storage: null, source_storage: storage }]);
  });
});

describe('refuses unsupported features with a sentence, and changes nothing', () => {
  const cloud = { location: 'cloud_storage' as const, cloud_storage_id: 5 };
  const noStorage = /no cloud storage|not in a cloud storage/;
  const sentence = (answer: unknown, pattern: RegExp) => expect(JSON.stringify(answer)).toMatch(pattern);

  test.each(['target_storage', 'source_storage'])('refuses an unknown cloud storage as %s', async (role) => {
    for (const wrong of [cloud, { location: 'cloud_storage' }, { location: 'local', cloud_storage_id: 5 }]) {
      const raw = { name: 'never', [role]: wrong };
      sentence(await caller.refused(400, 'createProject', { raw }), noStorage);
      sentence(await caller.refused(400, 'createTask', { raw }), noStorage);
      sentence(await caller.refused(400, 'updateTask', { params: { id: task.id }, raw }), noStorage);
      sentence(await caller.refused(400, 'updateProject', { params: { id: project.id }, raw }), noStorage);
    }
    expect((await caller.good('listTasks', { query: { name: 'never' } })).count).toBe(0);
    expect((await caller.good('listProjects', { query: { name: 'never' } })).count).toBe(0);
  });

  test.each(['location=cloud_storage', 'cloud_storage_id=5'])('refuses a remote location: %s', async (place) => {
    const elsewhere = Object.fromEntries(new URLSearchParams(place)) as { location?: 'cloud_storage' };
    const query = { format: 'COCO 1.0', ...elsewhere };
    const params = { id: task.id };
    const ofProject = { params: { id: project.id }, query };
    const [job] = await caller.rest.jobs(task.id);
    sentence(await caller.refused(400, 'exportTaskDataset', { params, query }), noStorage);
    sentence(await caller.refused(400, 'exportProjectDataset', ofProject), noStorage);
    sentence(await caller.refused(400, 'exportJobDataset', { params: { id: job?.id ?? 0 }, query }), noStorage);
    sentence(await caller.refused(400, 'exportTaskBackup', { params, query: elsewhere }), noStorage);
    const backup = { params: { id: project.id }, query: elsewhere };
    sentence(await caller.refused(400, 'exportProjectBackup', backup), noStorage);
    const uploads = [
      `/api/tasks/${task.id}/annotations/`,
      `/api/jobs/${job?.id}/annotations/`,
      `/api/projects/${project.id}/dataset/`,
      '/api/projects/backup/',
      '/api/tasks/backup/',
    ];
    for (const path of uploads) {
      const { status, body } = await caller.rest.call('POST', path, { query, headers: { 'Upload-Start': '' } });
      expect(status, path).toBe(400);
      sentence(body, noStorage);
    }
  });

  test('refuses remote data', async () => {
    const { id } = await caller.good('createTask', { body: { name: 'empty' } });
    const wrong: [object, RegExp][] = [
      [{ cloud_storage_id: 5 }, noStorage],
      [{ storage: 'cloud_storage' }, /cloud_storage_id/],
      [{ remote_files: ['http://example.org/a.png'] }, /works offline/],
      [{ filename_pattern: '*.png' }, /pattern/],
    ];
    for (const [json, pattern] of wrong) {
      const { status, body } = await caller.rest.call('POST', `/api/tasks/${id}/data/`, {
        json: { image_quality: 70, ...json },
      });
      expect(status, JSON.stringify(json)).toBe(400);
      sentence(body, pattern);
    }
    expect((await caller.good('getTask', { params: { id } })).data).toBeNull();
    const meta = { params: { id: task.id }, body: { cloud_storage_id: 5 } };
    sentence(await caller.refused(400, 'updateTaskMeta', meta), noStorage);
  });

  test('refuses another overlap of an existing task', async () => {
    const params = { id: task.id };
    sentence(await caller.refused(400, 'updateTask', { params, body: { overlap: 1 } }), /overlap of jobs: it is set/);
    await caller.good('updateTask', { params, body: { overlap: task.overlap } });
  });
});

describe('related objects can be filtered by their plain name', () => {
  const ids = (page: { readonly results: readonly { readonly id: unknown }[] }) => page.results.map(({ id }) => id);

  test('filters jobs, tasks, issues, comments and labels', async () => {
    const jobs = await caller.rest.jobs(task.id);
    expect(ids(await caller.good('listJobs', { query: { task: String(task.id), sort: 'id' } }))).toEqual(
      jobs.map(({ id }) => id),
    );
    expect((await caller.good('listJobs', { query: { project: String(project.id) } })).count).toBe(jobs.length);
    expect(ids(await caller.good('listTasks', { query: { project: String(project.id) } }))).toEqual([task.id]);
    const job = jobs[0]?.id ?? 0;
    const issue = await caller.good('createIssue', { body: { job, frame: 0, position: [1, 1], message: 'here' } });
    for (const query of [{ job: String(job) }, { task: String(task.id) }]) {
      expect(ids(await caller.good('listIssues', { query }))).toEqual([issue.id]);
    }
    expect((await caller.good('listIssues', { query: { task: String(other.id) } })).count).toBe(0);
    for (const query of [{ job: String(job) }, { issue: String(issue.id) }]) {
      expect((await caller.good('listComments', { query })).count).toBe(1);
    }
    for (const query of [{ job: String(job) }, { task: String(task.id) }, { project: String(project.id) }]) {
      expect((await caller.good('listLabels', { query })).results.map(({ name }) => name)).toEqual(['thing']);
    }
    const requests = await caller.good('listRequests', { query: { task: String(other.id) } });
    expect(requests.results.map(({ operation }) => operation.task_id)).toEqual([other.id]);
  });

  test('filters objects of an organization', async () => {
    const { id } = await caller.good('createOrganization', { body: { slug: 'one' } });
    const query = { organization: String(id) };
    const headers = { 'X-Organization': 'one' };
    await caller.good('createProject', { headers, body: { name: 'inside' } });
    await caller.good('createTask', { headers, body: { name: 'inside' } });
    expect((await caller.good('listProjects', { query })).results.map(({ name }) => name)).toEqual(['inside']);
    expect((await caller.good('listTasks', { query })).results.map(({ name }) => name)).toEqual(['inside']);
    expect((await caller.good('listJobs', { query })).count).toBe(0);
    expect((await caller.good('listMemberships', { query })).count).toBe(1);
    expect((await caller.good('listInvitations', { query })).count).toBe(0);
    expect((await caller.good('listWebhooks', { query })).count).toBe(0);
  });

  test('accepts both names if they agree', async () => {
    const [one, two] = [String(task.id), String(other.id)];
    expect((await caller.good('listJobs', { query: { task: one, task_id: one } })).count).toBe(2);
    await caller.refused(400, 'listJobs', { query: { task: one, task_id: two } });
    await caller.refused(400, 'listJobs', { query: { task: 'nonsense' } });
  });

  test('accepts jobs below their task, in the older form', async () => {
    const params = { id: task.id };
    const query = { sort: 'id' };
    const page = await caller.good('listTaskJobs', { params, query });
    expect(page).toEqual(await caller.good('listJobs', { query: { task_id: String(task.id), sort: 'id' } }));
    const first = await caller.good('listTaskJobs', { params, query: { page_size: '1', sort: 'id' } });
    expect(first.next).toBe(`${harness.url}/api/tasks/${task.id}/jobs?page_size=1&sort=id&page=2`);
    await caller.refused(404, 'listTaskJobs', { params: { id: 1_000_000 } });
    await harness.addUser('a-stranger').refused(403, 'listTaskJobs', { params });
  });
});
