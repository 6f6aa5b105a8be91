import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addOrganizationWebhook,
  addProjectWebhook,
  createWorld,
  inOrganization,
  organizationWebhook,
  projectWebhook,
  type World,
} from './webhook-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

describe('a new webhook', () => {
  test('of a project, and of an organization, without its secret', async () => {
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
});

describe('what a new webhook needs', () => {
  const { content_type: _type, secret: _secret, is_active: _active, ...withoutThree } = organizationWebhook();
  const { enable_ssl: _ssl, description: _description, ...least } = withoutThree;

  test('a target, a type and events: the rest has defaults', async () => {
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

  test.each(['target_url', 'events', 'type'] as const)('no webhook without %s', async (field) => {
    const { [field]: _, ...raw } = least as Record<string, unknown>;
    const query = inOrganization(world);
    expect(await world.team.owner.refused(400, 'createWebhook', { query, raw })).toEqual({
      [field]: ['This field is required.'],
    });
  });

  test('events come back sorted, each once', async () => {
    const events = ['update:task', 'create:task', 'update:task', 'create:issue'];
    const webhook = await addProjectWebhook(world.loner, world.sandboxProject, { events });
    expect(webhook.events).toEqual(['create:issue', 'create:task', 'update:task']);
  });

  test('an empty list of events is a list of events', async () => {
    expect((await addProjectWebhook(world.loner, world.sandboxProject, { events: [] })).events).toEqual([]);
  });

  test('the same webhook twice is two webhooks', async () => {
    const first = await addProjectWebhook(world.loner, world.sandboxProject);
    const second = await addProjectWebhook(world.loner, world.sandboxProject);
    expect(second.id).not.toBe(first.id);
  });

  test("the specification's name for the project is taken, too", async () => {
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
  ])('%s is no target', async (_, target) => {
    const raw = projectWebhook(world.sandboxProject.id, { target_url: target });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toHaveProperty('target_url');
  });

  test.each(['http://localhost:9000/hook', 'http://127.0.0.1:9000/', 'http://[::1]/', 'https://a.b/c?d=e'])(
    '%s is a target',
    async (target) => {
      const webhook = await addProjectWebhook(world.loner, world.sandboxProject, { target_url: target });
      expect(webhook.target_url).toBe(target);
    },
  );

  test.each([
    ['secret', 65],
    ['description', 129],
  ])('a %s of %i characters is too long', async (field, length) => {
    const raw = projectWebhook(world.sandboxProject.id, { [field]: 'x'.repeat(length) });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toHaveProperty(field);
  });
});

describe('type, project and organization fit together', () => {
  test('the organization of a project webhook is that of its project, whatever the query says', async () => {
    const other = await world.admin.good('createOrganization', { body: { slug: 'another' } });
    const webhook = await world.admin.good('createWebhook', {
      query: { org_id: String(other.id) },
      body: projectWebhook(world.foreignProject.id),
    });
    expect(webhook.organization).toBe(world.organization.id);
  });

  test('a project webhook without a project is refused with the reason', async () => {
    const { project_id: _, ...raw } = projectWebhook(0);
    expect(await world.admin.refused(400, 'createWebhook', { raw })).toEqual({
      project_id: [expect.stringMatching(/needs a project/)],
    });
  });

  test('an organization webhook with a project is refused with the reason', async () => {
    const query = inOrganization(world);
    const raw = { ...organizationWebhook(), project_id: world.foreignProject.id };
    expect(await world.admin.refused(400, 'createWebhook', { query, raw })).toEqual({
      project_id: [expect.stringMatching(/has no project/)],
    });
  });

  test('an organization webhook without an organization is refused with the reason', async () => {
    expect(await world.admin.refused(400, 'createWebhook', { body: organizationWebhook() })).toEqual({
      organization: [expect.stringMatching(/needs an organization/)],
    });
  });

  test('an organization that is not there', async () => {
    const query = { org_id: '424242' };
    await world.admin.refused(404, 'createWebhook', { query, body: organizationWebhook() });
  });

  test('a project that is not there', async () => {
    expect(await world.admin.refused(400, 'createWebhook', { body: projectWebhook(424242) })).toEqual([
      'Could not find project with provided id: 424242',
    ]);
  });
});

describe('values that are no choice', () => {
  test.each([
    ['type', 'task', '"task" is not a valid choice.'],
    ['content_type', 'application/xml', '"application/xml" is not a valid choice.'],
  ])('%s %s', async (field, value, message) => {
    const raw = projectWebhook(world.sandboxProject.id, { [field]: value });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toEqual({ [field]: [message] });
  });

  test.each(['create:project', 'update:organization', 'create:invitation'])('%s for a project', async (event) => {
    const raw = projectWebhook(world.sandboxProject.id, { events: ['create:task', event] });
    expect(await world.loner.refused(400, 'createWebhook', { raw })).toEqual({
      non_field_errors: ['Invalid events list for project webhook'],
    });
  });

  test.each(['some:event', 'create:organization'])('%s, which is no event, for either', async (event) => {
    const problem = { events: [`"${event}" is not a valid choice.`] };
    const ofProject = projectWebhook(world.sandboxProject.id, { events: [event] });
    expect(await world.loner.refused(400, 'createWebhook', { raw: ofProject })).toEqual(problem);
    const query = inOrganization(world);
    const ofOrganization = organizationWebhook({ events: [event] });
    expect(await world.team.owner.refused(400, 'createWebhook', { query, raw: ofOrganization })).toEqual(problem);
  });
});
