import { beforeAll, describe, expect, test } from 'vitest';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import {
  addOrganizationWebhook,
  addProjectWebhook,
  inOrganization,
  organizationWebhook,
  projectWebhook,
  useWorld,
  type Caller,
} from './webhook-world.ts';

const world = await useWorld();

test('creates a webhook of a project, and of an organization, without its secret', async () => {
  const { admin, sandboxProject } = world;
  const ofProject = await addProjectWebhook(admin, sandboxProject);
  expect(ofProject).toMatchObject({ type: 'project', project_id: sandboxProject.id, project: sandboxProject.id });
  expect(ofProject).toMatchObject({ organization: null, owner: { username: 'admin' } });
  const ofOrganization = await addOrganizationWebhook(world, admin);
  expect(ofOrganization).toMatchObject({
    type: 'organization',
    organization: world.organization.id,
    project_id: null,
  });
  for (const webhook of [ofProject, ofOrganization]) expect(webhook).not.toHaveProperty('secret');
});

describe('required fields of a new webhook', () => {
  const { content_type: _type, secret: _secret, is_active: _active, ...withoutThree } = organizationWebhook();
  const { enable_ssl: _ssl, description: _description, ...least } = withoutThree;

  test('are a target, a type and events; the rest has defaults', async () => {
    const query = inOrganization(world);
    const webhook = await world.team.owner.good('createWebhook', { query, body: least });
    expect(webhook).toMatchObject({
      description: '',
      content_type: 'application/json',
      is_active: true,
      enable_ssl: true,
    });
    expect(webhook.target_url).toBe(least.target_url);
    expect(webhook).not.toHaveProperty('last_status');
    expect(webhook).not.toHaveProperty('last_delivery_date');
  });

  test.each(['target_url', 'events', 'type'] as const)('refuses a webhook without %s', async (field) => {
    const { [field]: _, ...raw } = least as Record<string, unknown>;
    const query = inOrganization(world);
    expect(await world.team.owner.refused(400, 'createWebhook', { query, raw })).toEqual({
      [field]: ['This field is required.'],
    });
  });

  test('returns events sorted and without duplicates', async () => {
    const events = ['update:task', 'create:task', 'update:task', 'create:issue'];
    const webhook = await addProjectWebhook(world.loner, world.sandboxProject, { events });
    expect(webhook.events).toEqual(['create:issue', 'create:task', 'update:task']);
  });

  test('accepts an empty list of events', async () => {
    expect((await addProjectWebhook(world.loner, world.sandboxProject, { events: [] })).events).toEqual([]);
  });

  test('creates two webhooks from the same request sent twice', async () => {
    const first = await addProjectWebhook(world.loner, world.sandboxProject);
    const second = await addProjectWebhook(world.loner, world.sandboxProject);
    expect(second.id).not.toBe(first.id);
  });

  test("accepts the specification's name for the project", async () => {
    const { project_id: _, ...body } = projectWebhook(0);
    const raw = { ...body, project: world.sandboxProject.id };
    expect((await world.loner.call('createWebhook', { raw })).body).toMatchObject({
      project: world.sandboxProject.id,
      project_id: world.sandboxProject.id,
    });
  });

  test.each([
    ['a text that is no address', 'somewhere'],
    ['another protocol', 'ftp://receiver.example.org/'],
    ['a file', 'file:///etc/passwd'],
    ['a name without a dot', 'http://receiver/'],
    ['nothing', ''],
    ['8193 characters', `http://receiver.example.org/${'x'.repeat(8165)}`],
    ['the metadata service of a cloud', 'http://169.254.169.254/latest/meta-data'],
    ['the same, spelled as a number', 'http://2852039166/'],
  ])('refuses %s as a target', async (_, target) => {
    const raw = projectWebhook(world.sandboxProject.id, { target_url: target });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toHaveProperty('target_url');
  });

  test.each(['http://localhost:9000/hook', 'http://127.0.0.1:9000/', 'http://[::1]/', 'https://a.b/c?d=e'])(
    'accepts %s as a target',
    async (target) => {
      const webhook = await addProjectWebhook(world.loner, world.sandboxProject, { target_url: target });
      expect(webhook.target_url).toBe(target);
    },
  );

  test.each([
    ['secret', 65],
    ['description', 129],
  ])('refuses a %s of %i characters', async (field, length) => {
    const raw = projectWebhook(world.sandboxProject.id, { [field]: 'x'.repeat(length) });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toHaveProperty(field);
  });
});

