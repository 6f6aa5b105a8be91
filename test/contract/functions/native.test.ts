import { describe, expect, test } from 'vitest';
import type { AgentResult, NativeFunctionWrite } from '../../../preload/contract/schema/native-functions.ts';
import type { Caller } from '../people/people-harness.ts';
import { useLambdaWorld } from './lambda-world.ts';

/** Native functions through the requests that agents send; cvat-cli itself is tested in test/sdk. */
const world = await useLambdaWorld();
const user = world.addUser('annotator');

const detector: NativeFunctionWrite = {
  provider: 'native',
  name: 'finds cars',
  visibility: 'public',
  kind: 'detector',
  labels_v2: [
    { name: 'car', type: 'rectangle', attributes: [] },
    { name: 'number', type: 'any', attributes: [{ name: 'age', input_type: 'number', values: ['0', '5', '1'] }] },
  ],
};
const agent = { agent_id: 'an agent' };

async function added(more: Partial<NativeFunctionWrite> = {}) {
  const { id } = await world.admin.good('createNativeFunction', { body: { ...detector, ...more } });
  return { id, name: `native:${id}`, params: { queue_id: `function:${id}` } };
}

type Added = Awaited<ReturnType<typeof added>>;

async function acquire({ params }: Added, category: 'batch' | 'interactive' = 'batch') {
  for (;;) {
    const body = { ...agent, request_category: category };
    const { ar_assignment: taken } = await world.admin.good('acquireAgentRequest', { params, body });
    if (taken !== null) return taken;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const complete = ({ params }: Added, id: string, result: Omit<AgentResult, 'agent_id'>) =>
  world.admin.call('completeAgentRequest', { params: { ...params, request_id: id }, body: { ...agent, ...result } });

describe('permissions', () => {
  test('shows a private function only to users who manage functions', async () => {
    const [shown, hidden] = [await added(), await added({ visibility: 'private', name: 'a secret' })];
    const seen = async (caller: Caller) => [
      ...(await caller.good('listModels', {})).map(({ name }) => name),
      ...(await caller.good('listLambdaFunctions', {})).map(({ id }) => id),
    ];
    const isNative = (name: string) => [shown.name, hidden.name].includes(name);
    expect((await seen(user)).filter(isNative)).toEqual([shown.name, shown.name]);
    expect((await seen(world.admin)).filter(isNative)).toEqual([shown.name, hidden.name, shown.name, hidden.name]);
    const task = await world.task(user, 1);
    const call = ({ name }: Added) =>
      user.call('callLambdaFunction', { params: { id: name }, raw: { task: task.id, frame: 0 } });
    expect(await call(hidden)).toMatchObject({ status: 404 });
    expect(await call(shown)).toMatchObject({ status: 503, body: expect.stringContaining('run-agent') as string });
    for (const caller of [user, world.admin]) {
      const body = { function: hidden.name, targets: [{ task: task.id }] };
      expect((await caller.call('createBatch', { body })).status).toBe(caller === user ? 404 : 201);
    }
  });

  test('adds a function completely or not at all', async () => {
    const refused = async (more: Partial<NativeFunctionWrite>) =>
      (await world.admin.call('createNativeFunction', { body: { ...detector, ...more } })).body;
    const twice = [detector.labels_v2![0]!, detector.labels_v2![0]!];
    expect(await refused({ labels_v2: twice })).toEqual({
      labels_v2: ['The labels of "finds cars" cannot be used: The label "car" is defined twice.'],
    });
    expect(await refused({ kind: 'tracker' })).toHaveProperty('supported_shape_types');
  });
});

describe('a run', () => {
  test('waits for an agent without blocking other work, and says so', async () => {
    const native = await added();
    const runs: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const { id: task } = await world.task(user, 1);
      runs.push((await user.good('createLambdaRequest', { raw: { function: native.name, task } })).id);
      await user.good('createBatch', { body: { function: (await added()).name, targets: [{ task }] } });
    }
    for (const id of runs) {
      const started = async () => (await user.good('getLambdaRequest', { params: { id } })).status;
      await expect.poll(started, { timeout: 30_000 }).toBe('started');
      expect((await user.good('getRequest', { params: { id } })).message).toContain('No agent of "finds cars"');
    }
    const other = await world.task(user, 1);
    expect(await world.annotate(user, { function: 'detector', task: other.id })).toMatchObject({ status: 'finished' });
    const { id } = await user.good('createBatch', { body: { function: 'detector', targets: [{ task: other.id }] } });
    const state = async () => (await user.good('getBatch', { params: { id } })).state;
    await expect.poll(state, { timeout: 30_000 }).toBe('finished');
    const [waiting] = (await user.good('listBatches', {})).filter((one) => one.function.startsWith('native:'));
    expect(waiting).toMatchObject({ state: 'waiting', message: expect.stringContaining('run-agent') as string });
    for (const run of runs) await user.good('deleteLambdaRequest', { params: { id: run } });
  });

  test('asks with the labels of the task, and stores results of the mapped labels', async () => {
    const native = await added();
    const task = await world.task(user, 1);
    const { id: run } = await user.good('createLambdaRequest', {
      raw: { function: native.name, task: task.id, threshold: 0.25, mapping: { car: { name: 'person' } } },
    });
    const taken = await acquire(native);
    expect(taken.ar_params).toEqual({
      type: 'annotate_frame',
      task: task.id,
      frame: 0,
      threshold: 0.25,
      conv_mask_to_poly: false,
      mapping: { car: { name: 'person', attributes: {} } },
    });
    const labels = new Map((await user.rest.labels(task.id)).map(({ name, id }) => [name, id]));
    const box = (label: string, more: object = {}) => ({
      type: 'rectangle',
      label_id: labels.get(label),
      frame: 0,
      points: [1, 2, 5, 6],
      ...more,
    });
    const shapes = [box('person', { score: 0.5, occluded: true, z_order: 2 }), box('car')];
    expect(await complete(native, taken.ar_id, { states: ['x'] })).toMatchObject({ status: 400 });
    expect(await complete(native, taken.ar_id, { annotations: { tags: [], shapes } })).toMatchObject({ status: 200 });
    expect(await complete(native, taken.ar_id, { annotations: { tags: [], shapes } })).toMatchObject({ status: 404 });
    await user.rest.finished(run);
    const kept = (await user.rest.annotations('tasks', task.id)).shapes;
    expect(kept).toMatchObject([
      { label_id: labels.get('person'), source: 'auto', score: 0.5, occluded: true, z_order: 2, points: [1, 2, 5, 6] },
    ]);
  });

  test('omits attributes of equally named labels that its agent would refuse', async () => {
    const native = await added();
    const task = await world.task(user, 1);
    await user.good('createLambdaRequest', { raw: { function: native.name, task: task.id } });
    const taken = await acquire(native);
    expect(taken.ar_params['mapping']).toEqual({
      car: { name: 'car', attributes: {} },
      number: { name: 'number', attributes: {} },
    });
    await world.admin.good('deleteModel', { params: { name: native.name } });
    expect(await complete(native, taken.ar_id, { annotations: { tags: [], shapes: [] } })).toMatchObject({
      status: 404,
    });
  });
});
