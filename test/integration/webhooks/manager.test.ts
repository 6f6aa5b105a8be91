import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bodySignature, standardSignature } from '../../../main/webhooks/delivery/signature.ts';
import type { Webhook, WebhookMessage } from '../../../preload/contract/schema/webhooks.ts';
import { addProjectWebhook, createWorld } from '../../contract/webhooks/webhook-world.ts';
import { ok, startFaultReceiver, type ArrivedRequest } from '../../support/webhook-receiver/fault-receiver.ts';

const world = await createWorld();
world.harness.core.webhooks.start();
const receiver = await startFaultReceiver();
afterAll(async () => {
  await world.stop();
  await receiver.stop();
});

const failing = { kind: 'answer', status: 500, body: 'not now' } as const;
const refusing = { kind: 'answer', status: 404, body: 'not here' } as const;

async function newHook(more: object = {}): Promise<{ webhook: Webhook; rename: (name: string) => Promise<unknown> }> {
  const project = await world.loner.good('createProject', { body: { name: 'first' } });
  const options = { target_url: receiver.url, events: ['update:project'], ...more };
  const webhook = await addProjectWebhook(world.loner, project, options);
  const params = { id: project.id };
  return { webhook, rename: (name) => world.loner.good('updateProject', { params, body: { name } }) };
}

const queue = async ({ id }: Webhook, query: Record<string, string> = {}): Promise<WebhookMessage[]> =>
  (await world.loner.good('listWebhookQueue', { params: { id }, query: { sort: 'id', ...query } })).results;
const state = ({ id }: Webhook) => world.loner.good('getWebhookState', { params: { id } });
const log = async ({ id }: Webhook, query: Record<string, string> = {}) =>
  (await world.loner.good('listWebhookDeliveries', { params: { id }, query })).results;

function nameOf({ payload }: ArrivedRequest): string | undefined {
  const project = payload?.['project'] as { readonly name: string } | undefined;
  return project?.name;
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check())) await sleep(10);
}

describe('the queue of a webhook whose receiver fails', () => {
  let webhook: Webhook;
  let rename: (name: string) => Promise<unknown>;
  let waiting: WebhookMessage[];
  beforeAll(async () => {
    receiver.behave(() => failing);
    ({ webhook, rename } = await newHook());
    await rename('second');
    await rename('third');
    await until(async () => (await log(webhook)).length === 1);
    waiting = await queue(webhook);
  });

  test('shows pending deliveries, their attempts, and the time of the next one', async () => {
    expect(waiting).toMatchObject([
      { event: 'update:project', state: 'waiting', attempts: 1, last_status: 500, changed_fields: 'name,updated_date' },
      { event: 'update:project', state: 'waiting', attempts: 0, last_status: null },
    ]);
    const now = await state(webhook);
    expect(now).toMatchObject({ has_secret: true, waiting: 2, delivered: 0, failed: 0, skipped: 0 });
    expect(now.next_attempt_date).toBe(waiting[0]?.next_attempt_date);
    const inMs = Date.parse(waiting[0]?.next_attempt_date ?? '') - Date.parse((await log(webhook))[0]!.updated_date);
    expect(inMs).toBeGreaterThan(4000);
    expect(inMs).toBeLessThan(6000);
  });

  test('makes an attempt immediately on request', async () => {
    const params = { id: webhook.id, message: waiting[0]!.id };
    await world.loner.good('retryWebhookMessage', { params });
    await until(async () => (await log(webhook)).length === 2);
    expect((await log(webhook)).map(({ attempt }) => attempt)).toEqual([2, 1]);
  });

  test('continues after a skipped one', async () => {
    receiver.behave(() => ok);
    const params = { id: webhook.id, message: waiting[0]!.id };
    const skipped = await world.loner.good('skipWebhookMessage', { params });
    expect(skipped).toMatchObject({ state: 'skipped', reason: 'Skipped by the-loner.', next_attempt_date: null });
    await until(async () => (await state(webhook)).waiting === 0);
    expect(await state(webhook)).toMatchObject({ delivered: 1, skipped: 1 });
    expect(await world.loner.refused(400, 'skipWebhookMessage', { params })).toEqual([
      expect.stringMatching(/is no longer waiting/),
    ]);
    await world.loner.refused(400, 'retryWebhookMessage', { params });
  });

  test('sends a skipped one again, under the same id', async () => {
    const params = { id: webhook.id };
    expect(await world.loner.good('redeliverFailedMessages', { params })).toEqual({ redelivered: 1, retried_now: 0 });
    await until(async () => (await state(webhook)).delivered === 2);
    const [again] = await queue(webhook, { redelivery: 'true' });
    expect(again).toMatchObject({ state: 'delivered', message_id: waiting[0]?.message_id, redelivery: true });
    expect(await world.loner.good('redeliverFailedMessages', { params })).toEqual({ redelivered: 0, retried_now: 0 });
  });

  test('is visible only to its owner', async () => {
    const params = { id: webhook.id };
    const one = { ...params, message: waiting[0]!.id };
    await world.stranger.refused(403, 'listWebhookQueue', { params });
    await world.stranger.refused(403, 'getWebhookState', { params });
    await world.stranger.refused(403, 'skipWebhookMessage', { params: one });
    await world.stranger.refused(403, 'retryWebhookMessage', { params: one });
    await world.stranger.refused(403, 'redeliverFailedMessages', { params });
    await world.loner.refused(404, 'skipWebhookMessage', { params: { ...params, message: 424242 } });
  });
});

