import { describe, expect, test } from 'vitest';
import type { Invitation, OrganizationRole } from '../../../preload/contract/schema/people.ts';
import { usePeopleHarness, type Caller } from './people-harness.ts';

const dayMs = 24 * 60 * 60 * 1000;

const harness = await usePeopleHarness();
const boss = harness.addUser('boss');
const maintainer = harness.addUser('maintainer');
const stranger = harness.addUser('stranger');
const organization = await boss.good('createOrganization', { body: { slug: 'team' } });
await harness.join(organization, maintainer, 'maintainer');

const invite = (email: string, role: OrganizationRole = 'worker', caller = boss): Promise<Invitation> =>
  caller.good('createInvitation', { query: { org: 'team' }, body: { role, email } });
const roleOf = async (user: Caller) =>
  (await boss.good('listMemberships', { query: { org: 'team', user: user.username } })).results[0]?.role;

/** Invites a user with an inactive account, who is not a member yet; the account is activated afterwards. */
async function inviteSleeping(username: string): Promise<{ caller: Caller; key: string }> {
  const { id } = harness.addUser(username, 'user', { isActive: false });
  const { key } = await invite(`${username}@example.org`);
  await harness.admin.good('updateUser', { params: { id }, body: { is_active: true } });
  return { caller: harness.as(id, username, 'user'), key };
}

describe('inviting', () => {
  test('makes a user with an account a member immediately', async () => {
    const friend = harness.addUser('friend', 'user', { email: 'Friend@Example.org' });
    const invitation = await invite('friend@example.org', 'supervisor', maintainer);
    expect(invitation).toMatchObject({
      key: expect.stringMatching(/^.{64}$/),
      owner: { id: maintainer.id },
      user: { id: friend.id, username: 'friend' },
      role: 'supervisor',
      organization: organization.id,
      organization_info: { id: organization.id, slug: 'team' },
      accepted: true,
      expired: false,
    });
    const [membership] = (await friend.good('listMemberships', { query: { org: 'team', user: 'friend' } })).results;
    expect(membership).toMatchObject({ is_active: true, role: 'supervisor', invitation: invitation.key });
  });

  test('accepts the user name of a local account without an address', async () => {
    const quiet = harness.addUser('quiet', 'user', { email: '' });
    expect(await invite('quiet')).toMatchObject({ user: { id: quiet.id }, accepted: true });
  });

  test('creates a placeholder that cannot sign in for an unknown address', async () => {
    const invitation = await invite('newcomer@example.org');
    expect(invitation).toMatchObject({ accepted: false, user: { username: 'newcomer' } });
    expect(await harness.admin.good('getUser', { params: { id: invitation.user.id } })).toMatchObject({
      is_active: false,
      email: 'newcomer@example.org',
    });
    const again = await boss.refused(400, 'createInvitation', {
      query: { org: 'team' },
      body: { role: 'worker', email: 'newcomer@example.org' },
    });
    expect(again).toEqual(['The user is already a member of the organization.']);
    // A second user with the same name before the @ gets a different name.
    expect(await invite('newcomer@example.com')).toMatchObject({ user: { username: 'newcomer-2' } });
  });

  test('is refused without an organization, with a bad body, and to users without permission', async () => {
    const body = { role: 'worker', email: 'x@example.org' } as const;
    await boss.refused(400, 'createInvitation', { body });
    await boss.refused(400, 'createInvitation', { query: { org: '' }, body });
    const query = { org: 'team' };
    const refused = (raw: object) => boss.refused(400, 'createInvitation', { query, raw });
    expect(await refused({ role: 'worker' })).toHaveProperty('email');
    expect(await refused({ email: 'a@b' })).toHaveProperty('role');
    expect(await refused({ ...body, role: 'boss' })).toHaveProperty('role');
    expect(await refused({ ...body, email: 'nobody' })).toHaveProperty('email');
    await stranger.refused(403, 'createInvitation', { query, body });
    await maintainer.refused(403, 'createInvitation', { query, body: { ...body, role: 'maintainer' } });
    await boss.refused(403, 'createInvitation', { query, body: { ...body, role: 'owner' } });
    await harness.admin.refused(400, 'createInvitation', { query, body: { ...body, role: 'owner' } });
    expect((await boss.good('listInvitations', { query: { org: 'team', search: 'nobody' } })).count).toBe(0);
  });
});

