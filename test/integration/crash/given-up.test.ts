import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { categoryName, generateCoco, imageName } from '../../bench/support/generate-coco.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { makeFrameFolder } from '../../support/tiny-frames.ts';
import { storeProblems, takenOver } from './store-checks.ts';

const images = 60;
const categories = 3;
const annotations = 12_000;

let server: RunningServer;
let client: TestClient;
let folder = '';
let file = '';
let taskId = 0;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'limner-given-up-'));
  await makeFrameFolder(join(folder, 'images'), images, imageName);
  file = join(folder, 'annotations.json');
  await generateCoco(file, { images, annotations, categories });
});
afterEach(async () => {
  await server.kill9();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function begin(nodeOptions: readonly string[] = []): Promise<void> {
  server = await startServer({ nodeOptions });
  client = await signIn(server);
  const labels = Array.from({ length: categories }, (_, index) => ({ name: categoryName(index) }));
  taskId = (await client.createTask({ labels })).id;
  await client.finished(await client.useServerFiles(taskId, [join(folder, 'images')]));
}

/** A fault that strikes as soon as this process has begun a request. */
const programFault = (armed: string, fault: string): string => `
  import { existsSync } from 'node:fs';
  import { isMainThread } from 'node:worker_threads';
  import Database from ${JSON.stringify(pathToFileURL(join(projectRoot, 'node_modules/better-sqlite3/lib/index.js')).href)};
  const held = [];
  const file = process.argv[process.argv.indexOf('--data-dir') + 1] + '/db/limner.sqlite';
  const since = new Date().toISOString();
  if (isMainThread) setInterval(() => {
    if (!existsSync(${JSON.stringify(armed)})) return;
    const database = new Database(file, { readonly: true });
    const running = database.prepare("SELECT id FROM request WHERE status = 'started' AND started_date > ?").all(since);
    database.close();
    if (running.length > 0) { ${fault} }
  }, 5);
`;

const startImport = () => client.startImport('tasks', taskId, 'COCO 1.0', { path: file });

async function started(requestId: string): Promise<void> {
  while ((await client.request(requestId)).status !== 'started') await sleep(1);
}

async function startAgain(): Promise<void> {
  server = await server.restart();
  client = client.at(server.url);
}

/** Starts the program again, each time that it ended, until its import has failed. */
async function failedImport(): Promise<{ status: string; message: string }> {
  for (;;) {
    // The next end may come before the program says that it is ready.
    if (!server.isRunning()) await startAgain().catch(() => undefined);
    const query = { action: 'import', status: 'failed' };
    const found = await client
      .good<{ results: { status: string; message: string }[] }>('GET', '/api/requests', { query })
      .catch(() => undefined);
    if (found?.results[0]) return found.results[0];
    await sleep(5);
  }
}

/** Files that were taken over go a moment after the end of their request. */
async function uploadsAreGone(): Promise<void> {
  while (takenOver(server.dataDir).length > 0) await sleep(20);
}

// Each test starts the program several times.
describe('a request that was running when the process ended', { timeout: 600_000 }, () => {
  it('is finished in the end, however often the process is killed', async () => {
    await begin();
    const requestId = await startImport();
    for (let kill = 1; kill <= 5; kill += 1) {
      await started(requestId);
      await server.kill9();
      await startAgain();
    }
    const waiting = await client.request(requestId);
    expect(waiting.message).toContain('Limner has ended 5 times while it did this');
    await client.finished(requestId);
    expect((await client.annotations('tasks', taskId)).shapes).toHaveLength(annotations);
    await uploadsAreGone();
    expect(storeProblems(server.dataDir)).toEqual([]);
  });

  it('can be cancelled while it waits, and leaves no file', async () => {
    await begin();
    const requestId = await startImport();
    for (let kill = 1; kill <= 4; kill += 1) {
      await started(requestId);
      await server.kill9();
      await startAgain();
    }
    await client.good('POST', `/api/requests/${encodeURIComponent(requestId)}/cancel`);
    await uploadsAreGone();
  });

  it.each([
    ['an error that nobody catches', 'throw new Error("a fault of its own");', 'a fault of its own'],
    ['no more memory', 'for (;;) held.push(new Array(100_000).fill({}));', 'out of memory'],
  ])('fails when it ends the program twice, the second time alone: %s', async (_what, fault, reason) => {
    const armed = join(folder, 'armed');
    const faulty = join(folder, 'fault.mjs');
    writeFileSync(faulty, programFault(armed, fault));
    await begin(['--max-old-space-size=150', '--import', pathToFileURL(faulty).href]);
    writeFileSync(armed, '');
    // The answer may be cut off by the end of the program.
    await startImport().catch(() => '');
    const failed = await failedImport();
    expect(failed.message).toMatch(/Limner ended by itself twice while it did this, the second time with nothing/);
    expect(failed.message).toContain(reason);
    expect((await client.annotations('tasks', taskId)).shapes).toEqual([]);
    await uploadsAreGone();
    expect(server.isRunning()).toBe(true);
  });
});