describe('many failed deliveries', () => {
  test('are repeated in the order of their events, and pending retries run now', async () => {
    receiver.behave(() => refusing);
    const { webhook, rename } = await newHook();
    for (let number = 0; number < 5; number += 1) await rename(`name ${number}`);
    await until(async () => (await state(webhook)).failed === 5);
    receiver.behave(() => failing);
    await rename('the last');
    await until(async () => (await queue(webhook)).at(-1)?.attempts === 1);

    receiver.behave(() => ok);
    const before = receiver.requests.length;
    const params = { id: webhook.id };
    expect(await world.loner.good('redeliverFailedMessages', { params })).toEqual({ redelivered: 5, retried_now: 1 });
    await until(async () => (await state(webhook)).delivered === 6);
    const names = receiver.requests
      .slice(before)
      .map(nameOf)
      .filter((name) => name !== 'the last');
    expect(names).toEqual(['name 0', 'name 1', 'name 2', 'name 3', 'name 4']);
    expect(await log(webhook, { redelivery: 'true' })).toHaveLength(5);
    expect(await log(webhook, { status_code: '404' })).toHaveLength(5);
    expect(await log(webhook, { filter: '{">=": [{"var": "status_code"}, 400]}' })).toHaveLength(6);
  });

  test('a failed ping cannot be repeated', async () => {
    receiver.behave(() => refusing);
    const { webhook } = await newHook();
    await world.loner.good('pingWebhook', { params: { id: webhook.id } });
    const params = { id: webhook.id };
    expect(await world.loner.good('redeliverFailedMessages', { params })).toMatchObject({ redelivered: 0 });
  });
});

describe('a webhook that is switched off', () => {
  test('receives none of the pending deliveries, and none is lost', async () => {
    receiver.behave(() => failing);
    const { webhook, rename } = await newHook();
    await rename('second');
    await rename('third');
    await until(async () => (await log(webhook)).length === 1);
    const params = { id: webhook.id };
    await world.loner.good('updateWebhook', { params, body: { is_active: false } });
    expect(await state(webhook)).toMatchObject({ waiting: 0, skipped: 2, next_attempt_date: null });
    expect(await world.loner.refused(400, 'redeliverFailedMessages', { params })).toEqual([
      expect.stringMatching(/not active/),
    ]);
    await rename('unheard');
    receiver.behave(() => ok);
    await world.loner.good('updateWebhook', { params, body: { is_active: true } });
    await world.loner.good('redeliverFailedMessages', { params });
    await until(async () => (await state(webhook)).delivered === 2);
    const names = receiver.requests.map(nameOf);
    expect(names).not.toContain('unheard');
  });

  test('deletes its log with itself', async () => {
    receiver.behave(() => ok);
    const { webhook, rename } = await newHook();
    await rename('second');
    await until(async () => (await log(webhook)).length === 1);
    await world.loner.good('deleteWebhook', { params: { id: webhook.id } });
    const left = world.harness.database.query('SELECT count(*) FROM webhook_delivery WHERE webhook_id = ?').pluck();
    await until(async () => left.get(webhook.id) === 0);
  });
});

