import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeImages } from '../../support/images.ts';
import { usePeopleHarness, type Caller } from './people-harness.ts';

const harness = await usePeopleHarness();
const anna = harness.addUser('anna');
const colleague = harness.addUser('colleague', 'worker');
const stranger = harness.addUser('stranger');
const organization = await anna.good('createOrganization', { body: { slug: 'team' } });
await harness.join(organization, colleague, 'worker');

async function giveNewPassword(id: number): Promise<void> {
  const { uid, token } = await harness.admin.good('createPasswordReset', { params: { id } });
  const passwords = { new_password1: 'a new password', new_password2: 'a new password' };
  await harness.anonymous.good('confirmPasswordReset', { body: { uid, token, ...passwords } });
}

describe('users', () => {
  test('see themselves and the members of their organizations; only admins see all users', async () => {
    const names = async (caller: Caller, query: Record<string, string> = {}) =>
      (await caller.good('listUsers', { query: { sort: 'id', ...query } })).results.map((user) => user.username);
    expect(await names(anna)).toEqual(['anna', 'colleague']);
    expect(await names(anna, { org: '' })).toEqual(['anna']);
    expect(await names(anna, { org: 'team' })).toEqual(['anna', 'colleague']);
    expect(await names(stranger)).toEqual(['stranger']);
    expect(await names(harness.admin)).toEqual(['admin', 'anna', 'colleague', 'stranger']);
    expect(await names(harness.admin, { org: 'team' })).toEqual(['anna', 'colleague']);
    expect(await names(harness.admin, { username: 'anna' })).toEqual(['anna']);
    expect(await names(harness.admin, { search: 'STRANGE' })).toEqual(['stranger']);
    expect(await names(harness.admin, { is_active: 'False' })).toEqual([]);
  });

  test('get all fields of their account, and only identifying fields of others', async () => {
    const full = await anna.good('getUser', { params: { id: anna.id } });
    expect(full).toMatchObject({ email: 'anna@example.org', groups: ['user'], has_analytics_access: false });
    expect(await anna.good('self')).toEqual(full);
    const basic = await anna.good('getUser', { params: { id: colleague.id } });
    expect(Object.keys(basic)).toEqual(['url', 'id', 'username', 'first_name', 'last_name']);
    expect(await harness.admin.good('getUser', { params: { id: anna.id } })).toEqual(full);
    await anna.refused(403, 'getUser', { params: { id: stranger.id } });
  });
});

