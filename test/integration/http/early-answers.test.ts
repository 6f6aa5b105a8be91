import { spawn } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorkbench, type TestWorkbench } from './support.ts';

const megabyte = Buffer.alloc(1024 * 1024, 32);

let workbench: TestWorkbench;
beforeAll(async () => {
  workbench = await startWorkbench();
});
afterAll(() => workbench.stop());

async function send(socket: Socket, bytes: string | Buffer): Promise<void> {
  if (!socket.write(bytes)) await once(socket, 'drain');
}

interface Upload {
  readonly path: string;
  readonly megabytes: number;
  readonly headers: readonly string[];
  readonly isChunked?: boolean;
}

/** Sends the complete request before it reads the answer, as Python's http.client does. */
async function answerAfterSending({ path, megabytes, headers, isChunked = false }: Upload): Promise<string> {
  const socket = connect(workbench.port, '127.0.0.1').pause();
  const length = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${megabytes * megabyte.length}`;
  const head = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${workbench.port}`, length, ...headers];
  await send(socket, `${head.join('\r\n')}\r\n\r\n`);
  for (let sent = 0; sent < megabytes; sent += 1) {
    if (isChunked) await send(socket, `${megabyte.length.toString(16)}\r\n`);
    await send(socket, megabyte);
    if (isChunked) await send(socket, '\r\n');
  }
  if (isChunked) await send(socket, '0\r\n\r\n');
  let text = '';
  socket
    .setEncoding('utf8')
    .on('data', (part: string) => (text += part))
    .resume();
  await expect.poll(() => text).toMatch(/\r\n\r\n.+/s);
  socket.destroy();
  return text;
}

const json = 'Content-Type: application/json';
const authorized = () => `Authorization: ${workbench.authorization}`;

test.each([
  ['of a stated length', false],
  ['in chunks', true],
])('a client that reads after it sent a body %s that is too large sees 413', async (_, isChunked) => {
  const answer = await answerAfterSending({
    path: '/api/projects',
    megabytes: 300,
    headers: [json, authorized()],
    isChunked,
  });
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('The request body is larger than 100 MB. Nothing was changed.');
});

test.each([
  ['without credentials', () => [json], 401],
  ['of another type', () => ['Content-Type: text/plain', authorized()], 415],
])('a request of 90 MB %s is answered after it was sent', async (_, headers, status) => {
  const answer = await answerAfterSending({ path: '/api/projects', megabytes: 90, headers: headers() });
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
});

test("Python's urllib sees the status of a body that is too large", async () => {
  const program = `
import sys, urllib.request, urllib.error
request = urllib.request.Request(sys.argv[1], data=b' ' * (120 * 1024 * 1024), method='POST',
    headers={'Content-Type': 'application/json', 'Authorization': sys.argv[2]})
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode())
`;
  const child = spawn('python3', ['-c', program, `${workbench.url}/api/projects`, workbench.authorization]);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (output += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (output += part));
  await once(child, 'close');
  expect(output).toMatch(/^413 .*larger than 100 MB/);
});

test('a connection that goes on with more than the limit after the answer is closed', async () => {
  const socket = connect(workbench.port, '127.0.0.1');
  socket.on('error', () => undefined);
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => (text += part));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const head = ['POST /api/projects HTTP/1.1', `Host: 127.0.0.1:${workbench.port}`, json, authorized()];
  socket.write(`${head.join('\r\n')}\r\nContent-Length: ${8 * 1024 ** 3}\r\n\r\n`);
  let sentMegabytes = 0;
  while (!socket.destroyed && sentMegabytes < 8 * 1024) {
    if (!socket.write(megabyte)) {
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
    }
    sentMegabytes += 1;
  }
  await closed;
  expect(text).toMatch(/^HTTP\/1\.1 413 /);
  expect(sentMegabytes).toBeLessThan(2048);
});
