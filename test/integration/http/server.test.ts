import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { holdRequests, startServer } from '../../../main/http/server.ts';
import { createLogger, createSilentLogger } from '../../../main/platform/log.ts';
import { raw } from './support.ts';

const log = createSilentLogger();
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(fetch: (request: Request) => Response | Promise<Response>, port = 0, anyPort = false) {
  const server = await startServer({ fetch, port, anyPort, log });
  closing.push(() => server.close(0));
  return server;
}

async function takenPort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  closing.push(() => new Promise((resolve) => other.close(resolve)));
  const address = other.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const hello = () => new Response('hello');

describe('the port', () => {
  test('is used if requested, or refused with a sentence', async () => {
    const port = await takenPort();
    await expect(start(hello, port)).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(String(port)),
    });
  });

  test('that was only suggested is replaced by a free one, and the guard accepts it', async () => {
    const port = await takenPort();
    const server = await start(hello, port, true);
    expect(server.port).not.toBe(port);
    expect(await (await fetch(server.url)).text()).toBe('hello');
    expect((await raw(server.port, 'GET', '/', { Host: `127.0.0.1:${port}` })).status).toBe(403);
  });
});

async function held() {
  const server = await holdRequests({ port: 0, anyPort: false, log });
  closing.push(() => server.close(0));
  return server;
}

describe('a request before the service is ready', () => {
  test('waits for it', async () => {
    const server = await held();
    const answers = Promise.all([fetch(server.url), fetch(server.url)]);
    server.answer(hello);
    const texts = (await answers).map((answer) => answer.text());
    expect(await Promise.all([...texts, (await fetch(server.url)).text()])).toEqual(['hello', 'hello', 'hello']);
  });

  test('is answered with the reason at the launch address only, if it cannot start', async () => {
    const server = await held();
    const launchUrl = `${server.url}/launch?token=secret`;
    const answers = [launchUrl, server.url, `${server.url}/launch?token=other`].map((address) => fetch(address));
    server.refuse(launchUrl, new Error('The store is newer.'));
    const texts = await Promise.all(
      answers.map(async (answer) => [(await answer).status, await (await answer).text()]),
    );
    expect(texts).toEqual([
      [503, 'Cannot start Limner. The store is newer.'],
      [503, 'Cannot start Limner. See its log for the reason.'],
      [503, 'Cannot start Limner. See its log for the reason.'],
    ]);
    await server.answered;
  });

  test.each([
    ['another host name', { Host: 'example.com' }],
    ['another origin', { Origin: 'http://example.com' }],
  ])('is rejected at once if it comes from %s', async (_name, headers) => {
    const server = await held();
    expect(await raw(server.port, 'GET', '/', headers)).toMatchObject({ status: 403 });
  });

  test('is rejected if hundreds of others wait', async () => {
    const server = await held();
    const answers = Array.from({ length: 257 }, () => fetch(server.url));
    const first = await Promise.race(answers);
    expect([first.status, await first.text()]).toEqual([503, 'Limner is starting. Try again in a few seconds.']);
    server.answer(hello);
    const served = (await Promise.all(answers)).filter(({ status }) => status === 200);
    expect(served).toHaveLength(256);
  });
});

test('a client that closes the connection during an upload is not logged as an error', async () => {
  const errors: string[] = [];
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const fetch = async (request: Request) => {
    begun.resolve();
    try {
      return new Response(await request.text());
    } finally {
      over.resolve();
    }
  };
  const recording = createLogger({ console: (line) => errors.push(line), consoleLevel: 'error' });
  const server = await startServer({ fetch, port: 0, anyPort: false, log: recording });
  closing.push(() => server.close(0));
  const client = connect(server.port, '127.0.0.1');
  client.write(`POST / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 100\r\n\r\nhalf`);
  await begun.promise;
  client.destroy();
  await over.promise;
  await server.close(0);
  expect(errors).toEqual([]);
});

describe('a stop', () => {
  async function slowServer() {
    const gate = Promise.withResolvers<void>();
    const requested = Promise.withResolvers<void>();
    const server = await start(async () => {
      requested.resolve();
      await gate.promise;
      return new Response('done');
    });
    return { server, requested: requested.promise, answers: gate.resolve };
  }

  test('completes running requests, closes idle connections, and accepts no new ones', async () => {
    const { server, requested, answers } = await slowServer();
    const idle = await start(hello);
    const running = fetch(server.url).then((answer) => answer.text());
    await requested;
    let closed = false;
    const stopped = server.close().then(() => (closed = true));
    await expect(fetch(server.url)).rejects.toThrow();
    expect(closed).toBe(false);
    answers();
    expect(await running).toBe('done');
    await stopped;

    expect(await (await fetch(idle.url)).text()).toBe('hello');
    await idle.close();
    await expect(fetch(idle.url)).rejects.toThrow();
  });

  test('does not wait forever', async () => {
    const { server, requested } = await slowServer();
    const running = fetch(server.url).then(
      () => 'answered',
      () => 'cut off',
    );
    await requested;
    await server.close(100);
    expect(await running).toBe('cut off');
  });
});

test('an internal error reveals nothing of the service', async () => {
  const server = await start(() => {
    throw new Error('secret');
  });
  const answer = await raw(server.port, 'GET', '/', { Host: `127.0.0.1:${server.port}` });
  expect(answer.status).toBe(500);
  expect(answer.body).not.toContain('secret');
  expect(answer.headers['content-security-policy']).toBeDefined();
});
