import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../../../main/models/engines/docker/engine.ts';
import { engineProblem, isConnectionError } from '../../../../main/models/engines/docker/engine-problem.ts';
import { CommandMissing, PortTaken, startProblem } from '../../../../main/models/engines/docker/start-problem.ts';
import { AppError } from '../../../../main/platform/errors.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const engineAt = (host: string, platform: NodeJS.Platform = 'linux') =>
  createEngine({ env: { DOCKER_HOST: host }, platform });

describe('an Engine that is not there is told with a way out', () => {
  test('no socket', async () => {
    const socket = join(folder, 'nothing.sock');
    await expect(engineAt(`unix://${socket}`).connect()).rejects.toMatchObject({
      kind: 'missing',
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`no Docker Engine at ${socket}.*sudo apt install docker.io`)),
    });
  });

  test('a socket that nobody listens on', async () => {
    const socket = join(folder, 'dead.sock');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    const { spawnSync } = await import('node:child_process');
    // A process that ends without closing leaves its socket file behind.
    const script = `require('net').createServer().listen(${JSON.stringify(join(folder, 'left.sock'))}, () => process.kill(process.pid, 'SIGKILL'))`;
    spawnSync(process.execPath, ['-e', script]);
    server.close();
    await expect(engineAt(`unix://${join(folder, 'left.sock')}`).connect()).rejects.toMatchObject({
      kind: 'stopped',
      message: expect.stringContaining('sudo systemctl start docker'),
    });
  });

  test('something else behind the socket', async () => {
    const socket = join(folder, 'other.sock');
    const server: Server = createServer((connection) => connection.end('hello\r\n'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await expect(engineAt(`unix://${socket}`).connect()).rejects.toMatchObject({ code: 'unavailable' });
    server.close();
  });

  test('no permission', () => {
    const problem = engineProblem(
      Object.assign(new Error('x'), { code: 'EACCES', syscall: 'connect' }),
      '/run/d.sock',
      'linux',
    );
    expect(problem).toMatchObject({ kind: 'permission' });
    expect(problem.message).toMatch(/may not use the Docker Engine at \/run\/d\.sock.*usermod -aG docker/);
    expect(engineProblem(Object.assign(new Error('x'), { code: 'ENOENT' }), 's', 'darwin').message).toContain(
      'Docker Desktop',
    );
    expect(engineProblem(Object.assign(new Error('x'), { code: 'ENOENT' }), 's', 'win32').message).toContain('WSL 2');
  });

  test('an Engine on another computer: credentials in its address are not shown', async () => {
    await expect(engineAt('tcp://me:secret@10.0.0.7:2376').connect()).rejects.toMatchObject({
      kind: 'remote',
      message: expect.not.stringContaining('secret'),
    });
  });

  test('a failed connection is tried again at the next use', async () => {
    const socket = join(folder, 'late.sock');
    const engine = engineAt(`unix://${socket}`);
    await expect(engine.connect()).rejects.toMatchObject({ kind: 'missing' });
    expect(engine.isConnected()).toBe(false);
    await expect(engine.connect()).rejects.toMatchObject({ kind: 'missing' });
  });

  test('errors of files and answers of the Engine are no errors of the connection', () => {
    expect(isConnectionError(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
    expect(isConnectionError(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }))).toBe(true);
    expect(isConnectionError(Object.assign(new Error('x'), { statusCode: 500, code: 'EPIPE' }))).toBe(false);
    expect(isConnectionError(new AppError('conflict', 'x'))).toBe(false);
  });
});

describe('a container that does not start is told as a sentence', () => {
  const problem = (message: string) =>
    startProblem('f', Object.assign(new Error('(HTTP code 500)'), { statusCode: 500, json: { message } }));

  test.each([
    ['could not select device driver "nvidia" with capabilities: [[gpu]]', /NVIDIA Container Toolkit is not installed/],
    ['could not select device driver "" with capabilities: [[gpu]]', /NVIDIA Container Toolkit is not installed/],
    [
      'could not select device driver "cdi" with capabilities: []',
      /another way than when it was deployed. Deploy it again/,
    ],
    ['CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=9', /refused the graphics card/],
    ['nvidia-container-cli: mount error: bpf_prog_query', /refused the graphics card/],
    [
      'invalid mount config for type "bind": bind source path does not exist: /x',
      /a folder of its volumes is not there/,
    ],
    ['network weird not found', /the network that it wants is not there/],
    ['No such image: a:b', /its image is no longer there. Deploy it again/],
    ['something new', /"f" could not be started: something new\./],
  ])('%s', (message, sentence) => expect(problem(message).message).toMatch(sentence));

  test('a port that is taken, and a program that is missing, are told apart: something else can be tried', () => {
    const taken = problem(
      'driver failed programming external connectivity: Bind for 127.0.0.1:21007 failed: port is already allocated',
    );
    expect(taken).toBeInstanceOf(PortTaken);
    expect(taken.message).toBe('"f" could not be started: port 21007 is used by another program or container.');
    expect(
      problem('Error starting userland proxy: listen tcp4 127.0.0.1:21008: bind: address already in use').message,
    ).toContain('port 21008');
    expect(problem('exec: "python3": executable file not found in $PATH: unknown')).toBeInstanceOf(CommandMissing);
  });
});
