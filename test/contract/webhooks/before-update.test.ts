import { describe, expect, test } from 'vitest';
import { createClient } from '../../support/client.ts';
import { imageForm, makeImages } from '../../support/images.ts';
import { addProjectWebhook, useWorld, everythingFor, organizationWebhook } from './webhook-world.ts';

interface Payload extends Readonly<Record<string, unknown>> {
  readonly event: string;
  readonly before_update?: Readonly<Record<string, unknown>>;
  readonly changes?: Readonly<Record<string, unknown>>;
}

const world = await useWorld();
const caller = world.loner;
const project = await caller.good('createProject', { body: { name: 'a project', labels: [{ name: 'thing' }] } });
await addProjectWebhook(caller, project, { events: everythingFor('project') });
const organization = await caller.good('createOrganization', { body: { slug: 'loners' } });
await caller.good('createWebhook', {
  query: { org: 'loners' },
  body: organizationWebhook({ events: everythingFor('organization') }),
});
const images = await makeImages(4, { width: 8, height: 8 });
const task = await caller.rest.taskWithImages({ project_id: project.id, segment_size: 2 }, images);
const jobId = (await caller.rest.jobs(task.id))[0]!.id;
heard();

/** Payloads in the outbox since the last call. Nothing is sent. */
function heard(): Payload[] {
  const { database } = world.harness;
  const bodies = database
    .query("SELECT body FROM webhook_message JOIN webhook_payload USING (id) WHERE state = 'waiting' ORDER BY id")
    .pluck()
    .all() as string[];
  database.exec("UPDATE webhook_message SET state = 'skipped'");
  return bodies.map((body) => JSON.parse(body) as Payload);
}

/** Keys that differ between two answers, with their old values. Payloads contain `labels` in full. */
function difference(before: object, after: object): Record<string, unknown> {
  const now = new Map<string, unknown>(Object.entries(after));
  const changed = Object.entries(before).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(now.get(key)),
  );
  return Object.fromEntries(changed.filter(([key]) => key !== 'labels'));
}

/** Returns the update event of a change; checks its `before_update` against the earlier answer of the API. */
async function updated(resource: string, read: () => Promise<object>, change: () => Promise<unknown>) {
  const before = await read();
  heard();
  await change();
  const payload = heard().findLast(({ event }) => event === `update:${resource}`);
  const old = payload?.before_update ?? {};
  expect(old).toMatchObject(difference(before, payload?.[resource] as object));
  const known = new Set([...Object.keys(payload?.[resource] ?? {}), ...Object.keys(payload?.changes ?? {})]);
  expect(Object.keys(old).filter((key) => !known.has(key))).toEqual([]);
  for (const [key, value] of Object.entries(before)) if (key in old) expect(old[key], key).toEqual(value);
  return old;
}
const user = (id: number) => expect.objectContaining({ id, url: `${world.harness.url}/api/users/${id}` });