describe('an invitation', () => {
  test('can be accepted once by the invited user', async () => {
    const { caller, key } = await inviteSleeping('sleeper');
    const params = { key };
    await stranger.refused(404, 'acceptInvitation', { params });
    await boss.refused(403, 'acceptInvitation', { params });
    await caller.refused(403, 'listProjects', { query: { org: 'team' } });
    expect(await caller.good('getInvitation', { params })).toMatchObject({ accepted: false, key });
    expect(await caller.good('acceptInvitation', { params })).toEqual({ organization_slug: 'team' });
    await caller.good('listProjects', { query: { org: 'team' } });
    expect(await caller.refused(400, 'acceptInvitation', { params })).toMatch(/already accepted/);
    expect(await caller.refused(400, 'declineInvitation', { params })).toMatch(/already accepted/);
    await caller.refused(404, 'acceptInvitation', { params: { key: 'nonsense' } });
  });

  test('is removed when the invited user declines it', async () => {
    const { caller, key } = await inviteSleeping('decliner');
    await boss.refused(403, 'declineInvitation', { params: { key } });
    await caller.good('declineInvitation', { params: { key } });
    await boss.refused(404, 'getInvitation', { params: { key } });
    expect(await roleOf(caller)).toBeUndefined();
    await harness.admin.good('getUser', { params: { id: caller.id } });
  });

  test('expires after seven days and is valid again when it is resent', async () => {
    const { caller, key } = await inviteSleeping('dawdler');
    const params = { key };
    harness.advance(7 * dayMs);
    expect(await caller.good('getInvitation', { params })).toMatchObject({ expired: true });
    expect(await caller.refused(400, 'acceptInvitation', { params })).toMatch(/expired/);
    await caller.refused(403, 'resendInvitation', { params });
    await stranger.refused(404, 'resendInvitation', { params });
    await maintainer.good('resendInvitation', { params });
    expect(await caller.good('getInvitation', { params })).toMatchObject({ expired: false });
    await caller.good('acceptInvitation', { params });
    expect(await boss.refused(400, 'resendInvitation', { params })).toMatch(/already accepted/);
    await boss.refused(404, 'resendInvitation', { params: { key: 'nonsense' } });
  });

  test('can be resent at most five times an hour', async () => {
    const { key } = await invite('often@example.org');
    const params = { key };
    for (let count = 0; count < 5; count += 1) await boss.good('resendInvitation', { params });
    const answer = await boss.call('resendInvitation', { params });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    harness.advance(60 * 60 * 1000);
    await boss.good('resendInvitation', { params });
  });

  test('can be revoked by its sender or a maintainer, which deletes the placeholder', async () => {
    const { key, user } = await invite('mistake@example.org');
    await stranger.refused(404, 'deleteInvitation', { params: { key } });
    await maintainer.good('deleteInvitation', { params: { key } });
    await boss.refused(404, 'deleteInvitation', { params: { key } });
    await harness.admin.refused(404, 'getUser', { params: { id: user.id } });
    expect(await invite('mistake@example.org')).toMatchObject({ accepted: false });
  });

  test('leaves no placeholder behind when its organization is deleted', async () => {
    const { id } = await boss.good('createOrganization', { body: { slug: 'short' } });
    const body = { role: 'worker', email: 'nowhere@example.org' } as const;
    const { user } = await boss.good('createInvitation', { query: { org: 'short' }, body });
    await boss.good('deleteOrganization', { params: { id } });
    await harness.admin.refused(404, 'getUser', { params: { id: user.id } });
  });

  test('of a placeholder is accepted by the user into whom an admin turns it', async () => {
    const { key, user } = await invite('by-hand@example.org');
    const params = { id: user.id };
    await harness.admin.refused(404, 'createPasswordReset', { params });
    await harness.admin.good('updateUser', { params, body: { is_active: true } });
    const { uid, token } = await harness.admin.good('createPasswordReset', { params });
    const passwords = { new_password1: harness.password, new_password2: harness.password };
    await harness.anonymous.good('confirmPasswordReset', { body: { uid, token, ...passwords } });
    const login = { username: user.username, password: harness.password };
    await harness.anonymous.good('login', { body: login });
    await harness.as(user.id, user.username, 'user').good('acceptInvitation', { params: { key } });
  });

  test('can be deleted after it was accepted; the member stays', async () => {
    const member = harness.addUser('stays');
    const { key } = await invite('stays');
    await boss.good('deleteInvitation', { params: { key } });
    expect(await roleOf(member)).toBe('worker');
    const [membership] = (await boss.good('listMemberships', { query: { org: 'team', user: 'stays' } })).results;
    expect(membership?.invitation).toBeNull();
  });

  test('is listed for its sender, its receiver, and maintainers', async () => {
    const { caller, key } = await inviteSleeping('listed');
    const keys = async (one: Caller, query: Record<string, string> = {}) =>
      (await one.good('listInvitations', { query: { page_size: 'all', ...query } })).results.map((row) => row.key);
    expect(await keys(caller)).toEqual([key]);
    expect(await keys(stranger)).toEqual([]);
    expect(await keys(boss, { org: 'team' })).toContain(key);
    expect(await keys(maintainer)).not.toContain(key);
    expect(await keys(maintainer, { org: 'team' })).toContain(key);
    expect(await keys(harness.admin, { user_id: String(caller.id) })).toEqual([key]);
    expect(await keys(boss, { accepted: 'true' })).not.toContain(key);
    expect(await keys(boss, { accepted: 'False', user_id: String(caller.id) })).toEqual([key]);
    expect(await keys(boss, { owner: 'maintainer' })).not.toContain(key);
    await boss.refused(400, 'listInvitations', { query: { user_id: 'me' } });
  });
});

