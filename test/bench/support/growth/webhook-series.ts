import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '../../../support/client.ts';
import { series } from './series.ts';
import type { ServiceUnderTest } from './service-under-test.ts';

interface Deliveries {
  readonly count: number;
  readonly webhookId: number;
  readonly projectId: number;
  readonly receiver: Awaited<ReturnType<typeof startReceiver>>;
}

/** A receiver that has failed for longer than this no longer blocks later deliveries. */
const blockedMs = 62_000;
const pollMs = 20;

/** Answers with an error until `recover` is called. */
async function startReceiver({ server: service }: Pick<ServiceUnderTest, 'server'>) {
  let status = 500;
  const seen = { requests: 0 };
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => {
      seen.requests += 1;
      response.writeHead(status).end();
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    recover: () => void (status = 200),
    /** Runs `cause` and waits until this many further requests have arrived. */
    async after(count: number, cause: () => Promise<unknown>): Promise<void> {
      const end = seen.requests + count;
      await cause();
      while (seen.requests < end) {
        // A service above the limit is killed, and sends nothing more.
        if (!service.isRunning()) throw new Error('The service ended before it sent all deliveries.');
        await sleep(pollMs);
      }
    },
  };
}

let renamed = 0;
async function renameOften({ client }: { readonly client: TestClient }, projectId: number, times: number) {
  for (let time = 0; time < times; time += 1)
    await client.good('PATCH', `/api/projects/${projectId}`, { json: { name: `name ${(renamed += 1)}` } });
}

export const deliverySeries = series<Deliveries>({
  name: 'Deliveries that fail and wait for a retry',
  unit: 'deliveries',
  // Each size waits a minute, until failed deliveries no longer block others.
  short: [],
  long: [100, 1000, 10_000],
  async prepare(service, count) {
    const receiver = await startReceiver(service);
    const { id: projectId } = await service.client.createProject('events', [{ name: 'thing' }]);
    const json = {
      target_url: receiver.url,
      type: 'project',
      project_id: projectId,
      events: ['update:project'],
    };
    const { id: webhookId } = await service.client.good<{ id: number }>('POST', '/api/webhooks', { json });
    await receiver.after(1, () => renameOften(service, projectId, 1));
    await sleep(blockedMs);
    return { count, webhookId, projectId, receiver };
  },
  operations: [
    {
      name: 'send events, each delivery fails',
      run: ({ count, projectId, receiver }, service) =>
        receiver.after(count, () => renameOften(service, projectId, count)),
    },
    {
      name: 'send one more event',
      run: ({ projectId, receiver }, service) => receiver.after(1, () => renameOften(service, projectId, 1)),
      times: 20,
    },
    {
      name: 'state of the webhook',
      run: ({ webhookId }, { client }) => client.good('GET', `/api/limner/webhooks/${webhookId}/state`),
      times: 10,
    },
    {
      name: 'retry all of them',
      run: ({ count, webhookId, receiver }, { client }) => {
        receiver.recover();
        return receiver.after(count, () => client.good('POST', `/api/limner/webhooks/${webhookId}/redeliver_failed`));
      },
    },
  ],
});
