import { beforeEach, describe, expect, test } from 'vitest';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { createDispatcher } from '../../../main/webhooks/delivery/dispatcher.ts';
import { createGroupCommit } from '../../../main/webhooks/delivery/group-commit.ts';
import { address, createOutboxWorld, date, type OutboxWorld } from './outbox-world.ts';

let world: OutboxWorld;
beforeEach(() => {
  world = createOutboxWorld();
});

describe('deliveries that were read ahead from a queue', () => {
  /** Sends all pending events; `meanwhile` runs during the first request. Returns the addresses. */
  async function sent(webhookId: number, meanwhile: () => void): Promise<string[]> {
    const addresses: string[] = [];
    const idle = Promise.withResolvers<void>();
    const dispatcher = createDispatcher({
      ...world,
      // Replaces only the network: a receiver that answers at once.
      attempts: {
        make({ target_url: url }) {
          addresses.push(url);
          if (addresses.length === 1) {
            meanwhile();
            dispatcher.changed([webhookId]);
          }
          const answer = { status: 200, response: '', responseHeaders: {}, durationMs: 0, endedMs: Date.now() };
          return Promise.resolve({ url, requestHeaders: {}, ...answer });
        },
        secretOf: () => '',
      },
      nowMs: Date.now,
      log: createSilentLogger(),
      onDeactivated: () => undefined,
      onDisk: () => Promise.resolve(),
      breakOff: () => undefined,
      onIdle: () => idle.resolve(),
    });
    dispatcher.start();
    await idle.promise;
    await dispatcher.stop();
    return addresses;
  }
  const states = () => world.database.query('SELECT state FROM webhook_message ORDER BY id').pluck().all();

  const addWithMessages = () => {
    const id = world.addWebhook();
    for (let number = 0; number < 3; number += 1) world.addMessage(id);
    return id;
  };

  test('use the new address when the webhook changes', async () => {
    const id = addWithMessages();
    const addresses = await sent(id, () => world.webhooks.update(id, { target_url: 'http://new.example.org/' }, date));
    expect(addresses).toEqual([address, 'http://new.example.org/', 'http://new.example.org/']);
    expect(states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('are not sent when the webhook is switched off', async () => {
    const id = addWithMessages();
    const addresses = await sent(id, () => {
      world.webhooks.update(id, { is_active: 0 }, date);
      world.outbox.skipAll(id, 'The webhook was disabled.');
    });
    expect(addresses).toEqual([address]);
    expect(states()).toEqual(['delivered', 'skipped', 'skipped']);
  });

  test('are not sent when the webhook is deleted', async () => {
    const id = addWithMessages();
    expect(await sent(id, () => world.webhooks.discard(id))).toEqual([address]);
  });
});

test('a write that cannot be stored does not undo others in its transaction', async () => {
  const { database } = world;
  database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
  const insert = database.query('INSERT INTO note (text) VALUES (?)');
  const commit = createGroupCommit(database, () => 4);
  const outcomes = await Promise.allSettled(
    ['first', 'second', null, 'third'].map((text) => commit(() => insert.run(text).changes)),
  );
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 1 },
    { status: 'fulfilled', value: 1 },
    { status: 'rejected', reason: { code: 'SQLITE_CONSTRAINT_NOTNULL' } },
    { status: 'fulfilled', value: 1 },
  ]);
  expect(database.query('SELECT text FROM note ORDER BY id').pluck().all()).toEqual(['first', 'second', 'third']);
});
