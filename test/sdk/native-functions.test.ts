import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Batch } from '../../preload/contract/schema/batches.ts';
import type { LambdaFunction, LambdaRequest, ModelFunction } from '../../preload/contract/schema/functions.ts';
import type { Task } from '../../preload/contract/schema/resources.ts';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { sharedFolder } from '../support/temporary-folder.ts';
import { prepareExecutable } from './python.ts';

/** Native functions in their real use: the unmodified cvat-cli creates, runs and deletes them. */
const run = promisify(execFile);
const folder = sharedFolder();
const frameCount = 12;
/** An agent starts two Python processes in turn. A request of a dead agent returns only when its lease ends. */
const patienceMs = 300_000;
const detectorFile = join(import.meta.dirname, 'native_detector.py');
const promptsFile = join(import.meta.dirname, 'native_prompts.py');

let server: RunningServer;
let client: TestClient;
let program = '';
let task: Task;
let agents: Agent[] = [];
beforeAll(async () => {
  program = await prepareExecutable('cvat-cli');
  server = await startServer();
  client = await signIn(server);
  task = await newTask();
}, 300_000);
afterEach(() => Promise.all(agents.splice(0).map((agent) => agent.kill())));
afterAll(async () => {
  await server?.stop();
});

const newTask = async (): Promise<Task> =>
  client.taskWithImages(
    {
      name: 'with natives',
      labels: [
        {
          name: 'car',
          type: 'rectangle',
          attributes: [
            { name: 'size', mutable: false, input_type: 'select', default_value: 'small', values: ['small', 'large'] },
          ],
        },
        { name: 'road', type: 'mask' },
        { name: 'scene', type: 'tag' },
        {
          name: 'body',
          type: 'skeleton',
          sublabels: [
            { name: 'head', type: 'points' },
            { name: 'foot', type: 'points' },
          ],
          svg:
            '<circle r="1" cx="10" cy="10" data-type="element node" data-element-id="1" data-node-id="1" data-label-name="head"></circle>' +
            '<circle r="1" cx="20" cy="20" data-type="element node" data-element-id="2" data-node-id="2" data-label-name="foot"></circle>',
        },
      ],
    },
    await makeImages(frameCount, { width: 64, height: 48 }),
  );

function connection(): { readonly args: string[]; readonly env: NodeJS.ProcessEnv } {
  const { protocol, hostname, port } = new URL(server.url);
  const own = { HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, PASS: server.password };
  return {
    args: ['--auth', server.user, '--server-host', `${protocol}//${hostname}`, '--server-port', port],
    env: { ...process.env, ...own },
  };
}

async function cli(...args: string[]): Promise<string> {
  const { args: login, env } = connection();
  const { stdout, stderr } = await run(program, [...login, ...args], { env });
  return stdout.trim() || stderr;
}

const create = async (name: string, file: string, ...more: string[]): Promise<number> =>
  Number(await cli('function', 'create-native', name, '--function-file', file, ...more));

interface Agent {
  readonly said: () => string;
  readonly ended: Promise<number | null>;
  readonly kill: () => Promise<void>;
}

