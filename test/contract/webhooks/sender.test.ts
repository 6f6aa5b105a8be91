import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Organization } from '../../../preload/contract/schema/people.ts';
import type { Job, Project, Task } from '../../../preload/contract/schema/resources.ts';
import type { Webhook, WebhookDelivery } from '../../../preload/contract/schema/webhooks.ts';
import { makeImages } from '../../support/images.ts';
import { startFaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';
import { addProjectWebhook, createWorld, organizationWebhook, type Caller } from './webhook-world.ts';

const world = await createWorld();
world.harness.core.webhooks.start();
const echo = await startFaultReceiver();
echo.behave(({ body }) => ({ kind: 'answer', status: 200, body }));
afterAll(async () => {
  await world.stop();
  await echo.stop();
});

/** Returns the deliveries of a webhook, newest first. Waits until there are `count` and none is pending. */
async function deliveries({ id }: Webhook, count: number): Promise<WebhookDelivery[]> {
  for (;;) {
    const page = await world.admin.good('listWebhookDeliveries', { params: { id } });
    if (page.count >= count) {
      // An event is in the queue as soon as its change is answered, and each is delivered by the first attempt.
      expect((await world.admin.good('listWebhookQueue', { params: { id } })).count).toBe(count);
      expect(page.results.map(({ event }) => event)).toHaveLength(count);
      return page.results;
    }
    await sleep(10);
  }
}

const payloadOf = (delivery: WebhookDelivery | undefined) =>
  JSON.parse(delivery?.response ?? 'null') as Record<string, never> & {
    readonly before_update: Record<string, unknown>;
    readonly changes: Record<string, { from: unknown; to: unknown }>;
    readonly sender: { readonly username: string };
  };
async function onlyPayload(webhook: Webhook) {
  const [delivery] = await deliveries(webhook, 1);
  return payloadOf(delivery);
}
const without = (object: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));

const toEcho = (...events: string[]) => ({ target_url: echo.url, events });
const projectHook = (caller: Caller, project: Project, ...events: string[]) =>
  addProjectWebhook(caller, project, toEcho(...events));

const newProject = (): Promise<Project> =>
  world.loner.good('createProject', { body: { name: 'a project', labels: [{ name: 'thing' }] } });

async function taskWithJobs(project: Project): Promise<{ task: Task; job: Job }> {
  const task = await world.loner.rest.taskWithImages(
    { project_id: project.id, segment_size: 2 },
    await makeImages(4, { width: 16, height: 16 }),
  );
  const [job] = await world.loner.rest.jobs(task.id);
  return { task, job: job! };
}

test('contains tasks with their labels and segments in full, like the specification', async () => {
  const project = await newProject();
  const webhook = await projectHook(world.loner, project, 'update:task');
  const { task, job } = await taskWithJobs(project);
  const payload = payloadOf((await deliveries(webhook, 1))[0]);
  expect(payload.changes['data_id']).toMatchObject({ from: null, to: task.data });
  expect(payload['task']).toMatchObject({
    size: 4,
    labels: [{ name: 'thing', type: 'any', attributes: [], sublabels: [], has_parent: false }],
    segments: [
      {
        start_frame: 0,
        stop_frame: 1,
        jobs: [
          {
            url: `${world.harness.url}/api/jobs/${job.id}`,
            id: job.id,
            assignee: null,
            status: 'annotation',
            stage: 'annotation',
            state: 'new',
          },
        ],
      },
      { start_frame: 2, stop_frame: 3 },
    ],
  });
});

describe('issues and comments', () => {
  let project: Project;
  let job: Job;
  beforeAll(async () => {
    project = await newProject();
    ({ job } = await taskWithJobs(project));
  });
  test("sends an issue's creation with its first comment, and its deletion with all of them", async () => {
    const events = ['create:issue', 'create:comment', 'delete:issue', 'delete:comment'];
    const webhook = await projectHook(world.loner, project, ...events);
    const body = { job: job.id, frame: 0, position: [1, 2, 3, 4], message: 'look here' };
    const issue = await world.loner.good('createIssue', { body });
    await world.loner.good('deleteIssue', { params: { id: issue.id } });
    const log = (await deliveries(webhook, 4)).map(payloadOf).toReversed();
    expect(log.map((payload) => payload['event'])).toEqual([
      'create:issue',
      'create:comment',
      'delete:comment',
      'delete:issue',
    ]);
    expect(without(log[0]!['issue']!, 'comments', 'updated_date')).toEqual(without(issue, 'comments', 'updated_date'));
    expect(without(log[3]!['issue']!, 'comments', 'updated_date')).toEqual(without(issue, 'comments', 'updated_date'));
    for (const payload of log.slice(1, 3)) expect(payload['comment']).toMatchObject({ message: 'look here' });
    await world.loner.good('deleteWebhook', { params: { id: webhook.id } });
  });
});

