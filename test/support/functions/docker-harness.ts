import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Docker from 'dockerode';
import { deploySchema, type ModelFunction } from '../../../preload/contract/schema/functions.ts';
import type { FunctionOptions } from '../../../main/composition/models.ts';
import { createCoreHarness } from '../../db/work/core-harness.ts';
import type { TestClient } from '../client.ts';

export interface DockerHarness extends Awaited<ReturnType<typeof createDockerHarness>> {}

/** The Engine that tests use. Without one they fail and say what they need. */
export function testSocket(): string {
  const host = process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
  const socket = /^unix:\/\/(.+)$/.exec(host)?.[1];
  if (socket === undefined) throw new Error(`The tests need a Docker Engine on a socket; DOCKER_HOST is ${host}.`);
  return socket;
}

export async function createDockerHarness(options: FunctionOptions = {}) {
  const socketPath = testSocket();
  const docker = new Docker({ socketPath });
  await docker.ping();
  // The current value, because the Engine's address is looked up at each connection and `withSocket` ends earlier.
  const engine = { env: { ...process.env, DOCKER_HOST: `unix://${socketPath}` }, platform: process.platform };
  const harness = createCoreHarness({ functions: { engine, ...options } });
  const folders: string[] = [];
  const { core, admin } = harness;
  /** Containers of this data directory, or of one function, in any state. */
  const containers = async (name?: string) => {
    const instance = core.functions.repository.setting('instance', () => '');
    const ofFunction = name === undefined ? [] : [`app.limner.function=${name}`];
    return docker.listContainers({ all: true, filters: { label: [`app.limner.instance=${instance}`, ...ofFunction] } });
  };
  const container = async (name: string) => docker.getContainer((await containers(name))[0]?.Id ?? '');
  function folderWith(files: Readonly<Record<string, string>>): string {
    const folder = mkdtempSync(join(tmpdir(), 'limner-handler-'));
    folders.push(folder);
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return folder;
  }
  const handlerFolder = (yaml: YamlOptions, code = obedientHandler) =>
    folderWith({ 'main.js': code, 'function.yaml': functionYaml(yaml) });
  async function deploy(request: object): Promise<ModelFunction> {
    const { name } = await core.functions.service.deploy(admin, deploySchema.parse(request));
    await core.functions.service.deployed(name);
    return core.functions.service.get(admin, name);
  }
  return {
    ...harness,
    docker,
    containers,
    container,
    folderWith,
    handlerFolder,
    deploy,
    deployHandler: (yaml: YamlOptions, code?: string, request: object = {}) =>
      deploy({ directory: handlerFolder(yaml, code), base_image: nodeBase, ...request }),
    function: (name: string) => core.functions.service.get(admin, name),
    log: (name: string) => core.functions.service.log(admin, name),
    async call(name: string, body: unknown, timeoutMs = 60_000) {
      const answer = await core.functions.service.invoke(admin, name, {
        method: 'POST',
        path: '/',
        headers: { 'Content-Type': 'application/json' },
        body: [Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))],
        timeoutMs,
      });
      const text = answer.body.toString('utf8');
      return { status: answer.status, text, body: parsed(text) };
    },
    async dispose() {
      const found = await containers();
      await harness.dispose();
      for (const { Id } of found) {
        await docker
          .getContainer(Id)
          .remove({ force: true, v: true })
          .catch(() => undefined);
      }
      await removeMadeImages(docker);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function removeContainersOf(isOurs: (name: string) => boolean): Promise<void> {
  const docker = new Docker({ socketPath: testSocket() });
  const made = await docker.listContainers({ all: true, filters: { label: ['app.limner.function'] } });
  for (const { Id } of made.filter(({ Labels }) => isOurs(Labels['app.limner.function'] ?? '')))
    await docker.getContainer(Id).remove({ force: true, v: true });
}

async function removeMadeImages(docker: Docker): Promise<void> {
  const images = await docker.listImages({ filters: { label: ['app.limner.made-for'] } });
  for (const { Id } of images) {
    await docker
      .getImage(Id)
      .remove({ force: true })
      .catch(() => undefined);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Deploys a handler for Node.js by the service, and waits until that ended, successfully or not. */
export async function deployBySource(client: TestClient, yaml: YamlOptions, code = obedientHandler) {
  await client.good('POST', '/api/models/images/base', { json: { language: 'node' } });
  const files = [{ path: 'main.js', content: btoa(code) }];
  const json = { configuration: functionYaml(yaml), files, base_image: nodeBase };
  await client.good('POST', '/api/models/functions', { json });
  return until(async () => {
    const model = await client.good<ModelFunction>('GET', `/api/models/functions/${yaml.name}`);
    return model.state === 'building' ? null : model;
  });
}

export async function until<Result>(
  probe: () => Promise<Result | null | undefined | false> | Result | null | undefined | false,
): Promise<Result> {
  for (;;) {
    const found = await probe();
    if (found) return found;
    await sleep(100);
  }
}

export const nodeBase = 'limner/base-node:latest';
export const pythonBase = 'limner/base-python:latest';

export interface YamlOptions {
  readonly name: string;
  readonly runtime?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly spec?: string;
}

export function functionYaml({ name, runtime = 'nodejs', annotations = {}, spec = '' }: YamlOptions): string {
  const notes = Object.entries({ name, type: 'detector', spec: '[{"id":0,"name":"car"}]', ...annotations });
  return [
    'metadata:',
    `  name: ${name}`,
    '  annotations:',
    ...notes.map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
    'spec:',
    `  description: ${name} for tests`,
    `  runtime: ${runtime}`,
    '  handler: main:handler',
    spec,
    '',
  ].join('\n');
}

/** A handler that obeys its body's `do`, for tests of limits. */
export const obedientHandler = `
const { execSync } = require('child_process');
const fs = require('fs');
const big = [];
exports.handler = async (context, event) => {
  const order = event.body.length ? JSON.parse(event.body.toString()) : {};
  switch (order.do) {
    case 'sleep': await new Promise((resolve) => setTimeout(resolve, order.ms)); break;
    case 'exit': process.exit(order.code);
    case 'memory': for (;;) { big.push(Buffer.alloc(16 * 1024 * 1024, 1)); await new Promise((resolve) => setImmediate(resolve)); }
    case 'throw': throw new Error(order.message);
    case 'environment': return process.env;
    case 'whoami': return { uid: process.getuid(), gid: process.getgid(), cwd: process.cwd() };
    case 'write':
      try { fs.writeFileSync(order.path, 'x'); return { written: true }; } catch (error) { return { written: false, code: error.code }; }
    case 'read':
      try { return { text: fs.readFileSync(order.path, 'utf8') }; } catch (error) { return { code: error.code }; }
    case 'connect':
      return await new Promise((resolve) => {
        const socket = require('net').connect({ host: order.host, port: order.port, timeout: 2000 });
        socket.on('connect', () => { socket.destroy(); resolve({ connected: true }); });
        socket.on('timeout', () => { socket.destroy(); resolve({ connected: false, code: 'timeout' }); });
        socket.on('error', (error) => resolve({ connected: false, code: error.code }));
      });
    case 'reply': return new context.Response(order.body, {}, order.type || 'application/json', order.status || 200);
    case 'flood': return new context.Response(Buffer.alloc(order.bytes, 97), {}, 'text/plain');
    case 'log': context.logger.warn('said something'); break;
  }
  return { pid: process.pid, worker: context.workerId, size: event.body.length };
};
`;
