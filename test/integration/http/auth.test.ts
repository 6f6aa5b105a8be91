import { describe, expect, test } from 'vitest';
import { createClient, type Answer } from '../../support/client.ts';
import { ownerPassword, raw, startWorkbench, useWorkbench } from './support.ts';

const workbench = await useWorkbench(undefined, ownerPassword);

const credentials = { username: 'admin', password: ownerPassword };
const basicHeader = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
const as = (authorization: string) => createClient(workbench.url, authorization);
const login = (json: object) => workbench.anonymous.call('POST', '/api/auth/login', { json });
const cookiesOf = (answer: Answer) => answer.headers.getSetCookie();
function sessionOf(answer: Answer) {
  const cookies = cookiesOf(answer).map((cookie) => cookie.split(';')[0] ?? '');
  const csrf = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
  return { cookie: cookies.join('; '), csrf };
}
const self = async (headers: Record<string, string>) =>
  (await workbench.anonymous.call('GET', '/api/users/self', { headers })).status;

describe('without credentials', () => {
  test('everything is 401 with a challenge, except public addresses', async () => {
    const closed = ['/api/projects', '/api/users/self', '/api/server/annotation/formats', '/api/tasks/1/preview'];
    for (const path of closed) {
      const answer = await workbench.anonymous.call('GET', path);
      expect(answer.status, path).toBe(401);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
      expect(answer.body).toEqual({ detail: 'Authentication credentials were not provided.' });
    }
    for (const path of ['/api/server/about', '/api/server/health/?format=json', '/api/schema/', '/api/docs/']) {
      expect((await workbench.anonymous.call('GET', path)).status, path).toBe(200);
    }
  });

  test('wrong credentials of any kind are 401', async () => {
    const wrong = ['Token 0123456789', 'Bearer abc.def', 'Bearer nonsense', basicHeader('admin', 'wrong'), 'Basic !!'];
    for (const authorization of wrong) {
      const answer = await as(authorization).call('GET', '/api/projects');
      expect(answer.status, authorization).toBe(401);
      expect(answer.headers.get('WWW-Authenticate')).toBe('Token');
    }
  });
});

describe('session', () => {
  test('a login answers a key and both cookies, of which scripts see only the CSRF token', async () => {
    const answer = await login(credentials);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ key: expect.stringMatching(/^[0-9a-f]{40}$/) });
    const session = cookiesOf(answer).find((cookie) => cookie.startsWith('sessionid='));
    const csrf = cookiesOf(answer).find((cookie) => cookie.startsWith('csrftoken='));
    expect(session).toMatch(/; HttpOnly/);
    expect(session).toMatch(/; SameSite=Strict/);
    expect(csrf).toMatch(/; SameSite=Strict/);
    expect(csrf).not.toMatch(/HttpOnly/);
    expect(await self({ Cookie: sessionOf(answer).cookie })).toBe(200);
  });

  test('an e-mail address signs in too; wrong credentials are 400', async () => {
    const json = {
      username: 'grace',
      email: 'grace@example.org',
      password1: ownerPassword,
      password2: ownerPassword,
      first_name: 'Grace',
      last_name: 'H',
    };
    const registered = await workbench.anonymous.call('POST', '/api/auth/register', { json });
    expect(registered.status).toBe(201);
    expect(registered.body).toMatchObject({ username: 'grace', email_verification_required: false });
    expect((await login({ email: 'grace@example.org', password: ownerPassword })).status).toBe(200);
    for (const wrong of [{ ...credentials, password: 'x' }, { username: 'nobody', password: 'x' }, { password: 'x' }]) {
      const answer = await login(wrong);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ non_field_errors: ['Unable to log in with provided credentials.'] });
      expect(cookiesOf(answer)).toEqual([]);
    }
  });

  test('an unsafe request needs the CSRF token of its session', async () => {
    const { cookie, csrf } = sessionOf(await login(credentials));
    const other = sessionOf(await login(credentials));
    const create = (headers: Record<string, string>) =>
      workbench.anonymous.call('POST', '/api/projects', {
        headers: { Cookie: cookie, ...headers },
        json: { name: 'p' },
      });
    expect((await create({})).status).toBe(403);
    expect((await create({ 'X-CSRFToken': 'guess' })).body).toEqual({ detail: 'CSRF Failed: CSRF token incorrect.' });
    expect((await create({ 'X-CSRFToken': other.csrf })).status).toBe(403);
    expect((await create({ 'X-CSRFToken': csrf })).status).toBe(201);
    expect(await self({ Cookie: cookie })).toBe(200);
  });

  test('a stale cookie does not stop a login, nor HTTP Basic', async () => {
    const headers = { Cookie: 'sessionid=stale; csrftoken=stale' };
    expect((await workbench.anonymous.call('POST', '/api/auth/login', { headers, json: credentials })).status).toBe(
      200,
    );
    expect(await self({ ...headers, Authorization: basicHeader('admin', ownerPassword) })).toBe(200);
    expect(await self(headers)).toBe(401);
  });

  test('a logout ends the session and the tokens, and clears the cookies', async () => {
    await workbench.addUser('leaver');
    const answer = await login({ username: 'leaver', password: ownerPassword });
    const { cookie, csrf } = sessionOf(answer);
    const { key } = answer.body as { key: string };
    expect(await self({ Authorization: `Token ${key}` })).toBe(200);
    const out = await workbench.anonymous.call('POST', '/api/auth/logout', {
      headers: { Cookie: cookie, 'X-CSRFToken': csrf },
    });
    expect(out.body).toEqual({ detail: 'Successfully logged out.' });
    const ended = '; expires=Thu, 01 Jan 1970 00:00:00 GMT; Max-Age=0; Path=/; SameSite=Strict';
    expect(cookiesOf(out)).toEqual([`sessionid=""; HttpOnly${ended}`, `csrftoken=""${ended}`]);
    expect(await self({ Cookie: cookie })).toBe(401);
    expect(await self({ Authorization: `Token ${key}` })).toBe(401);
  });

  test('sessions and tokens are valid after a restart', async () => {
    const other = await startWorkbench(undefined, ownerPassword);
    const json = credentials;
    const answer = await other.anonymous.call('POST', '/api/auth/login', { json });
    const again = await other.restart();
    try {
      const headers = { Cookie: sessionOf(answer).cookie };
      expect((await again.anonymous.call('GET', '/api/users/self', { headers })).status).toBe(200);
    } finally {
      await again.stop();
    }
  });
});

