import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { categoryName, generateCoco, imageName } from '../../bench/support/generate-coco.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { createRandom } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { makeFrameFolder } from '../../support/tiny-frames.ts';
import { fewerKills, reopenTimes, seed } from './kill-plan.ts';
import { storeProblems } from './store-checks.ts';

const images = 300;
const categories = 5;

async function fingerprint(client: TestClient, taskId: number): Promise<string> {
  const { shapes } = await client.annotations('tasks', taskId);
  const rows = shapes.map((shape) => `${shape.frame} ${shape.label_id} ${shape.points.join(' ')}`).sort();
  return `${rows.length} ${createHash('sha256').update(rows.join('\n')).digest('hex')}`;
}

describe('the server is killed while it imports a COCO file', () => {
  let server: RunningServer | undefined;
  let folder = '';
  let taskId = 0;
  let files: string[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'limner-kill-'));
    await makeFrameFolder(join(folder, 'images'), images, imageName);
    files = [join(folder, 'a.json'), join(folder, 'b.json')];
    for (const [index, file] of files.entries()) {
      await generateCoco(file, { images, annotations: 14_000 + 3000 * index, categories, seed: index + 1 });
    }
    server = await startServer();
    const client = await signIn(server);
    const labels = Array.from({ length: categories }, (_, index) => ({ name: categoryName(index) }));
    taskId = (await client.createTask({ labels, segment_size: 100 })).id;
    await client.finished(await client.useServerFiles(taskId, [join(folder, 'images')]));
  });
  afterEach(async () => {
    await server?.kill9();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Imports a file without a kill: the expected result, and the duration. */
  async function importOnce(client: TestClient, file: string) {
    const startedMs = performance.now();
    await client.importAnnotations('tasks', taskId, 'COCO 1.0', { path: file });
    return { durationMs: performance.now() - startedMs, content: await fingerprint(client, taskId) };
  }

  it(
    'shows the old annotations or the new ones, and finishes the import after the restart',
    { timeout: 60_000 + fewerKills * 20_000 },
    async () => {
      if (!server) throw new Error('There is no server.');
      const random = createRandom(seed);
      let client = await signIn(server);
      const whole: string[] = [];
      let durationMs = 0;
      for (const file of files) {
        const imported = await importOnce(client, file);
        whole.push(imported.content);
        durationMs = imported.durationMs;
      }
      let current = 1;
      const readyMs: number[] = [];
      const seen = { before: 0, after: 0 };
      for (let kill = 1; kill <= fewerKills; kill += 1) {
        const next = 1 - current;
        const requestId = await client.startImport('tasks', taskId, 'COCO 1.0', { path: files[next] ?? '' });
        await sleep(random() * durationMs);
        await server.kill9();
        server = await server.restart();
        readyMs.push(server.readyMs);
        client = client.at(server.url);
        const found = await fingerprint(client, taskId);
        expect(whole, `after kill ${kill}, seed ${seed}`).toContain(found);
        seen[found === whole[next] ? 'after' : 'before'] += 1;
        await client.finished(requestId);
        expect(await fingerprint(client, taskId), `after kill ${kill}, seed ${seed}`).toBe(whole[next]);
        expect(storeProblems(server.dataDir)).toEqual([]);
        current = next;
      }
      console.log(
        `${fewerKills} kills in imports of ${durationMs.toFixed(0)} ms, seed ${seed}: after the restart ${seen.before} ` +
          `times as before, ${seen.after} times imported, 0 times in between; all finished; ${reopenTimes(readyMs)}`,
      );
    },
  );
});
