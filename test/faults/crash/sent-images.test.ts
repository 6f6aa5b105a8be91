import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImage } from '../../support/images.ts';
import { createRandom } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { fewerKills, seed } from './kill-plan.ts';
import { storeProblems } from './store-checks.ts';

const count = 400;
const atOnce = 20;
const sequences = Math.max(4, fewerKills);
const names = Array.from({ length: count }, (_, index) => `photo-${index}.jpg`);
const isBad = (frame: number): boolean => frame % 50 === 7;

interface Unsent {
  readonly frames: readonly number[];
}

describe('images are sent to a task that was opened by their names', () => {
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.kill9();
    await server?.stop();
  });

  it(
    'loses no image that was confirmed, and ends complete, whenever the service is killed',
    { timeout: 60_000 + sequences * 60_000 },
    async () => {
      const image = await makeImage({ width: 64, height: 48 });
      const random = createRandom(seed);
      server = await startServer();
      let client = await signIn(server);
      let kills = 0;
      const send = async (id: number, frames: readonly number[]): Promise<void> => {
        const form = new FormData();
        for (const frame of frames) {
          form.append(`images[${frame}]`, new Blob([isBad(frame) ? 'text' : new Uint8Array(image)]), names[frame]);
        }
        await client.good('POST', `/api/limner/tasks/${id}/unsent-images/files`, { body: form });
      };
      const unsentOf = (at: TestClient, id: number) =>
        at.good<Unsent>('GET', `/api/limner/tasks/${id}/unsent-images`).then(({ frames }) => frames);
      for (let sequence = 0; sequence < sequences; sequence += 1) {
        const where = `sequence ${sequence}, seed ${seed}`;
        const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
        const { rq_id: request, job_id: job } = await client.good<{ rq_id: string; job_id: number }>(
          'POST',
          `/api/limner/tasks/${id}/unsent-images`,
          { json: { names } },
        );
        const confirmed = new Set<number>();
        let left: readonly number[] = names.map((_, frame) => frame);
        for (let kill = 0; left.length > 0; kill += 1) {
          const killAt = kill < 3 ? sleep(random() * 150).then(() => server?.kill9()) : Promise.resolve();
          if (kill < 3) kills += 1;
          const batches = Array.from({ length: Math.ceil(left.length / atOnce) }, (_, index) =>
            left.slice(index * atOnce, (index + 1) * atOnce),
          );
          for (const batch of batches) {
            const isKept = await send(id, batch).then(
              () => true,
              () => false,
            );
            if (!isKept) break;
            for (const frame of batch) confirmed.add(frame);
          }
          await killAt;
          if (kill < 3) {
            server = await server.restart();
            client = client.at(server.url);
          }
          left = await unsentOf(client, id);
          expect(
            left.filter((frame) => confirmed.has(frame)),
            where,
          ).toEqual([]);
        }
        expect((await client.finished(request)).message, where).toContain('8 of the files could not be used');
        const meta = await client.meta('jobs', job);
        expect(
          meta.frames?.map(({ name, width }) => [name, width]),
          where,
        ).toEqual(names.map((name, frame) => [name, isBad(frame) ? 0 : 64]));
        expect(meta.deleted_frames, where).toEqual(names.flatMap((_, frame) => (isBad(frame) ? [frame] : [])));
        expect(storeProblems(server.dataDir), where).toEqual([]);
        await client.good('DELETE', `/api/tasks/${id}`);
      }
      console.log(`${sequences} sequences, seed ${seed}: ${kills} kills`);
    },
  );
});
