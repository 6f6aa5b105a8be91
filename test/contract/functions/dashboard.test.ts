import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createDashboardApp } from '../../../main/dashboard/dashboard-app.ts';
import { createSignIn } from '../../../main/users/sign-in.ts';
import { startServer } from '../../../main/http/server.ts';
import { createClock } from '../../../main/platform/clock.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { startPeopleHarness } from '../people/people-harness.ts';

let seen: { method: string; url: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
const harness = await startPeopleHarness();
const { core, database } = harness;
const log = createSilentLogger();
const signIn = createSignIn({ database, clock: createClock(), changes: core.changes });
const app = createDashboardApp({ functions: core.functions, authenticators: signIn, log });
const server = await startServer({ fetch: (request) => app.fetch(request), port: 0, anyPort: true, log });
const authorization = harness.admin.rest.authorization ?? '';
const remote = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    response.writeHead(request.url === '/fail' ? 500 : 200, {
      'Content-Type': 'application/json',
      'X-Nuclio-Logs': '[]',
      'X-Nuclio-Secret': 'x',
      'X-Own': 'kept',
    });
    response.end('[{"label":"car"}]');
  });
});
await new Promise<void>((resolve) => remote.listen(0, '127.0.0.1', resolve));
const address = remote.address();
const remoteUrl = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`;
await harness.admin.good('addEndpoint', {
  body: {
    configuration: JSON.stringify({
      metadata: {
        name: 'remote',
        labels: { 'nuclio.io/project-name': 'cvat' },
        annotations: { type: 'detector', min_pos_points: 1, spec: '[{"name":"car","type":"rectangle"}]' },
      },
      spec: { description: 'Far away', handler: 'main:handler', env: [{ name: 'TOKEN', value: 'canary-7f3a' }] },
    }),
    url: remoteUrl,
    headers: { Authorization: 'Bearer canary-91c2' },
  },
});
afterEach(() => {
  seen = [];
});
afterAll(async () => {
  await server.close(0);
  await harness.stop();
  remote.close();
});

const call = (method: string, path: string, options: { headers?: Record<string, string>; body?: unknown } = {}) =>
  fetch(new URL(path, server.url), {
    method,
    headers: { Authorization: authorization, ...options.headers },
    ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
  });

const statusOf = async (...given: Parameters<typeof call>) => (await call(...given)).status;

describe('the function dashboard', () => {
  test("requires an administrator's credentials", async () => {
    for (const path of ['/', '/api/functions', '/api/projects']) {
      const answer = await fetch(new URL(path, server.url));
      expect([path, answer.status]).toEqual([path, 401]);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Basic/);
    }
    const user = harness.addUser('not-an-admin');
    const basic = `Basic ${Buffer.from(`${harness.admin.username}:${harness.password}`).toString('base64')}`;
    const listed = (given: string) => statusOf('GET', '/api/functions', { headers: { Authorization: given } });
    expect([await listed(user.rest.authorization ?? ''), await listed(basic)]).toEqual([403, 200]);
  });

  test('lists the deployed functions, and hides models that its tools do not support', async () => {
    const labels = [{ name: 'car', type: 'any', attributes: [] }];
    const { id } = await harness.admin.good('createNativeFunction', {
      body: { provider: 'native', name: 'with agents', kind: 'detector', labels_v2: labels },
    });
    const answer = await call('GET', '/api/functions');
    expect(Object.keys((await answer.json()) as object)).toEqual(['remote']);
    expect(await call('GET', `/api/functions/native:${id}`)).toMatchObject({ status: 404 });
  });

  test('answers only for its own host names and the same origin', async () => {
    const status = async (headers: Record<string, string>) => {
      const outgoing = get(`${server.url}/api/functions`, { headers: { Authorization: authorization, ...headers } });
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    expect(await status({})).toBe(200);
    expect(await status({ Host: 'evil.example:8070' })).toBe(403);
    expect(await status({ Origin: 'http://evil.example' })).toBe(403);
    expect(await status({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403);
  });

  test('lists functions by name, as Nuclio does', async () => {
    const answer = await call('GET', '/api/functions', {
      headers: { 'x-nuclio-function-namespace': 'nuclio', 'x-nuclio-project-name': 'cvat' },
    });
    expect(await answer.json()).toEqual({
      remote: {
        metadata: {
          name: 'remote',
          namespace: 'nuclio',
          labels: { 'nuclio.io/project-name': 'cvat' },
          annotations: { type: 'detector', min_pos_points: '1', spec: '[{"name":"car","type":"rectangle"}]' },
        },
        spec: expect.objectContaining({ description: 'Far away', handler: 'main:handler' }),
        status: expect.objectContaining({ state: 'ready', httpPort: 0 }),
      },
    });
    const other = await call('GET', '/api/functions', { headers: { 'x-nuclio-project-name': 'other' } });
    expect(await other.json()).toEqual({});
  });

  test('returns one function, and 404 for an unknown one', async () => {
    expect(await (await call('GET', '/api/functions/remote')).json()).toMatchObject({
      metadata: { name: 'remote' },
      status: { state: 'ready' },
    });
    const missing = await call('GET', '/api/functions/nothing');
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({ error: 'Function not found', errorStackTrace: expect.any(String) });
  });

  test('never shows values of variables or headers', async () => {
    const texts = await Promise.all(
      ['/api/functions', '/api/functions/remote'].map(async (path) => (await call('GET', path)).text()),
    );
    const own = JSON.stringify(await harness.admin.good('listModels'));
    expect(texts.join() + own).not.toContain('canary');
    expect(texts[0]).toContain('TOKEN');
    const stored = harness.database.query('SELECT * FROM model_function').all();
    expect(JSON.stringify(stored)).not.toContain('canary');
  });

  test('forwards calls: method, path, body and headers except its own', async () => {
    const answer = await call('POST', '/api/function_invocations', {
      headers: {
        'x-nuclio-function-name': 'remote',
        'x-nuclio-path': '/',
        'x-nuclio-invoke-via': 'domain-name',
        'X-Nuclio-Invoke-Timeout': '120s',
        'X-Nuclio-Log-Level': 'info',
        'Content-Type': 'application/json',
        'X-Mine': '1',
      },
      body: { image: 'YQ==' },
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([{ label: 'car' }]);
    const passedOn = ['x-own', 'x-nuclio-logs', 'x-nuclio-secret'].map((name) => answer.headers.get(name));
    expect(passedOn).toEqual(['kept', '[]', null]);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      body: '{"image":"YQ=="}',
      headers: { 'x-mine': '1', 'x-nuclio-log-level': 'info', 'content-type': 'application/json' },
    });
    expect(Object.keys(seen[0]?.headers ?? {})).not.toContain('x-nuclio-function-name');
    expect(seen[0]?.headers['authorization']).toBe('Bearer canary-91c2');
  });

  test('refuses calls without a name, with an unknown name or to a removed function', async () => {
    const invoke = (headers: Record<string, string> = {}) => call('POST', '/api/function_invocations', { headers });
    expect((await invoke()).status).toBe(400);
    expect((await invoke({ 'x-nuclio-function-name': 'nothing' })).status).toBe(404);
    await harness.admin.good('addEndpoint', {
      body: {
        configuration: JSON.stringify({ metadata: { name: 'gone', annotations: { type: 'detector' } }, spec: {} }),
        url: 'http://127.0.0.1:9/',
        headers: {},
      },
    });
    const answer = await invoke({ 'x-nuclio-target': 'gone' });
    expect(answer.status).toBe(503);
    const { error } = (await answer.json()) as { error: string };
    expect(error).toMatch(/^Failed to invoke function: Nothing responds/);
    const remove = () => statusOf('DELETE', '/api/functions', { body: { metadata: { name: 'gone' } } });
    expect([await remove(), await remove()]).toEqual([204, 204]);
  });

  test('refuses invalid functions with an error in Nuclio’s form', async () => {
    const create = (body: unknown) => call('POST', '/api/functions', { body });
    expect((await create({ metadata: { name: 'remote' }, spec: {} })).status).toBe(409);
    expect((await create({ metadata: { name: 'Bad Name' }, spec: { image: 'a:1' } })).status).toBe(400);
    expect((await create('nonsense')).status).toBe(400);
    const metadata = { name: 'f', labels: { 'nuclio.io/project-name': 'nowhere' } };
    const project = await create({ metadata, spec: { image: 'a:1' } });
    expect(project.status).toBe(412);
    expect(await project.json()).toMatchObject({ error: 'Project does not exist' });
    const spec = { image: 'a:1', platform: { attributes: { privileged: true } } };
    expect((await create({ metadata: { name: 'f' }, spec })).status).toBe(403);
  });

  test('creates, lists and deletes projects, and keeps those with functions', async () => {
    const names = async () => Object.keys((await (await call('GET', '/api/projects')).json()) as object);
    expect(await names()).toEqual(['cvat', 'default']);
    const streets = (description: string) => ({ body: { metadata: { name: 'streets' }, spec: { description } } });
    const remove = (name: string) => statusOf('DELETE', '/api/projects', { body: { metadata: { name } } });
    expect(await statusOf('POST', '/api/projects', streets('Cars'))).toBe(201);
    expect(await (await call('GET', '/api/projects/streets')).json()).toMatchObject(streets('Cars').body);
    expect(await statusOf('PUT', '/api/projects/streets', streets('More'))).toBe(204);
    expect([await remove('cvat'), await remove('default'), await remove('streets')]).toEqual([409, 403, 204]);
    expect(await names()).toEqual(['cvat', 'default']);
  });

  test('serves a page that loads only its own scripts', async () => {
    const page = await call('GET', '/');
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await page.text();
    expect(text).not.toMatch(/https?:\/\//);
    for (const path of ['/dashboard.js', '/dashboard.css']) {
      expect(text).toContain(path);
      expect(await statusOf('GET', path)).toBe(200);
    }
    expect(await statusOf('GET', '/nothing')).toBe(404);
  });
});

test('lists and calls its functions from another workbench that uses it as a Nuclio dashboard', async () => {
  const other = await startPeopleHarness();
  const url = new URL(server.url);
  url.username = harness.admin.username;
  url.password = encodeURIComponent(harness.password);
  await other.admin.good('addDashboard', {
    body: { url: url.href, namespace: 'nuclio', project: 'cvat', invoke: 'dashboard' },
  });
  expect((await other.admin.good('listLambdaFunctions')).map(({ id }) => id)).toEqual(['remote']);
  expect(await other.admin.good('listDashboards')).toMatchObject([{ url: server.url, problem: null }]);
  const stored = JSON.stringify(other.database.query('SELECT * FROM model_dashboard').all());
  expect(stored).not.toContain(encodeURIComponent(harness.password));
  expect(stored).not.toContain(Buffer.from(harness.password).toString('base64').slice(4, 16));
  await other.stop();
});
