import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { createLaunchTokens } from '../../../main/users/auth/launch-tokens.ts';
import { hashPassword, verifyPassword } from '../../../main/users/auth/password-hash.ts';
import { createSignIn } from '../../../main/users/sign-in.ts';
import { createThrottle } from '../../../main/users/auth/throttle.ts';
import { createChanges } from '../../../main/db/changes.ts';
import type { Store } from '../../../main/db/store.ts';
import { temporaryStore } from '../../support/new-store.ts';

const dayMs = 24 * 60 * 60 * 1000;
const password = 'a password for tests';

let database: Store;
let nowMs: number;
beforeEach(() => {
  database = temporaryStore();
  nowMs = Date.parse('2026-11-20T09:00:00Z');
});

const none = () => undefined;
const snapshots = { organization: none, membership: none, invitation: none };

const signIn = (options: { attemptsPerMinute?: number; registrationOpen?: boolean } = {}) =>
  createSignIn({
    database,
    nowMs: () => nowMs,
    changes: createChanges({ database, snapshots, listeners: [], baseUrl: () => '' }),
    clock: () => new Date(nowMs).toISOString().replace('Z', '000Z'),
    ...options,
  });

const asActor = (userId: number) =>
  ({ userId, username: 'admin', group: 'admin', organization: { kind: 'all' }, readOnly: false, baseUrl: '' }) as const;

describe('the owner', () => {
  test('is created once, without a guessable password', async () => {
    const { accounts, sessions } = signIn();
    const owner = await accounts.ensureOwner();
    expect(owner).toMatchObject({ username: 'admin', group_name: 'admin', is_superuser: 1 });
    expect((await accounts.ensureOwner()).id).toBe(owner.id);
    for (const guess of ['', '!', 'admin', owner.password_hash]) {
      await expect(sessions.byBasic('admin', guess)).rejects.toThrow('Invalid username/password.');
    }
  });

  test('gets the given password; a new one ends the sessions of the old one', async () => {
    const { accounts, sessions } = signIn();
    const owner = await accounts.ensureOwner(password);
    const { key, session } = await sessions.login({ username: 'admin', password });
    await accounts.ensureOwner(password);
    expect(sessions.byToken(key).user.id).toBe(owner.id);
    await accounts.ensureOwner('another one');
    expect(() => sessions.byToken(key)).toThrow('Invalid token.');
    expect(sessions.bySession(session.key)).toBeNull();
    await expect(sessions.byBasic('admin', password)).rejects.toThrow();
    expect((await sessions.byBasic('admin', 'another one')).user.id).toBe(owner.id);
  });
});

test('sessions end after two weeks without use, and only then', async () => {
  const { accounts, sessions } = signIn();
  const owner = await accounts.ensureOwner();
  const { key } = sessions.openSession(owner.id);
  for (let week = 0; week < 10; week += 1) {
    nowMs += 7 * dayMs;
    expect(sessions.bySession(key)?.user.id).toBe(owner.id);
  }
  nowMs += 14 * dayMs + 1;
  expect(sessions.bySession(key)).toBeNull();
});

test('access tokens without use for half a year are refused', async () => {
  const { accounts, accessTokens } = signIn();
  const owner = await accounts.ensureOwner();
  const { value } = accessTokens.create(asActor(owner.id), { kind: 'basic' }, { name: 'script' });
  nowMs += 180 * dayMs;
  expect(accessTokens.authenticate(value).user.id).toBe(owner.id);
  nowMs += 180 * dayMs;
  expect(accessTokens.authenticate(value).user.id).toBe(owner.id);
  nowMs += 200 * dayMs;
  expect(() => accessTokens.authenticate(value)).toThrow('Invalid token.');
});

test('the store contains no secret in plain text', async () => {
  const { accounts, sessions, accessTokens } = signIn();
  const owner = await accounts.ensureOwner(password);
  const { key, session } = await sessions.login({ username: 'admin', password });
  const { value } = accessTokens.create(asActor(owner.id), { kind: 'basic' }, { name: 'script' });
  database.pragma('wal_checkpoint(TRUNCATE)');
  const stored = readFileSync(database.file).toString('latin1');
  for (const secret of [password, key, session.key, value, value.split('.')[1] ?? ''])
    expect(stored).not.toContain(secret);
});

