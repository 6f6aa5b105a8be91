import { afterAll, expect, it } from 'vitest';
import { startServer } from '../../support/server.ts';
import { startFaultReceiver } from '../../support/webhook-receiver/fault-receiver.ts';
import { preparePython } from '../python.ts';

const python = await preparePython();
const receiver = await startFaultReceiver();
const server = await startServer();
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

it('cvat-sdk creates, pings, changes and deletes webhooks and reads their log, unmodified', async () => {
  const { url, user, password } = server!;
  const seen = await python<Record<string, unknown>>('webhooks/use_webhooks.py', [url, user, password, receiver!.url]);
  expect(seen).toEqual({
    events: expect.arrayContaining(['update:project', 'completed:request[export:dataset]']),
    created: [201, 'project', expect.any(Number), ['update:project']],
    secret: false,
    ping: ['ping', 200, 1],
    delivery: ['update:project', 200, false, 'name,updated_date'],
    request: { from: 'made by cvat-sdk', to: 'renamed by cvat-sdk' },
    same: true,
    redelivery: true,
    last_status: 200,
    replaced: ['create:task'],
    listed: [true],
    retrieved: true,
    destroyed: 204,
    left: 0,
  });
  expect(receiver!.events()).toEqual(['ping', 'update:project', 'update:project']);
});
