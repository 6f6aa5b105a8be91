import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { usePeopleHarness } from './people-harness.ts';

const limitMs = 300;
const harness = await usePeopleHarness({ unprovenBodyMs: limitMs });
const { key } = await harness.visitor.good<{ key: string }>('POST', '/api/auth/login', {
  json: { username: harness.admin.username, password: harness.password },
});
const token = key;

async function open(path: string, length: number, headers: readonly string[] = []) {
  const { port, host } = new URL(harness.url);
  const socket = connect(Number(port), '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  socket.on('error', () => undefined);
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  const lines = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Content-Type: application/json', ...headers];
  socket.write(`${lines.join('\r\n')}\r\nContent-Length: ${length}\r\n\r\n`);
  return { socket, closed, answer: () => answer };
}

describe('a slow body', () => {
  test.each([
    ['of a log-in', '/api/auth/login', []],
    ['of a registration', '/api/auth/register', []],
    ['with a wrong token', '/api/projects', ['Authorization: Token nonsense']],
    ['with a session but without its proof', '/api/projects', ['Cookie: sessionid=nonsense']],
    ['to an address that is none', '/api/nothing', []],
    ['to a page', '/index.html', []],
  ] as const)('%s ends with its connection', async (_, path, headers) => {
    const { socket, closed, answer } = await open(path, 1000, headers);
    const dripping = setInterval(() => socket.write(' '), limitMs / 10);
    await closed;
    clearInterval(dripping);
    expect(answer()).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test('at sign-in gets an error message', async () => {
    const { closed, answer } = await open('/api/auth/login', 1000);
    await closed;
    expect(answer()).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer()).toMatch(/Connection: close/i);
    expect(answer()).toMatch(/\{"detail":"The request did not arrive within 0\.3 seconds/);
  });

  test('of an authenticated user may continue', async () => {
    const body = JSON.stringify({ name: 'slow and good' });
    const headers = [`Authorization: Token ${token}`, 'Connection: close'];
    const { socket, closed, answer } = await open('/api/projects', body.length, headers);
    for (const character of body) {
      socket.write(character);
      await sleep((3 * limitMs) / body.length);
    }
    await closed;
    expect(answer()).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer()).toContain('slow and good');
  });

  test('does not close a kept-alive connection between requests', async () => {
    const { socket, answer } = await open('/api/auth/login', 2);
    socket.write('{}');
    while (!answer().startsWith('HTTP/1.1 400 ')) await sleep(5);
    await sleep(2 * limitMs);
    const { host } = new URL(harness.url);
    socket.write(`GET /api/server/about HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await once(socket, 'close');
    expect(answer()).toContain('HTTP/1.1 200 ');
  });
});
