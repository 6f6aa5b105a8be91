import { chmodSync } from 'node:fs';
import { cpus } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deploySchema } from '../../../preload/contract/schema/functions.ts';
import {
  createDockerHarness,
  functionYaml,
  nodeBase,
  obedientHandler,
  pythonBase,
  until,
  type DockerHarness,
} from '../../support/functions/docker-harness.ts';

const harness = await createDockerHarness();
await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'node' });
afterAll(() => harness.dispose());

const specified = `  eventTimeout: 30s
  readinessTimeoutSeconds: 60
  triggers:
    myHttpTrigger:
      kind: http
      maxWorkers: 2
      workerAvailabilityTimeoutMilliseconds: 10000
      attributes:
        maxRequestBodySize: 33554432`;

const deploy = (name: string, spec: string, handler?: string, request?: object) =>
  harness.deployHandler({ name, spec }, handler, request);

const neverReady = 'exports.initContext = () => new Promise(() => undefined); exports.handler = () => undefined;';

function inBackground<Result>(work: () => Promise<Result>): Promise<{ result: Result; tookMs: number }> {
  const started = performance.now();
  const ended = work().then((result) => ({ result, tookMs: performance.now() - started }));
  ended.catch(() => undefined);
  return ended;
}
let late: ReturnType<typeof inBackground<Awaited<ReturnType<DockerHarness['call']>>>>;
let slowDefault: ReturnType<typeof inBackground<Awaited<ReturnType<typeof deploy>>>>;

