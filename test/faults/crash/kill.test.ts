import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImages } from '../../support/images.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { createCarrier, type Carrier } from './carrier.ts';
import { createEditor } from './editor.ts';
import { kills, reopenTimes, seed } from './kill-plan.ts';
import type { EditedTask } from './random-edits.ts';
import { storeProblems, takenOver } from './store-checks.ts';

const frames = 12;

async function createEditedTask(client: TestClient, segmentSize: number): Promise<EditedTask> {
  const points = (name: string) => ({ name, type: 'points' as const });
  const labels = [
    { name: 'thing', type: 'any' as const },
    { name: 'figure', type: 'skeleton' as const, sublabels: [points('head'), points('left'), points('right')] },
  ];
  const images = await makeImages(frames);
  const task = await client.taskWithImages({ labels, segment_size: segmentSize }, images);
  const [thing, figure] = await client.labels(task.id);
  const jobs = await client.jobs(task.id);
  return {
    id: task.id,
    jobs: jobs.map((job) => ({ id: job.id, firstFrame: job.start_frame, lastFrame: job.stop_frame })),
    labelId: thing?.id ?? 0,
    skeletonId: figure?.id ?? 0,
    elementIds: figure?.sublabels.map((label) => label.id) ?? [],
  };
}

/** Mostly within a few requests, sometimes after many. */
const killDelayMs = (random: Random) => (random() < 0.2 ? 1000 : 150) * random();

describe(`the server is killed ${kills} times while clients edit, upload and import`, () => {
  let server: RunningServer | undefined;
  let carrier: Carrier | undefined;
  afterEach(async () => {
    await server?.kill9();
    await server?.stop();
    carrier?.remove();
  });

  it(
    'keeps every answered edit and no half of an unanswered one, and ends every accepted request',
    { timeout: 300_000 + kills * 30_000 },
    async () => {
      const random = createRandom(seed);
      server = await startServer();
      let client = await signIn(server);
      const tasks = [await createEditedTask(client, 0), await createEditedTask(client, 3)];
      const editors = tasks.map((task, index) => createEditor(createRandom(seed + index + 1), task));
      const carried = (carrier = await createCarrier(mkdtempSync(join(tmpdir(), 'limner-carried-'))));
      const lost: string[] = [];
      const unanswered = { none: 0, there: 0, missing: 0, half: 0 };
      const readyMs: number[] = [];

      for (let kill = 1; kill <= kills; kill += 1) {
        let isKilled = false;
        const editing = Promise.all([
          ...editors.map((editor) => editor.edit(client, () => isKilled)),
          carried.carry(client, () => isKilled),
        ]);
        // Every third kill falls into a request that was just accepted, independent of the machine's speed.
        if (kill % 3 === 0) await Promise.race([carried.untilAccepted(), editing]);
        await Promise.race([sleep(killDelayMs(random)), editing]);
        isKilled = true;
        await server.kill9();
        await editing;
        server = await server.restart();
        readyMs.push(server.readyMs);
        client = client.at(server.url);
        for (const editor of editors) {
          const verdict = await editor.check(client);
          lost.push(...verdict.lost);
          unanswered[verdict.unanswered] += 1;
        }
        expect(storeProblems(server.dataDir), `after kill ${kill}, seed ${seed}`).toEqual([]);
      }

      const givenUp = await carried.problems(client);
      const sum = (value: (editor: (typeof editors)[number]) => number) =>
        editors.reduce((total, editor) => total + value(editor), 0);
      console.log(
        `${kills} kills, seed ${seed}: ${sum((one) => one.answered)} answered edits of ${sum((one) => one.objects)} ` +
          `objects, ${lost.length} lost; of the edits without an answer ${unanswered.there} were there, ` +
          `${unanswered.missing} were not, ${unanswered.half} were half there; of ${carried.count('upload')} accepted ` +
          `uploads and ${carried.count('import')} imports ${givenUp.length} not whole; ${reopenTimes(readyMs)}`,
      );
      expect(lost).toEqual([]);
      expect(givenUp).toEqual([]);
      while (takenOver(server.dataDir).length > 0) await sleep(20);
      expect(unanswered.half).toBe(0);
    },
  );
});