describe('a delivery as it was sent', () => {
  let webhook: Webhook;
  beforeAll(async () => {
    receiver.behave(() => ({ kind: 'answer', status: 201, headers: { 'X-Answer': 'yes' }, body: 'taken' }));
    const hook = await newHook({ secret: 'not to be seen' });
    webhook = hook.webhook;
    await hook.rename("it's new");
    await until(async () => (await log(webhook)).length === 1);
  });
  const exchange = async () => {
    const [delivery] = await log(webhook);
    return world.loner.good('getWebhookExchange', { params: { id: webhook.id, delivery_id: delivery!.id } });
  };

  test('shows the signed and sent bytes, and the answer', async () => {
    const shown = await exchange();
    const arrived = receiver.requests.at(-1)!;
    expect(shown.body).toBe(arrived.body.toString('latin1'));
    expect(shown.headers['X-Signature-256']).toBe(arrived.headers['x-signature-256']);
    expect(shown.headers['webhook-id']).toBe(shown.message.message_id);
    expect(shown).toMatchObject({ method: 'POST', url: receiver.url, status_code: 201, response: 'taken' });
    expect(shown.response_headers).toMatchObject({ 'x-answer': 'yes' });
    expect(JSON.stringify(shown)).not.toContain('not to be seen');
  });

  test.skipIf(process.platform === 'win32')('can be sent again by its command line, to the byte', async () => {
    const { curl } = await exchange();
    const words = execFileSync('/bin/sh', ['-c', `set -- ${curl}; printf '%s\\0' "$@"`])
      .toString()
      .split('\0');
    const body = words[words.indexOf('--data-raw') + 1];
    expect(body).toBe(receiver.requests.at(-1)?.body.toString('latin1'));
    expect(words.slice(0, 4)).toEqual(['curl', '--globoff', '-X', 'POST']);
    expect(words.at(-2)).toBe(receiver.url);
  });
});

describe('the secret', () => {
  test('is sealed in the store, under a key that only its owner may read', async () => {
    await newHook({ secret: 'a very visible secret' });
    const { folder } = world.harness;
    const files = ['limner.sqlite', 'limner.sqlite-wal'].map((name) =>
      readFileSync(join(folder, 'db', name), 'latin1'),
    );
    expect(files.some((bytes) => bytes.includes('receiver.example.org') || bytes.includes(receiver.url))).toBe(true);
    expect(files.some((bytes) => bytes.includes('a very visible secret'))).toBe(false);
    if (process.platform !== 'win32') {
      expect(statSync(join(folder, 'keys', 'secrets.key')).mode & 0o777).toBe(0o600);
    }
  });

  test('that was replaced signs for one more day, so that receivers can switch', async () => {
    let aheadMs = 0;
    const later = await createWorld({ nowMs: () => Date.now() + aheadMs });
    const { loner, sandboxProject } = later;
    const { id } = await addProjectWebhook(loner, sandboxProject, { target_url: receiver.url, secret: 'old' });
    receiver.behave(() => ok);
    const setSecret = (secret: string) => loner.good('updateWebhook', { params: { id }, body: { secret } });
    const previousUntil = async () => (await loner.good('getWebhookState', { params: { id } })).previous_secret_until;
    async function signers(): Promise<string[]> {
      await loner.good('pingWebhook', { params: { id } });
      const { headers, body } = receiver.requests.at(-1)!;
      const [messageId = '', timestamp = ''] = [headers['webhook-id'], headers['webhook-timestamp']];
      const given = (headers['webhook-signature'] ?? '').split(' ').filter((one) => one !== '');
      return given.map(
        (one) =>
          ['old', 'new', 'newer'].find((key) => standardSignature(key, messageId, timestamp, body) === one) ?? '?',
      );
    }
    expect(await signers()).toEqual(['old']);
    await setSecret('old');
    expect(await signers(), 'the same again is no exchange').toEqual(['old']);
    await setSecret('new');
    await setSecret('new');
    expect(await signers()).toEqual(['new', 'old']);
    expect(receiver.requests.at(-1)?.headers['x-signature-256']).toBe(
      bodySignature('new', receiver.requests.at(-1)!.body),
    );
    expect(Date.parse((await previousUntil()) ?? '') - Date.now()).toBeGreaterThan(23 * 3_600_000);
    aheadMs = 25 * 3_600_000;
    expect(await signers()).toEqual(['new']);
    expect(await previousUntil()).toBeNull();
    await setSecret('newer');
    expect(await signers()).toEqual(['newer', 'new']);
    await setSecret('');
    expect(await signers()).toEqual([]);
    await setSecret('new');
    expect(await signers(), 'what was taken away stays away').toEqual(['new']);
    await later.stop();
  });

  test('that is not readable causes a failed delivery, never an unsigned one', async () => {
    receiver.behave(() => ok);
    const { webhook } = await newHook({ secret: 'once known' });
    world.harness.database
      .query("UPDATE webhook SET secret = 'keychain1:of another shell' WHERE id = ?")
      .run(webhook.id);
    const before = receiver.requests.length;
    const ping = await world.loner.good('pingWebhook', { params: { id: webhook.id } });
    expect(ping).toMatchObject({ status_code: 502, response: expect.stringMatching(/Enter the secret again/) });
    expect(receiver.requests).toHaveLength(before);
  });
});