describe('wrong passwords', () => {
  test('are slowed down after the limit, for all users, until the minute is over; right ones do not count', async () => {
    const { accounts, sessions } = signIn({ attemptsPerMinute: 3 });
    await accounts.ensureOwner(password);
    for (let count = 0; count < 5; count += 1) await sessions.login({ username: 'admin', password });
    const wrong = () => sessions.login({ username: 'admin', password: 'wrong' });
    for (let count = 0; count < 3; count += 1) await expect(wrong()).rejects.toMatchObject({ code: 'invalid' });
    await expect(wrong()).rejects.toMatchObject({ code: 'throttled', cause: { retryAfterSeconds: 60 } });
    await expect(sessions.byBasic('nobody', 'x')).rejects.toMatchObject({ code: 'throttled' });
    nowMs += 60_001;
    expect((await sessions.login({ username: 'admin', password })).key).toHaveLength(40);
  });

  test('never lock a user out for longer than the minute, with any clock', async () => {
    const { accounts, sessions } = signIn({ attemptsPerMinute: 3 });
    await accounts.ensureOwner(password);
    const wrong = () => sessions.login({ username: 'admin', password: 'wrong' });
    for (const setMs of [-30 * dayMs, 60 * dayMs]) {
      for (let count = 0; count < 3; count += 1) await expect(wrong()).rejects.toMatchObject({ code: 'invalid' });
      await expect(wrong()).rejects.toMatchObject({ code: 'throttled' });
      nowMs += setMs;
      expect((await sessions.login({ username: 'admin', password })).key).toHaveLength(40);
    }
  });

  test('many in parallel are counted before they are checked', async () => {
    const { accounts, sessions } = signIn({ attemptsPerMinute: 4 });
    await accounts.ensureOwner(password);
    const attempts = Array.from({ length: 12 }, (_, index) =>
      sessions.login({ username: 'admin', password: `guess ${index}` }),
    );
    const codes = (await Promise.allSettled(attempts)).map(
      (one) => one.status === 'rejected' && (one.reason as { code: string }).code,
    );
    expect(codes.filter((code) => code === 'invalid')).toHaveLength(4);
    expect(codes.filter((code) => code === 'throttled')).toHaveLength(8);
  });
});

test('registration can be switched off', async () => {
  const { accounts } = signIn({ registrationOpen: false });
  const input = {
    username: 'somebody',
    email: '',
    password1: password,
    password2: password,
    first_name: '',
    last_name: '',
  };
  await expect(accounts.register(input)).rejects.toMatchObject({ code: 'forbidden' });
});

test('password hashes match their password, in any Unicode form, and no other', async () => {
  const stored = await hashPassword('Zoë');
  expect(stored).not.toBe(await hashPassword('Zoë'));
  expect(await verifyPassword('Zoe\u0308', stored)).toBe(true);
  for (const other of ['zoë', 'Zoë ', '']) expect(await verifyPassword(other, stored)).toBe(false);
  expect(await verifyPassword('anything', undefined)).toBe(false);
  expect(await verifyPassword('', 'scrypt:15:8:1:x:')).toBe(false);
});

describe('launch tokens', () => {
  test('are long, work once, and for a day', () => {
    let time = 0;
    const tokens = createLaunchTokens(() => time);
    const token = tokens.issue(7);
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(tokens.redeem(`${token}x`)).toBeNull();
    expect(tokens.redeem(token)).toBe(7);
    expect(tokens.redeem(token)).toBeNull();
    const late = tokens.issue(7);
    time += dayMs + 1;
    expect(tokens.redeem(late)).toBeNull();
  });
  test('several may be valid, up to a limit', () => {
    const tokens = createLaunchTokens();
    const issued = Array.from({ length: 40 }, () => tokens.issue(1));
    expect(issued.map((token) => tokens.redeem(token)).filter((user) => user === 1)).toHaveLength(32);
  });
});

test('the throttle ignores cancelled attempts', () => {
  const throttle = createThrottle(2, 1000, () => 0);
  throttle.attempt()();
  throttle.attempt();
  throttle.attempt();
  expect(() => throttle.attempt()).toThrow('throttled');
});