describe('HTTP Basic', () => {
  test('accepts a password with colons and letters beyond ASCII', async () => {
    const password = 'pässwörd: mit ☃';
    const json = { username: 'snowman', password1: password, password2: password };
    expect((await workbench.anonymous.call('POST', '/api/auth/register', { json })).status).toBe(201);
    expect(await self({ Authorization: basicHeader('snowman', password) })).toBe(200);
    expect(await self({ Authorization: basicHeader('snowman', `${password}x`) })).toBe(401);
  });
});

describe('registration', () => {
  const register = (change: object) =>
    workbench.anonymous.call('POST', '/api/auth/register', {
      json: { username: 'newcomer', password1: ownerPassword, password2: ownerPassword, ...change },
    });
  test('reports problems field by field', async () => {
    expect((await register({ username: 'tom' })).body).toEqual({
      username: ['Ensure this field has at least 5 characters.'],
    });
    expect((await register({ password1: 'short' })).body).toEqual({
      password1: ['This password is too short. It must contain at least 8 characters.'],
    });
    expect((await register({ password2: 'different one' })).status).toBe(400);
    expect((await register({ username: 'ADMIN' })).body).toEqual({
      username: ['A user with that username already exists.'],
    });
  });
  test('creates an ordinary user, who sees only their own objects', async () => {
    const newcomer = await workbench.addUser('newcomer');
    expect(await newcomer.good('GET', '/api/users/self')).toMatchObject({ groups: ['user'], is_superuser: false });
    const project = await workbench.owner.createProject('of the owner', []);
    expect((await newcomer.call('GET', `/api/projects/${project.id}`)).status).toBe(403);
    expect(await newcomer.good('GET', '/api/users')).toMatchObject({ count: 1 });
    expect((await newcomer.call('GET', '/api/users/1')).status).toBe(403);
  });
});

describe('password change', () => {
  test('ends every other session and token', async () => {
    const token = await workbench.addUser('changer');
    const kept = sessionOf(await login({ username: 'changer', password: ownerPassword }));
    const other = sessionOf(await login({ username: 'changer', password: ownerPassword }));
    const change = (json: object) =>
      workbench.anonymous.call('POST', '/api/auth/password/change', {
        headers: { Cookie: kept.cookie, 'X-CSRFToken': kept.csrf },
        json,
      });
    const next = 'another password';
    const wrong = await change({ old_password: 'wrong', new_password1: next, new_password2: next });
    expect(wrong.status).toBe(400);
    expect(wrong.body).toHaveProperty('old_password');
    const good = await change({ old_password: ownerPassword, new_password1: next, new_password2: next });
    expect(good.status).toBe(200);
    expect(await self({ Cookie: kept.cookie })).toBe(200);
    expect(await self({ Cookie: other.cookie })).toBe(401);
    expect((await token.call('GET', '/api/users/self')).status).toBe(401);
    expect(await self({ Authorization: basicHeader('changer', ownerPassword) })).toBe(401);
    expect(await self({ Authorization: basicHeader('changer', next) })).toBe(200);
  });
});

