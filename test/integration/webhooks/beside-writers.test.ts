import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { createWriteLockState } from '../../../main/platform/write-lock.ts';
import { addProjectWebhook, createWorld, type World } from '../../contract/webhooks/webhook-world.ts';
import { startFaultReceiver, type FaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';

const openModule = new URL('../../../main/db/store.ts', import.meta.url).href;
const events = 20;
/** Several times the duration of a turn. Without turns, a commit waits until it times out. */
const mostWaited = 40;

let world: World | undefined;
let receiver: FaultReceiver | undefined;
let writer: Worker | undefined;
afterEach(async () => {
  await writer?.terminate();
  await world?.stop();
  await receiver?.stop();
});

/** A thread that writes one short transaction after another, like an import, and counts them. */
async function startWriter(file: string, turns: Int32Array): Promise<Int32Array> {
  const count = new Int32Array(new SharedArrayBuffer(4));
  const code = `
    const { workerData, parentPort } = require('node:worker_threads');
    const { file, turns, count } = workerData;
    const pause = new Int32Array(new SharedArrayBuffer(4));
    import(${JSON.stringify(openModule)}).then(({ Store }) => {
      const database = new Store(file, { turns });
      const put = database.query("INSERT OR REPLACE INTO setting (key, value) VALUES ('test', ?)");
      parentPort.postMessage('up');
      for (;;) {
        database.write(() => {
          put.run(String(Atomics.load(count, 0)));
          Atomics.wait(pause, 0, 0, 5);
        });
        Atomics.add(count, 0, 1);
      }
    });`;
  writer = new Worker(code, { eval: true, workerData: { file, turns, count } });
  await once(writer, 'message');
  return count;
}

test('the log of deliveries takes its turn beside a writing thread, and blocks no one', async () => {
  const turns = createWriteLockState();
  world = await createWorld({ turns });
  receiver = await startFaultReceiver(() => ({ kind: 'answer', status: 200, afterMs: 25 }));
  const { loner, sandboxProject, harness } = world;
  const { id } = await addProjectWebhook(loner, sandboxProject, {
    target_url: receiver.url,
    events: ['update:project'],
  });
  for (let number = 0; number < events; number += 1) {
    await loner.good('updateProject', { params: { id: sandboxProject.id }, body: { name: `name ${number}` } });
  }
  const writes = await startWriter(harness.database.file, turns);
  const logged = harness.database.query('SELECT count(*) FROM webhook_delivery WHERE webhook_id = ?').pluck();
  harness.core.webhooks.start();
  let longest = 0;
  while (logged.get(id) !== events) {
    const before = Atomics.load(writes, 0);
    await new Promise(setImmediate);
    longest = Math.max(longest, Atomics.load(writes, 0) - before);
  }
  expect(longest).toBeLessThan(mostWaited);
});