describe('consistency of type, project and organization', () => {
  test('a project webhook has the organization of its project, independent of the query', async () => {
    const other = await world.admin.good('createOrganization', { body: { slug: 'another' } });
    const webhook = await world.admin.good('createWebhook', {
      query: { org_id: String(other.id) },
      body: projectWebhook(world.otherProject.id),
    });
    expect(webhook.organization).toBe(world.organization.id);
  });

  test('refuses a project webhook without a project, with the reason', async () => {
    const { project_id: _, ...raw } = projectWebhook(0);
    expect(await world.admin.refused(400, 'createWebhook', { raw })).toEqual({
      project_id: [expect.stringMatching(/needs a project/)],
    });
  });

  test('refuses an organization webhook with a project, with the reason', async () => {
    const query = inOrganization(world);
    const raw = { ...organizationWebhook(), project_id: world.otherProject.id };
    expect(await world.admin.refused(400, 'createWebhook', { query, raw })).toEqual({
      project_id: [expect.stringMatching(/has no project/)],
    });
  });

  test('refuses an organization webhook without an organization, with the reason', async () => {
    expect(await world.admin.refused(400, 'createWebhook', { body: organizationWebhook() })).toEqual({
      organization: [expect.stringMatching(/needs an organization/)],
    });
  });

  test('refuses a project that does not exist', async () => {
    expect(await world.admin.refused(400, 'createWebhook', { body: projectWebhook(424242) })).toEqual([
      'Could not find project with provided id: 424242',
    ]);
  });
});

describe('invalid values of a choice', () => {
  test.each([
    ['type', 'task', '"task" is not a valid choice.'],
    ['content_type', 'application/xml', '"application/xml" is not a valid choice.'],
  ])('%s %s', async (field, value, message) => {
    const raw = projectWebhook(world.sandboxProject.id, { [field]: value });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toEqual({ [field]: [message] });
  });

  test.each(['create:project', 'update:organization', 'create:invitation'])(
    'refuses %s for a project',
    async (event) => {
      const raw = projectWebhook(world.sandboxProject.id, { events: ['create:task', event] });
      expect(await world.loner.refused(400, 'createWebhook', { raw })).toEqual({
        non_field_errors: ['Invalid events list for project webhook'],
      });
    },
  );

  test.each(['some:event', 'update:invitation'])('refuses %s, which is not an event, for both types', async (event) => {
    const problem = { events: [`"${event}" is not a valid choice.`] };
    const ofProject = projectWebhook(world.sandboxProject.id, { events: [event] });
    expect(await world.loner.refused(400, 'createWebhook', { raw: ofProject })).toEqual(problem);
    const query = inOrganization(world);
    const ofOrganization = organizationWebhook({ events: [event] });
    expect(await world.team.owner.refused(400, 'createWebhook', { query, raw: ofOrganization })).toEqual(problem);
  });
});

const everyField = {
  target_url: 'https://elsewhere.example.org/new?way=this',
  secret: 'another secret',
  events: ['update:task', 'create:task'],
  is_active: false,
  enable_ssl: false,
};

const patch = (caller: Caller, { id }: Webhook, body: object = { description: 'changed' }) =>
  caller.call('updateWebhook', { params: { id }, raw: body });

describe('a change', () => {
  let webhook: Webhook;
  beforeAll(async () => {
    webhook = await addProjectWebhook(world.loner, world.sandboxProject);
  });

  test('of every field is possible, and the secret is never shown', async () => {
    const before = await addProjectWebhook(world.loner, world.sandboxProject);
    const params = { id: before.id };
    const after = await world.admin.good('updateWebhook', { params, body: everyField });
    const { secret: _, ...shown } = everyField;
    expect(after).toEqual({
      ...before,
      ...shown,
      events: ['create:task', 'update:task'],
      updated_date: after.updated_date,
    });
    expect(after).not.toHaveProperty('secret');
    expect(await world.admin.good('getWebhook', { params })).toEqual(after);
  });

  test('to another content type is refused', async () => {
    const answer = await patch(world.loner, webhook, { content_type: 'application/x-www-form-urlencoded' });
    expect(answer).toMatchObject({
      status: 400,
      body: { content_type: ['"application/x-www-form-urlencoded" is not a valid choice.'] },
    });
  });

  test('to events that its type does not have is refused', async () => {
    const answer = await patch(world.loner, webhook, { events: ['create:invitation'] });
    expect(answer).toMatchObject({ status: 400 });
    expect(await patch(world.loner, webhook, { target_url: 'nowhere' })).toMatchObject({ status: 400 });
  });

  test('of type and project is ignored', async () => {
    const raw = { type: 'organization', project_id: world.otherProject.id, description: 'the same' };
    expect((await patch(world.loner, webhook, raw)).body).toMatchObject({
      type: 'project',
      project_id: world.sandboxProject.id,
      description: 'the same',
    });
  });

  test('by PUT needs target, type and events, and keeps all other fields', async () => {
    const params = { id: webhook.id };
    const raw = { target_url: 'http://put.example.org/', type: 'project', events: ['delete:task'] };
    const after = (await world.loner.call('replaceWebhook', { params, raw })).body;
    expect(after).toMatchObject({ ...raw, description: 'the same', is_active: true });
    for (const field of ['target_url', 'type', 'events'] as const) {
      const { [field]: _, ...rest } = raw;
      expect(await world.loner.refused(400, 'replaceWebhook', { params, raw: rest })).toHaveProperty(field);
    }
  });
});
