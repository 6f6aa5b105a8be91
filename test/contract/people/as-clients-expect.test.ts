import { describe, expect, test } from 'vitest';
import type { Organization } from '../../../preload/contract/schema/people.ts';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness, type Caller } from './people-harness.ts';

const dayMs = 24 * 60 * 60 * 1000;
const harness = await usePeopleHarness();
const boss = harness.addUser('boss');
const maintainer = harness.addUser('maintainer');
const stranger = harness.addUser('stranger');
const team: Organization = await boss.good('createOrganization', { body: { slug: 'team' } });
await harness.join(team, maintainer, 'maintainer');
const headers = { 'X-Organization': team.slug };

const membershipOf = async (user: Caller) => {
  const { results } = await boss.good('listMemberships', { query: { org: team.slug, user: user.username } });
  return { params: { id: results[0]?.id ?? 0 } };
};

describe('credentials', () => {
  test('are listed for an administrator without their value', async () => {
    const { value: _value, ...shown } = await boss.good('createAccessToken', { body: { name: 'of the boss' } });
    expect(await harness.admin.good('getAccessToken', { params: { id: shown.id } })).toEqual(shown);
  });

  test('get the same answer if they are wrong or expired', async () => {
    const expiry_date = new Date(Date.now() + dayMs).toISOString();
    const ending = await boss.good('createAccessToken', { body: { name: 'ending', expiry_date } });
    const fresh = await boss.good('createAccessToken', { body: { name: 'never used' } });
    const answerTo = (authorization: string) =>
      harness.anonymous.refused(401, 'self', { headers: { Authorization: authorization } });
    const invalid = { detail: 'Invalid token.' };
    expect(await answerTo('Bearer nobody.knows')).toEqual(invalid);
    expect(await answerTo('Token 0123456789')).toEqual(invalid);
    harness.advance(2 * dayMs);
    expect(await answerTo(`Bearer ${ending.value}`)).toEqual(invalid);
    harness.advance(200 * dayMs);
    expect(await answerTo(`Bearer ${fresh.value}`)).toEqual(invalid);
  });
});

describe('a list without an organization', () => {
  test("contains related objects, whatever the user's role in their organization", async () => {
    const task = await boss.good('createTask', { headers, body: { name: 'in the team' } });
    const project = await boss.good('createProject', { headers, body: { name: 'in the team' } });
    const invitation = { role: 'worker', email: 'somebody@example.org' } as const;
    await boss.good('createInvitation', { headers, body: invitation });
    const counts = async (query: { org?: string }) => ({
      tasks: (await maintainer.good('listTasks', { query })).count,
      projects: (await maintainer.good('listProjects', { query })).count,
      members: (await maintainer.good('listMemberships', { query })).results.map(({ user }) => user.username).sort(),
      invited: (await maintainer.good('listInvitations', { query })).results.map(({ user }) => user.username).sort(),
    });
    expect(await counts({})).toEqual({ tasks: 0, projects: 0, members: ['maintainer'], invited: ['maintainer'] });
    expect(await counts({ org: team.slug })).toEqual({
      tasks: 1,
      projects: 1,
      members: ['boss', 'maintainer', 'somebody'],
      invited: ['maintainer', 'somebody'],
    });
    await maintainer.good('getTask', { params: { id: task.id } });
    await boss.good('updateTask', { params: { id: task.id }, body: { assignee_id: maintainer.id } });
    await boss.good('deleteProject', { params: { id: project.id } });
    expect(await counts({})).toMatchObject({ tasks: 1, projects: 0 });
  });

  test('of requests is empty for an organization of which the user is not a member', async () => {
    await stranger.rest.taskWithImages({ labels: [{ name: 'a' }] }, await makeImages(1));
    expect((await stranger.good('listRequests')).count).toBe(1);
    for (const query of [{ org: team.slug }, { org_id: String(team.id) }]) {
      expect((await stranger.good('listRequests', { query })).count).toBe(0);
      await stranger.refused(403, 'listTasks', { query });
    }
  });
});

test('an invitation expires by its date, accepted or not', async () => {
  const [{ key } = { key: '' }] = (await maintainer.good('listInvitations')).results;
  const params = { key };
  harness.advance(8 * dayMs);
  expect(await maintainer.good('getInvitation', { params })).toMatchObject({ accepted: true, expired: true });
});

test('only the role of a membership can be changed', async () => {
  const membership = await membershipOf(maintainer);
  const unknown = { detail: 'Attempted to update an unknown field' };
  for (const raw of [{ is_active: false }, { role: 'worker', user: stranger.id }]) {
    for (const caller of [boss, harness.admin, stranger]) {
      expect(await caller.refused(403, 'updateMembership', { ...membership, raw })).toEqual(unknown);
    }
  }
  expect(await maintainer.good('updateMembership', { ...membership, raw: {} })).toMatchObject({ role: 'maintainer' });
  await boss.refused(404, 'updateMembership', { params: { id: 987_654 }, raw: { is_active: false } });
});

test.each([
  [
    'pass',
    'pass',
    ['This password is too short. It must contain at least 8 characters.', 'This password is too common.'],
  ],
  ['password', 'password', ['This password is too common.']],
  ['91827364', '91827364', ['This password is entirely numeric.']],
  ['a good password', 'another password', ['The two password fields didn’t match.']],
])('a new password %s, %s is refused in the words that clients compare', async (new_password1, new_password2, said) => {
  const body = { old_password: harness.password, new_password1, new_password2 };
  expect(await boss.refused(400, 'changePassword', { body })).toEqual({ new_password2: said });
});