describe('an organization and its members', () => {
  let own: Organization;
  let boss: Caller;
  beforeAll(async () => {
    boss = world.harness.addUser('the-boss');
    own = await boss.good('createOrganization', { body: { slug: 'bosses' } });
  });
  const hook = (...events: string[]) =>
    boss.good('createWebhook', { query: { org: own.slug }, body: organizationWebhook(toEcho(...events)) });

  test("sends a member's invitation, change of role, and removal", async () => {
    const webhook = await hook(
      'create:membership',
      'update:membership',
      'delete:membership',
      'create:invitation',
      'delete:invitation',
    );
    const member = world.harness.addUser('a-new-member');
    await boss.good('createInvitation', { query: { org: own.slug }, body: { role: 'worker', email: member.username } });
    const { results } = await boss.good('listMemberships', { query: { org: own.slug, user: member.username } });
    const params = { id: results[0]?.id ?? 0 };
    const membership = await boss.good('updateMembership', { params, body: { role: 'supervisor' } });
    await boss.good('deleteMembership', { params });
    const log = (await deliveries(webhook, 5)).map(payloadOf).toReversed();
    expect(log.map((payload) => payload['event'])).toEqual([
      'create:membership',
      'create:invitation',
      'update:membership',
      'delete:invitation',
      'delete:membership',
    ]);
    expect(log[2]).toMatchObject({ before_update: { role: 'worker' }, changes: { role: { to: 'supervisor' } } });
    expect(without(log[4]!['membership']!, 'invitation')).toEqual(without(membership, 'invitation'));
  });

  test('sends an invited user who registers as an active member', async () => {
    const webhook = await hook('update:membership');
    const query = { org: own.slug };
    const body = { role: 'worker' as const, email: 'somebody@example.org' };
    const { key } = await boss.good('createInvitation', { query, body });
    const { password } = world.harness;
    await world.harness.anonymous.good('register', {
      body: {
        username: 'somebody-new',
        email: 'somebody@example.org',
        password1: password,
        password2: password,
        invitation: key,
      },
    });
    const payload = await onlyPayload(webhook);
    expect(payload.changes['is_active']).toEqual({ from: false, to: true });
    expect(payload.sender.username).toBe('somebody-new');
  });
});

describe('pings and the log', () => {
  let webhook: Webhook;
  beforeAll(async () => {
    webhook = await projectHook(world.loner, world.sandboxProject, 'update:project');
  });
  const params = () => ({ id: webhook.id });

  test('returns the result of a ping', async () => {
    const ping = await world.loner.good('pingWebhook', { params: params() });
    expect(ping).toMatchObject({ event: 'ping', status_code: 200, attempt: 1, redelivery: false });
    const payload = await onlyPayload(webhook);
    expect(payload).toMatchObject({ event: 'ping', sender: { username: 'the-loner' } });
    expect(payload['webhook']).toEqual(webhook);
    const after = await world.loner.good('getWebhook', { params: params() });
    expect(after).toMatchObject({ last_status: 200, last_delivery_date: ping.updated_date });
  });

  test('can ping an inactive webhook', async () => {
    await world.loner.good('updateWebhook', { params: params(), body: { is_active: false } });
    expect(await world.loner.good('pingWebhook', { params: params() })).toMatchObject({ status_code: 200 });
    await world.loner.good('updateWebhook', { params: params(), body: { is_active: true } });
  });

  test("shows the log and allows pings to a project's owner, not to a stranger", async () => {
    const made = await addProjectWebhook(world.admin, world.sandboxProject, toEcho('update:project'));
    const delivery = await world.loner.good('pingWebhook', { params: { id: made.id } });
    expect((await world.loner.good('listWebhookDeliveries', { params: { id: made.id } })).count).toBe(1);
    const one = { id: made.id, delivery_id: delivery.id };
    expect(await world.loner.good('getWebhookDelivery', { params: one })).toEqual(delivery);
    await world.stranger.refused(403, 'listWebhookDeliveries', { params: { id: made.id } });
    await world.stranger.refused(403, 'getWebhookDelivery', { params: one });
    await world.stranger.refused(403, 'pingWebhook', { params: { id: made.id } });
    await world.stranger.refused(403, 'redeliverWebhookDelivery', { params: one });
  });

  test('answers 404 to an unknown delivery and to one of another webhook', async () => {
    const other = await addProjectWebhook(world.admin, world.sandboxProject, toEcho());
    const { id: foreign } = await world.admin.good('pingWebhook', { params: { id: other.id } });
    for (const deliveryId of [424242, foreign]) {
      const one = { ...params(), delivery_id: deliveryId };
      await world.loner.refused(404, 'getWebhookDelivery', { params: one });
      await world.loner.refused(404, 'redeliverWebhookDelivery', { params: one });
    }
  });

  test('sends the same payload again on redelivery', async () => {
    const project = await newProject();
    const made = await projectHook(world.loner, project, 'update:project');
    await world.loner.good('updateProject', { params: { id: project.id }, body: { name: 'sent twice' } });
    const [first] = await deliveries(made, 1);
    const one = { id: made.id, delivery_id: first?.id ?? 0 };
    expect(await world.loner.good('redeliverWebhookDelivery', { params: one })).toEqual({});
    const [second] = await deliveries(made, 2);
    expect(second).toMatchObject({ redelivery: true, attempt: 1, event: 'update:project', status_code: 200 });
    expect(second?.response).toBe(first?.response);
    expect(second?.request).toEqual(first?.request);
    expect(first?.redelivery).toBe(false);
    const sent = echo.requests.filter(({ payload }) => payload?.['webhook_id'] === made.id);
    expect(new Set(sent.map(({ headers: sentHeaders }) => sentHeaders['webhook-id'])).size).toBe(1);
  });
});

