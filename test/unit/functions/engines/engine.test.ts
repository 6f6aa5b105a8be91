import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEngine } from '../../../../main/functions/engines/docker/engine.ts';
import { engineProblem, isConnectionError } from '../../../../main/functions/engines/docker/engine-problem.ts';
import { CommandMissing, PortTaken, startProblem } from '../../../../main/functions/engines/docker/start-problem.ts';
import { AppError } from '../../../../main/platform/errors.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const engineAt = (host: string, platform: NodeJS.Platform = 'linux') =>
  createEngine({ env: { DOCKER_HOST: host }, platform });

describe('a missing Engine is reported with a fix', () => {
  test('for a missing socket', async () => {
    const socket = join(folder, 'nothing.sock');
    await expect(engineAt(`unix://${socket}`).connect()).rejects.toMatchObject({
      kind: 'missing',
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`no Docker Engine at ${socket}.*sudo apt install docker.io`)),
    });
  });

  test('for a socket without a listener', async () => {
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

  test('for another server behind the socket', async () => {
    const socket = join(folder, 'other.sock');
    const server: Server = createServer((connection) => connection.end('hello\r\n'));
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    await expect(engineAt(`unix://${socket}`).connect()).rejects.toMatchObject({ code: 'unavailable' });
    server.close();
  });

  test('for a missing permission', () => {
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

  test('for an Engine on another computer, without the credentials in its address', async () => {
    await expect(engineAt('tcp://me:secret@10.0.0.7:2376').connect()).rejects.toMatchObject({
      kind: 'remote',
      message: expect.not.stringContaining('secret'),
    });
  });

  test('retries a failed connection at the next use', async () => {
    const socket = join(folder, 'late.sock');
    const engine = engineAt(`unix://${socket}`);
    await expect(engine.connect()).rejects.toMatchObject({ kind: 'missing' });
    expect(engine.isConnected()).toBe(false);
    await expect(engine.connect()).rejects.toMatchObject({ kind: 'missing' });
  });

  test('does not treat errors of files and answers of the Engine as errors of the connection', () => {
    expect(isConnectionError(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'open' }))).toBe(false);
    expect(isConnectionError(Object.assign(new Error('x'), { code: 'ENOENT', syscall: 'connect' }))).toBe(true);
    expect(isConnectionError(Object.assign(new Error('x'), { statusCode: 500, code: 'EPIPE' }))).toBe(false);
    expect(isConnectionError(new AppError('conflict', 'x'))).toBe(false);
  });
});

