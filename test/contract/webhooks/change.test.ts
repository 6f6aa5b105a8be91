import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { addOrganizationWebhook, addProjectWebhook, createWorld, type Caller, type World } from './webhook-world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.stop());

const everyField = {
  target_url: 'https://elsewhere.example.org/new?way=this',
  secret: 'another secret',
  events: ['update:task', 'create:task'],
  is_active: false,
  enable_ssl: false,
};

const patch = (caller: Caller, { id }: Webhook, body: object = { description: 'changed' }) =>
  caller.call('updateWebhook', { params: { id }, raw: body });
const remove = (caller: Caller, { id }: Webhook) => caller.call('deleteWebhook', { params: { id } });
const status = async (answer: Promise<{ readonly status: number }>) => (await answer).status;

describe('who may change a webhook', () => {
  test('an admin, any, in every field', async () => {
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

  test("its project's owner", async () => {
    const webhook = await addProjectWebhook(world.admin, world.sandboxProject);
    expect(await status(patch(world.loner, webhook))).toBe(200);
  });

  test('its own owner, who does not own the project any more', async () => {
    const project = await world.admin.good('createProject', { body: { name: 'lent', owner_id: world.loner.id } });
    const webhook = await addProjectWebhook(world.loner, project);
    await world.admin.good('updateProject', { params: { id: project.id }, body: { owner_id: world.admin.id } });
    expect(await status(patch(world.loner, webhook))).toBe(200);
    expect(await status(remove(world.loner, webhook))).toBe(204);
  });

  test.each(['worker', 'user'] as const)('not somebody else of group %s', async (group) => {
    const webhook = await addProjectWebhook(world.loner, world.sandboxProject);
    const other = world.harness.addUser(`another-${group}`, group);
    expect(await status(patch(other, webhook))).toBe(403);
  });

  test('an admin, one of an organization', async () => {
    const webhook = await addOrganizationWebhook(world, world.team.owner);
    expect(await status(patch(world.admin, webhook))).toBe(200);
  });

  test.each([
    ['maintainer', 200],
    ['owner', 200],
    ['supervisor', 403],
    ['worker', 403],
  ] as const)('the %s of the organization, one of it or of a foreign project: %i', async (role, expected) => {
    const ofOrganization = await addOrganizationWebhook(world, world.admin);
    const ofProject = await addProjectWebhook(world.admin, world.foreignProject);
    expect(await status(patch(world.team[role], ofOrganization))).toBe(expected);
    expect(await status(patch(world.team[role], ofProject))).toBe(expected);
  });

  test('the supervisor, one of an own project', async () => {
    const webhook = await addProjectWebhook(world.admin, world.supervisedProject);
    expect(await status(patch(world.team.supervisor, webhook))).toBe(200);
  });
});

describe('a change', () => {
  let webhook: Webhook;
  beforeAll(async () => {
    webhook = await addProjectWebhook(world.loner, world.sandboxProject);
  });

  test('to another content type is refused', async () => {
    const answer = await patch(world.loner, webhook, { content_type: 'application/x-www-form-urlencoded' });
    expect(answer).toMatchObject({
      status: 400,
      body: { content_type: ['"application/x-www-form-urlencoded" is not a valid choice.'] },
    });
  });

  test('to events that its type cannot have is refused', async () => {
    const answer = await patch(world.loner, webhook, { events: ['create:invitation'] });
    expect(answer).toMatchObject({ status: 400 });
    expect(await status(patch(world.loner, webhook, { target_url: 'nowhere' }))).toBe(400);
  });

  test('of type and project is ignored: they stay', async () => {
    const raw = { type: 'organization', project_id: world.foreignProject.id, description: 'the same' };
    expect((await patch(world.loner, webhook, raw)).body).toMatchObject({
      type: 'project',
      project_id: world.sandboxProject.id,
      description: 'the same',
    });
  });

  test('as a whole needs target, type and events, and leaves what it does not name', async () => {
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

describe('who may delete a webhook', () => {
  test('in a sandbox: an admin, not somebody else', async () => {
    const webhook = await addProjectWebhook(world.loner, world.sandboxProject);
    expect(await status(remove(world.stranger, webhook))).toBe(403);
    expect(await status(remove(world.admin, webhook))).toBe(204);
    await world.admin.refused(404, 'getWebhook', { params: { id: webhook.id } });
    await world.admin.refused(404, 'deleteWebhook', { params: { id: webhook.id } });
  });

  test('an admin, one of a project in an organization, and one of the organization', async () => {
    for (const webhook of [
      await addProjectWebhook(world.team.owner, world.foreignProject),
      await addOrganizationWebhook(world, world.team.owner),
    ]) {
      expect(await status(remove(world.admin, webhook))).toBe(204);
      await world.admin.refused(404, 'getWebhook', { params: { id: webhook.id } });
    }
  });

  test('the owner of its project', async () => {
    const webhook = await addProjectWebhook(world.admin, world.sandboxProject);
    expect(await status(remove(world.loner, webhook))).toBe(204);
    await world.loner.refused(404, 'getWebhook', { params: { id: webhook.id } });
  });

  test('its own owner', async () => {
    const webhook = await addProjectWebhook(world.loner, world.sandboxProject);
    expect(await status(remove(world.loner, webhook))).toBe(204);
  });

  test.each([
    ['owner', 204],
    ['maintainer', 204],
    ['worker', 403],
    ['supervisor', 403],
  ] as const)('the %s of the organization, one of it or of a foreign project: %i', async (role, expected) => {
    for (const webhook of [
      await addOrganizationWebhook(world, world.admin),
      await addProjectWebhook(world.admin, world.foreignProject),
    ]) {
      expect(await status(remove(world.team[role], webhook))).toBe(expected);
      const known = await world.admin.call('getWebhook', { params: { id: webhook.id } });
      expect(known.status).toBe(expected === 204 ? 404 : 200);
    }
  });

  test('the supervisor, one of an own project, and an own one', async () => {
    const ofProject = await addProjectWebhook(world.admin, world.supervisedProject);
    const own = await addProjectWebhook(world.team.supervisor, world.supervisedProject);
    expect(await status(remove(world.team.supervisor, ofProject))).toBe(204);
    expect(await status(remove(world.team.supervisor, own))).toBe(204);
  });

  test('with its project it is gone', async () => {
    const project = await world.loner.good('createProject', { body: { name: 'short-lived' } });
    const webhook = await addProjectWebhook(world.loner, project);
    await world.loner.good('deleteProject', { params: { id: project.id } });
    await world.admin.refused(404, 'getWebhook', { params: { id: webhook.id } });
  });
});