describe("before_update contains the old values of the resource's keys and of columns", () => {
  const readProject = () => caller.good('getProject', { params: { id: project.id } });
  const readTask = () => caller.good('getTask', { params: { id: task.id } });
  const readJob = () => caller.good('getJob', { params: { id: jobId } });

  test('contains the old values of a project', async () => {
    const patch = (body: object) => () => caller.good('updateProject', { params: { id: project.id }, body });
    expect(await updated('project', readProject, patch({ assignee_id: caller.id }))).toMatchObject({
      assignee: null,
      assignee_id: null,
    });
    expect(await updated('project', readProject, patch({ assignee_id: null, name: 'another' }))).toMatchObject({
      name: 'a project',
      assignee: user(caller.id),
      assignee_id: caller.id,
    });
  });

  test('contains the old values of a task', async () => {
    const patch = (body: object) => () => caller.good('updateTask', { params: { id: task.id }, body });
    expect(await updated('task', readTask, patch({ assignee_id: caller.id }))).toMatchObject({
      assignee: null,
      assignee_id: null,
    });
    const giveAway = () =>
      world.admin.good('updateTask', {
        params: { id: task.id },
        body: { owner_id: world.admin.id, assignee_id: null },
      });
    expect(await updated('task', readTask, giveAway)).toMatchObject({
      owner: user(caller.id),
      owner_id: caller.id,
      assignee: user(caller.id),
    });
    const finish = () =>
      caller.good('updateJob', { params: { id: jobId }, body: { stage: 'acceptance', state: 'completed' } });
    const other = (await caller.rest.jobs(task.id))[1]!.id;
    await caller.good('updateJob', { params: { id: other }, body: { stage: 'acceptance', state: 'completed' } });
    expect(await updated('task', readTask, finish)).toMatchObject({
      status: 'annotation',
      jobs: expect.objectContaining({ completed: 1 }),
    });
  });

  test('contains the old values of a task that gets its data', async () => {
    const { id } = await caller.good('createTask', { body: { name: 'empty', project_id: project.id } });
    const created = heard().find(({ event }) => event === 'create:task');
    const types = { data_compressed_chunk_type: 'imageset', data_original_chunk_type: 'imageset' };
    const members = {
      data_chunk_size: null,
      size: 0,
      image_quality: 0,
      data: null,
      mode: '',
      segments: [],
    };
    expect(created?.['task']).toMatchObject({ ...members, ...types });
    const read = () => caller.good('getTask', { params: { id } });
    const images = await makeImages(2, { width: 8, height: 8 });
    const upload = async () => caller.rest.finished(await caller.rest.uploadImages(id, images));
    const old = await updated('task', read, upload);
    expect(old).toMatchObject({ ...members, data_id: null });
  });

  test('contains the old labels of a task whose labels change', async () => {
    const headers = { 'X-Organization': 'loners' };
    const body = { name: 'labelled', labels: [{ name: 'old', color: '#102030' }] };
    const { id } = await caller.good('createTask', { headers, body });
    heard();
    await caller.good('updateTask', { params: { id }, body: { labels: [{ name: 'new' }] } });
    const payload = heard().find(({ event }) => event === 'update:task');
    expect(payload?.['task']).toMatchObject({ labels: [{ name: 'old' }, { name: 'new' }] });
    expect(payload?.before_update).toMatchObject({ labels: [{ name: 'old', color: '#102030' }] });
    await caller.good('updateTask', { params: { id }, body: { name: 'renamed' } });
    expect(Object.keys(heard()[0]?.before_update ?? {})).not.toContain('labels');
  });

  test('contains the old values of a job', async () => {
    const patch = (body: object) => () => caller.good('updateJob', { params: { id: jobId }, body });
    expect(await updated('job', readJob, patch({ assignee: caller.id }))).toMatchObject({
      assignee: null,
      assignee_id: null,
    });
    expect(await updated('job', readJob, patch({ assignee: null, state: 'rejected' }))).toMatchObject({
      assignee: user(caller.id),
      assignee_id: caller.id,
      state: 'completed',
    });
  });

  test('contains the old values of an issue and a comment', async () => {
    const body = { job: jobId, frame: 0, position: [1, 2, 3, 4], message: 'look here' };
    const { id } = await caller.good('createIssue', { body });
    const readIssue = () => caller.good('getIssue', { params: { id } });
    const patch = (change: object) => () => caller.good('updateIssue', { params: { id }, body: change });
    expect(await updated('issue', readIssue, patch({ assignee: caller.id, resolved: true }))).toMatchObject({
      assignee: null,
      assignee_id: null,
      resolved: false,
    });
    expect(await updated('issue', readIssue, patch({ assignee: null, position: [5, 6, 7, 8] }))).toMatchObject({
      assignee: user(caller.id),
      assignee_id: caller.id,
      position: [1, 2, 3, 4],
    });
    const ofComments = () => heard().filter(({ event }) => event.endsWith(':comment'));
    ofComments();
    const comment = await caller.good('createComment', { body: { issue: id, message: 'first' } });
    expect(ofComments()).toMatchObject([{ event: 'create:comment', comment }]);
    const params = { id: comment.id };
    const old = await updated(
      'comment',
      () => caller.good('getComment', { params }),
      () => caller.good('updateComment', { params, body: { message: 'second' } }),
    );
    expect(old).toMatchObject({ message: 'first', updated_date: comment.updated_date });
    await caller.good('deleteComment', { params });
    expect(ofComments()).toMatchObject([{ event: 'delete:comment', comment: { id: comment.id, message: 'second' } }]);
  });

  test('contains the old values of an organization and a membership', async () => {
    const params = { id: organization.id };
    const readOrganization = () => caller.good('getOrganization', { params });
    const rename = () =>
      caller.good('updateOrganization', { params, body: { name: 'Loners', contact: { email: 'a@example.org' } } });
    expect(await updated('organization', readOrganization, rename)).toMatchObject({ name: 'loners', contact: {} });
    const body = { role: 'worker' as const, email: world.stranger.username };
    await caller.good('createInvitation', { query: { org: 'loners' }, body });
    const query = { org: 'loners', user: world.stranger.username };
    const membership = (await caller.good('listMemberships', { query })).results[0]!;
    const ofMember = { id: membership.id };
    const old = await updated(
      'membership',
      () => caller.good('getMembership', { params: ofMember }),
      () => caller.good('updateMembership', { params: ofMember, body: { role: 'supervisor' } }),
    );
    expect(old).toEqual({ role: 'worker' });
  });

  test('names all of them in the log of deliveries', async () => {
    await caller.good('updateProject', { params: { id: project.id }, body: { assignee_id: caller.id } });
    const changed = world.harness.database
      .query("SELECT changed_fields FROM webhook_message WHERE event = 'update:project' ORDER BY id DESC")
      .pluck()
      .get();
    expect(String(changed).split(',')).toEqual(
      expect.arrayContaining(['assignee', 'assignee_id', 'assignee_updated_date', 'updated_date']),
    );
  });
});