describe('background requests that end', () => {
  let project: Project;
  let task: Task;
  beforeAll(async () => {
    project = await newProject();
    ({ task } = await taskWithJobs(project));
  });

  test.each([
    ['annotations', () => world.loner.rest.startExport('tasks', task.id, 'COCO 1.0')],
    ['dataset', () => world.loner.rest.startExport('tasks', task.id, 'COCO 1.0', true)],
    ['backup', () => world.loner.good('exportTaskBackup', { params: { id: task.id } }).then((body) => body.rq_id)],
  ])("an export of a task's %s", async (what, start) => {
    const event = `completed:request[export:${what}]`;
    const webhook = await projectHook(world.loner, project, event);
    const id = await start();
    const ended = await world.loner.rest.finished(id);
    const payload = await onlyPayload(webhook);
    expect(payload).toMatchObject({
      event,
      request: {
        id,
        status: 'finished',
        message: '',
        operation: { target: 'task', task_id: task.id, type: `export:${what}` },
        result_id: null,
      },
      webhook_id: webhook.id,
    });
    expect(payload).toMatchObject({ sender: { username: 'the-loner' } });
    const { result_url: url } = payload['request'] as unknown as { result_url: string };
    expect(url).toBe(ended.result_url);
    expect(url).toMatch(world.harness.url);
  });

  test('sends the reason of a failure', async () => {
    const webhook = await projectHook(world.loner, project, 'completed:request[create:task]');
    const empty = await world.loner.good('createTask', { body: { name: 'without images', project_id: project.id } });
    const noImage = { name: 'notes.jpg', bytes: Buffer.from('not an image at all') };
    const ended = await world.loner.rest.ended(await world.loner.rest.uploadImages(empty.id, [noImage]));
    expect(ended.status).toBe('failed');
    expect(await onlyPayload(webhook)).toMatchObject({ request: { status: 'failed', message: ended.message } });
  });
});

describe('webhooks of the server', () => {
  const serverEvents = ['create:organization', 'create:user', 'delete:organization', 'delete:user', 'update:user'];

  test('receive the events of users and organizations, with who caused them and without secrets', async () => {
    const { admin } = world;
    const body = { ...without(organizationWebhook(), 'description'), type: 'server', ...toEcho(...serverEvents) };
    const webhook = await admin.good('createWebhook', { raw: body });
    expect(webhook).toMatchObject({ type: 'server', project_id: null, organization: null });
    const person = { username: 'newcomer', password1: 'a long sentence 1', password2: 'a long sentence 1' };
    await admin.good('register', { body: { ...person, email: 'new@example.org', first_name: 'New', last_name: '' } });
    const { results } = await admin.good('listUsers', { query: { search: 'newcomer' } });
    const id = results[0]!.id;
    await admin.good('updateUser', { params: { id }, body: { last_name: 'Comer' } });
    const created = await admin.good('createOrganization', { body: { slug: 'short' } });
    await admin.good('deleteOrganization', { params: { id: created.id } });
    await admin.good('deleteUser', { params: { id } });
    const payloads = (await deliveries(webhook, 5)).map(payloadOf).toReversed();
    expect(payloads.map(({ event, sender }) => [event, sender.username])).toEqual([
      ['create:user', 'newcomer'],
      ['update:user', 'admin'],
      ['create:organization', 'admin'],
      ['delete:organization', 'admin'],
      ['delete:user', 'admin'],
    ]);
    expect(payloads[1]).toMatchObject({
      user: { id, username: 'newcomer', last_name: 'Comer' },
      before_update: { last_name: '' },
    });
    expect(payloads[2]).toMatchObject({ organization: { slug: 'short' } });
    expect(JSON.stringify(payloads)).not.toMatch(/password/);
    await admin.good('deleteWebhook', { params: { id: webhook.id } });
  });

  test('are created by administrators only, and neither by nor for a project', async () => {
    const raw = { ...without(organizationWebhook(), 'description'), type: 'server', events: ['create:user'] };
    expect(await world.team.owner.refused(403, 'createWebhook', { raw })).toBeDefined();
    expect(await world.admin.refused(400, 'createWebhook', { raw: { ...raw, project_id: 1 } })).toHaveProperty(
      'project_id',
    );
    expect(await world.admin.refused(400, 'createWebhook', { raw: { ...raw, events: ['create:task'] } })).toEqual({
      non_field_errors: ['Invalid events list for server webhook'],
    });
  });
});
