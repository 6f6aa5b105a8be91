import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import Docker from 'dockerode';
import { createClient } from '../../support/client.ts';
import { nodeBase, testSocket } from '../../support/functions/docker-harness.ts';
import { startServer, type RunningServer } from '../../support/server.ts';

/** A function in the answer of Nuclio's dashboard, reduced to the fields that clients use. */
interface NuclioFunction {
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly spec: { readonly description: string };
  readonly status: { readonly state: string; readonly httpPort: number; readonly message: string };
}

async function makeServerImage(name: string): Promise<void> {
  const docker = new Docker({ socketPath: testSocket() });
  const container = await docker.createContainer({ Image: nodeBase, Cmd: ['node'] });
  const [repo, tag] = name.split(':');
  const changes = `CMD ["node", "-e", "require('http').createServer((q, a) => a.end('mine')).listen(8080)"]`;
  await container.commit({ repo, tag, changes });
  await container.remove();
}

const handler = `import json

def handler(context, event):
    context.logger.info("A picture came")
    found = [{"label": "car", "type": "rectangle", "points": [1, 2, 3, 4], "confidence": "0.9", "size": event.size}]
    return context.Response(body=json.dumps(found), headers={}, content_type="application/json", status_code=200)
`;
const body = (name: string) => ({
  metadata: {
    name,
    namespace: 'nuclio',
    labels: { 'nuclio.io/project-name': 'cvat' },
    annotations: { name: 'A detector', type: 'detector', framework: 'none', spec: '[{"id":1,"name":"car"}]' },
  },
  spec: {
    description: 'Finds cars',
    handler: 'main:handler',
    runtime: 'python:3.10',
    eventTimeout: '30s',
    build: { functionSourceCode: btoa(handler), baseImage: 'limner/base-python:latest' },
    triggers: { myHttpTrigger: { kind: 'http', numWorkers: 1, workerAvailabilityTimeoutMilliseconds: 10_000 } },
  },
});