describe('registering with an invitation', () => {
  const registration = (username: string, more: object = {}) => ({
    username,
    password1: harness.password,
    password2: harness.password,
    ...more,
  });
  const refused = (body: ReturnType<typeof registration>) => harness.anonymous.refused(400, 'register', { body });

  test('creates the account and the member', async () => {
    const { key, user } = await invite('invited@example.org', 'supervisor');
    const body = registration('the-invited', { invitation: key, email: 'Invited@example.org', first_name: 'In' });
    const answer = await harness.anonymous.good('register', { body });
    expect(answer).toMatchObject({ username: 'the-invited', email: 'invited@example.org', first_name: 'In' });
    const caller = harness.as(user.id, 'the-invited', 'user');
    expect(await caller.good('self')).toMatchObject({ id: user.id, is_active: true, groups: ['user'] });
    expect(await roleOf(caller)).toBe('supervisor');
    expect(await boss.good('getInvitation', { params: { key } })).toMatchObject({ accepted: true });
    const login = { username: 'the-invited', password: harness.password };
    await harness.anonymous.good('login', { body: login });
    expect(await refused({ ...body, username: 'second' })).toHaveProperty('invitation');
  });

  test('needs the key: the address alone is refused', async () => {
    const { key } = await invite('wanted@example.org');
    const body = registration('impostor', { email: 'wanted@example.org' });
    expect(await refused(body)).toHaveProperty('email');
    const other = registration('impostor', { email: 'other@example.org', invitation: key });
    expect(await refused(other)).toHaveProperty('email');
    const wrong = registration('impostor', { email: 'wanted@example.org', invitation: 'guess' });
    expect(await refused(wrong)).toHaveProperty('invitation');
    const taken = registration('boss-2', { invitation: key });
    harness.addUser('boss-2');
    expect(await refused(taken)).toHaveProperty('username');
    harness.advance(8 * dayMs);
    const late = registration('late-one', { invitation: key });
    expect(await refused(late)).toHaveProperty('invitation');
    expect(await boss.good('getInvitation', { params: { key } })).toMatchObject({ accepted: false });
  });
});
