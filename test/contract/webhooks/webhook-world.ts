import { afterAll } from 'vitest';
import type { WebhookOptions } from '../../../main/webhooks/webhooks.ts';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import { eventKinds, type Webhook, type WebhookType } from '../../../preload/contract/schema/webhooks.ts';
import { startPeopleHarness, type Caller } from '../people/people-harness.ts';

export type { Caller } from '../people/people-harness.ts';

export interface World extends Awaited<ReturnType<typeof createWorld>> {}

export const inOrganization = ({ organization }: World) => ({ org_id: String(organization.id) });

/** A service with an organization and members. Nothing is delivered before `harness.core.webhooks.start()`. */
export async function createWorld(webhooks?: WebhookOptions) {
  const harness = await startPeopleHarness(webhooks ? { webhooks } : {});
  const { admin } = harness;
  const team = {
    owner: harness.addUser('the-owner'),
    maintainer: harness.addUser('the-maintainer'),
    supervisor: harness.addUser('the-supervisor'),
    worker: harness.addUser('the-worker'),
  };
  const organization = await team.owner.good('createOrganization', { body: { slug: 'team' } });
  for (const role of ['maintainer', 'supervisor', 'worker'] as const) {
    await harness.join(organization, team[role], role);
  }
  const headers = { 'X-Organization': organization.slug };
  const loner = harness.addUser('the-loner');
  return {
    harness,
    admin,
    team,
    organization,
    /** A project of the organization; the admin owns it and is not a member. */
    otherProject: await admin.good('createProject', { headers, body: { name: 'of the admin' } }),
    supervisedProject: await team.supervisor.good('createProject', { headers, body: { name: 'of the supervisor' } }),
    loner,
    sandboxProject: await loner.good('createProject', { body: { name: 'of the loner' } }),
    stranger: harness.addUser('the-stranger'),
    stop: () => harness.stop(),
  };
}

/** A world for all tests of a file. */
export async function useWorld(): Promise<World> {
  const world = await createWorld();
  afterAll(() => world.stop());
  return world;
}

export const everythingFor = (type: WebhookType): string[] =>
  eventKinds.filter((kind) => kind.types.includes(type)).map((kind) => kind.key);

const anyWebhook = {
  target_url: 'http://receiver.example.org/hook',
  content_type: 'application/json' as const,
  secret: 'a secret',
  is_active: true,
  enable_ssl: true,
};

export const projectWebhook = (projectId: number, more: object = {}) => ({
  ...anyWebhook,
  type: 'project' as const,
  project_id: projectId,
  events: ['create:task', 'update:task', 'delete:task'],
  description: 'about a project',
  ...more,
});

export const organizationWebhook = (more: object = {}) => ({
  ...anyWebhook,
  type: 'organization' as const,
  events: ['create:project', 'update:organization'],
  description: 'about an organization',
  ...more,
});

export const addProjectWebhook = (caller: Caller, project: Project, more: object = {}): Promise<Webhook> =>
  caller.good('createWebhook', { body: projectWebhook(project.id, more) });

export const addOrganizationWebhook = (world: World, caller: Caller, more: object = {}): Promise<Webhook> =>
  caller.good('createWebhook', { query: inOrganization(world), body: organizationWebhook(more) });
