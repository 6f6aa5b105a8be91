import { beforeEach, describe, expect, test } from 'vitest';
import {
  recorded,
  stateOf,
  transitions,
  type RuntimeState,
} from '../../../../main/functions/runtime/runtime-states.ts';
import { createRuntimeWorld } from './fake-engine.ts';

let world: ReturnType<typeof createRuntimeWorld>;
beforeEach(() => {
  world = createRuntimeWorld();
});

/** Blocks starts and stops until it is called. */
function holdUp(): () => void {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  world.engine.gate = () => promise;
  return () => resolve(undefined);
}
const turns = () => new Promise((resolve) => setImmediate(resolve));

describe('the states of a function', () => {
  test('are all reachable, and all but transient ones are saved in its record', () => {
    const states = Object.keys(transitions) as RuntimeState[];
    const reached = new Set(states.flatMap((from) => Object.values(transitions[from])));
    const entered = ['interrupted', 'deploying'];
    expect(states.filter((state) => !reached.has(state))).toEqual(entered);
    for (const state of states) {
      const word = recorded[state];
      if (word === null) expect(['deploying', 'starting']).toContain(state);
      else expect(stateOf[word]).toBe(state);
    }
  });

  const runs = {};
  const ended = { isRunning: false };
  const died = { isRunning: false, exitCode: 1, restarts: 3 };
  const outOfMemory = { isRunning: false, isOutOfMemory: true };
  const onNetwork = { network: 'limner-functions' };
  test.each([
    ['ready', runs, 'ready', ''],
    ['ready', ended, 'scaledToZero', ''],
    ['ready', died, 'unhealthy', 'exited repeatedly, last with exit code 1'],
    ['ready', outOfMemory, 'unhealthy', 'reached its memory limit'],
    ['ready', null, 'unhealthy', 'container no longer exists'],
    ['ready', onNetwork, 'scaledToZero', 'used a network'],
    ['scaledToZero', runs, 'ready', ''],
    ['scaledToZero', ended, 'scaledToZero', 'as it was'],
    ['scaledToZero', outOfMemory, 'unhealthy', 'reached its memory limit'],
    ['unhealthy', ended, 'unhealthy', 'as it was'],
    ['unhealthy', runs, 'ready', ''],
    ['stopped', null, 'stopped', 'as it was'],
    ['stopped', ended, 'stopped', 'as it was'],
    ['stopped', runs, 'ready', ''],
    ['error', ended, 'error', 'as it was'],
    ['building', runs, 'ready', ''],
    ['building', ended, 'error', 'Limner was stopped while this function was deployed'],
    ['building', null, 'error', 'Limner was stopped while this function was deployed'],
  ] as const)('%s becomes, if the Engine reports %j, %s', async (before, container, after, message) => {
    world.add('model', { state: before, message: message === '' ? '' : 'as it was' }, container);
    await world.runtimes.attached();
    expect(world.state()).toBe(after);
    expect(world.message()).toContain(message);
  });
});

