import { describe, expect, test } from 'vitest';
import type { Webhook } from '../../../preload/contract/schema/webhooks.ts';
import { addOrganizationWebhook, addProjectWebhook, inOrganization, useWorld, type Caller } from './webhook-world.ts';

const world = await useWorld();
const ofSandbox = await addProjectWebhook(world.loner, world.sandboxProject, { target_url: 'http://one.example.org/' });
/** A webhook of the admin's project in the organization, created by the maintainer. */
const ofOtherProject = await addProjectWebhook(world.team.maintainer, world.otherProject, {
  target_url: 'http://two.example.org/',
});
const ofSupervisedProject = await addProjectWebhook(world.team.owner, world.supervisedProject, {
  target_url: 'http://three.example.org/',
});
const ofOrganization = await addOrganizationWebhook(world, world.team.owner, {
  target_url: 'http://four.example.org/',
});

const ids = (webhooks: readonly Webhook[]) => webhooks.map((webhook) => webhook.id).sort((a, b) => a - b);
const list = async (caller: Caller, query: Record<string, string> = {}) =>
  (await caller.good('listWebhooks', { query: { page_size: 'all', ...query } })).results;

describe('the list', () => {
  test('contains all webhooks for an admin, newest first, without secrets', async () => {
    const all = await list(world.admin);
    expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).toSorted((a, b) => b - a));
    expect(ids(all)).toEqual(expect.arrayContaining(ids([ofSandbox, ofOtherProject, ofOrganization])));
    expect(JSON.stringify(all)).not.toContain('secret');
  });

  test.each([
    ['target_url', () => ofSandbox.target_url, () => [ofSandbox]],
    ['owner', () => 'the-maintainer', () => [ofOtherProject]],
    ['type', () => 'organization', () => [ofOrganization]],
    ['project_id', () => String(world.supervisedProject.id), () => [ofSupervisedProject]],
  ])('can be filtered by %s', async (field, value, expected) => {
    expect(ids(await list(world.admin, { [field]: value() }))).toEqual(ids(expected()));
  });

  test('can be filtered by JSON Logic, for a project in a sandbox and in an organization', async () => {
    const byProject = (id: number) => JSON.stringify({ '==': [{ var: 'project_id' }, id] });
    expect(ids(await list(world.admin, { filter: byProject(world.otherProject.id) }))).toEqual([ofOtherProject.id]);
    expect(ids(await list(world.admin, { filter: byProject(world.sandboxProject.id) }))).toEqual([ofSandbox.id]);
    expect(ids(await list(world.loner, { filter: byProject(world.sandboxProject.id) }))).toEqual([ofSandbox.id]);
    const inside = { ...inOrganization(world), filter: byProject(world.otherProject.id) };
    expect(ids(await list(world.admin, inside))).toEqual([ofOtherProject.id]);
    expect(await list(world.admin, { ...inside, filter: byProject(world.sandboxProject.id) })).toEqual([]);
  });

  test('can be searched and sorted', async () => {
    expect(ids(await list(world.admin, { search: 'four.example' }))).toEqual([ofOrganization.id]);
    const sorted = await list(world.admin, { sort: 'target_url', search: 'example.org' });
    expect(sorted.map((webhook) => webhook.target_url)).toEqual(sorted.map((webhook) => webhook.target_url).toSorted());
  });

  test('is empty for a user without webhooks, and refused to a user outside of the organization', async () => {
    expect(await list(world.stranger)).toEqual([]);
    await world.stranger.refused(403, 'listWebhooks', { query: inOrganization(world) });
  });

  const whole = () => [ofOtherProject, ofSupervisedProject, ofOrganization];
  test.each([
    ['whole for an admin', () => world.admin, whole],
    ['whole for its owner', () => world.team.owner, whole],
    ['whole for its maintainer', () => world.team.maintainer, whole],
    ['that of own projects for its supervisor', () => world.team.supervisor, () => [ofSupervisedProject]],
    ['empty for its worker', () => world.team.worker, () => []],
  ])('of an organization is %s', async (_, caller, expected) => {
    expect(ids(await list(caller(), inOrganization(world)))).toEqual(ids(expected()));
  });

  test('with an empty organization contains only the sandbox', async () => {
    const sandbox = await list(world.admin, { org_id: '' });
    expect(sandbox.every((webhook) => webhook.organization === null)).toBe(true);
    expect(ids(sandbox)).toContain(ofSandbox.id);
  });

  test('contains exactly the webhooks that can be read one by one, inside and outside of the organization', async () => {
    const all = await list(world.admin);
    const members: readonly unknown[] = Object.values(world.team);
    for (const caller of [...Object.values(world.team), world.loner, world.stranger]) {
      const visible: number[] = [];
      for (const { id } of all) {
        if ((await caller.call('getWebhook', { params: { id } })).status === 200) visible.push(id);
      }
      const inTeam = members.includes(caller) ? ids(await list(caller, { org: world.organization.slug })) : [];
      const listed = new Set([...ids(await list(caller)), ...inTeam]);
      expect(
        [...listed].sort((a, b) => a - b),
        caller.username,
      ).toEqual(visible.sort((a, b) => a - b));
    }
  });
});

describe('kinds of events', () => {
  const kinds = async (type?: string) => {
    const { body, status } = await world.harness.anonymous.call('listWebhookEvents', type ? { query: { type } } : {});
    expect(status).toBe(200);
    return body as { webhook_type: string; events: { key: string; group: { display_name: string } }[] };
  };

  test('can be read without signing in, each with the name of its group', async () => {
    const all = await kinds();
    expect(all.webhook_type).toBe('all');
    expect(all.events).toContainEqual({ key: 'create:project', group: { display_name: 'Project' } });
    expect(all.events).toContainEqual({
      key: 'completed:request[export:dataset]',
      group: { display_name: 'Dataset export' },
    });
    expect(all.events).toHaveLength(33);
  });

  test('of a project are fewer than those of an organization', async () => {
    const ofProject = (await kinds('project')).events.map(({ key }) => key);
    const ofOrganizations = (await kinds('organization')).events.map(({ key }) => key);
    expect(ofProject).not.toContain('create:project');
    expect(ofProject.filter((key) => /organization|membership|invitation/.test(key))).toEqual([]);
    expect(ofProject.filter((key) => !ofOrganizations.includes(key))).toEqual([]);
    const ofServer = (await kinds('server')).events.map(({ key }) => key);
    const all = (await kinds('all')).events.map(({ key }) => key);
    expect([...ofOrganizations, ...ofServer].toSorted()).toEqual(all);
    const ofOrganizationItself = ofOrganizations.filter((key) => key.endsWith(':organization'));
    expect(ofOrganizationItself).toEqual(['update:organization']);
    expect(ofOrganizations).not.toContain('update:invitation');
  });

  test('of another type are refused', async () => {
    const answer = await world.harness.anonymous.call('listWebhookEvents', { query: { type: 'task' } });
    expect(answer).toMatchObject({ status: 400, body: 'Incorrect value of type parameter' });
  });
});
