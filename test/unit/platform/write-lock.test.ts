import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from 'vitest';
import { createWriteLock, createWriteLockState } from '../../../main/platform/write-lock.ts';

const turnsModule = new URL('../../../main/platform/write-lock.ts', import.meta.url).href;
const workers: Worker[] = [];
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.terminate()));
});

/**
 * A thread that runs `script` with `withWriteLock`, `shared` (an Int32Array) and `Atomics`. `done` resolves at its end, also
 * if that was earlier.
 */
async function startThread(state: Int32Array, shared: Int32Array, script: string) {
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    const { state, shared } = workerData;
    import(${JSON.stringify(turnsModule)}).then(({ createWriteLock }) => {
      const withWriteLock = createWriteLock(state);
      parentPort.postMessage('up');
      ${script}
      parentPort.postMessage('done');
    });`;
  const worker = new Worker(code, { eval: true, workerData: { state, shared } });
  workers.push(worker);
  const done = new Promise<void>((resolve) => {
    worker.on('message', (message) => message === 'done' && resolve());
  });
  await once(worker, 'message');
  return { worker, done };
}

const sharedNumbers = (count: number) => new Int32Array(new SharedArrayBuffer(4 * count));

describe('turns', () => {
  it('are taken one at a time, by any threads', async () => {
    const state = createWriteLockState();
    const shared = sharedNumbers(2);
    const count = 2000;
    const script = `
      for (let index = 0; index < ${count}; index += 1) {
        withWriteLock(() => {
          const before = shared[0];
          if (index % 100 === 0) Atomics.wait(shared, 1, 0, 1);
          shared[0] = before + 1;
        });
      }`;
    const threads = await Promise.all([1, 2, 3].map(() => startThread(state, shared, script)));
    await Promise.all(threads.map(({ done }) => done));
    expect(shared[0]).toBe(3 * count);
  });

  it('are granted soon beside a thread that takes one after another', async () => {
    const state = createWriteLockState();
    const shared = sharedNumbers(3);
    // shared[0] counts the other's turns, shared[2] ends it.
    await startThread(
      state,
      shared,
      'while (Atomics.load(shared, 2) === 0) withWriteLock(() => { Atomics.add(shared, 0, 1); Atomics.wait(shared, 1, 0, 1); });',
    );
    const withWriteLock = createWriteLock(state);
    while (Atomics.load(shared, 0) === 0) Atomics.wait(shared, 1, 0, 1);
    const waitedTurns: number[] = [];
    for (let index = 0; index < 50; index += 1) {
      const before = Atomics.load(shared, 0);
      withWriteLock(() => waitedTurns.push(Atomics.load(shared, 0) - before));
    }
    Atomics.store(shared, 2, 1);
    expect(Math.max(...waitedTurns)).toBeLessThanOrEqual(2);
  });

  it('nested ones run at once', () => {
    const withWriteLock = createWriteLock(createWriteLockState());
    expect(withWriteLock(() => withWriteLock(() => withWriteLock(() => 7)))).toBe(7);
  });

  it('are released when the work throws', () => {
    const state = createWriteLockState();
    const [first, second] = [createWriteLock(state), createWriteLock(state)];
    expect(() =>
      first(() => {
        throw new Error('a full disk');
      }),
    ).toThrow('a full disk');
    expect(second(() => 'mine')).toBe('mine');
  });

  it('continue without a thread that died in its turn', async () => {
    const state = createWriteLockState();
    const shared = sharedNumbers(1);
    const { worker } = await startThread(
      state,
      shared,
      'withWriteLock(() => { Atomics.store(shared, 0, 1); for (;;); });',
    );
    while (Atomics.load(shared, 0) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await worker.terminate();
    const [first, second] = [createWriteLock(state, 20), createWriteLock(state, 60_000)];
    expect(first(() => 'late')).toBe('late');
    expect(second(() => 'at once')).toBe('at once');
  });
});
