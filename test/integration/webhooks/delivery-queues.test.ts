import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { addProjectWebhook, createWorld, type World } from '../../contract/webhooks/webhook-world.ts';
import { ok, startFaultReceiver, type FaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';

const healthyReceivers = 9;
const events = 20;
/** Number of queued messages, set by `LIMNER_QUEUED`; the full proof uses 100,000. */
const queued = Number(process.env['LIMNER_QUEUED'] ?? 20_000);

let world: World;
let receivers: FaultReceiver[];
beforeEach(async () => {
  world = await createWorld({ retryDelaysMs: [50, 50, 50, 50] });
  receivers = [];
});
afterEach(async () => {
  // First, so that the world does not wait for a hanging receiver.
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await world.stop();
});

async function listen(behave?: Parameters<typeof startFaultReceiver>[0]): Promise<FaultReceiver> {
  const receiver = await startFaultReceiver(behave);
  receivers.push(receiver);
  const more = { target_url: receiver.url, events: ['update:project'] };
  await addProjectWebhook(world.loner, world.sandboxProject, more);
  return receiver;
}
const rename = (name: string) =>
  world.loner.good('updateProject', { params: { id: world.sandboxProject.id }, body: { name } });
const names = (receiver: FaultReceiver) =>
  receiver.payloads().map((payload) => (payload['project'] as { name: string }).name);
const expected = Array.from({ length: events }, (_, number) => `name ${number}`);

describe('webhooks beside each other', () => {
  test('a receiver that never answers blocks no other webhook, and catches up later', async () => {
    const dead = await listen(() => ({ kind: 'hang' }));
    const healthy = [];
    for (let number = 0; number < healthyReceivers; number += 1) healthy.push(await listen());
    world.harness.core.webhooks.start();
    for (const name of expected) await rename(name);
    await Promise.all(healthy.map((receiver) => receiver.arrived(events)));
    for (const receiver of healthy) expect(names(receiver)).toEqual(expected);
    expect(names(dead)).toEqual(['name 0']);
  });

  test('each has one running request at a time, in the order of the events, through failures', async () => {
    const slow = await listen((_, number) => {
      if (number % 7 === 3) return { kind: 'reset' };
      return number % 5 === 2
        ? { kind: 'answer', status: 503, afterMs: 5 }
        : { kind: 'answer', status: 200, afterMs: 5 };
    });
    world.harness.core.webhooks.start();
    for (const name of expected) await rename(name);
    while (new Set(names(slow)).size < events) await sleep(20);
    expect([...new Set(names(slow))]).toEqual(expected);
    const ids = new Map(slow.requests.map(({ headers, payload }) => [headers['webhook-id'], payload]));
    expect(ids.size).toBe(events);
    expect(slow.mostAtOnce()).toBe(1);
  });

  test('a clock that is set back by a month delays no retry', async () => {
    await world.stop();
    let setMs = 0;
    world = await createWorld({ retryDelaysMs: [500, 500, 500, 500], nowMs: () => Date.now() + setMs });
    const receiver = await listen((_, number) => (number === 1 ? { kind: 'answer', status: 503 } : ok));
    world.harness.core.webhooks.start();
    await rename('tried twice');
    const logged = world.harness.database.query('SELECT count(*) FROM webhook_delivery').pluck();
    while (logged.get() === 0) await sleep(5);
    setMs = -30 * 24 * 60 * 60 * 1000;
    await receiver.arrived(2);
    expect(names(receiver)).toEqual(['tried twice', 'tried twice']);
  });

  test('a stop aborts hanging requests, keeps them for the next start, and leaves no connection', async () => {
    const dead = await listen(() => ({ kind: 'hang' }));
    world.harness.core.webhooks.start();
    await rename('never taken');
    await dead.arrived(1);
    await world.harness.core.webhooks.stop();
    while (dead.openConnections() > 0) await sleep(10);
    expect(world.harness.database.query('SELECT state, attempts FROM webhook_message').get()).toEqual({
      state: 'waiting',
      attempts: 0,
    });
    expect(world.harness.database.query('SELECT count(*) AS n FROM webhook_delivery').get()).toEqual({ n: 0 });
  });

  test('a store that cannot be written for a while causes no duplicate delivery', async () => {
    const receiver = await listen();
    world.harness.core.webhooks.start();
    await rename('sent once');
    const other = new BetterSqlite3(world.harness.database.file);
    receiver.behave(() => {
      other.exec('BEGIN IMMEDIATE');
      return ok;
    });
    await receiver.arrived(1);
    receiver.behave(() => ok);
    await sleep(300);
    expect(world.harness.database.query('SELECT state FROM webhook_message').pluck().get()).toBe('waiting');
    other.exec('ROLLBACK');
    other.close();
    const logged = world.harness.database.query('SELECT count(*) FROM webhook_delivery').pluck();
    while (logged.get() === 0) await sleep(50);
    expect(receiver.requests).toHaveLength(1);
  });

  test('a long queue needs no memory', async () => {
    await listen(() => ({ kind: 'hang' }));
    const { id } = world.sandboxProject;
    const { core, database } = world.harness;
    const actor = { userId: world.loner.id, baseUrl: 'http://127.0.0.1' };
    const fill = () => {
      for (let number = 0; number < queued; number += 1) {
        core.webhooks.events.record({
          action: 'update',
          resource: 'project',
          actor,
          projectId: id,
          organizationId: null,
          object: () => ({ id, text: 'x'.repeat(2000) }),
        });
      }
    };
    database.write(fill);
    const before = process.memoryUsage().rss;
    core.webhooks.start();
    await receivers[0]!.arrived(1);
    const grownBytes = process.memoryUsage().rss - before;
    expect(grownBytes).toBeLessThan(20 * 1024 * 1024);
  });
});
