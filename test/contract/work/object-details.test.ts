import { describe, expect, test } from 'vitest';
import type { Label, LabelWrite } from '../../../preload/contract/schema/labels.ts';
import type { Job } from '../../../preload/contract/schema/resources.ts';
import { createClient, type TestClient } from '../../support/client.ts';
import { choiceOf, pictures, useWork } from './work-harness.ts';

/** Details of objects and answers that CVAT's own tests check. */
const work = await useWork();

const idOf = async (client: TestClient) => (await client.good<{ id: number }>('GET', '/api/users/self')).id;

test('returns no parent for a top-level label, and no points for a point of a skeleton', async () => {
  const figure: LabelWrite = { name: 'figure', type: 'skeleton', sublabels: [{ name: 'head', type: 'points' }] };
  const { id } = await work.owner.createProject('labels', [{ name: 'car' }, figure]);
  const labels = await work.labelsOf({ project_id: id });
  expect(labels.map((label) => label.parent_id)).toEqual([null, null]);
  const [head] = labels[1]?.sublabels ?? [];
  expect(Object.keys(head ?? {})).not.toContain('parent_id');
  expect(Object.keys(head ?? {})).not.toContain('sublabels');
});

test("returns the bug tracker of a job's task or project, or null", async () => {
  const trackerOf = async (taskFields: object) => {
    const task = await work.owner.taskWithImages(taskFields, await pictures(1));
    const [job] = await work.jobsOf(task.id);
    const listed = await work.owner.good<Job>('GET', `/api/jobs/${job?.id}`);
    expect(listed.bug_tracker).toBe(job?.bug_tracker);
    return listed.bug_tracker;
  };
  const labels = [{ name: 'car' }];
  const tracked = await work.owner.good<{ id: number }>('POST', '/api/projects', {
    json: { name: 'tracked', labels, bug_tracker: 'https://example.org/project' },
  });
  const plain = await work.owner.createProject('plain', labels);
  expect(await trackerOf({ project_id: tracked.id })).toBe('https://example.org/project');
  expect(await trackerOf({ project_id: tracked.id, bug_tracker: 'https://example.org/task' })).toBe(
    'https://example.org/task',
  );
  expect(await trackerOf({ project_id: plain.id })).toBe('');
  expect(await trackerOf({ labels })).toBeNull();
});

test('omits the data keys for a task without data', async () => {
  const empty = await work.owner.createTask();
  expect(Object.keys(empty)).not.toContain('data_cloud_storage_id');
  const filled = await work.owner.taskWithImages({ labels: [{ name: 'car' }] }, await pictures(1));
  expect(await work.owner.task(filled.id)).toMatchObject({ data_cloud_storage_id: null });
});

describe('an attribute', () => {
  const attributes = [
    choiceOf('side', ['left', 'right']),
    { ...choiceOf('note', ['a']), input_type: 'text' as const },
    { ...choiceOf('seen', ['false']), input_type: 'checkbox' as const },
  ];
  const made = async () => {
    const { id } = await work.owner.createProject('attributes', [{ name: 'car', attributes }]);
    return (await work.labelsOf({ project_id: id }))[0] as Label;
  };
  const patch = ({ id }: Label, attribute: object) =>
    work.owner.call('PATCH', `/api/labels/${id}`, { json: { attributes: [attribute] } });

  test.each([
    ['side', { values: ['right', 'middle', 'left'] }],
    ['note', { values: ['b'], default_value: 'c' }],
    ['seen', { values: ['true'] }],
  ])('%s may change to %j', async (name, change) => {
    const label = await made();
    const found = label.attributes.find((attribute) => attribute.name === name);
    const { status, body } = await patch(label, { ...found, ...change });
    expect(status).toBe(200);
    expect((body as Label).attributes).toContainEqual({ ...found, ...change });
  });

  test('is deleted by its id alone, and an unknown one is not found', async () => {
    const label = await made();
    const [side] = label.attributes;
    expect((await patch(label, { ...side, id: undefined, deleted: true })).status).toBe(400);
    for (const unknown of [
      { ...side, id: 999_999 },
      { ...side, id: 999_999, deleted: true },
    ]) {
      expect(await patch(label, unknown)).toMatchObject({
        status: 404,
        body: { detail: 'Attribute with id #999999 does not exist' },
      });
    }
    expect(await work.owner.good<Label>('GET', `/api/labels/${label.id}`)).toMatchObject({
      attributes: [{ id: side?.id }, {}, {}],
    });
    expect((await patch(label, { ...side, deleted: true })).status).toBe(200);
  });
});