test('webhooks of both projects receive the update of a task that moves between them', async () => {
  const make = async (name: string) => {
    const made = await caller.good('createProject', { body: { name, labels: [{ name: 'thing' }] } });
    await addProjectWebhook(caller, made, { events: everythingFor('project') });
    return made.id;
  };
  const [from, to] = [await make('from'), await make('to')];
  const { id } = await caller.good('createTask', { body: { name: 'moving', project_id: from } });
  const move = async (project_id: number | null) => {
    heard();
    await caller.good('updateTask', { params: { id }, body: { project_id } });
    return heard().filter(({ event }) => event === 'update:task');
  };
  const told = await move(to);
  expect(told).toMatchObject([
    { before_update: { project_id: from }, task: { id, project_id: to } },
    { before_update: { project_id: from }, task: { id, project_id: to } },
  ]);
  expect(new Set(told.map((payload) => payload['webhook_id'])).size).toBe(2);
  expect(await move(null)).toMatchObject([{ before_update: { project_id: to }, task: { id, project_id: null } }]);
});

test('payloads of background work use the address of the request that started it', async () => {
  const origin = world.harness.url.replace('127.0.0.1', 'localhost');
  const { username } = world.admin;
  const json = { username, password: world.harness.password };
  const { key } = await world.harness.visitor.good<{ key: string }>('POST', '/api/auth/login', { json });
  const client = createClient(origin, `Token ${key}`);
  heard();
  const { id } = await client.taskWithImages({ project_id: project.id }, await makeImages(2, { width: 8, height: 8 }));
  const { rq_id: exportId } = await client.good<{ rq_id: string }>('POST', `/api/tasks/${id}/dataset/export`, {
    query: { format: 'COCO 1.0' },
  });
  await client.finished(exportId);
  const payloads = heard();
  expect(payloads.map(({ event }) => event)).toEqual(
    expect.arrayContaining(['update:task', 'create:job', 'completed:request[create:task]']),
  );
  expect(JSON.stringify(payloads)).not.toContain(world.harness.url);
  const exported = payloads.find(({ event }) => event === 'completed:request[export:annotations]');
  expect(exported?.['request']).toMatchObject({
    result_url: expect.stringContaining(`${origin}/api/tasks/${id}/`),
  });
});

test('reports the new size of a task and its new jobs when images are added', async () => {
  const grown = await caller.rest.taskWithImages({ project_id: project.id, segment_size: 2 }, images.slice(0, 3));
  heard();
  const more = (await makeImages(5, { width: 8, height: 8 })).map((image) => ({
    ...image,
    name: `more-${image.name}`,
  }));
  const path = `/api/limner/tasks/${grown.id}/images/`;
  const { rq_id: id } = await caller.rest.good<{ rq_id: string }>('POST', path, { body: imageForm(more) });
  await caller.rest.finished(id);
  const events = heard();
  const updates = events.filter(({ event }) => event === 'update:task');
  expect(updates).toMatchObject([{ task: { id: grown.id, size: 8 }, before_update: { size: 3 } }]);
  const ranges = events
    .filter(({ event }) => event === 'create:job')
    .map(({ job }) => job as { start_frame: number; stop_frame: number })
    .map(({ start_frame: start, stop_frame: stop }) => [start, stop]);
  expect(ranges).toEqual([
    [4, 5],
    [6, 7],
  ]);
});