describe('the built-in receiver', () => {
  const received = () => world.loner.good('getWebhookReceiver');

  test('does not run until a user starts it', async () => {
    expect(await received()).toMatchObject({ is_running: false, url: null, received: [] });
    await world.loner.refused(404, 'updateWebhookReceiver', { body: { answer_status: 500 } });
  });

  test('verifies deliveries, makes one fail, and receives it again', async () => {
    const { url } = await world.loner.good('startWebhookReceiver', { body: {} });
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
    const { webhook, rename } = await newHook({ target_url: url, secret: 'between us' });
    await world.loner.good('pingWebhook', { params: { id: webhook.id } });
    expect((await received()).received).toMatchObject([
      { event: 'ping', webhook_id: webhook.id, signature: 'valid', standard_signature: 'valid', status_code: 200 },
    ]);

    await world.loner.good('updateWebhookReceiver', { body: { answer_status: 503 } });
    await rename('second');
    await until(async () => (await log(webhook)).length === 2);
    await world.loner.good('updateWebhookReceiver', { body: { answer_status: 200 } });
    const [waiting] = await queue(webhook, { state: 'waiting' });
    await world.loner.good('retryWebhookMessage', { params: { id: webhook.id, message: waiting!.id } });
    await until(async () => (await received()).received_count === 3);
    expect((await received()).received).toMatchObject([
      { event: 'update:project', signature: 'valid', standard_signature: 'valid', is_repeat: true, status_code: 200 },
      { event: 'update:project', signature: 'valid', standard_signature: 'valid', is_repeat: false, status_code: 503 },
      { event: 'ping' },
    ]);
    expect((await received()).received[0]?.message_id).toBe(waiting?.message_id);
  });

  test('distinguishes a wrong signature from a missing one', async () => {
    const { url } = await received();
    const { webhook } = await newHook({ target_url: url, secret: 'right' });
    const body = JSON.stringify({ event: 'update:project', webhook_id: webhook.id });
    const post = (headers: Record<string, string>) => fetch(url!, { method: 'POST', body, headers });
    await post({ 'X-Signature-256': `sha256=${'0'.repeat(64)}` });
    await post({});
    const open = await newHook({ target_url: url, secret: '' });
    await world.loner.good('pingWebhook', { params: { id: open.webhook.id } });
    await fetch(url!, { method: 'POST', body: 'no JSON' });
    expect((await received()).received.slice(0, 4).map(({ signature }) => signature)).toEqual([
      'unknown',
      'unsigned',
      'missing',
      'invalid',
    ]);
  });

  test("reveals to no one if a signature fits the secret of another user's webhook", async () => {
    const { webhook } = await newHook({ secret: 'guess it' });
    const body = JSON.stringify({ event: 'ping', webhook_id: webhook.id });
    const headers = { 'X-Signature-256': bodySignature('guess it', Buffer.from(body)) };
    const theirs = await world.stranger.good('startWebhookReceiver', { body: {} });
    await fetch(theirs.url!, { method: 'POST', body, headers });
    expect((await world.stranger.good('getWebhookReceiver')).received).toMatchObject([{ signature: 'unknown' }]);
    await world.stranger.good('stopWebhookReceiver');
    const own = await received();
    await fetch(own.url!, { method: 'POST', body, headers });
    expect((await received()).received[0]).toMatchObject({ signature: 'valid' });
  });

  test('is of one user only, and stops', async () => {
    expect(await world.stranger.good('getWebhookReceiver')).toMatchObject({ is_running: false, received: [] });
    await world.loner.good('clearWebhookReceiver');
    expect((await received()).received).toEqual([]);
    const { url } = await received();
    await world.loner.good('stopWebhookReceiver');
    expect((await received()).is_running).toBe(false);
    await expect(fetch(url!)).rejects.toThrow();
  });
});