describe('the dashboard on its own port', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServer();
    const made = await call('POST', '/api/projects', { body: { metadata: { name: 'cvat' }, spec: {} } });
    expect(made.status).toBe(201);
  });
  afterAll(async () => {
    await call('DELETE', '/api/projects', {
      body: { metadata: { name: 'cvat' } },
      headers: { 'x-nuclio-delete-project-strategy': 'cascading' },
    });
    await server?.stop();
  });

  const call = (method: string, path: string, options: { headers?: Record<string, string>; body?: unknown } = {}) =>
    fetch(new URL(path, server.dashboardUrl), {
      method,
      headers: { Authorization: server.authorization, 'Content-Type': 'application/json', ...options.headers },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
  const look = async (name: string) => (await (await call('GET', `/api/functions/${name}`)).json()) as NuclioFunction;
  const settled = async (name: string) => {
    for (;;) {
      const found = await look(name);
      if (['ready', 'error'].includes(found.status.state)) return found;
      await sleep(100);
    }
  };

  test('deploys functions, and reports when they are ready', async () => {
    expect(server.dashboardUrl).not.toBe(server.url);
    const answer = await call('POST', '/api/functions', { body: body('cars') });
    expect([answer.status, await answer.text()]).toEqual([202, '']);
    const { status } = await settled('cars');
    expect(status).toMatchObject({ state: 'ready', message: '', httpPort: expect.any(Number) });
    expect((await call('POST', '/api/functions', { body: body('cars') })).status).toBe(409);
  });

  test("answers CVAT's calls in sequence: list, one, and an image, directly and through the dashboard", async () => {
    const headers = {
      'x-nuclio-project-name': 'cvat',
      'x-nuclio-function-namespace': 'nuclio',
      'x-nuclio-invoke-via': 'domain-name',
      'X-Nuclio-Invoke-Timeout': '120s',
    };
    const list = (await (await call('GET', '/api/functions', { headers })).json()) as Record<string, NuclioFunction>;
    expect(Object.keys(list)).toEqual(['cars']);
    expect(list['cars']).toMatchObject({
      metadata: { name: 'cars', annotations: { type: 'detector', spec: '[{"id":1,"name":"car"}]' } },
      spec: { description: 'Finds cars' },
    });
    const one = (await (await call('GET', '/api/functions/cars', { headers })).json()) as NuclioFunction;
    const image = { image: Buffer.from('a picture').toString('base64') };
    const expected = [expect.objectContaining({ label: 'car', size: JSON.stringify(image).length })];

    const straight = await fetch(`http://127.0.0.1:${one.status.httpPort}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(image),
    });
    expect([straight.status, await straight.json()]).toEqual([200, expected]);

    const through = await call('POST', '/api/function_invocations', {
      headers: { ...headers, 'x-nuclio-function-name': 'cars', 'x-nuclio-path': '/' },
      body: image,
    });
    expect([through.status, await through.json()]).toEqual([200, expected]);
    expect((await call('GET', '/api/functions/nothing', { headers })).status).toBe(404);
  });

  test('serves the log of its only replica', async () => {
    const replicas = (await (await call('GET', '/api/functions/cars/replicas')).json()) as { names: string[] };
    expect(replicas.names).toEqual(['nuclio-nuclio-cars']);
    const log = await call('GET', `/api/functions/cars/logs/${replicas.names[0]}?tailLines=50`);
    expect(log.headers.get('content-type')).toContain('text/plain');
    expect(await log.text()).toContain('A picture came');
  });

  test('stops and starts functions; a stopped one says so', async () => {
    const change = (desiredState: string) => call('PATCH', '/api/functions/cars', { body: { desiredState } });
    expect((await change('scaledToZero')).status).toBe(202);
    expect((await look('cars')).status).toMatchObject({ state: 'scaledToZero', httpPort: 0 });
    const stopped = await call('POST', '/api/function_invocations', { headers: { 'x-nuclio-function-name': 'cars' } });
    expect([stopped.status, await stopped.json()]).toEqual([
      503,
      { error: expect.stringContaining('is stopped'), errorStackTrace: expect.any(String) },
    ]);
    expect((await change('ready')).status).toBe(202);
    expect((await settled('cars')).status.state).toBe('ready');
  });

  test('replaces a function, exports it, and refuses to delete its project', async () => {
    const next = { ...body('cars'), spec: { ...body('cars').spec, description: 'Finds more cars' } };
    const headers = { 'x-nuclio-wait-function-action': 'true' };
    expect((await call('PUT', '/api/functions/cars', { body: next, headers })).status).toBe(202);
    expect((await look('cars')).spec.description).toBe('Finds more cars');
    const exported = await (await call('GET', '/api/functions/cars?export=true')).json();
    expect(Object.keys(exported as object).toSorted()).toEqual(['metadata', 'spec']);
    for (const strategy of ['restricted', 'check']) {
      const refused = await call('DELETE', '/api/projects', {
        body: { metadata: { name: 'cvat' } },
        headers: { 'x-nuclio-delete-project-strategy': strategy },
      });
      expect([strategy, refused.status]).toEqual([strategy, 409]);
    }
  });

  test('serves another Limner as its Nuclio dashboard, which calls the functions at their own ports', async () => {
    const other = await startServer();
    const client = createClient(other.url, other.authorization);
    const url = new URL(server.dashboardUrl);
    url.username = server.user;
    url.password = encodeURIComponent(server.password);
    const json = { url: url.href, namespace: 'nuclio', project: 'cvat', invoke: 'direct' };
    await client.good('POST', '/api/models/dashboards', { json });
    const answer = await client.good('POST', '/api/models/functions/cars/invoke', { json: { image: 'AAAA' } });
    expect(answer).toMatchObject([{ label: 'car' }]);
    await other.stop();
  });

  test('deploys an image with its own server once an administrator has allowed it', async () => {
    const image = 'limner-test/dashboard-server:1';
    const client = createClient(server.url, server.authorization);
    await client.good('POST', '/api/models/images/base', { json: { language: 'node' } });
    await makeServerImage(image);
    const sent = (name: string) => ({ metadata: body(name).metadata, spec: { handler: 'main:handler', image } });
    const refused = await call('POST', '/api/functions', { body: sent('serving') });
    expect(refused.status).toBe(403);
    expect(await refused.text()).toMatch(/--allow 'network:limner-functions'.*dashboard-own-servers/);
    await client.good('PATCH', '/api/limner/settings', { json: { dashboard_own_servers: true } });
    expect((await call('POST', '/api/functions', { body: sent('serving') })).status).toBe(202);
    expect((await settled('serving')).status).toMatchObject({ state: 'ready', message: '' });
    await client.good('PATCH', '/api/limner/settings', { json: { dashboard_own_servers: false } });
    const headers = { 'x-nuclio-wait-function-action': 'true' };
    // Permissions that were granted to this function remain, and no other function has them.
    expect((await call('PUT', '/api/functions/serving', { body: sent('serving'), headers })).status).toBe(202);
    expect((await settled('serving')).status).toMatchObject({ state: 'ready', message: '' });
    expect((await call('POST', '/api/functions', { body: sent('another') })).status).toBe(403);
    expect((await call('DELETE', '/api/functions/serving')).status).toBe(204);
    await new Docker({ socketPath: testSocket() }).getImage(image).remove({ force: true });
  });

  test('reports a failed deployment in the state error with the reason; a second one at the same time is 412', async () => {
    const spec = {
      ...body('broken').spec,
      build: { functionSourceCode: btoa('raise ValueError("no weights")'), baseImage: 'limner/base-python:latest' },
    };
    const broken = { ...body('broken'), spec };
    expect((await call('POST', '/api/functions', { body: broken })).status).toBe(202);
    expect((await call('PUT', '/api/functions/broken', { body: broken })).status).toBe(412);
    expect((await call('DELETE', '/api/functions', { body: { metadata: { name: 'broken' } } })).status).toBe(412);
    const { status } = await settled('broken');
    expect(status).toMatchObject({ state: 'error', httpPort: 0, message: expect.stringContaining('no weights') });
    expect((await call('DELETE', '/api/functions', { body: { metadata: { name: 'broken' } } })).status).toBe(204);
    expect((await call('GET', '/api/functions/broken')).status).toBe(404);
  });
});
