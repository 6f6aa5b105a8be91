import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAttemptRecorder } from '../../../main/webhooks/delivery/attempt-recorder.ts';
import { createDeliveryRepository } from '../../../main/webhooks/store/delivery-repository.ts';
import { createOutboxRepository, type OutboxRepository } from '../../../main/webhooks/store/outbox-repository.ts';
import { createWebhookRepository, type WebhookRepository } from '../../../main/webhooks/store/webhook-repository.ts';
import { migrate } from '../../../main/db/store/migrate.ts';
import { openDatabase, type Database } from '../../../main/db/open.ts';
import { createSilentLogger } from '../../../main/platform/log.ts';
import { createDispatcher } from '../../../main/webhooks/delivery/dispatcher.ts';
import { createGroupCommit } from '../../../main/webhooks/delivery/group-commit.ts';

const date = '2026-11-20T09:30:00.000000Z';

let folder: string;
let database: Database;
let webhooks: WebhookRepository;
let outbox: OutboxRepository;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'limner-db-'));
  database = openDatabase(join(folder, 'limner.sqlite'));
  migrate(database);
  database.exec("INSERT INTO organization (id, slug, name, created_date, updated_date) VALUES (1, 'o', 'o', '', '')");
  webhooks = createWebhookRepository(database);
  outbox = createOutboxRepository(database);
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const addWebhook = () =>
  webhooks.insert({
    type: 'organization',
    target_url: 'http://old.example.org/',
    target_credentials: '',
    description: '',
    content_type: 'application/json',
    secret: '',
    is_active: 1,
    enable_ssl: 1,
    events: 'update:project',
    owner_id: null,
    project_id: null,
    organization_id: 1,
    date,
  });
const addMessages = (webhookId: number, count: number) =>
  Array.from({ length: count }, (_, number) =>
    outbox.insert({
      webhook_id: webhookId,
      message_id: `msg_${number}`,
      event: 'update:project',
      changed_fields: 'name',
      redelivery: 0,
      created_ms: 0,
      body: '{}',
    }),
  );

describe('what was read ahead of a lane', () => {
  /** Sends what waits; `meanwhile` happens while the first request is under way. Answers where requests went. */
  async function sent(webhookId: number, meanwhile: () => void): Promise<string[]> {
    const addresses: string[] = [];
    const idle = Promise.withResolvers<void>();
    const dispatcher = createDispatcher({
      outbox,
      webhooks,
      recorder: createAttemptRecorder({
        webhooks,
        outbox,
        deliveries: createDeliveryRepository(database),
        delaysMs: [],
      }),
      // In place of the network alone: a receiver that takes everything at once.
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
      database,
      nowMs: Date.now,
      log: createSilentLogger(),
      onOutcome: () => undefined,
      onDisk: () => Promise.resolve(),
      breakOff: () => undefined,
      onIdle: () => idle.resolve(),
    });
    dispatcher.start();
    await idle.promise;
    await dispatcher.stop();
    return addresses;
  }
  const states = () => database.prepare('SELECT state FROM webhook_message ORDER BY id').pluck().all();

  test('goes to the new address when the webhook is changed', async () => {
    const id = addWebhook();
    addMessages(id, 3);
    const addresses = await sent(id, () => webhooks.update(id, { target_url: 'http://new.example.org/' }, date));
    expect(addresses).toEqual(['http://old.example.org/', 'http://new.example.org/', 'http://new.example.org/']);
    expect(states()).toEqual(['delivered', 'delivered', 'delivered']);
  });

  test('is not sent when the webhook is switched off', async () => {
    const id = addWebhook();
    addMessages(id, 3);
    const addresses = await sent(id, () => {
      webhooks.update(id, { is_active: 0 }, date);
      outbox.skipAll(id, 'The webhook was switched off.');
    });
    expect(addresses).toEqual(['http://old.example.org/']);
    expect(states()).toEqual(['delivered', 'skipped', 'skipped']);
  });

  test('is not sent when the webhook is deleted', async () => {
    const id = addWebhook();
    addMessages(id, 3);
    expect(await sent(id, () => webhooks.discard(id))).toEqual(['http://old.example.org/']);
  });
});

describe('writes that share a transaction', () => {
  test('one that cannot be stored takes none of the others with it', async () => {
    database.exec('CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT');
    const insert = database.prepare('INSERT INTO note (text) VALUES (?)');
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
    expect(database.prepare('SELECT text FROM note ORDER BY id').pluck().all()).toEqual(['first', 'second', 'third']);
  });
});