/** An Engine that answers only the requests of a connection: its type and version. */
const answering: HttpServer[] = [];
async function startEngine(at: string | 0): Promise<string> {
  const server = createHttpServer((_request, response) =>
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify({ ServerVersion: String(at) })),
  );
  answering.push(server);
  if (at !== 0) mkdirSync(dirname(at), { recursive: true });
  await new Promise<void>((resolve) =>
    server.listen(at === 0 ? { port: 0, host: '127.0.0.1' } : { path: at }, resolve),
  );
  const address = server.address();
  return typeof address === 'object' && address ? String(address.port) : String(address);
}
async function stopEngines(): Promise<void> {
  for (const server of answering.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}
afterEach(stopEngines);

describe('the Engine that docker uses is found', () => {
  const home = () => join(folder, 'home');
  const environment = (more: Record<string, string> = {}) => ({
    HOME: home(),
    XDG_RUNTIME_DIR: join(folder, 'run'),
    ...more,
  });
  const engine = (more: Record<string, string> = {}, host: string | null = null) =>
    createEngine({ env: environment(more), platform: 'linux', host: () => host });
  const versionOf = async (found: ReturnType<typeof createEngine>) => (await found.connect()).facts.version;

  function addContext(name: string, host: string): void {
    const meta = join(home(), '.docker', 'contexts', 'meta', createHash('sha256').update(name).digest('hex'));
    mkdirSync(meta, { recursive: true });
    const content = { Name: name, Metadata: {}, Endpoints: { docker: { Host: host, SkipTLSVerify: false } } };
    writeFileSync(join(meta, 'meta.json'), JSON.stringify(content));
  }
  function useContext(name: string): void {
    mkdirSync(join(home(), '.docker'), { recursive: true });
    writeFileSync(join(home(), '.docker', 'config.json'), JSON.stringify({ auths: {}, currentContext: name }));
  }

  // An Engine at the first default socket would be found before these.
  const isAlone = !existsSync('/var/run/docker.sock');
  test.runIf(isAlone).each([
    ['of an Engine without root', ['run', 'docker.sock']],
    ['of Docker Desktop', ['home', '.docker', 'run', 'docker.sock']],
    ['of Docker Desktop for Linux', ['home', '.docker', 'desktop', 'docker.sock']],
  ])('at the socket %s, also when it starts after Limner', async (_, place) => {
    const found = engine();
    const before = await found.connect().catch((error: unknown) => error);
    expect(before).toMatchObject({ code: 'unavailable' });
    const socket = await startEngine(join(folder, ...place));
    expect(await versionOf(found)).toBe(socket);
    expect(found.place()).toBe(socket);
  });

  test('at the socket of the current context, of DOCKER_CONTEXT and of DOCKER_HOST, in this order of precedence', async () => {
    const [current, chosen, direct, ofSetting] = await Promise.all(
      ['current', 'chosen', 'direct', 'setting'].map((name) => startEngine(join(folder, name, 'd.sock'))),
    );
    addContext('colima', `unix://${current}`);
    addContext('rootless', `unix://${chosen}`);
    useContext('colima');
    expect(await versionOf(engine())).toBe(current);
    expect(await versionOf(engine({ DOCKER_CONTEXT: 'rootless' }))).toBe(chosen);
    const host = { DOCKER_CONTEXT: 'rootless', DOCKER_HOST: `unix://${direct}` };
    expect(await versionOf(engine(host))).toBe(direct);
    expect(await versionOf(engine(host, ofSetting ?? null))).toBe(ofSetting);
    expect(await versionOf(engine(host, `unix://${ofSetting}`))).toBe(ofSetting);
  });

  test('at a port of this computer', async () => {
    const port = await startEngine(0);
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', '']) {
      expect(await versionOf(engine({ DOCKER_HOST: `tcp://${host}:${port}` })), host).toBe('0');
    }
  });

  test('one that disappears after it answered is stopped, not missing, until it answers again', async () => {
    const socket = join(folder, 'gone.sock');
    const found = engine({ DOCKER_HOST: `unix://${socket}` });
    await expect(found.connect()).rejects.toMatchObject({ kind: 'missing' });
    expect(found.lost()).toBeNull();
    await startEngine(socket);
    await found.connect();
    await stopEngines();
    await expect(found.use((docker) => docker.ping())).rejects.toMatchObject({ code: 'unavailable' });
    await expect(found.connect()).rejects.toMatchObject({ kind: 'stopped' });
    expect(found.lost()).toMatchObject({ kind: 'stopped' });
    await startEngine(socket);
    await found.connect();
    expect(found.lost()).toBeNull();
  });

  test('at the configured address, from its next change on', async () => {
    const [first, second] = [await startEngine(join(folder, 'a.sock')), await startEngine(join(folder, 'b.sock'))];
    let host = first;
    const found = createEngine({ env: environment(), platform: 'linux', host: () => host });
    expect(await versionOf(found)).toBe(first);
    host = second;
    expect(found.isConnected()).toBe(false);
    expect(await versionOf(found)).toBe(second);
    expect(found.isConnected()).toBe(true);
  });

  test.runIf(isAlone)('or the message names every socket that was tried', async () => {
    const tried = [join(folder, 'run', 'docker.sock'), join(home(), '.docker', 'run', 'docker.sock')];
    const desktop = join(home(), '.docker', 'desktop', 'docker.sock');
    await expect(engine().connect()).rejects.toThrow(
      `There is no Docker Engine at /var/run/docker.sock, ${tried.join(', ')} or ${desktop}. Install Docker Engine`,
    );
  });

  test.each([
    ['tcp://10.0.0.7:2375', 'remote', /is tcp:\/\/10\.0\.0\.7:2375, .* Choose a context of this computer/],
    ['ssh://me@far', 'remote', /is ssh:\/\/far/],
    ['https://127.0.0.1:2376', 'failed', /with TLS, which Limner does not support/],
  ])('refuses a context of %s with a sentence', async (host, kind, words) => {
    addContext('far', host);
    useContext('far');
    await expect(engine().connect()).rejects.toMatchObject({ kind, message: expect.stringMatching(words) });
    await expect(engine().connect()).rejects.toThrow('The Docker context "far"');
  });

  test('names a missing context, and one whose Engine is missing', async () => {
    useContext('gone');
    await expect(engine().connect()).rejects.toThrow(
      `There is no Docker context "gone", which ${join(home(), '.docker', 'config.json')} names.`,
    );
    addContext('gone', `unix://${join(folder, 'nothing.sock')}`);
    await expect(engine().connect()).rejects.toThrow(
      'The Docker context "gone" sets this address. Start the Docker Engine of that context.',
    );
    useContext('default');
    expect(engine().place()).toContain('docker.sock');
  });
});

describe('reports a container that does not start as a sentence', () => {
  const problem = (message: string) =>
    startProblem('f', Object.assign(new Error('(HTTP code 500)'), { statusCode: 500, json: { message } }));

  test.each([
    ['could not select device driver "nvidia" with capabilities: [[gpu]]', /NVIDIA Container Toolkit is not installed/],
    ['could not select device driver "" with capabilities: [[gpu]]', /NVIDIA Container Toolkit is not installed/],
    [
      'could not select device driver "cdi" with capabilities: []',
      /differently than at the time of the deployment. Deploy the function again/,
    ],
    ['CDI device injection failed: unresolvable CDI devices nvidia.com/gpu=9', /rejected the GPU/],
    ['nvidia-container-cli: mount error: bpf_prog_query', /rejected the GPU/],
    [
      'invalid mount config for type "bind": bind source path does not exist: /x',
      /a folder of its volumes does not exist/,
    ],
    ['network weird not found', /its network does not exist/],
    ['No such image: a:b', /its image no longer exists. Deploy it again/],
    ['something new', /Cannot start "f": something new\./],
  ])('%s', (message, sentence) => expect(problem(message).message).toMatch(sentence));

  test('distinguishes a taken port from a missing program, so that something else can be tried', () => {
    const taken = problem(
      'driver failed programming external connectivity: Bind for 127.0.0.1:21007 failed: port is already allocated',
    );
    expect(taken).toBeInstanceOf(PortTaken);
    expect(taken.message).toBe('Cannot start "f": port 21007 is in use by another program or container.');
    expect(
      problem('Error starting userland proxy: listen tcp4 127.0.0.1:21008: bind: address already in use').message,
    ).toContain('port 21008');
    expect(problem('exec: "python3": executable file not found in $PATH: unknown')).toBeInstanceOf(CommandMissing);
  });
});
