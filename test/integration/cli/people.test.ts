import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runLimner, type CommandResult } from './support/run-limner.ts';

const dataDir = join(sharedFolder(), 'data');
const limner = (...args: readonly string[]): Promise<CommandResult> => runLimner([...args, '--data-dir', dataDir]);
const made = async <Answer>(...args: readonly string[]): Promise<Answer> => {
  const { exitCode, output, errorOutput } = await limner(...args, '--json');
  expect(errorOutput).not.toMatch(/error/i);
  expect(exitCode).toBe(0);
  return JSON.parse(output) as Answer;
};

interface Made {
  readonly id: number;
  readonly username: string;
  readonly password: string;
}

it('a forgotten password is reset while nothing runs, and is good for signing in then', async () => {
  const { password } = await made<Made>('user', 'reset-password', 'admin');
  const server = await startServer({ dataDir, password: null });
  try {
    const signIn = (body: object) =>
      fetch(`${server.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await signIn({ username: 'admin', password })).status).toBe(200);
    expect((await signIn({ username: 'admin', password: 'password' })).status).toBe(400);
  } finally {
    await server.stop();
  }
});

describe('beside a running instance', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer({ dataDir });
  });
  afterAll(() => server.stop());
  const asUser = ({ username, password }: Made) =>
    fetch(`${server.url}/api/users/self`, {
      headers: { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` },
    });

  it('people are added, changed, deactivated and removed', async () => {
    const worker = await made<Made>('user', 'add', 'worker-one', '--email', 'one@example.com', '--first-name', 'One');
    expect((await asUser(worker)).status).toBe(200);
    expect((await limner('user', 'list')).output).toMatch(/^ +\d+ {2}worker-one {2}user, one@example\.com, /m);
    expect((await limner('user', 'set', 'worker-one', '--admin')).output).toContain('worker-one  administrator');
    expect((await limner('user', 'set', 'worker-one', '--no-admin', '--no-active')).output).toContain('deactivated');
    expect((await asUser(worker)).status).toBe(401);
    expect((await limner('user', 'set', 'worker-one', '--active')).exitCode).toBe(0);
    expect((await asUser(worker)).status).toBe(200);
    expect((await limner('user', 'remove', 'worker-one')).output).toBe('Removed worker-one.\n');
    expect((await limner('user', 'list')).output).not.toContain('worker-one');
  });

  it('what cannot be is said in a sentence, with its exit code', async () => {
    expect(await limner('user', 'set', 'nobody', '--admin')).toMatchObject({
      exitCode: 3,
      errorOutput: expect.stringContaining('There is nobody named "nobody". Nothing was changed.'),
    });
    expect(await limner('user', 'set', 'admin')).toMatchObject({ exitCode: 2 });
    expect((await limner('user', 'add', 'admin')).exitCode).toBe(3);
    expect((await limner('token', 'revoke', '999')).exitCode).toBe(3);
    expect((await limner('token', 'add', 'x', '--days', '0')).exitCode).toBe(2);
  });

  it('a token is made, works as far as it may, and ends when it is revoked', async () => {
    const value = (await limner('token', 'add', 'training', '--read-only', '--days', '2')).output.trim();
    const ask = (method: string) =>
      fetch(`${server.url}/api/projects`, {
        method,
        headers: { Authorization: `Bearer ${value}`, 'Content-Type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify({ name: 'not to be' }) } : {}),
      });
    expect((await ask('GET')).status).toBe(200);
    expect((await ask('POST')).status).toBe(403);
    const tokens = await made<{ id: number; name: string; read_only: boolean }[]>('token', 'list');
    const found = tokens.find(({ name }) => name === 'training');
    expect(found).toMatchObject({ read_only: true });
    expect(JSON.stringify(tokens)).not.toContain(value);
    expect((await limner('token', 'revoke', String(found?.id))).exitCode).toBe(0);
    expect((await ask('GET')).status).toBe(401);
  });
});