describe('a call', () => {
  test('reaches a running container, and starts an idle one; all waiting calls share one start', async () => {
    world.add('ready');
    world.add('resting', { state: 'scaledToZero' }, { isRunning: false });
    expect(await world.call('ready')).toBe('ready');
    expect(await Promise.all([1, 2, 3].map(() => world.call('resting')))).toEqual(Array(3).fill('resting'));
    expect(world.engine.done).toEqual(['start resting']);
    expect(world.state('resting')).toBe('ready');
  });

  test.each([
    ['stopped', '', /"model" is stopped. Start it first/],
    ['error', 'No image', /"model" is not deployed: No image/],
    ['building', '', /"model" is being deployed. Try again when it is ready/],
  ] as const)('of one that is %s says so, and sends the Engine no request', async (state, message, words) => {
    world.add('model', { state, message });
    world.engine.list = () => Promise.reject(new Error('asked'));
    await expect(world.call()).rejects.toThrow(words);
  });

  test('of one that a user stopped is answered after a user started it', async () => {
    world.add();
    await world.runtimes.stop('model');
    expect(world.state()).toBe('stopped');
    await expect(world.call()).rejects.toThrow(/stopped/);
    await world.runtimes.start('model');
    expect(await world.call()).toBe('model');
  });

  test('after a failed start tries again, and reports until then why it failed', async () => {
    world.add('model', { state: 'scaledToZero' }, { isRunning: false });
    world.engine.problem = new Error('It was not ready within 120 s.');
    await expect(world.call()).rejects.toThrow(/not ready within/);
    expect([world.state(), world.message()]).toEqual(['unhealthy', 'It was not ready within 120 s.']);
    expect(await world.call()).toBe('model');
    expect([world.state(), world.message()]).toEqual(['ready', '']);
  });

  test('creates a new container if it is missing or its port is taken', async () => {
    world.add('gone', {}, null);
    world.add('taken', { state: 'scaledToZero' }, { isRunning: false });
    expect(await world.call('gone')).toBe('new 1');
    world.engine.taken.add(world.records.require('taken').row.port ?? 0);
    expect(await world.call('taken')).toBe('new 2');
    expect(world.records.require('taken').row).toMatchObject({ container_id: 'new 2', port: 30_002, state: 'ready' });
  });

  test('starts one that ended without an event, and waits until an event is handled', async () => {
    world.add();
    await world.runtimes.attached();
    world.engine.all.set('model', { ...world.engine.all.get('model')!, isRunning: false });
    expect(await world.call()).toBe('model');
    world.engine.tell('model', { isRunning: false, isOutOfMemory: true });
    expect(await world.call()).toBe('model');
    expect(world.engine.done).toEqual(['start model', 'start model']);
  });

  test('without an answer from a running container gets the end of its log', async () => {
    world.add('model', { port: 1 }, { port: 1 });
    world.engine.inspect = async () => ({ ...world.engine.all.get('model')!, isRunning: true });
    await world.runtimes.attached();
    world.engine.all.set('model', { ...world.engine.all.get('model')!, isRunning: false });
    await expect(world.call()).rejects.toThrow(/Nothing responds at 1. Last output: its last line/);
  });
});

describe('order of operations', () => {
  test('a start waits for the end of a stop', async () => {
    world.add();
    await world.runtimes.attached();
    const resume = holdUp();
    const resting = world.runtimes.of('model').rest();
    await turns();
    const call = world.call();
    resume();
    expect([await resting, await call]).toEqual([true, 'model']);
    expect(world.engine.done).toEqual(['stop model', 'start model']);
  });

  test("a user's stop cancels a running start", async () => {
    world.add('model', { state: 'scaledToZero' }, { isRunning: false });
    await world.runtimes.attached();
    const resume = holdUp();
    const call = world.call();
    await turns();
    const stopped = world.runtimes.stop('model');
    await turns();
    resume();
    await expect(call).rejects.toThrow(/is stopped/);
    await stopped;
    expect(world.state()).toBe('stopped');
    expect(world.engine.all.get('model')?.isRunning).toBe(false);
  });

  test('events and calls do not touch the container during a deployment', async () => {
    world.add();
    await world.runtimes.attached();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const deployed = world.runtimes.of('model').deploy(() => promise);
    world.engine.tell('model', { isRunning: false });
    await turns();
    expect(world.state()).toBe('ready');
    await expect(world.call()).rejects.toThrow(/is being deployed/);
    resolve(undefined);
    await deployed;
    expect(await world.call()).toBe('model');
  });

  test('deletes containers without a function; one that is created for a deployment stays', async () => {
    world.add('known');
    world.add('deploying', { state: 'building', container_id: null }, null);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const deployed = world.runtimes.of('deploying').deploy(() => promise);
    const known = world.engine.all.get('known')!;
    world.engine.all.set('half', { ...known, id: 'half', functionName: 'deploying' });
    world.engine.all.set('orphan', { ...known, id: 'orphan', functionName: 'nobody' });
    await world.runtimes.attached();
    expect([...world.engine.all.keys()]).toEqual(['known', 'half']);
    resolve(undefined);
    await deployed;
  });
});