function startAgent(id: number, file: string, ...more: string[]): Agent {
  const { args, env } = connection();
  const child: ChildProcess = spawn(
    program,
    [...args, 'function', 'run-agent', String(id), '--function-file', file, ...more],
    { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = once(child, 'exit').then(([code]) => code as number | null);
  const agent: Agent = {
    said: () => said,
    ended,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
      process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
  agents.push(agent);
  return agent;
}

const model = (id: number) => client.good<ModelFunction>('GET', `/api/models/functions/native:${id}`);

async function until<Value>(look: () => Promise<Value>, isRight: (value: Value) => boolean): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isRight(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const isThere = (id: number) =>
  until(
    () => model(id),
    ({ agents: own }) => own?.is_connected === true,
  );

const newBatch = (id: number, of: Task) =>
  client.good<Batch>('POST', '/api/models/batches', {
    json: { function: `native:${id}`, targets: [{ task: of.id }] },
  });
const batch = (id: number) => client.good<Batch>('GET', `/api/models/batches/${id}`);
const over = (id: number) =>
  until(
    () => batch(id),
    ({ state }) => state === 'finished' || state === 'failed',
  );

async function expectAll(of: Task): Promise<void> {
  const { shapes, tags } = await client.annotations('tasks', of.id);
  const labels = new Map((await client.labels(of.id)).map((label) => [label.id, label]));
  const frames = Array.from({ length: frameCount }, (_, frame) => frame);
  const named = (name: string) => shapes.filter(({ label_id: id }) => labels.get(id)?.name === name);
  for (const name of ['car', 'road', 'body']) {
    expect(
      named(name)
        .map(({ frame }) => frame)
        .toSorted((a, b) => a - b),
      name,
    ).toEqual(frames);
  }
  expect(tags.map(({ frame }) => frame).toSorted((a, b) => a - b)).toEqual(frames);
  for (const car of named('car')) {
    expect(car).toMatchObject({ type: 'rectangle', points: [1, 2, 32, 24], rotation: 90, source: 'auto' });
    expect(car.attributes.map(({ value }) => value)).toEqual(['large']);
  }
  for (const road of named('road')) expect(road).toMatchObject({ type: 'mask', points: [0, 10, 3, 2, 7, 3] });
  for (const body of named('body')) {
    expect(body.elements?.map(({ points, outside }) => [points, outside])).toEqual([
      [[5, 6], false],
      [[7, 8], true],
    ]);
  }
}

test(
  'a function is created, waits for an agent, and a run of it finds everything when one comes',
  { timeout: patienceMs },
  async () => {
    const id = await create('finds four things', detectorFile);
    const [listed] = (await client.good<LambdaFunction[]>('GET', '/api/lambda/functions')).filter(
      (one) => one.id === `native:${id}`,
    );
    expect(listed).toMatchObject({ kind: 'detector', name: 'finds four things' });
    expect(listed?.labels_v2.map(({ name, type }) => [name, type])).toEqual([
      ['car', 'rectangle'],
      ['road', 'mask'],
      ['scene', 'tag'],
      ['body', 'skeleton'],
    ]);
    const before = await model(id);
    expect(before).toMatchObject({
      provider: 'native',
      state: 'stopped',
      agents: { is_connected: false, seen_date: null },
    });
    expect(before.agents?.command).toContain(`run-agent ${id} `);

    const request = await client.good<LambdaRequest>('POST', '/api/lambda/requests', {
      json: { function: `native:${id}`, task: task.id, cleanup: true },
    });
    const { agents: waiting } = await until(
      () => model(id),
      ({ agents: own }) => (own?.waiting_count ?? 0) > 0,
    );
    expect(waiting).toMatchObject({ is_connected: false, running_count: 0 });
    const shown = await client.good<{ message: string }>('GET', `/api/requests/${encodeURIComponent(request.id)}`);
    expect(shown.message).toContain('No agent of "finds four things" is connected');

    expect(await startAgent(id, detectorFile, '--burst').ended).toBe(0);
    const ended = await until(
      () => client.good<LambdaRequest>('GET', `/api/lambda/requests/${encodeURIComponent(request.id)}`),
      ({ status }) => status === 'finished' || status === 'failed',
    );
    expect(ended).toMatchObject({ status: 'finished', exc_info: null });
    await expectAll(task);
    const after = await model(id);
    expect(after.agents).toMatchObject({ is_connected: false, waiting_count: 0, running_count: 0 });
    expect(after.agents?.seen_date).not.toBeNull();
    await cli('function', 'delete', String(id));
  },
);

test(
  'if an agent is killed at a frame another continues, and nothing is duplicated',
  { timeout: patienceMs },
  async () => {
    const of = await newTask();
    const id = await create('survives', detectorFile);
    const { id: batchId, state } = await newBatch(id, of);
    expect(['queued', 'running', 'waiting']).toContain(state);
    await until(
      () => batch(batchId),
      (one) => one.state === 'waiting' && one.message.includes('No agent'),
    );
    const first = startAgent(id, detectorFile, '-p', 'slow_from=int:3');
    await until(
      async () => first.said().match(/Got assigned/g)?.length ?? 0,
      (count) => count === 4,
    );
    expect((await model(id)).agents).toMatchObject({ is_connected: true, running_count: 1 });
    await first.kill();
    startAgent(id, detectorFile);
    expect(await over(batchId)).toMatchObject({ state: 'finished', done_count: frameCount, failed_count: 0 });
    await expectAll(of);
    await cli('function', 'delete', String(id));
  },
);

test('a request that waits for an agent still waits after a restart of Limner', { timeout: patienceMs }, async () => {
  const of = await newTask();
  const id = await create('waits for the service', detectorFile);
  const { id: batchId } = await newBatch(id, of);
  await server.kill9();
  server = await server.restart();
  client = await signIn(server);
  startAgent(id, detectorFile);
  expect(await over(batchId)).toMatchObject({ state: 'finished', done_count: frameCount, failed_count: 0 });
  await expectAll(of);
  await cli('function', 'delete', String(id));
});

test('a cancelled run releases its agent, and a failed one says why', { timeout: patienceMs }, async () => {
  const of = await newTask();
  const id = await create('can be called off', detectorFile);
  const { id: batchId } = await newBatch(id, of);
  const agent = startAgent(id, detectorFile, '-p', 'slow_from=int:0');
  await until(
    () => model(id),
    ({ agents: own }) => own?.running_count === 1,
  );
  await client.good('POST', `/api/models/batches/${batchId}/cancel`);
  expect((await model(id)).agents).toMatchObject({ waiting_count: 0, running_count: 0 });
  await agent.kill();
  expect((await client.annotations('tasks', of.id)).shapes).toEqual([]);

  const { id: second } = await newBatch(id, of);
  startAgent(id, detectorFile, '-p', 'fails_at=str:image-003.jpg');
  const ended = await over(second);
  expect(ended).toMatchObject({ state: 'finished', done_count: frameCount, failed_count: 1 });
  expect(ended.problems).toMatchObject([{ file: 'image-003.jpg' }]);
  expect(ended.problems[0]?.reason).toContain('nothing is known of this picture');
  await cli('function', 'delete', String(id));
});

test('a frame, a prompt and a track are answered at once if there is an agent', { timeout: patienceMs }, async () => {
  const detector = await create('for a frame', detectorFile);
  const ask = (id: number, json: object) =>
    client.call('POST', `/api/lambda/functions/native:${id}`, { json: { task: task.id, ...json } });
  const refused = await ask(detector, { frame: 1 });
  expect(refused.status).toBe(503);
  expect(refused.body).toContain('No agent of "for a frame" is connected');

  const [interactor, tracker] = [
    await create('clicks', promptsFile, '-p', 'kind=str:interactor'),
    await create('follows', promptsFile, '-p', 'kind=str:tracker'),
  ];
  const listening = [
    startAgent(detector, detectorFile),
    startAgent(interactor, promptsFile, '-p', 'kind=str:interactor'),
    startAgent(tracker, promptsFile, '-p', 'kind=str:tracker'),
  ];
  for (const id of [detector, interactor, tracker]) await isThere(id);

  const found = await ask(detector, { frame: 1, roi: [10, 10, 30, 30], mapping: { car: { name: 'car' } } });
  expect(found).toMatchObject({ status: 200, body: { shapes: [{ frame: 1, points: [11, 12, 20, 20] }], tags: [] } });

  const clicked = await ask(interactor, { frame: 2, pos_points: [[20, 30]], neg_points: [], obj_bbox: [] });
  expect(clicked.body).toEqual({ shapes: [{ type: 'mask', points: [0, 4, 19, 29, 20, 30], confidence: '0.5' }] });

  const shapes = [{ type: 'rectangle', points: [1, 2, 3, 4] }];
  const begun = await ask(tracker, { frame: 0, shapes });
  expect(begun.body).toMatchObject({ shapes });
  const { states } = begun.body as { states: unknown[] };
  const next = await ask(tracker, { frame: 1, states });
  expect(next.body).toMatchObject({ shapes: [{ type: 'rectangle', points: [2, 3, 4, 5] }] });
  const lost = await ask(tracker, { frame: 2, states: (next.body as { states: unknown[] }).states });
  expect(lost.body).toMatchObject({ shapes: [null] });

  await cli('function', 'delete', String(detector), String(interactor), String(tracker), '999999');
  // Their agents notice the deletion and end.
  for (const agent of listening) expect(await agent.ended).not.toBe(0);
  expect(listening[0]?.said()).toMatch(/404/);
  expect(await client.call('GET', `/api/models/functions/native:${detector}`)).toMatchObject({ status: 404 });
});