describe('changing a user', () => {
  test("is limited to the user's names", async () => {
    const params = { id: anna.id };
    const changed = await anna.good('updateUser', { params, body: { first_name: 'Anna', last_name: 'Example' } });
    expect(changed).toMatchObject({ first_name: 'Anna', last_name: 'Example', email: 'anna@example.org' });
    for (const body of [
      { email: 'a@example.org' },
      { groups: ['admin'] },
      { is_superuser: true },
      { is_staff: true },
      { is_active: false },
      { has_analytics_access: true },
      { first_name: 'x', groups: ['admin'] },
    ]) {
      await anna.refused(403, 'updateUser', { params, raw: body });
    }
    expect(await anna.good('self')).toEqual(changed);
    await anna.refused(403, 'updateUser', { params: { id: colleague.id }, body: { first_name: 'C' } });
    await anna.refused(403, 'updateUser', { params: { id: stranger.id }, body: { first_name: 'S' } });
  });

  test('is unlimited for admins', async () => {
    const { id } = harness.addUser('to-change');
    const params = { id };
    const body = {
      username: 'changed',
      email: 'changed@example.org',
      groups: ['worker', 'user'] as ('worker' | 'user')[],
      is_staff: true,
      has_analytics_access: true,
    };
    expect(await harness.admin.good('updateUser', { params, body })).toMatchObject({ ...body, groups: ['user'] });
    const worker = { groups: ['worker' as const], email: '' };
    expect(await harness.admin.good('updateUser', { params, body: worker })).toMatchObject(worker);
    expect(await harness.admin.good('updateUser', { params, body: { is_superuser: true } })).toMatchObject({
      groups: ['admin'],
      is_superuser: true,
    });
    const refused = (raw: object) => harness.admin.refused(400, 'updateUser', { params, raw });
    expect(await refused({ username: 'ANNA' })).toEqual({ username: ['A user with that username already exists.'] });
    expect(await refused({ email: 'ANNA@example.org' })).toHaveProperty('email');
    expect(await refused({ email: 'no address' })).toHaveProperty('email');
    expect(await refused({ username: 'two words' })).toHaveProperty('username');
    expect(await refused({ groups: [] })).toHaveProperty('groups');
    expect(await refused({ groups: ['king'] })).toHaveProperty('groups');
  });

  test("to inactive ends the account's access", async () => {
    const gone = harness.addUser('switched-off');
    await gone.good('self');
    await harness.admin.good('updateUser', { params: { id: gone.id }, body: { is_active: false } });
    await gone.refused(401, 'self');
  });

  test.each([
    ['switched off', (id: number) => harness.admin.good('updateUser', { params: { id }, body: { is_active: false } })],
    ['deleted', (id: number) => harness.admin.good('deleteUser', { params: { id } })],
    ['given another password', giveNewPassword],
  ])('to %s ends the event streams of the account', async (what, shutOut) => {
    const listener = harness.addUser(`listener-${what.replaceAll(' ', '-')}`);
    const task = await listener.rest.taskWithImages({ name: what, labels: [] }, await makeImages(1));
    const [job] = await listener.rest.jobs(task.id);
    const stream = await fetch(`${harness.url}/api/limner/jobs/${job?.id}/changes`, {
      headers: { Authorization: `Token ${harness.tokenOf(listener)}` },
    });
    expect(stream.status).toBe(200);
    await shutOut(listener.id);
    expect(await stream.text()).toContain('event: hello');
  });

  test('never leaves the workbench without an administrator', async () => {
    const params = { id: harness.admin.id };
    const other = harness.addUser('other-admin', 'admin');
    for (const { username, id } of (await harness.admin.good('listUsers', { query: { page_size: 'all' } })).results) {
      if (username === 'changed') await harness.admin.good('deleteUser', { params: { id } });
    }
    await other.refused(400, 'updateUser', { params: { id: other.id }, body: { is_active: false } });
    for (const raw of [{ is_active: false }, { is_superuser: false }, { groups: ['user'] }]) {
      await harness.admin.refused(400, 'updateUser', { params, raw });
      await other.refused(400, 'updateUser', { params, raw });
    }
    await harness.admin.refused(400, 'deleteUser', { params });
    expect(await harness.admin.good('self')).toMatchObject({ is_active: true, is_superuser: true, groups: ['admin'] });
    await harness.admin.good('updateUser', { params: { id: other.id }, body: { is_superuser: true } });
    await other.good('updateUser', { params, body: { is_staff: true } });
    await harness.admin.good('deleteUser', { params: { id: other.id } });
  });

  test('with an access token is refused', async () => {
    const token = await anna.good('createAccessToken', { body: { name: 'a script', read_only: false } });
    const headers = { Authorization: `Bearer ${token.value}` };
    const params = { id: anna.id };
    await harness.anonymous.refused(403, 'updateUser', { params, headers, body: { email: 'x@example.org' } });
    await harness.anonymous.refused(403, 'updateUser', { params, headers, body: { first_name: 'A.' } });
  });
});

test('users and admins can delete a user; work stays, without an owner', async () => {
  const leaving = harness.addUser('leaving');
  const { id } = await leaving.good('createProject', { body: { name: 'kept' } });
  const params = { id: leaving.id };
  await stranger.refused(403, 'deleteUser', { params });
  await anna.refused(403, 'deleteUser', { params: { id: colleague.id } });
  await leaving.good('deleteUser', { params });
  await leaving.refused(401, 'self');
  expect(await harness.admin.good('getProject', { params: { id } })).toMatchObject({ name: 'kept', owner: null });
  await harness.admin.refused(404, 'deleteUser', { params });
  const second = harness.addUser('leaving-too');
  await harness.admin.good('deleteUser', { params: { id: second.id } });
  await harness.admin.refused(404, 'getUser', { params: { id: second.id } });
});

