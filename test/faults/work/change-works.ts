import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Backups } from '../../../preload/contract/schema/backups.ts';
import type { Storage, StorageMove } from '../../../preload/contract/schema/storage.ts';
import { makeShapes } from '../../bench/support/shapes.ts';
import { ApiError, type TestClient } from '../../support/client.ts';
import { shapesOf, until, type Work } from './work.ts';
import type { World } from './world.ts';

/** Requests whose client waits: the interruption is an error for it, and all or nothing of the change is there. */
function change(
  name: string,
  prepare: (
    client: TestClient,
    world: World,
  ) => Promise<{
    readonly run: () => Promise<unknown>;
    readonly check: (client: TestClient) => Promise<void>;
  }>,
): Work {
  return {
    name,
    types: [],
    async begin(client, world) {
      const { run, check } = await prepare(client, world);
      const running = run().catch((error: unknown) => {
        if (error instanceof ApiError && error.status < 500) throw error;
      });
      return {
        running: () => sleep(30),
        async ended(now) {
          await running;
          await check(now);
        },
      };
    },
  };
}

export const changes: readonly Work[] = [
  change('a large save', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    const shapes = makeShapes(20_000, label!.id);
    await client.replaceAnnotations('tasks', task, { shapes: shapes.slice(0, 10) });
    return {
      run: () => client.replaceAnnotations('tasks', task, { shapes }),
      check: async (now) => expect([10, 20_000]).toContain(await shapesOf(now, 'tasks', task)),
    };
  }),
  change('a large update', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    const before = await client.annotations('tasks', task);
    const shapes = before.shapes.map((shape) => ({ ...shape, z_order: 7 }));
    return {
      run: () => client.changeAnnotations('tasks', task, 'update', { shapes }),
      async check(now) {
        const orders = (await now.annotations('tasks', task)).shapes.map(({ z_order: order }) => order);
        expect(orders).toHaveLength(20_000);
        expect(new Set(orders).size).toBe(1);
      },
    };
  }),
  change('a large deletion', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    const { shapes } = await client.annotations('tasks', task);
    return {
      run: () => client.changeAnnotations('tasks', task, 'delete', { shapes }),
      check: async (now) => expect([0, 20_000]).toContain(await shapesOf(now, 'tasks', task)),
    };
  }),
  change('the deletion of a label', async (client, { images }) => {
    const labels = [{ name: 'car' }, { name: 'bus' }];
    const { id: task } = await client.taskWithImages({ labels }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    return {
      run: () => client.good('DELETE', `/api/labels/${label!.id}`),
      async check(now) {
        const isThere = (await now.labels(task)).length === 2;
        expect(await shapesOf(now, 'tasks', task)).toBe(isThere ? 20_000 : 0);
      },
    };
  }),
  change('the removal of a deleted task', async (client, { images }) => {
    const { id: task } = await client.taskWithImages({ labels: [{ name: 'car' }] }, images.slice(0, 2));
    const [label] = await client.labels(task);
    await client.replaceAnnotations('tasks', task, { shapes: makeShapes(20_000, label!.id) });
    return {
      // The removal begins a second after the deletion.
      run: () => client.good('DELETE', `/api/tasks/${task}`).then(() => sleep(1000)),
      async check(now) {
        expect((await now.call('GET', `/api/tasks/${task}`)).status).toBe(404);
      },
    };
  }),
  change('a backup of the data directory', async (client, { folder }) => {
    const file = join(folder, 'workbench.limner-backup');
    return {
      run: () => client.good('POST', '/api/limner/backups', { json: { file } }),
      async check(now) {
        const { running } = await now.good<{ running: unknown }>('GET', '/api/limner/backups');
        expect(running).toBeNull();
      },
    };
  }),
  change('an encrypted backup', async (client, { folder }) => {
    const json = { file: join(folder, 'sealed.limner-backup'), passphrase: 'correct horse battery staple' };
    return {
      run: () => client.good('POST', '/api/limner/backups', { json }),
      async check(now) {
        const { running } = await now.good<{ running: unknown }>('GET', '/api/limner/backups');
        expect(running).toBeNull();
        await now.good('POST', '/api/limner/backups', { json: { ...json, file: `${json.file}-again` } });
        await until(async () => (await now.good<Backups>('GET', '/api/limner/backups')).running === null);
        const { last } = await now.good<Backups>('GET', '/api/limner/backups');
        expect(last).toMatchObject({ succeeded: true });
      },
    };
  }),
  change('the move of the media', async (client, world) => {
    const home = join(world.folder, 'moved');
    mkdirSync(home);
    const json = { volume: 'media', folder: home };
    const image = (now: TestClient) => now.bytes(`/api/tasks/${world.task}/data?type=frame&number=7&quality=original`);
    const before = await image(client);
    return {
      run: () => client.good('POST', '/api/limner/storage/move', { json }),
      async check(now) {
        expect(await image(now)).toEqual(before);
        const { volumes, running } = await now.good<Storage>('GET', '/api/limner/storage');
        expect(running).toBeNull();
        const isMoved = volumes.some(({ name, moved }) => name === 'media' && moved);
        const further = isMoved ? world.server.dataDir : home;
        await now.good('POST', '/api/limner/storage/move', { json: { ...json, folder: further } });
        await until(() => hasEnded(now));
        expect(await image(now)).toEqual(before);
      },
    };
  }),
  change('a push to Git', async (client, { images, folder }) => {
    const { task, json } = await boundTask(client, images, folder);
    return {
      run: () => client.good('POST', `/api/limner/tasks/${task}/git/push`, { json }),
      async check(now) {
        await now.good('POST', `/api/limner/tasks/${task}/git/push`, { json });
        const { to_push } = await now.good<{ to_push: object }>('GET', `/api/limner/tasks/${task}/git`);
        expect(to_push).toEqual({ added: 0, changed: 0, removed: 0 });
      },
    };
  }),
  change('a pull from Git', async (client, { images, folder }) => {
    const { task, address, json } = await boundTask(client, images, folder);
    await client.good('POST', `/api/limner/tasks/${task}/git/push`, { json });
    const { id: other } = await client.taskWithImages({ name: 'git', labels: [{ name: 'car' }] }, images.slice(0, 2));
    await client.good('PUT', `/api/limner/tasks/${other}/git`, { json: { address, folder: 'task' } });
    return {
      run: () => client.good('POST', `/api/limner/tasks/${other}/git/pull`, { json }),
      async check(now) {
        await now.good('POST', `/api/limner/tasks/${other}/git/pull`, { json });
        expect(await shapesOf(now, 'tasks', other)).toBe(boundShapes);
      },
    };
  }),
];

/** The service restarts at the end of a move, and then does not answer for a moment. */
async function hasEnded(client: TestClient): Promise<boolean> {
  const answer = await client.call('GET', '/api/limner/storage/move').catch(() => null);
  return answer?.status === 200 && (answer.body as StorageMove).running === null;
}

const boundShapes = 10_000;
async function boundTask(client: TestClient, images: World['images'], folder: string) {
  const { id: task } = await client.taskWithImages({ name: 'git', labels: [{ name: 'car' }] }, images.slice(0, 2));
  const [label] = await client.labels(task);
  await client.replaceAnnotations('tasks', task, { shapes: makeShapes(boundShapes, label!.id) });
  const address = join(folder, `${task}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', address]);
  await client.good('PUT', `/api/limner/tasks/${task}/git`, { json: { address, folder: 'task' } });
  return { task, address, json: {} };
}
