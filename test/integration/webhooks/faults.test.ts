import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { deliveryTimeouts } from '../../../main/webhooks/delivery/delivery-failure.ts';
import type { Webhook, WebhookDelivery, WebhookMessage } from '../../../preload/contract/schema/webhooks.ts';
import { addProjectWebhook, createWorld } from '../../contract/webhooks/webhook-world.ts';
import {
  ok,
  startFaultReceiver,
  type Behaviour,
  type FaultReceiver,
} from '../../support/webhook-receiver/fault-receiver.ts';

interface Case {
  readonly name: string;
  readonly behave: Behaviour;
  readonly tls?: true;
  readonly webhook?: object;
  /** Status of the row; by default that of the answer. */
  readonly status?: number;
  /** Empty by default. */
  readonly response?: string | RegExp | ((response: string) => boolean);
  /** Waits for the retry by default. */
  readonly state?: WebhookMessage['state'];
  /** Minimum and maximum seconds until the retry; 4 to 6 by default. */
  readonly retryIn?: readonly [number, number];
  readonly requests?: number;
}

/** `LIMNER_PATIENCE=real` uses the production time-outs. In `npm test` they are shorter. */
const timeouts =
  process.env['LIMNER_PATIENCE'] === 'real' ? deliveryTimeouts : { connectMs: 500, readMs: 1500, totalMs: 3000 };
const seconds = (milliseconds: number) => `${milliseconds / 1000} seconds`;

const megabyte = 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
/** Buffers of this process, which also runs other test files and has their garbage. */
function usedBufferBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}
const answer = (status: number, body: string | Buffer = '', headers: Record<string, string> = {}): Behaviour => ({
  kind: 'answer',
  status,
  body,
  headers,
});
const redirectTo = (status: number, to: string) => answer(status, '', { Location: to });

