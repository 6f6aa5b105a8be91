import { join } from 'node:path';
import { expect, test } from 'vitest';
import { signIn, type TestClient } from '../support/client.ts';
import type { RunningServer } from '../support/server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startFullWorkbench } from './backup/full-workbench.ts';

interface Started {
  readonly rq_id: string;
}

/** Background requests, each started on a task that keeps it busy for seconds. A new kind needs one line. */
const works: readonly (readonly [string, (client: TestClient, taskId: number) => Promise<Started>])[] = [
  ['a task backup', (client, id) => client.good('POST', `/api/tasks/${id}/backup/export?filename=again.zip`)],
  [
    'an export with images',
    (client, id) => client.good('POST', `/api/tasks/${id}/dataset/export?format=COCO%201.0&save_images=true`),
  ],
  [
    'an export of annotations',
    (client, id) => client.good('POST', `/api/tasks/${id}/dataset/export?format=CVAT%20for%20images%201.1`),
  ],
];

const statusOf = async (client: TestClient, id: string): Promise<string> =>
  (await client.good<{ status: string }>('GET', `/api/requests/${encodeURIComponent(id)}`)).status;

test('the service stops in the middle of each background request and continues with it after the start', async () => {
  let server: RunningServer = await startFullWorkbench(join(temporaryFolder(), 'data'), {
    images: 200,
    shapes: 100_000,
  });
  try {
    for (const [name, start] of works) {
      const client = await signIn(server);
      const { results } = await client.good<{ results: { id: number }[] }>('GET', '/api/tasks');
      const { rq_id: id } = await start(client, results[0]?.id ?? 0);
      await expect.poll(() => statusOf(client, id), { interval: 10 }).not.toBe('queued');
      expect(await server.stop(), name).toBe(0);
      server = await server.restart();
      const again = await signIn(server);
      expect(await again.finished(id), name).toMatchObject({ status: 'finished' });
    }
  } finally {
    await server.stop();
  }
});