test('only owners, not assignees, can set storages', async () => {
  const assignee = await work.workbench.addUser('storages');
  const assigned = { name: 'stored', assignee_id: await idOf(assignee) };
  for (const kind of ['projects', 'tasks']) {
    const { id } = await work.owner.good<{ id: number }>('POST', `/api/${kind}`, { json: assigned });
    const set = (client: TestClient, json: object) => client.call('PATCH', `/api/${kind}/${id}`, { json });
    const storage = { source_storage: { location: 'local' } };
    expect((await set(assignee, storage)).status, kind).toBe(403);
    expect((await set(assignee, { bug_tracker: 'https://example.org' })).status, kind).toBe(200);
    expect((await set(work.owner, storage)).status, kind).toBe(200);
  }
});

test('lists contain full users only for administrators, even for themselves', async () => {
  const user = await work.workbench.addUser('listed');
  const entry = async (client: TestClient) => {
    const { results } = await client.good<{ results: object[] }>('GET', '/api/users', { query: { search: 'listed' } });
    return Object.keys(results[0] ?? {});
  };
  expect(await entry(user)).not.toContain('email');
  expect(await entry(work.owner)).toContain('email');
  expect(Object.keys(await user.good<object>('GET', '/api/users/self'))).toContain('email');
});

test('signing out with a token leaves no cookie, with a session it invalidates it', async () => {
  const login = async () => {
    const answer = await work.workbench.anonymous.call('POST', '/api/auth/login', {
      json: { username: 'storages', password: 'a password for tests' },
    });
    return { key: (answer.body as { key: string }).key, cookies: answer.headers.getSetCookie() };
  };
  const byToken = await createClient(work.owner.baseUrl, `Token ${(await login()).key}`).call(
    'POST',
    '/api/auth/logout',
  );
  expect(byToken.headers.getSetCookie()).toEqual([]);
  const sent = (await login()).cookies.map((cookie) => cookie.split(';')[0] ?? '');
  const token = sent.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  const bySession = await work.workbench.anonymous.call('POST', '/api/auth/logout', {
    headers: { Cookie: sent.join('; '), 'X-CSRFToken': token },
  });
  expect(bySession.status).toBe(200);
  expect(bySession.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual(['sessionid', 'csrftoken']);
});

test('names a missing access token in the error', async () => {
  expect(await work.owner.call('GET', '/api/auth/access_tokens/999999')).toMatchObject({
    status: 404,
    body: { detail: 'No AccessToken matches the given query.' },
  });
});

test('does not find a task or job below another project or task', async () => {
  const project = await work.owner.createProject('above', [{ name: 'car' }]);
  const inside = await work.owner.taskWithImages({ project_id: project.id }, await pictures(1));
  const alone = await work.owner.taskWithImages({ labels: [{ name: 'car' }] }, await pictures(1));
  const [job] = await work.jobsOf(inside.id);
  const status = async (path: string) => (await work.owner.call('GET', `/api/${path}`)).status;
  for (const name of ['project', 'project_id']) {
    expect(await status(`tasks/${inside.id}?${name}=${project.id}`)).toBe(200);
    expect(await status(`tasks/${alone.id}?${name}=${project.id}`)).toBe(404);
    expect(await status(`jobs/${job?.id}?${name}=${project.id}&task=${inside.id}`)).toBe(200);
    expect(await status(`jobs/${job?.id}?${name}=${project.id}&task=${alone.id}`)).toBe(404);
  }
});

test.each([
  ['application/json', 'application/json'],
  ['application/json, text/plain', 'application/json'],
  ['application/json, */*', 'application/vnd.cvat+json'],
  ['application/vnd.cvat+json, application/json', 'application/vnd.cvat+json'],
  ['*/*', 'application/vnd.cvat+json'],
])('answers %s with %s, for errors, too', async (accept, type) => {
  for (const path of ['/api/users/self', '/api/tasks/999999', '/api/server/about']) {
    const { headers } = await work.owner.call('GET', path, { headers: { Accept: accept } });
    expect(headers.get('Content-Type'), path).toBe(type);
  }
});

test('serves the API description as YAML on request', async () => {
  const yaml = await work.owner.call('GET', '/api/schema/', { query: { scheme: 'yaml' } });
  expect(yaml.headers.get('Content-Type')).toBe('application/vnd.oai.openapi');
  expect(String(yaml.body)).toMatch(/^openapi: /);
  const json = await work.owner.call('GET', '/api/schema/', { query: { scheme: 'json' } });
  expect(json.body).toMatchObject({ openapi: expect.any(String) });
});
