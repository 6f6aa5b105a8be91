import { describe, expect, test } from 'vitest';
import type { Organization } from '../../../preload/contract/schema/people.ts';
import { usePeopleHarness, type Caller } from './people-harness.ts';

const harness = await usePeopleHarness();
const boss = harness.addUser('boss');
const maintainer = harness.addUser('maintainer');
const worker = harness.addUser('worker-1', 'worker');
const stranger = harness.addUser('stranger');
const organization = await boss.good('createOrganization', { body: { slug: 'team' } });
await harness.join(organization, maintainer, 'maintainer');
await harness.join(organization, worker, 'worker');

async function membershipOf(user: Caller, of: Organization = organization) {
  const { results } = await boss.good('listMemberships', { query: { org: of.slug, user: user.username } });
  const [membership] = results;
  if (!membership) throw new Error(`${user.username} is no member.`);
  return membership;
}

describe('memberships', () => {
  test('are listed for members: those of the organization, filtered, searched and sorted', async () => {
    const query = { org: 'team' };
    const names = async (caller: Caller, more: Record<string, string> = {}) =>
      (await caller.good('listMemberships', { query: { ...query, ...more } })).results.map((one) => one.user.username);
    expect(await names(worker, { sort: 'id' })).toEqual(['boss', 'maintainer', 'worker-1']);
    expect(await names(worker, { role: 'worker' })).toEqual(['worker-1']);
    expect(await names(worker, { user: 'boss' })).toEqual(['boss']);
    expect(await names(worker, { search: 'main' })).toEqual(['maintainer']);
    expect(await names(boss, { filter: JSON.stringify({ '==': [{ var: 'role' }, 'owner'] }) })).toEqual(['boss']);
    await stranger.refused(403, 'listMemberships', { query });
    expect((await stranger.good('listMemberships')).count).toBe(0);
    // Without an organization, a user sees only their own.
    expect((await worker.good('listMemberships')).count).toBe(1);
  });

  test('with a pending invitation are visible only to maintainers', async () => {
    await boss.good('createInvitation', { query: { org: 'team' }, body: { role: 'worker', email: 'new@example.org' } });
    const waiting = { query: { org: 'team', user: 'new' } };
    const [membership] = (await maintainer.good('listMemberships', waiting)).results;
    expect(membership).toMatchObject({ is_active: false, joined_date: null, invitation: expect.any(String) });
    expect((await worker.good('listMemberships', waiting)).count).toBe(0);
    await worker.refused(403, 'getMembership', { params: { id: membership!.id } });
  });
});

describe('a role', () => {
  test('of an owner can be neither given nor removed', async () => {
    const own = await membershipOf(boss);
    const other = await membershipOf(worker);
    await boss.refused(403, 'updateMembership', { params: { id: own.id }, body: { role: 'worker' } });
    await boss.refused(403, 'updateMembership', { params: { id: other.id }, body: { role: 'owner' } });
    await harness.admin.refused(400, 'updateMembership', { params: { id: other.id }, body: { role: 'owner' } });
    await harness.admin.refused(400, 'updateMembership', { params: { id: own.id }, body: { role: 'worker' } });
    await harness.admin.refused(400, 'deleteMembership', { params: { id: own.id } });
    await boss.refused(403, 'deleteMembership', { params: { id: own.id } });
    expect(await membershipOf(boss)).toEqual(own);
    expect(await membershipOf(worker)).toEqual(other);
  });

  test('of the owner can be given by an admin after the owner is deleted', async () => {
    const founder = harness.addUser('founder');
    const heir = harness.addUser('heir');
    const orphan = await founder.good('createOrganization', { body: { slug: 'orphan' } });
    await harness.join(orphan, heir, 'worker');
    await founder.good('deleteUser', { params: { id: founder.id } });
    expect(await heir.good('getOrganization', { params: { id: orphan.id } })).toMatchObject({ owner: null });
    const [membership] = (await heir.good('listMemberships', { query: { org: 'orphan' } })).results;
    const change = { params: { id: membership!.id }, body: { role: 'owner' } } as const;
    expect(await harness.admin.good('updateMembership', change)).toMatchObject({ role: 'owner' });
    expect(await heir.good('getOrganization', { params: { id: orphan.id } })).toMatchObject({ owner: { id: heir.id } });
    await heir.good('deleteOrganization', { params: { id: orphan.id } });
  });
});

test('a member who leaves sees nothing of the organization afterwards', async () => {
  const guest = harness.addUser('guest');
  await harness.join(organization, guest, 'maintainer');
  const project = await boss.good('createProject', { headers: { 'X-Organization': 'team' }, body: { name: 'p' } });
  await guest.good('getProject', { params: { id: project.id } });
  const { id } = await membershipOf(guest);
  await guest.good('deleteMembership', { params: { id } });
  await guest.refused(403, 'getProject', { params: { id: project.id } });
  await guest.refused(403, 'listProjects', { query: { org: 'team' } });
  await guest.refused(404, 'deleteMembership', { params: { id } });
  // The account stays, and can be invited again.
  await harness.join(organization, guest, 'worker');
  expect(await membershipOf(guest)).toMatchObject({ role: 'worker', is_active: true });
});
