import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import type { TestClient } from '../../support/client.ts';
import { changes } from './change-works.ts';
import { requests } from './request-works.ts';
import { shapesOf, until, type Work } from './work.ts';

const functionWorks: readonly Work[] = [
  {
    name: 'automatic annotation',
    types: ['autoannotate:task'],
    async begin(client, { images }) {
      const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
      const json = { function: 'far', task, mapping: { car: { name: 'car' } } };
      const { id } = await client.good<{ id: string }>('POST', '/api/lambda/requests', { json });
      const get = (now: TestClient) =>
        now.good<{ status: string; progress: number }>('GET', `/api/lambda/requests/${id}`);
      return {
        running: (now) => until(async () => (await get(now)).status !== 'queued'),
        async ended(now) {
          await until(async () => /finished|failed/.test((await get(now)).status));
          expect(await shapesOf(now, 'tasks', task)).toBe(images.length);
        },
      };
    },
  },
  {
    name: 'a batch of functions',
    types: [],
    async begin(client, { images }) {
      const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images);
      const json = { function: 'far', targets: [{ task }] };
      const { id } = await client.good<{ id: number }>('POST', '/api/models/batches', { json });
      const get = (now: TestClient) =>
        now.good<{ state: string; done_count: number }>('GET', `/api/models/batches/${id}`);
      return {
        running: (now) => until(async () => (await get(now)).done_count > 0),
        async ended(now) {
          await until(async () => /finished|failed/.test((await get(now)).state));
          expect(await shapesOf(now, 'tasks', task)).toBe(images.length);
        },
      };
    },
  },
];

/** A receiver that never answers its first request. */
const deliveries: Work = {
  name: 'a delivery of a webhook',
  types: [],
  async begin(client, { project }) {
    let requests = 0;
    const receiver = createServer((incoming, answer) => {
      requests += 1;
      if (requests > 1) incoming.resume().on('end', () => answer.end());
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const target_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const json = { target_url, type: 'project', project_id: project, content_type: 'application/json' };
    await client.good('POST', '/api/webhooks', { json: { ...json, events: ['update:project'], is_active: true } });
    await client.good('PATCH', `/api/projects/${project}`, { json: { name: 'Renamed' } });
    return {
      running: () => until(async () => requests > 0),
      async ended() {
        await until(async () => requests > 1);
        receiver.close();
      },
    };
  },
};

/** All work that runs beside requests, or longer than a moment. New work needs one row. */
export const works: readonly Work[] = [...requests, ...functionWorks, ...changes, deliveries];
