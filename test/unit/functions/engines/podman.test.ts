import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseConfigurationText } from '../../../../main/functions/configuration/parse-configuration.ts';
import { setRestartPolicy } from '../../../../main/functions/engines/docker/containers.ts';
import { createDockerFunctions } from '../../../../main/functions/engines/docker/docker-functions.ts';
import { createEngine } from '../../../../main/functions/engines/docker/engine.ts';
import { listImages } from '../../../../main/functions/engines/docker/images.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/** The answers in which Podman 4.3 differs from Docker. */
const answers: Readonly<Record<string, readonly [number, unknown]>> = {
  'GET /_ping': [200, 'OK'],
  'GET /info': [200, { NCPU: 2, MemTotal: 2 ** 32 }],
  'GET /version': [200, { Version: '4.3.1', Components: [{ Name: 'Podman Engine', Version: '4.3.1' }] }],
  'GET /images/json': [200, [{ Id: 'a', RepoTags: ['docker.io/limner/base-node:latest'], Size: 1, Created: 0 }]],
  'GET /containers/there/json': [
    200,
    { Id: 'there', Config: { Labels: {} }, State: {}, HostConfig: {}, NetworkSettings: {}, RestartCount: 0 },
  ],
};

let folder = '';
let server: Server;
const requested: string[] = [];
beforeEach(async () => {
  folder = temporaryFolder();
  requested.length = 0;
  server = createServer((request, response) => {
    const question = `${request.method} ${(request.url ?? '').replace(/\?.*/, '')}`;
    requested.push(question);
    const [status, body] = answers[question] ?? [404, 'Not Found'];
    response.writeHead(status, { 'Content-Type': typeof body === 'string' ? 'text/plain' : 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const engine = () => createEngine({ env: { DOCKER_HOST: `unix://${join(folder, 'socket')}` }, platform: 'linux' });

test('Podman is identified, and its names of images are those that users gave', async () => {
  const { docker, facts } = await engine().connect();
  expect(facts.isPodman).toBe(true);
  expect((await listImages(docker)).map(({ names }) => names)).toEqual([['limner/base-node:latest']]);
});

test('reports that it cannot change the restart policy; a missing container is an error', async () => {
  const { docker } = await engine().connect();
  expect(await setRestartPolicy(docker, 'there', { Name: 'no' })).toBe(false);
  await expect(setRestartPolicy(docker, 'gone', { Name: 'no' })).rejects.toThrow(/404/);
});

test('refuses a function that needs a GPU instead of running it without one', async () => {
  const { configuration } = parseConfigurationText(
    'metadata: { name: eye }\nspec: { runtime: python, handler: "main:handler" }',
  );
  const functions = createDockerFunctions({
    engine: engine(),
    instance: 'test',
    linksDirectory: join(folder, 'links'),
  });
  const input = {
    configuration,
    imageName: 'image',
    commands: null,
    hasRuntime: true,
    volumes: [],
    plan: {} as never,
    cards: ['GPU-0'],
    owner: 'limner',
    previousPort: null,
    heldPorts: new Set<number>(),
    log: () => undefined,
  };
  await expect(functions.run(input)).rejects.toThrow(/"eye" needs a GPU, which Podman does not provide/);
  expect(requested.filter((question) => question.startsWith('POST'))).toEqual([]);
});
