import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signIn } from '../../support/client.ts';
import { useServer } from '../../support/use-server.ts';
import { sharedFolder } from '../../support/temporary-folder.ts';
import { runHere } from './support/run-here.ts';
import { runLimner, type CommandResult } from './support/run-limner.ts';

const directory = sharedFolder();
const dataDir = join(directory, 'data');
const limner = (...args: string[]): Promise<CommandResult> => runHere([...args, '--data-dir', dataDir]);
const parsed = <Answer>({ output }: CommandResult): Answer => JSON.parse(output) as Answer;
const passwordIn = ({ output }: CommandResult): string => /^Password: (\S+)$/m.exec(output)?.[1] ?? '';

const forgotten = await runLimner(['user', 'reset-password', 'admin', '--data-dir', dataDir]);
const server = await useServer({ dataDir, password: null });
const signedIn = { ...server, password: passwordIn(forgotten) };
const client = await signIn(signedIn);

const statusOf = async (path: string, authorization: string): Promise<number> =>
  (await fetch(new URL(path, server.url), { headers: { authorization } })).status;
const basic = (username: string, password: string): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

describe('limner user', () => {
  it('sets a new password for the only administrator while Limner does not run', async () => {
    expect(forgotten).toMatchObject({ exitCode: 0, errorOutput: 'It is shown only once.\n' });
    expect(await statusOf('/api/users/self', basic('admin', passwordIn(forgotten)))).toBe(200);
  });

  it('adds a working account, makes it an administrator, and deactivates it at once', async () => {
    const added = await limner('user', 'add', 'painter', '--role', 'worker', '--email', 'painter@example.org');
    expect(added.output).toMatch(/^Added painter \(worker\)\.$/m);
    const authorization = basic('painter', passwordIn(added));
    expect(await statusOf('/api/users/self', authorization)).toBe(200);

    const changed = await limner('user', 'set', 'painter', '--role', 'admin', '--first-name', 'Pia', '--json');
    expect(parsed(changed)).toMatchObject({ groups: ['admin'], is_superuser: true, first_name: 'Pia' });
    const { output: list } = await limner('user', 'list', '--search', 'paint');
    expect(list).toMatch(/^\d+ +painter +Pia +painter@example\.org +admin +active +never$/m);
    expect(list).not.toMatch(/^\d+ +admin /m);

    await limner('user', 'deactivate', 'painter');
    expect(await statusOf('/api/users/self', authorization)).toBe(401);
    await limner('user', 'reactivate', 'painter');
    expect(await statusOf('/api/users/self', authorization)).toBe(200);

    const file = join(directory, 'password');
    writeFileSync(file, 'a chosen password\n');
    const reset = await limner('user', 'reset-password', 'painter', '--password-file', file);
    expect(reset.output).toBe('painter has a new password.\n');
    expect(await statusOf('/api/users/self', authorization)).toBe(401);
    expect(await statusOf('/api/users/self', basic('painter', 'a chosen password'))).toBe(200);

    const requested = await limner('user', 'remove', 'painter');
    expect(requested).toMatchObject({ exitCode: 3, output: '' });
    expect(requested.errorOutput).toContain('projects (0) and tasks (0) of this owner would stay');
    expect(await limner('user', 'remove', 'painter', '--yes')).toMatchObject({ exitCode: 0 });
    expect(parsed(await limner('user', 'list', '--json'))).toMatchObject([{ username: 'admin' }]);
  });

  it.each([
    ['the owner shut out', ['user', 'deactivate', 'admin'], 3, /admin owns this workbench/],
    ['the owner removed', ['user', 'remove', 'admin', '--yes'], 3, /admin owns this workbench/],
    ['the last administrator', ['user', 'set', 'admin', '--role', 'user'], 3, /last administrator/],
    ['somebody who is not there', ['user', 'set', 'nobody', '--role', 'user'], 3, /There is no user "nobody"/],
    ['nothing to change', ['user', 'set', 'admin'], 2, /Give at least one change/],
    ['a role that is none', ['user', 'set', 'admin', '--role', 'king'], 2, /Allowed choices are admin, user, worker/],
    ['a webhook of nothing', ['webhook', 'add', 'http://a.example', '--event', 'update:job'], 2, /exactly one of/],
    ['a webhook that is not there', ['webhook', 'ping', '99'], 3, /There is no webhook 99/],
    ['a token that is not there', ['token', 'revoke', '99'], 3, /There is no token 99/],
  ])('refuses %s in a sentence', async (_what, args, exitCode, message) => {
    const refused = await limner(...args);
    expect(refused).toMatchObject({ exitCode, output: '' });
    expect(refused.errorOutput).toMatch(message);
  });
});

describe('limner token', () => {
  it('prints only the new token, which may read until it is revoked', async () => {
    const { output } = await limner('token', 'add', 'reports', '--expires-in', '7');
    const authorization = `Bearer ${output.trim()}`;
    expect(await statusOf('/api/projects', authorization)).toBe(200);
    const [token] = parsed<{ id: number; name: string; read_only: boolean }[]>(await limner('token', 'list', '--json'));
    expect(token).toMatchObject({ name: 'reports', read_only: true });
    await limner('token', 'revoke', String(token?.id));
    expect(await statusOf('/api/projects', authorization)).toBe(401);
  });
});

describe('limner webhook', () => {
  let receiver: Server;
  let status = 200;
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end());
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
  });
  afterAll(() => receiver.close());

  it('adds, pings, lists and removes one, and ends with 1 if the receiver refuses', async () => {
    const { id: project } = await client.good<{ id: number }>('POST', '/api/projects', {
      json: { name: 'told', labels: [] },
    });
    const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const of = ['--project', String(project), '--event', 'update:project', '--json'];
    const id = String(parsed<{ id: number }>(await limner('webhook', 'add', address, ...of)).id);
    expect((await limner('webhook', 'ping', id)).output).toMatch(/^The receiver answered 200 after \d+ ms\.$/m);
    status = 503;
    const refused = await limner('webhook', 'ping', id);
    expect(refused).toMatchObject({ exitCode: 1, output: '' });
    expect(refused.errorOutput).toContain('The receiver rejected the ping (503)');
    const deliveries = parsed<object[]>(await limner('webhook', 'deliveries', id, '--json'));
    expect(deliveries).toMatchObject([{ status_code: 503 }, { status_code: 200 }]);
    expect((await limner('webhook', 'list')).output).toContain(`project  ${address}  active  503   update:project`);
    await limner('webhook', 'remove', id);
    expect(parsed(await limner('webhook', 'list', '--json'))).toEqual([]);
  });
});
