import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { addProjectWebhook, createWorld, type Caller, type World } from './webhook-world.ts';

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
const status = async (answer: Promise<{ readonly status: number }>) => (await answer).status;

describe('every field', () => {
  test('can be changed, and the secret is never shown', async () => {
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
