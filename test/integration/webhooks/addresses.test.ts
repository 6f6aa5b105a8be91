import type { LookupAddress } from 'node:dns';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResolveHost } from '../../../main/platform/network/guarded-connector.ts';
import { addProjectWebhook, createWorld } from '../../contract/webhooks/webhook-world.ts';
import { spellings } from '../../support/webhook-receiver/addresses.ts';
import { startFaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';

/** Addresses of each name. Each look-up removes the first entry of a list, so that names can change. */
const names = new Map<string, string[][]>();
const requested: string[] = [];
const resolveHost: ResolveHost = (host, _options, callback) => {
  requested.push(host);
  const answers = names.get(host);
  const addresses = answers && answers.length > 1 ? answers.shift() : answers?.[0];
  if (!addresses) return callback(Object.assign(new Error(`no ${host}`), { code: 'ENOTFOUND' }), []);
  callback(
    null,
    addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

let knocks = 0;

const world = await createWorld({ resolveHost });
const receiver = await startFaultReceiver();
const door = createServer((socket) => {
  knocks += 1;
  socket.destroy();
});
const port = await new Promise<number>((resolve) => {
  door.listen({ port: 0, host: '::', ipv6Only: false }, () => resolve((door.address() as { port: number }).port));
});
afterAll(async () => {
  await world.stop();
  await receiver.stop();
  door.close();
});

async function ping(target: string, more: object = {}) {
  const { id } = await addProjectWebhook(world.admin, world.sandboxProject, { events: [], ...more });
  world.harness.database.query('UPDATE webhook SET target_url = ? WHERE id = ?').run(target, id);
  return world.admin.good('pingWebhook', { params: { id } });
}
const settings = (body: { allow_loopback?: boolean; allow_private_networks?: boolean }) =>
  world.admin.good('updateWebhookSettings', { body });

const ownNames = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'inside.example.org',
  'inside.example.org.',
  'six.example.org',
];

describe('where webhooks send', () => {
  beforeAll(() => {
    for (const name of ['localhost', 'localhost.', 'inside.example.org', 'inside.example.org.']) {
      names.set(name, [['127.0.0.1']]);
    }
    names.set('six.example.org', [['::1', '::ffff:127.0.0.1']]);
  });

  test('include loopback by default, because many receivers run there', async () => {
    expect(await world.admin.good('getWebhookSettings')).toEqual({
      allow_loopback: true,
      allow_private_networks: false,
    });
    expect((await ping(receiver.url)).status_code).toBe(200);
    expect((await ping(receiver.url.replace('127.0.0.1', 'localhost'))).status_code).toBe(200);
  });

  test('exclude this computer by any spelling and name if the settings forbid it', async () => {
    await settings({ allow_loopback: false });
    for (const target of [...spellings.map(([url]) => url), ...ownNames.map((name) => `http://${name}/`)]) {
      const { status_code: status, response } = await ping(target.replace(/\/$/, `:${port}/`));
      expect(status, target).toBe(502);
      expect(response, target).toMatch(/Nothing was sent/);
    }
    expect(knocks).toBe(0);
    await settings({ allow_loopback: true });
    await ping(`http://127.0.0.1:${port}/`);
    expect(knocks, 'the door is where it is looked for').toBe(1);
  });

  test('never include the metadata service of a cloud, whatever the settings and the name', async () => {
    await settings({ allow_private_networks: true });
    names.set('metadata.example.org', [['169.254.169.254']]);
    for (const host of ['metadata.example.org', '169.254.169.254', '[fd00:ec2::254]', '100.100.100.200']) {
      expect((await ping(`http://${host}/`)).response, host).toMatch(/never send/);
    }
    await settings({ allow_private_networks: false });
  });

  test('include private networks by a setting, and the refusal says so', async () => {
    names.set('lan.example.org', [['10.11.12.13']]);
    expect((await ping('http://lan.example.org/')).response).toMatch(/Allow private networks in the webhook settings/);
  });

  test('can be changed only by an admin', async () => {
    await world.loner.refused(403, 'updateWebhookSettings', { body: { allow_private_networks: true } });
  });
});

describe('a name that changes its address', () => {
  test('is looked up and checked for each connection', async () => {
    const { port: receiverPort } = receiver;
    names.set('rebound.example.org', [['127.0.0.1'], ['10.0.0.1']]);
    const { id } = await addProjectWebhook(world.admin, world.sandboxProject, {
      target_url: `http://rebound.example.org:${receiverPort}/`,
      events: [],
    });
    const send = () => world.admin.good('pingWebhook', { params: { id } });
    requested.length = 0;
    expect((await send()).status_code).toBe(200);
    await settings({ allow_loopback: true });
    expect((await send()).response).toMatch(/10\.0\.0\.1 is in a private network/);
    expect(requested).toEqual(['rebound.example.org', 'rebound.example.org']);
  });

  test('connects to the checked address without a second look-up', async () => {
    names.set('once.example.org', [['127.0.0.1'], ['169.254.169.254']]);
    requested.length = 0;
    expect((await ping(`http://once.example.org:${receiver.port}/`)).status_code).toBe(200);
    expect(requested).toEqual(['once.example.org']);
  });

  test('with several addresses is reached by the permitted ones', async () => {
    names.set('mixed.example.org', [['169.254.169.254', '10.0.0.1', '127.0.0.1']]);
    expect((await ping(`http://mixed.example.org:${receiver.port}/`)).status_code).toBe(200);
  });

  test('that does not exist fails as no connection', async () => {
    expect(await ping('http://nowhere.example.org/')).toMatchObject({
      status_code: 502,
      response: expect.stringMatching(/the host does not exist/),
    });
  });
});