test('stops a function after its idle time, never during a call, and starts it when it is called', async () => {
  world.add('model', { idle_stop_seconds: 60 });
  world.add('always', {});
  await world.runtimes.attached();
  world.clock.nowMs = 59_000;
  await world.call();
  world.clock.nowMs = 118_000;
  await world.runtimes.sweep();
  expect(world.state()).toBe('ready');
  world.clock.nowMs = 119_001;
  await world.runtimes.sweep();
  expect([world.state(), world.state('always')]).toEqual(['scaledToZero', 'ready']);
  const resume = holdUp();
  const call = world.call();
  world.clock.nowMs = 999_000;
  resume();
  await Promise.all([call, world.runtimes.sweep()]);
  expect(world.engine.done).toEqual(['stop model', 'start model']);
});

describe('GPUs', () => {
  const document = (name: string) =>
    JSON.stringify({
      metadata: { name },
      spec: { runtime: 'python', handler: 'main:handler', resources: { limits: { 'nvidia.com/gpu': 1 } } },
    });
  async function addOnCard(name: string, card: string, memory: number, usedAtMs: number, row = {}) {
    world.clock.nowMs = usedAtMs;
    world.add(name, { document: document(name), cards: `["${card}"]`, gpu_memory_mib: memory, ...row });
    world.runtimes.of(name);
  }

  test('the longest idle function is evicted, and one that never idles is not', async () => {
    await addOnCard('never', 'GPU-a', 5000, 0, { idle_stop_seconds: 0 });
    await addOnCard('later', 'GPU-b', 4000, 2000);
    await addOnCard('longest', 'GPU-b', 4000, 1000);
    await addOnCard('called', 'GPU-b', 4500, 3000, { state: 'scaledToZero' });
    world.engine.tell('called', { isRunning: false });
    expect(await world.call('called')).toBe('called');
    expect(world.engine.done).toEqual(['stop longest', 'start called']);
    expect([world.state('later'), world.state('never')]).toEqual(['ready', 'ready']);
  });

  test('a call fails with the numbers if no function can be evicted; a missing GPU is replaced by another one', async () => {
    await addOnCard('never', 'GPU-a', 5000, 0, { idle_stop_seconds: 0 });
    await addOnCard('called', 'GPU-a', 4500, 0, { state: 'scaledToZero' });
    await addOnCard('elsewhere', 'GPU-x', 10, 0, { state: 'scaledToZero' });
    await addOnCard('always', 'GPU-b', 5000, 0, { idle_stop_seconds: 0 });
    await addOnCard('resting', 'GPU-b', 10, 0);
    for (const name of ['called', 'elsewhere']) world.engine.tell(name, { isRunning: false });
    expect(await world.call('elsewhere')).toBe('new 1');
    expect(world.records.require('elsewhere').cards).toEqual(['GPU-a']);
    expect(world.state('resting')).toBe('ready');
    world.add('nobody', { document: document('nobody').replace('1}', '"device=GPU-x"}'), state: 'scaledToZero' });
    await expect(world.call('called')).rejects.toThrow(
      /3990 of 9000 MiB free, held: elsewhere 10, never 5000|held: never 5000, elsewhere 10/,
    );
    expect(world.state('called')).toBe('unhealthy');
  });

  test('two that start at the same time do not get the same memory', async () => {
    for (const name of ['one', 'two']) {
      await addOnCard(name, 'GPU-a', 6000, 0, { state: 'scaledToZero', cards: '[]', container_id: null });
    }
    world.engine.all.clear();
    await Promise.all([world.call('one'), world.call('two')]);
    const cards = ['one', 'two'].map((name) => world.records.require(name).cards);
    expect(cards.flat().toSorted()).toEqual(['GPU-a', 'GPU-b']);
  });
});