describe('personal access tokens', () => {
  interface Created {
    readonly id: number;
    readonly value: string;
  }
  const create = (json: object) => workbench.owner.good<Created>('POST', '/api/auth/access_tokens', { json });

  test('show their value once, can be read by name, and end when they are deleted', async () => {
    const { id, value, ...rest } = await create({ name: 'laptop', read_only: false });
    expect(rest).toMatchObject({ name: 'laptop', read_only: false, expiry_date: null, owner: { username: 'admin' } });
    expect(value).toMatch(/^[\w-]{8}\.[\w-]{43}$/);
    const token = as(`Bearer ${value}`);
    expect(await token.good('GET', '/api/auth/access_tokens/self')).toMatchObject({ id, name: 'laptop' });
    const listed = await workbench.owner.call('GET', '/api/auth/access_tokens', { query: { name: 'laptop' } });
    expect(listed.body).toMatchObject({ count: 1 });
    expect(JSON.stringify(listed.body)).not.toContain(value.split('.')[1]);
    expect(
      (await workbench.owner.good<{ last_used_date: unknown }>('GET', `/api/auth/access_tokens/${id}`)).last_used_date,
    ).not.toBeNull();
    const json = { name: 'old laptop' };
    expect(await workbench.owner.good('PATCH', `/api/auth/access_tokens/${id}`, { json })).toMatchObject(json);
    expect((await workbench.owner.call('DELETE', `/api/auth/access_tokens/${id}`)).status).toBe(204);
    expect((await token.call('GET', '/api/users/self')).status).toBe(401);
    expect((await workbench.owner.call('GET', `/api/auth/access_tokens/${id}`)).status).toBe(404);
  });

  test('are read-only by default', async () => {
    const token = as(`Bearer ${(await create({ name: 'reader' })).value}`);
    expect((await token.call('GET', '/api/projects')).status).toBe(200);
    expect((await token.call('POST', '/api/projects', { json: { name: 'p' } })).status).toBe(403);
  });

  test('neither manage tokens nor change the password', async () => {
    const { id, value } = await create({ name: 'writer', read_only: false });
    const token = as(`Bearer ${value}`);
    expect((await token.call('POST', '/api/projects', { json: { name: 'made by a token' } })).status).toBe(201);
    expect((await token.call('POST', '/api/auth/access_tokens', { json: { name: 'child' } })).status).toBe(403);
    expect((await token.call('PATCH', `/api/auth/access_tokens/${id}`, { json: { name: 'x' } })).status).toBe(403);
    expect((await token.call('DELETE', `/api/auth/access_tokens/${id}`)).status).toBe(403);
    const json = { old_password: ownerPassword, new_password1: 'a new password', new_password2: 'a new password' };
    expect((await token.call('POST', '/api/auth/password/change', { json })).status).toBe(403);
  });

  test('end at their expiry date', async () => {
    const expiry_date = new Date(Date.now() + 60_000).toISOString();
    const good = await create({ name: 'short-lived', expiry_date });
    expect((await as(`Bearer ${good.value}`).call('GET', '/api/users/self')).status).toBe(200);
    const past = await create({ name: 'expired', expiry_date: '2020-01-01T00:00:00+02:00' });
    expect((await as(`Bearer ${past.value}`).call('GET', '/api/users/self')).status).toBe(401);
  });

  test('belong to their user; there are at most 50', async () => {
    const user = await workbench.addUser('token-maker');
    const { id } = await create({ name: "the owner's" });
    expect((await user.call('GET', `/api/auth/access_tokens/${id}`)).status).toBe(403);
    for (let count = 0; count < 50; count += 1) {
      await user.good('POST', '/api/auth/access_tokens', { json: { name: `token ${count}` } });
    }
    expect((await user.call('POST', '/api/auth/access_tokens', { json: { name: 'one more' } })).status).toBe(400);
  });
});

describe('the launch link', () => {
  const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    raw(workbench.port, method, path, { Host: `127.0.0.1:${workbench.port}`, ...headers });
  const path = () => workbench.launchUrl.slice(workbench.url.length);

  test('signs the owner in once, and removes its token from the address', async () => {
    expect((await open(path(), {}, 'HEAD')).headers['set-cookie']).toBeUndefined();
    expect((await open(path(), { 'Sec-Purpose': 'prefetch;prerender' })).headers['set-cookie']).toBeUndefined();
    const first = await open(path());
    expect(first.status).toBe(303);
    expect(first.headers['location']).toBe('/');
    const cookies = (first.headers['set-cookie'] as string[]).map((cookie) => cookie.split(';')[0]).join('; ');
    expect(await self({ Cookie: cookies })).toBe(200);

    const second = await open(path());
    expect(second.status).toBe(403);
    expect(second.headers['set-cookie']).toBeUndefined();
    // The same browser is signed in already, so it continues.
    expect((await open(path(), { Cookie: cookies })).status).toBe(303);
  });

  test('rejects guessed tokens', async () => {
    for (const guess of ['', '?token=', '?token=undefined', `?token=${'A'.repeat(43)}`]) {
      const answer = await open(`/launch${guess}`);
      expect(answer.status).toBe(403);
      expect(answer.headers['set-cookie']).toBeUndefined();
    }
  });
});
