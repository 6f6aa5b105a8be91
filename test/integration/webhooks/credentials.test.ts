import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Project } from '../../../preload/contract/schema/resources.ts';
import type { Webhook, WebhookDelivery, WebhookExchange } from '../../../preload/contract/schema/webhooks.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { startFaultReceiver, type FaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';

const password = 'canary-of-the-password';
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

let server: RunningServer;
let client: TestClient;
let receiver: FaultReceiver;
let projectId: number;
let answers: string;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  receiver = await startFaultReceiver();
  client = await signIn(server);
  projectId = (await client.good<Project>('POST', '/api/projects', { json: { name: 'a project' } })).id;
  answers = '';
});
afterEach(() => receiver.stop());

async function ask<Body>(method: 'GET' | 'POST' | 'PATCH', path: string, json?: unknown): Promise<Body> {
  const body = await client.good<Body>(method, path, json === undefined ? {} : { json });
  answers += JSON.stringify(body);
  return body;
}
const withUser = (user: string, path = '/hook') => `http://${user}@127.0.0.1:${receiver.port}${path}`;
const create = (address: string) =>
  ask<Webhook>('POST', '/api/webhooks', {
    target_url: address,
    type: 'project',
    project_id: projectId,
    events: ['update:project'],
  });
const change = (id: number, address: string) => ask<Webhook>('PATCH', `/api/webhooks/${id}`, { target_url: address });
const ping = (id: number) => ask<WebhookDelivery>('POST', `/api/webhooks/${id}/ping`, {});
const arrived = () => receiver.requests.map(({ path, headers }) => [path, headers['authorization']]);
const refused = async (address: string, id?: number) => {
  const error = await (id === undefined ? create(address) : change(id, address)).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
};
/** All content of the store's folder: its file and its log, without the copy of an earlier version. */
const stored = () =>
  readdirSync(join(server.dataDir, 'db'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.before-'))
    .map(({ name }) => readFileSync(join(server.dataDir, 'db', name)).toString('latin1'))
    .join('');

describe('a password in the address of a webhook', () => {
  test('reaches only the receiver: neither the store, nor an answer, nor a log, nor a payload contains it', async () => {
    const webhook = await create(withUser(`name:${password}`));
    expect(webhook.target_url).toBe(withUser('name:***'));
    await ask('PATCH', `/api/projects/${projectId}`, { name: 'an event' });
    await receiver.arrived(1);
    const { id } = await ping(webhook.id);
    expect(arrived()).toEqual([
      ['/hook', basic(`name:${password}`)],
      ['/hook', basic(`name:${password}`)],
    ]);
    const exchange = await ask<WebhookExchange>('GET', `/api/limner/webhooks/${webhook.id}/deliveries/${id}/exchange`);
    expect(exchange.url).toBe(withUser('name:***'));
    for (const path of ['', `/${webhook.id}`, `/${webhook.id}/deliveries`]) await ask('GET', `/api/webhooks${path}`);
    const told = answers + server.errorOutput() + receiver.requests.map(({ body }) => body.toString()).join('');
    await server.kill9();
    for (const text of [told, stored()]) {
      expect(text).not.toContain(password);
      expect(text).not.toContain(basic(`name:${password}`).slice('Basic '.length));
    }
    server = await server.restart();
    client = await signIn(server);
    await ping(webhook.id);
    expect(arrived()[2]).toEqual(['/hook', basic(`name:${password}`)]);
  });

  test('may be only a user name, and contain percent-encoded characters', async () => {
    const token = await create(withUser(password));
    expect(token.target_url).toBe(withUser('***'));
    const odd = await create(withUser('a%40b:p%3Aq%2F%C3%A9'));
    expect(odd.target_url).toBe(withUser('a%40b:***'));
    await ping(token.id);
    await ping(odd.id);
    expect(arrived().map(([, authorization]) => authorization)).toEqual([basic(`${password}:`), basic('a@b:p:q/é')]);
  });

  test('is kept when the masked address is sent back, with another path too', async () => {
    const { id, target_url: shown } = await create(withUser(`name:${password}`));
    expect((await change(id, shown)).target_url).toBe(shown);
    await ping(id);
    expect((await change(id, withUser('name:***', '/other'))).target_url).toBe(withUser('name:***', '/other'));
    await ping(id);
    await change(id, withUser('name:another'));
    await ping(id);
    await change(id, receiver.url);
    await ping(id);
    expect(arrived()).toEqual([
      ['/hook', basic(`name:${password}`)],
      ['/other', basic(`name:${password}`)],
      ['/hook', basic('name:another')],
      ['/hook', undefined],
    ]);
  });

  test('is never sent to another receiver or under another name', async () => {
    const { id } = await create(withUser(`name:${password}`));
    const elsewhere = `http://name:***@127.0.0.1:${receiver.port + 1}/hook`;
    for (const address of [elsewhere, withUser('other:***'), withUser('***')]) {
      expect(await refused(address, id)).toMatchObject({
        status: 400,
        body: { target_url: [expect.stringMatching(/^The asterisks stand for/)] },
      });
    }
    expect((await refused(withUser('name:***'))).status).toBe(400);
    await change(id, receiver.url);
    expect((await refused(withUser('name:***'), id)).status, 'there is none any more').toBe(400);
  });

  test('of an earlier version is removed at the start, from the log too', async () => {
    const { id } = await create(receiver.url);
    await ping(id);
    await server.kill9();
    const address = withUser(`name:${password}`);
    const store = new Database(join(server.dataDir, 'db', 'limner.sqlite'));
    store.prepare('UPDATE webhook SET target_url = ?, target_credentials = NULL').run(address);
    store.prepare('UPDATE webhook_delivery SET target_url = ?').run(address);
    store.prepare('UPDATE webhook_payload SET body = replace(body, ?, ?)').run(receiver.url, address);
    store.pragma('wal_checkpoint(TRUNCATE)');
    store.close();
    expect(stored()).toContain(password);
    server = await server.restart();
    client = await signIn(server);
    expect((await ask<Webhook>('GET', `/api/webhooks/${id}`)).target_url).toBe(withUser('name:***'));
    const { results } = await ask<{ results: WebhookDelivery[] }>('GET', `/api/webhooks/${id}/deliveries`);
    expect(results[0]?.request).toMatchObject({ webhook: { target_url: withUser('name:***') } });
    await ping(id);
    expect(arrived().at(-1)).toEqual(['/hook', basic(`name:${password}`)]);
    expect(answers).not.toContain(password);
    expect(stored()).not.toContain(password);
  });
});