describe('the limits of the specification', () => {
  beforeAll(async () => {
    expect(await deploy('limits', specified)).toMatchObject({ state: 'ready', workers: 2 });
    expect(await deploy('late', specified)).toMatchObject({ state: 'ready', workers: 2 });
    late = inBackground(() => harness.call('late', { do: 'sleep', ms: 40_000 }));
    slowDefault = inBackground(() => deploy('slow-default', '', neverReady));
  });

  test('accepts a body of 32 MiB, and answers 413 to one byte more', async () => {
    const frame = '{"do":"","image":""}';
    const body = (bytes: number) => `{"do":"","image":"${'x'.repeat(bytes - frame.length)}"}`;
    expect(await harness.call('limits', body(33_554_432))).toMatchObject({ status: 200, body: { size: 33_554_432 } });
    expect((await harness.call('limits', body(33_554_433))).status).toBe(413);
    expect((await harness.call('limits', {})).status).toBe(200);
  });

  test('queues a third call on two busy workers for 10 s, then answers 503 with an empty body', async () => {
    const busy = [1, 2].map(() => harness.call('limits', { do: 'sleep', ms: 13_000 }));
    await new Promise((resolve) => setTimeout(resolve, 500));
    const started = performance.now();
    const third = await harness.call('limits', {});
    expect(third).toMatchObject({ status: 503, text: '' });
    expect(performance.now() - started).toBeGreaterThan(9_500);
    expect((await Promise.all(busy)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('answers 500 when a handler exits, and keeps the function running', async () => {
    expect(await harness.call('limits', { do: 'exit', code: 9 })).toMatchObject({
      status: 500,
      body: { error: expect.stringContaining('exit code 9') },
    });
    for (let call = 0; call < 3; call += 1) expect((await harness.call('limits', {})).status).toBe(200);
    expect(await harness.log('limits')).toContain('exited with exit code 9');
  });

  test('answers 500 with a short message to an exception, and logs its trace', async () => {
    const failed = await harness.call('limits', { do: 'throw', message: 'no such layer' });
    expect(failed.status).toBe(500);
    expect(failed.text).toContain('no such layer');
    await until(async () => /no such layer[\s\S]*main\.js/.test(await harness.log('limits')));
  });
});

describe('other faults', () => {
  test('too much memory ends the worker, and the caller gets an error', async () => {
    await deploy('greedy', '  resources:\n    limits:\n      memory: 200Mi');
    const answer = await harness.call('greedy', { do: 'memory' });
    expect(answer.status).toBe(500);
    expect(answer.text).toMatch(/signal SIGKILL \(perhaps the memory limit\)|exit code/);
    const after = await until(async () => {
      const next = await harness.call('greedy', {}).catch(() => null);
      return next?.status === 200 ? next : null;
    });
    expect(after.status).toBe(200);
  });

  test('a function that is not ready in time fails, and leaves no container', async () => {
    const failed = await deploy('never-ready', '  readinessTimeoutSeconds: 3', neverReady);
    expect(failed).toMatchObject({ state: 'error', node_port: null });
    expect(failed.message).toMatch(/was not ready within 3 s \(spec.readinessTimeoutSeconds\)/);
    expect(failed.message).toContain('The function starts');
    expect(await harness.containers('never-ready')).toEqual([]);
  });

  test('a missing handler fails with the message from its log', async () => {
    const failed = await deploy('no-handler', '', 'exports.other = 1;');
    expect(failed.message).toMatch(/exports no function "handler"/);
  });

  test('a crash loop ends: the function is unhealthy, and says so when it is called', async () => {
    await deploy('loop', '');
    await Promise.allSettled(Array.from({ length: 40 }, () => harness.call('loop', { do: 'exit', code: 1 })));
    const answer = await harness.call('loop', {}).catch((error: unknown) => error);
    // It was restarted within its retries, or it is down with a reason.
    if (answer instanceof Error) expect(answer.message).toMatch(/ended|exited|answers|respond/);
    else expect(answer).toMatchObject({ status: 200 });
    expect(await harness.containers('loop')).toHaveLength(1);
  });

  test('refuses an answer of 200 MB, and the function keeps running', async () => {
    await deploy('flood', '');
    await expect(harness.call('flood', { do: 'flood', bytes: 200_000_000 })).rejects.toThrow(/more than 100 MiB/);
    expect((await harness.call('flood', {})).status).toBe(200);
  });
});

describe('isolation', () => {
  test('every container is isolated', async () => {
    await deploy('walled', '  env:\n    - name: OWN\n      value: mine');
    const { Config, HostConfig, NetworkSettings } = await (await harness.container('walled')).inspect();
    expect(Config.User).toBe('65534:65534');
    expect(HostConfig).toMatchObject({
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Privileged: false,
      ReadonlyRootfs: true,
      PidsLimit: 256 + 128 + 8 * cpus().length,
      NetworkMode: 'none',
      RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 },
    });
    expect(HostConfig.CapAdd ?? []).toEqual([]);
    expect(HostConfig.Memory).toBeGreaterThan(0);
    expect(HostConfig.NanoCpus).toBeGreaterThan(0);
    expect(HostConfig.Binds ?? []).toEqual([]);
    expect(Object.keys(HostConfig.Tmpfs ?? {})).toEqual(['/tmp']);
    expect(NetworkSettings.Ports).toEqual({});
    expect(Config.Labels).toMatchObject({ 'app.limner.function': 'walled', 'app.limner.owner': 'admin' });

    expect((await harness.call('walled', { do: 'whoami' })).body).toEqual({
      uid: 65_534,
      gid: 65_534,
      cwd: '/opt/nuclio',
    });
    expect((await harness.call('walled', { do: 'write', path: '/opt/nuclio/x' })).body).toMatchObject({
      written: false,
    });
    expect((await harness.call('walled', { do: 'write', path: '/tmp/x' })).body).toMatchObject({ written: true });
    expect((await harness.call('walled', { do: 'environment' })).body).toMatchObject({ OWN: 'mine', HOME: '/tmp' });
  });

  test('allows granted access and nothing else', async () => {
    const folder = harness.folderWith({ 'weights.bin': 'heavy' });
    chmodSync(folder, 0o755);
    const volumes = [{ source: folder, target: '/weights', read_only: true }];
    const refused = deploy('granted', '', obedientHandler, { volumes });
    await expect(refused).rejects.toThrow(/Read .* on this computer, as \/weights in the container/);
    const grants = [`volume:${folder}:ro`];
    const deployed = await deploy('granted', '', obedientHandler, { volumes, grants });
    expect(deployed).toMatchObject({ state: 'ready', grants });
    expect((await harness.call('granted', { do: 'read', path: '/weights/weights.bin' })).body).toEqual({
      text: 'heavy',
    });
    expect((await harness.call('granted', { do: 'write', path: '/weights/x' })).body).toMatchObject({ written: false });
    const { HostConfig } = await (await harness.container('granted')).inspect();
    expect(HostConfig).toMatchObject({ CapDrop: ['ALL'], ReadonlyRootfs: true });
  });

  test('allows root and a writable image if granted', async () => {
    const spec = '  securityContext:\n    runAsUser: 0\n    readOnlyRootFilesystem: false';
    await deploy('rooted', spec, obedientHandler, { grants: ['user:0', 'writable-root'] });
    expect((await harness.call('rooted', { do: 'whoami' })).body).toMatchObject({ uid: 0 });
    expect((await harness.call('rooted', { do: 'write', path: '/opt/nuclio/x' })).body).toMatchObject({
      written: true,
    });
  });

  test('limits CPUs or memory to the available ones, with a warning', async () => {
    const deployed = await deploy('huge', '  resources:\n    limits:\n      cpu: 512\n      memory: 900Ti');
    expect(deployed.state).toBe('ready');
    expect(deployed.warnings.join(' ')).toMatch(
      /512 CPU cores are requested; the Engine has \d+.*900\w* \w+ of memory are requested|TiB|GiB/,
    );
  });
});

describe('limits in a configuration', () => {
  const placesHandler = `
const fs = require('fs');
const { spawnSync } = require('child_process');
exports.handler = async () => {
  fs.copyFileSync('/usr/local/bin/node', '/tmp/copy');
  const { error } = spawnSync('/tmp/copy', ['--version']);
  const size = (path) => { const { blocks, bsize } = fs.statfsSync(path); return blocks * bsize; };
  return { runs: error ? error.code : true, tmp: size('/tmp'), shm: size('/dev/shm') };
};`;
  const places = '      pidsLimit: 777\n      shmSize: 256Mi\n      tmpSize: 512Mi';

  test('sets processes, shared memory and the temporary folder, from which programs run if granted', async () => {
    const spec = `  platform:\n    attributes:\n${places}`;
    expect(await deploy('places', spec, placesHandler)).toMatchObject({ state: 'ready', warnings: [] });
    const { HostConfig } = await (await harness.container('places')).inspect();
    expect(HostConfig).toMatchObject({ PidsLimit: 777 });
    expect((await harness.call('places', {})).body).toEqual({ runs: 'EACCES', tmp: 512 * 2 ** 20, shm: 256 * 2 ** 20 });

    const running = `${spec}\n      executableTmp: true`;
    await expect(deploy('places', running, placesHandler)).rejects.toThrow(/Run programs .*\[executable-tmp\]/);
    await deploy('places', running, placesHandler, { grants: ['executable-tmp'] });
    expect((await harness.call('places', {})).body).toMatchObject({ runs: true });
  });

  test('the process limit is enough for the threads of all workers', async () => {
    await harness.core.functions.service.buildBaseImage(harness.admin, { language: 'python' });
    // As many threads as libraries start on a computer with many cores.
    const handler = `
import threading
end = threading.Event()
def init_context(context):
    for _ in range(150):
        threading.Thread(target=end.wait, daemon=True).start()
def handler(context, event):
    return str(threading.active_count())
`;
    const directory = harness.folderWith({
      'main.py': handler,
      'function.yaml': functionYaml({ name: 'threads', runtime: 'python:3', spec: specified }),
    });
    expect(await harness.deploy({ directory, base_image: pythonBase })).toMatchObject({ state: 'ready', workers: 2 });
    expect(Number((await harness.call('threads', {})).text)).toBeGreaterThan(150);
  });

  test.each([
    [
      'workers',
      '  triggers:\n    http:\n      kind: http\n      numWorkers: 100000',
      /requests 100000 workers.*Nothing was/,
    ],
    ['process ids', '  platform:\n    attributes:\n      pidsLimit: 4000000', /Expected an integer from 32 to 16384/],
  ])(
    'refuses an absurd number of %s, in a check too, and running functions continue',
    async (_what, spec, sentence) => {
      await deploy('sober', '');
      const configuration = functionYaml({ name: 'sober', spec });
      const directory = harness.folderWith({ 'main.js': obedientHandler });
      const request = { directory, configuration, base_image: nodeBase };
      await expect(harness.core.functions.service.check(harness.admin, deploySchema.parse(request))).rejects.toThrow(
        sentence,
      );
      await expect(harness.deploy(request)).rejects.toThrow(sentence);
      expect((await harness.call('sober', {})).status).toBe(200);
    },
  );

  test('a check reports insufficient memory, and a folder that the configuration names itself', async () => {
    const spec = '  build:\n    path: /etc\n  resources:\n    limits:\n      memory: 999Ti';
    const request = { configuration: functionYaml({ name: 'grabby', spec }), base_image: nodeBase };
    const check = await harness.core.functions.service.check(harness.admin, deploySchema.parse(request));
    expect(check.warnings.join(' ')).toMatch(/of memory are requested; the Engine has/);
    expect(check.permissions).toEqual([
      {
        id: 'folder:/etc',
        message: "Read everything below /etc on this computer: it is copied into the function's image.",
      },
    ]);
    await expect(harness.deploy(request)).rejects.toThrow(/Read everything below \/etc/);
  });
});

describe('ports', () => {
  test('refuses the second of two functions with one port, and names the first', async () => {
    const spec = '  triggers:\n    http:\n      kind: http\n      attributes:\n        port: 24321';
    expect(await deploy('first-port', spec)).toMatchObject({ state: 'ready', node_port: 24_321 });
    await expect(deploy('second-port', spec)).rejects.toThrow(/Port 24321 belongs to the function "first-port"/);
  });

  test('names a port that another program uses, and leaves nothing behind', async () => {
    const { createServer } = await import('node:net');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(24_322, '127.0.0.1', resolve));
    const spec = '  triggers:\n    http:\n      kind: http\n      attributes:\n        port: 24322';
    const failed = await deploy('taken-port', spec);
    server.close();
    expect(failed.state).toBe('error');
    expect(failed.message).toMatch(/port 24322 is in use by another program or container/);
    expect(await harness.containers('taken-port')).toEqual([]);
  });
});

describe('timeouts of the specification', () => {
  test('answers 408 when a handler takes longer than 30 s, and replaces its worker', async () => {
    const { result, tookMs } = await late;
    expect(result).toMatchObject({ status: 408, body: { error: 'handler timed out' } });
    expect(tookMs).toBeGreaterThan(29_500);
    for (let call = 0; call < 3; call += 1) expect((await harness.call('late', {})).status).toBe(200);
  });

  test('a function that is not ready within 60 s fails by default', async () => {
    const { result, tookMs } = await slowDefault;
    expect(result).toMatchObject({ state: 'error', node_port: null });
    expect(result.message).toMatch(/was not ready within 60 s/);
    expect(tookMs).toBeGreaterThan(59_000);
    const left = await harness.containers();
    expect(left.filter(({ Labels }) => Labels['app.limner.function'] === 'slow-default')).toEqual([]);
  });
});
