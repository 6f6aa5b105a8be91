import { connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { describe, expect, test } from 'vitest';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import { ownerPassword, raw, useWorkbench } from './support.ts';

const secret = 'a project that nobody else may see';

const workbench = await useWorkbench(undefined, ownerPassword);
await workbench.owner.createProject(secret, []);
const login = await workbench.anonymous.call('POST', '/api/auth/login', {
  json: { username: 'admin', password: ownerPassword },
});
const cookies = login.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
const csrf = cookies.find((cookie) => cookie.startsWith('csrftoken='))?.slice('csrftoken='.length) ?? '';
const session = { cookie: cookies.join('; '), csrf };

const projects = async () =>
  (await workbench.owner.good<{ results: Project[] }>('GET', '/api/projects', { query: { page_size: 'all' } })).results;

const hosts = (port: number) => [
  `127.0.0.1:${port}`,
  `localhost:${port}`,
  `[::1]:${port}`,
  `evil.example:${port}`,
  '127.0.0.1',
  'localhost',
  `127.0.0.1:${port + 1}`,
  `127.0.0.1.evil.example:${port}`,
  `0.0.0.0:${port}`,
  `127.1:${port}`,
  `user@127.0.0.1:${port}`,
];
const origins = (port: number, host: string) => [
  undefined,
  `http://${host}`,
  'null',
  'file://',
  'http://evil.example',
  `https://127.0.0.1:${port}`,
  `http://127.0.0.1:${port + 1}`,
  `http://evil.example:${port}`,
];
const sites = [undefined, 'same-origin', 'none', 'same-site', 'cross-site'];
const bodies: readonly (readonly [string, string | undefined, string | undefined])[] = [
  ['GET', undefined, undefined],
  ['POST', 'application/json', '{"name":"made by somebody else","labels":[]}'],
  ['POST', 'text/plain', '{"name":"made by somebody else","labels":[]}'],
  ['POST', 'application/x-www-form-urlencoded', 'name=made+by+somebody+else'],
  ['POST', 'multipart/form-data; boundary=x', '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nx\r\n--x--'],
  ['PUT', 'application/json', '{}'],
  ['PATCH', 'application/json', '{"name":"changed by somebody else"}'],
  ['DELETE', undefined, undefined],
  ['OPTIONS', undefined, undefined],
];

describe('requests of other sites', () => {
  test('read nothing and change nothing, with any host, origin, site, method, body and credentials', async () => {
    const { port } = workbench;
    const before = await projects();
    const [known] = before;
    const credentials = [{}, { Authorization: workbench.authorization }, { Cookie: session.cookie }];
    const combinations = hosts(port).flatMap((host) =>
      origins(port, host).flatMap((origin) => sites.map((site) => ({ host, origin, site }))),
    );
    const isExternal = ({ host, origin, site }: (typeof combinations)[number]) =>
      !hosts(port).slice(0, 3).includes(host) ||
      (origin !== undefined && origin !== `http://${host}`) ||
      site === 'same-site' ||
      site === 'cross-site';
    let refused = 0;
    let reached = 0;
    for (const [place, combination] of combinations.entries()) {
      const { host, origin, site } = combination;
      const foreign = isExternal(combination);
      const attempts = bodies
        .flatMap((body, index) => credentials.map((credential, of) => ({ body, credential, turn: place + index + of })))
        .filter(({ turn }) => !foreign || turn % credentials.length === 0);
      const answers = attempts.map(async ({ body: [method, type, body], credential }) => {
        const isOwnWrite = !foreign && 'Authorization' in credential && method !== 'GET';
        if (isOwnWrite) return;
        const path = method === 'GET' || method === 'POST' ? '/api/projects' : `/api/projects/${known?.id ?? 0}`;
        const headers = {
          Host: host,
          ...(origin === undefined ? {} : { Origin: origin }),
          ...(site === undefined ? {} : { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': 'cors' }),
          ...(type === undefined ? {} : { 'Content-Type': type }),
          ...credential,
        };
        const answer = await raw(port, method, path, headers, body);
        const where = `${method} ${JSON.stringify(headers)}`;
        expect(answer.headers['access-control-allow-origin'], where).toBeUndefined();
        expect(answer.headers['content-security-policy'], where).toContain("default-src 'self'");
        if (foreign) {
          expect(answer.status, where).toBe(403);
          refused += 1;
        }
        if (!foreign && method === 'GET' && Object.keys(credential).length > 0) {
          expect(answer.status, where).toBe(200);
          reached += 1;
        } else {
          expect(answer.body, where).not.toContain(secret);
          // Signed-in callers learn the permitted methods, and nothing about existing objects.
          const isDescribed = method === 'OPTIONS' && !foreign && Object.keys(credential).length > 0;
          expect(isDescribed ? [200] : [401, 403, 405, 415], where).toContain(answer.status);
        }
      });
      await Promise.all(answers);
    }
    expect(refused).toBeGreaterThan(3000);
    expect(reached).toBeGreaterThan(10);
    expect(await projects()).toEqual(before);
  });

  test('a link from another site opens the start page and the launch address, and nothing else', async () => {
    const { port } = workbench;
    const link = { Host: `127.0.0.1:${port}`, 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' };
    const document = { ...link, 'Sec-Fetch-Dest': 'document' };
    expect((await raw(port, 'GET', '/', document)).status).toBe(503);
    expect((await raw(port, 'GET', '/launch?token=unknown', document)).status).toBe(403);
    expect((await raw(port, 'GET', '/launch?token=unknown', document)).body).toContain('launch link');
    expect((await raw(port, 'GET', '/api/server/about', document)).status).toBe(403);
    expect((await raw(port, 'POST', '/', document)).status).toBe(403);
    expect((await raw(port, 'GET', '/', { ...link, 'Sec-Fetch-Dest': 'iframe' })).status).toBe(403);
    expect((await raw(port, 'GET', '/', { ...document, 'Sec-Fetch-Mode': 'no-cors' })).status).toBe(403);
  });

  test('a WebSocket handshake and an event stream get an ordinary answer, never a connection', async () => {
    const { port } = workbench;
    const handshake = {
      Host: `127.0.0.1:${port}`,
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    };
    for (const path of ['/', '/api/tasks', '/api/events']) {
      expect([401, 404, 405, 503]).toContain((await raw(port, 'GET', path, handshake)).status);
      const foreign = { ...handshake, Origin: 'http://evil.example' };
      expect((await raw(port, 'GET', path, foreign)).status).toBe(403);
    }
    const stream = { Host: `127.0.0.1:${port}`, Accept: 'text/event-stream' };
    expect((await raw(port, 'GET', '/api/projects', stream)).status).toBe(401);
  });
});

/** Sends raw bytes and returns the answer until the connection is closed. */
function exchange(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    // A refused connection may be reset during sending.
    socket.on('error', () => resolve(text));
    socket.on('close', () => resolve(text));
  });
}

describe('malformed requests', () => {
  const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);

  test.each([
    ['no host', 'GET /api/projects HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['no host, HTTP 1.0', 'GET /api/projects HTTP/1.0\r\n\r\n'],
    ['an empty host', 'GET /api/projects HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    ['two hosts', 'GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    ['another authority', 'GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n'],
    [
      'an authority of our own',
      'GET http://127.0.0.1:PORT/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n',
    ],
    ['CONNECT', 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n'],
    [
      'two lengths',
      'POST /api/projects HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
  ])('%s is refused', async (_, request) => {
    const answer = await exchange(workbench.port, request.replaceAll('PORT', String(workbench.port)));
    expect([0, 400, 403]).toContain(statusOf(answer));
    expect(answer).not.toContain(secret);
  });

  test('headers of 40 MB are refused with 431, a body of more than 100 MB with 413', async () => {
    const { port } = workbench;
    const start = `GET /api/projects HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Long: `;
    expect(statusOf(await exchange(port, `${start}${'a'.repeat(40 * 1024 * 1024)}\r\n\r\n`))).toBe(431);
    const headers = {
      Host: `127.0.0.1:${port}`,
      Authorization: workbench.authorization,
      'Content-Type': 'application/json',
    };
    const declared = await raw(
      port,
      'POST',
      '/api/projects',
      { ...headers, 'Content-Length': String(101 * 1024 * 1024) },
      '{',
    );
    expect(declared.status).toBe(413);
    expect(JSON.parse(declared.body)).toEqual({ detail: expect.stringContaining('100 MB') });
  });

  test('a body of unknown length is cut off at the limit too', async () => {
    const piece = Buffer.alloc(1024 * 1024, 32);
    async function* endless() {
      for (let sent = 0; sent <= 101; sent += 1) yield piece;
    }
    const answer = fetch(`${workbench.url}/api/projects`, {
      method: 'POST',
      headers: { Authorization: workbench.authorization, 'Content-Type': 'application/json' },
      // Node's fetch accepts an iterable, which the browser types do not know.
      body: endless() as unknown as BodyInit,
      duplex: 'half',
    } as RequestInit);
    const status = await answer.then((response) => response.status).catch(() => 'connection closed');
    expect([413, 'connection closed']).toContain(status);
    expect((await projects()).map((project) => project.name)).toEqual([secret]);
  });

  test('a thousand connections that never finish their request do not block others', async () => {
    const sockets: Socket[] = [];
    try {
      for (let count = 0; count < 1000; count += 1) {
        const socket = connect(workbench.port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(`POST /api/projects HTTP/1.1\r\nHost: 127.0.0.1:${workbench.port}\r\nX-Slow: `);
        sockets.push(socket);
      }
      for (let count = 0; count < 50; count += 1) expect((await projects()).length).toBe(1);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });
});

test('nothing listens beyond the IPv4 loopback address', async () => {
  const reachable = (host: string) =>
    new Promise<boolean>((resolve) => {
      const socket = connect({ port: workbench.port, host }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, scopeid }) => address !== '127.0.0.1' && !scopeid)
    .map(({ address }) => address);
  for (const address of others) expect(await reachable(address), address).toBe(false);
  expect(await reachable('127.0.0.1')).toBe(true);
});
