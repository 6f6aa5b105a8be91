import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImages, type NamedImage } from '../../support/images.ts';
import { createRandom } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { fewerKills, reopenTimes, seed } from './kill-plan.ts';
import { storeProblems } from './store-checks.ts';

const imageCount = 40;

/** The request's id once the service has taken the files; null if the kill came first. */
async function uploadUntilKilled(
  client: TestClient,
  taskId: number,
  images: readonly NamedImage[],
  isKilled: () => boolean,
) {
  try {
    return await client.uploadImages(taskId, images);
  } catch (error) {
    if (isKilled()) return null;
    throw error;
  }
}

describe('the server is killed while it creates a task', () => {
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.kill9();
    await server?.stop();
  });

  it(
    'has the complete task afterwards, or accepts its images again',
    { timeout: 60_000 + fewerKills * 20_000 },
    async () => {
      const random = createRandom(seed);
      const images = await makeImages(imageCount);
      server = await startServer();
      let client = await signIn(server);
      const startedMs = performance.now();
      const labels = [{ name: 'thing' }];
      await client.taskWithImages({ labels, segment_size: 15 }, images);
      const durationMs = performance.now() - startedMs;
      const readyMs: number[] = [];
      const counts = { answered: 0, again: 0 };
      for (let kill = 1; kill <= fewerKills; kill += 1) {
        const { id } = await client.createTask({ labels, segment_size: 15 });
        let isKilled = false;
        const uploading = uploadUntilKilled(client, id, images, () => isKilled);
        await sleep(random() * durationMs);
        isKilled = true;
        await server.kill9();
        const answered = await uploading;
        server = await server.restart();
        readyMs.push(server.readyMs);
        client = client.at(server.url);
        counts[answered === null ? 'again' : 'answered'] += 1;
        const known = answered ?? (await requestOf(client, id)) ?? (await client.uploadImages(id, images));
        await client.finished(known);
        await expectWhole(client, id, images);
        expect(storeProblems(server.dataDir), `after kill ${kill}, seed ${seed}`).toEqual([]);
      }
      console.log(
        `${fewerKills} kills in creations of ${durationMs.toFixed(0)} ms, seed ${seed}: ${counts.answered} went on by ` +
          `themselves, ${counts.again} were killed before the upload was answered; all tasks whole; ${reopenTimes(readyMs)}`,
      );
    },
  );
});

async function requestOf(client: TestClient, taskId: number): Promise<string | null> {
  const { results } = await client.good<{ results: { id: string }[] }>('GET', '/api/requests', {
    query: { task_id: taskId },
  });
  return results[0]?.id ?? null;
}

async function expectWhole(client: TestClient, id: number, images: readonly NamedImage[]): Promise<void> {
  const meta = await client.meta('tasks', id);
  expect(meta.frames?.map((frame) => frame.name)).toEqual(images.map((image) => image.name));
  expect((await client.jobs(id)).map((job) => [job.start_frame, job.stop_frame])).toEqual([
    [0, 14],
    [15, 29],
    [30, 39],
  ]);
  for (const number of [0, imageCount - 1]) {
    const path = `/api/tasks/${id}/data/?type=frame&quality=original&number=${number}`;
    expect(await client.bytes(path)).toEqual(images[number]?.bytes);
  }
}
