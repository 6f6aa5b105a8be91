import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { createInvoker } from '../../../main/functions/engines/invoke.ts';
import type { Invocation } from '../../../main/functions/engines/provider.ts';
import { createUrlProvider } from '../../../main/functions/engines/url/url-provider.ts';
import { createNuclioProvider } from '../../../main/functions/engines/nuclio/nuclio-provider.ts';
import { parseConfigurationDocument } from '../../../main/functions/configuration/parse-configuration.ts';

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

let answer: Answer = (_request, response) => response.end();
const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => answer(request, response, body));
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
const invoker = createInvoker();
afterEach(() => {
  answer = (_request, response) => response.end();
});
afterAll(async () => {
  invoker.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const invocation = (more: Partial<Invocation> = {}): Invocation => ({
  method: 'POST',
  path: '/',
  headers: { 'Content-Type': 'application/json' },
  body: [Buffer.from('{"image":"'), Buffer.from('YQ=='), Buffer.from('"}')],
  timeoutMs: 5000,
  ...more,
});

describe('a call of a function', () => {
  test('sends the parts of its body as one, with a length', async () => {
    answer = (request, response, body) =>
      response.end(JSON.stringify({ body, length: request.headers['content-length'] }));
    const { status, body } = await invoker.send(url, invocation());
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toEqual({ body: '{"image":"YQ=="}', length: '16' });
  });

  test('returns any status unchanged', async () => {
    answer = (_request, response) => {
      response.writeHead(503, { 'X-Own': 'a' });
      response.end();
    };
    expect(await invoker.send(url, invocation())).toMatchObject({ status: 503, headers: { 'x-own': 'a' } });
  });

  test.each<[string, Answer, Partial<Invocation>, string]>([
    ['no answer in time', () => undefined, { timeoutMs: 150 }, 'late'],
    ['a connection that breaks', (request) => request.socket.destroy(), {}, 'interrupted'],
    [
      'an answer that ends in the middle',
      (request, response) => {
        response.writeHead(200, { 'Content-Length': '1000' });
        response.write('half');
        setTimeout(() => request.socket.destroy(), 20);
      },
      {},
      'interrupted',
    ],
    [
      'an answer that stops in the middle',
      (_request, response) => {
        response.writeHead(200);
        response.write('half');
      },
      { timeoutMs: 200 },
      'late',
    ],
    [
      'too large an answer',
      (_request, response) => {
        for (let piece = 0; piece < 110; piece += 1) response.write(Buffer.alloc(1024 * 1024));
        response.end();
      },
      { timeoutMs: 20_000 },
      'too-large',
    ],
  ])('reports %s', async (_what, behaviour, more, kind) => {
    answer = behaviour;
    await expect(invoker.send(url, invocation(more))).rejects.toMatchObject({ kind });
    answer = (_request, response) => response.end('fine');
    expect((await invoker.send(url, invocation())).body.toString()).toBe('fine');
  });

  test('reports that nothing listens at the port', async () => {
    await expect(invoker.send('http://127.0.0.1:9', invocation())).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'Nothing responds at 127.0.0.1:9 (ECONNREFUSED).',
    });
  });

  test('is cancelled with its caller', async () => {
    answer = () => undefined;
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 30);
    await expect(invoker.send(url, invocation({ signal: controller.signal }))).rejects.toMatchObject({
      kind: 'cancelled',
    });
  });

  test('does not lose a call when the function has closed a kept-alive connection', async () => {
    for (let round = 0; round < 20; round += 1) {
      answer = (request, response) => {
        response.end('once');
        setTimeout(() => request.socket.destroy(), 0);
      };
      expect((await invoker.send(url, invocation())).body.toString()).toBe('once');
    }
  });

  test('opens a new connection instead of trying several closed ones', async () => {
    const used = new Set<object>();
    answer = (request, response) => {
      if (used.has(request.socket)) return void request.socket.destroy();
      used.add(request.socket);
      setTimeout(() => response.end('answered'), 20);
    };
    const several = await Promise.all([1, 2, 3, 4].map(() => invoker.send(url, invocation())));
    expect(several.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await invoker.send(url, invocation())).body.toString()).toBe('answered');
  });
});

describe('an external function', () => {
  test('is called there, with its own headers and path', async () => {
    const { configuration } = parseConfigurationDocument({
      metadata: { name: 'remote', annotations: { type: 'detector', spec: '[]' } },
      spec: { triggers: { http: { kind: 'http', numWorkers: 3 } } },
    });
    const endpoint = { configuration, url: `${url}/models/remote?v=2`, headers: { Authorization: 'Bearer x' } };
    const provider = createUrlProvider(
      { list: () => [endpoint], find: (name) => (name === 'remote' ? endpoint : null) },
      { checked: invoker, invokerFor: () => invoker },
    );
    expect(await provider.list()).toMatchObject([{ name: 'remote', provider: 'url', workers: 3 }]);
    answer = (request, response) => response.end(JSON.stringify([request.url, request.headers.authorization]));
    const { body } = await provider.invoke('remote', invocation());
    expect(JSON.parse(body.toString())).toEqual(['/models/remote?v=2', 'Bearer x']);
    expect(await provider.find('other')).toBeNull();
  });
});

describe('a Nuclio dashboard', () => {
  test('returns the port of a function at every direct call', async () => {
    const ports: number[] = [];
    const own = Number(new URL(url).port);
    answer = (request, response) => {
      if (request.url === '/api/functions/f') {
        ports.push(own);
        response.end(JSON.stringify({ metadata: { name: 'f' }, spec: {}, status: { state: 'ready', httpPort: own } }));
      } else response.end(JSON.stringify({ path: request.url, method: request.method }));
    };
    const provider = createNuclioProvider({ url, namespace: 'nuclio', project: 'cvat', invoke: 'direct' }, invoker);
    for (let call = 0; call < 2; call += 1) {
      const { body } = await provider.invoke('f', invocation());
      expect(JSON.parse(body.toString())).toEqual({ path: '/', method: 'POST' });
    }
    expect(ports).toHaveLength(2);
    expect(await provider.find('../../etc')).toBeNull();
  });

  test('with an unexpected answer is reported', async () => {
    answer = (_request, response) => response.end('<html>');
    const provider = createNuclioProvider({ url, namespace: 'nuclio', project: '', invoke: 'dashboard' }, invoker);
    await expect(provider.list()).rejects.toThrow(/does not respond like a Nuclio dashboard/);
  });
});