const cases: readonly Case[] = [
  { name: 'takes it', behave: ok, response: 'ok', state: 'delivered' },
  { name: 'answers 500', behave: answer(500, 'broken'), response: 'broken' },
  {
    name: 'answers 429 and asks for two minutes',
    behave: answer(429, '', { 'Retry-After': '120' }),
    retryIn: [118, 121],
  },
  { name: 'answers 404', behave: answer(404), state: 'failed' },
  { name: 'answers 410', behave: answer(410), state: 'failed' },
  ...[301, 302, 303, 307, 308].map((status) => ({
    name: `redirects by ${status}`,
    behave: redirectTo(status, '/elsewhere'),
    response: new RegExp(`redirects to http://127\\.0\\.0\\.1:\\d+/elsewhere .*set it as the target URL`),
  })),
  {
    name: 'redirects to an address that is none',
    behave: redirectTo(307, 'http://['),
    response: /redirects to http:\/\/\[ /,
  },
  {
    name: 'redirects to nowhere',
    behave: answer(302, 'somewhere else'),
    response: /answered 302, a redirect without a target[^]*somewhere else$/,
  },
  ...[300, 304].map((status) => ({
    name: `answers ${status}`,
    behave: answer(status),
    response: /redirect without a target/,
  })),
  {
    name: 'never answers',
    behave: { kind: 'hang' },
    status: 504,
    response: new RegExp(`within ${seconds(timeouts.readMs)}`),
  },
  {
    name: 'begins an answer and never ends it',
    behave: { kind: 'hang-in-body' },
    status: 504,
    response: new RegExp(`nothing for ${seconds(timeouts.readMs)}`),
  },
  {
    name: 'sends a byte now and then',
    behave: { kind: 'drip', everyMs: 1000 },
    status: 504,
    response: new RegExp(`longer than ${seconds(timeouts.totalMs)} in total`),
  },
  {
    name: 'breaks off in the answer',
    behave: { kind: 'cut-body' },
    status: 502,
    response: /broke|closed|shorter/,
  },
  {
    name: 'breaks off before the answer',
    behave: { kind: 'reset' },
    status: 502,
    response: /broke|closed/,
  },
  { name: 'sends 10 MiB', behave: { kind: 'flood', bytes: 10 * megabyte }, status: 200, state: 'delivered' },
  {
    name: 'sends 1 MiB',
    behave: { kind: 'flood', bytes: megabyte },
    status: 200,
    response: (text) => text.length === megabyte,
    state: 'delivered',
  },
  {
    name: 'sends an archive that would fill the memory',
    behave: answer(200, gzipSync(Buffer.alloc(64 * megabyte)), { 'Content-Encoding': 'gzip' }),
    response: (text) => text.length < megabyte,
    state: 'delivered',
  },
  {
    name: 'sends invalid UTF-8',
    behave: answer(200, Buffer.from([0x61, 0xff, 0xc3, 0x28, 0x62])),
    response: 'a\ufffd\ufffd(b',
    state: 'delivered',
  },
  {
    name: 'speaks no HTTP',
    behave: { kind: 'raw', text: 'SSH-2.0-something\r\n' },
    status: 502,
    response: /not HTTP/,
  },
  {
    name: 'has a certificate that nobody vouches for',
    behave: ok,
    tls: true,
    status: 502,
    response: /self-signed.*Enable SSL/,
    requests: 0,
  },
  {
    name: 'has such a certificate, and nobody checks it',
    behave: ok,
    tls: true,
    webhook: { enable_ssl: false },
    response: 'ok',
    state: 'delivered',
  },
];

interface Outcome {
  readonly receiver: FaultReceiver;
  readonly webhook: Webhook;
  readonly rows: readonly WebhookDelivery[];
  readonly message: WebhookMessage;
}

/** One event, and a receiver for each way in which a delivery can fail. */
const outcomes = new Map<string, Outcome>();

const world = await createWorld({ timeouts });
const projectId = world.sandboxProject.id;
const prepared = [];
for (const { name, behave, tls, webhook } of cases) {
  const receiver = await startFaultReceiver(() => behave, { tls: tls === true });
  const more = { target_url: receiver.url, events: ['update:project'], ...webhook };
  prepared.push({ name, receiver, webhook: await addProjectWebhook(world.loner, world.sandboxProject, more) });
}
await world.loner.good('updateProject', { params: { id: projectId }, body: { name: 'an event for all' } });
world.harness.core.webhooks.start();
for (const { name, receiver, webhook } of prepared) {
  const params = { id: webhook.id };
  for (;;) {
    const { results } = await world.admin.good('listWebhookDeliveries', { params });
    if (results.length > 0) {
      const [message] = (await world.admin.good('listWebhookQueue', { params })).results;
      outcomes.set(name, { receiver, webhook, rows: results, message: message! });
      break;
    }
    await sleep(20);
  }
}
afterAll(async () => {
  await world.stop();
  await Promise.all([...outcomes.values()].map(({ receiver }) => receiver.stop()));
});

describe('a receiver that', () => {
  test.each(cases)(
    '$name',
    ({ name, behave, response = '', state = 'waiting', retryIn = [4, 6], requests = 1, ...more }) => {
      const outcome = outcomes.get(name);
      const status = more.status ?? (behave.kind === 'answer' ? behave.status : undefined);
      const row = outcome?.rows.at(-1);
      expect(row).toMatchObject({ event: 'update:project', status_code: status, attempt: 1, redelivery: false });
      if (typeof response === 'function') expect(response(row?.response ?? '')).toBe(true);
      else if (typeof response === 'string') expect(row?.response).toBe(response);
      else expect(row?.response).toMatch(response);
      expect(outcome?.message.state).toBe(state);
      const waitMs = Date.parse(outcome?.message.next_attempt_date ?? '') - Date.parse(row?.updated_date ?? '');
      if (state === 'waiting' && outcome?.rows.length === 1) {
        expect(waitMs / 1000).toBeGreaterThanOrEqual(retryIn[0]);
        expect(waitMs / 1000).toBeLessThanOrEqual(retryIn[1]);
      }
      const perAttempt = (outcome?.receiver.requests.length ?? 0) / (outcome?.rows.length ?? 1);
      if (requests === 0) expect(perAttempt).toBe(0);
      else expect(Math.round(perAttempt)).toBeGreaterThanOrEqual(requests);
    },
  );

  test('redirects is never followed: neither the event nor its password reaches another address', async () => {
    for (const [name, { receiver }] of outcomes) {
      if (!name.startsWith('redirects by')) continue;
      expect(
        receiver.requests.map(({ path, method }) => [path, method]),
        name,
      ).toEqual(receiver.requests.map(() => ['/hook', 'POST']));
    }
    const elsewhere = await startFaultReceiver();
    const start = await startFaultReceiver(() => redirectTo(308, elsewhere.url));
    const { id } = await addProjectWebhook(world.loner, world.sandboxProject, { target_url: start.url, events: [] });
    const ping = await world.loner.good('pingWebhook', { params: { id } });
    expect(ping).toMatchObject({ status_code: 308, response: expect.stringContaining(elsewhere.url) });
    expect(await world.loner.good('getWebhookState', { params: { id } })).toMatchObject({ delivered: 0 });
    expect([start.requests.length, elsewhere.connections()]).toEqual([1, 0]);
    await Promise.all([start.stop(), elsewhere.stop()]);
  });

  test('is gone gets nothing more, and the webhook says why', async () => {
    const { webhook, receiver } = outcomes.get('answers 410')!;
    const params = { id: webhook.id };
    expect(await world.loner.good('getWebhook', { params })).toMatchObject({ is_active: false, last_status: 410 });
    const state = await world.loner.good('getWebhookState', { params });
    expect(state.deactivation_reason).toMatch(/410 \(Gone\)/);
    const before = receiver.requests.length;
    await world.loner.good('updateProject', { params: { id: projectId }, body: { name: 'one more' } });
    const { receiver: healthy } = outcomes.get('takes it')!;
    await healthy.arrived(2);
    expect(receiver.requests).toHaveLength(before);
    await world.loner.good('updateWebhook', { params, body: { is_active: true } });
    expect((await world.loner.good('getWebhookState', { params })).deactivation_reason).toBeNull();
  });

  test('does not listen is reported as no connection', async () => {
    const receiver = await startFaultReceiver();
    await receiver.stop();
    const more = { target_url: receiver.url, events: [] };
    const { id } = await addProjectWebhook(world.loner, world.sandboxProject, more);
    const ping = await world.loner.good('pingWebhook', { params: { id } });
    expect(ping).toMatchObject({ status_code: 502, attempt: 1 });
    expect(ping.response).toMatch(/nothing listens there/);
  });

  test('accepts the connection and never speaks TLS is reported as no connection', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => void sockets.push(socket));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const more = { target_url: `https://127.0.0.1:${port}/`, events: [] };
    const { id } = await addProjectWebhook(world.loner, world.sandboxProject, more);
    const ping = await world.loner.good('pingWebhook', { params: { id } });
    expect(ping.status_code).toBe(502);
    expect(ping.response).toMatch(`no connection within ${seconds(timeouts.connectMs)}`);
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  test('floods repeatedly does not fill the memory', async () => {
    const { webhook } = outcomes.get('sends 10 MiB')!;
    const before = usedBufferBytes();
    for (let number = 0; number < 60; number += 1) {
      await world.loner.good('pingWebhook', { params: { id: webhook.id } });
    }
    expect(usedBufferBytes() - before).toBeLessThan(50 * megabyte);
  });

  test('gets nothing any more keeps no connection', async () => {
    for (const { webhook } of outcomes.values()) {
      await world.loner.good('updateWebhook', { params: { id: webhook.id }, body: { is_active: false } });
    }
    for (const { receiver } of outcomes.values()) while (receiver.openConnections() > 0) await sleep(50);
    expect([...outcomes.values()].map(({ receiver }) => receiver.openConnections())).toEqual(cases.map(() => 0));
  });
});