describe('a forgotten password', () => {
  test('is not mailed, and no answer reveals which addresses have an account', async () => {
    const known = await harness.anonymous.good('resetPassword', { body: { email: 'anna@example.org' } });
    const unknown = await harness.anonymous.good('resetPassword', { body: { email: 'nobody@example.org' } });
    expect(known).toEqual(unknown);
    expect(known.detail).toMatch(/No mail was sent/);
    expect(await harness.anonymous.refused(400, 'resetPassword', { raw: {} })).toHaveProperty('email');
  });

  test('can be reset with a link from an admin, once and within a day', async () => {
    const params = { id: anna.id };
    await anna.refused(403, 'createPasswordReset', { params });
    const earlier = await harness.admin.good('createPasswordReset', { params });
    const { uid, token } = await harness.admin.good('createPasswordReset', { params });
    const body = { uid, token, new_password1: 'a new password', new_password2: 'a new password' };
    const refused = (change: object) =>
      harness.anonymous.refused(400, 'confirmPasswordReset', { raw: { ...body, ...change } });
    expect(await refused({ token: earlier.token })).toEqual({ token: ['Invalid value'] });
    expect(await refused({ token: 'guess' })).toEqual({ token: ['Invalid value'] });
    expect(await refused({ uid: String(stranger.id) })).toEqual({ token: ['Invalid value'] });
    expect(await refused({ new_password2: 'another password' })).toHaveProperty('new_password2');
    expect(await refused({ new_password1: 'short', new_password2: 'short' })).toHaveProperty('new_password2');
    const script = await anna.good('createAccessToken', { body: { name: 'a script' } });
    const headers = { Authorization: `Bearer ${script.value}` };
    await harness.anonymous.good('self', { headers });
    expect(await harness.anonymous.good('confirmPasswordReset', { body })).toHaveProperty('detail');
    await harness.anonymous.refused(401, 'self', { headers });
    await harness.anonymous.good('login', { body: { username: 'anna', password: 'a new password' } });
    await anna.refused(401, 'self');
    expect(await refused({})).toEqual({ token: ['Invalid value'] });

    const again = harness.withAuthorization(anna, `Basic ${btoa('anna:a new password')}`);
    const kept = await again.good('createAccessToken', { body: { name: 'kept' } });
    const second = await harness.admin.good('createPasswordReset', { params });
    await harness.anonymous.good('confirmPasswordReset', {
      body: { ...body, uid, token: second.token, limner_keep_access_tokens: true },
    });
    await harness.anonymous.good('self', { headers: { Authorization: `Bearer ${kept.value}` } });

    const late = await harness.admin.good('createPasswordReset', { params });
    harness.advance(25 * 60 * 60 * 1000);
    expect(await refused({ token: late.token })).toEqual({ token: ['Invalid value'] });
  });

  test('cannot be reset by a program with an access token', async () => {
    const token = await harness.admin.good('createAccessToken', { body: { name: 'a script', read_only: false } });
    const headers = { Authorization: `Bearer ${token.value}` };
    await harness.anonymous.refused(403, 'createPasswordReset', { params: { id: stranger.id }, headers });
  });
});

test('everyone can download the permission rules as a gzip file', async () => {
  const response = await fetch(`${harness.url}/api/auth/rules`);
  expect(response.status).toBe(200);
  expect(response.headers.get('Content-Type')).toBe('application/gzip');
  const bundle = JSON.parse(gunzipSync(await response.arrayBuffer()).toString()) as { roles: unknown; rules: unknown };
  expect(bundle.roles).toEqual(['worker', 'supervisor', 'maintainer', 'owner']);
  expect(bundle.rules).toHaveProperty('project');
});
