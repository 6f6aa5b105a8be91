import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { categoryName, generateCoco, imageName } from '../../bench/support/generate-coco.ts';
import type { Request } from '../../../preload/contract/schema/resources.ts';
import { signIn, type TestClient } from '../../support/client.ts';
import { projectRoot } from '../../support/node-executable.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { sharedFolder, temporaryFolder } from '../../support/temporary-folder.ts';
import { makeFrameFolder } from '../../support/tiny-frames.ts';
import { storeProblems, takenOver } from './store-checks.ts';

const images = 60;
const categories = 3;
const annotations = 12_000;

let server: RunningServer;
let client: TestClient;
let folder = '';
const shared = sharedFolder();
const file = join(shared, 'annotations.json');
let taskId = 0;
let armed = '';

await makeFrameFolder(join(shared, 'images'), images, imageName);
await generateCoco(file, { images, annotations, categories });
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await server.kill9();
  await server.stop();
});

/** A fault that occurs as soon as this process has begun a request. */
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

/** Starts the program with a fault that, once armed, occurs whenever a request has begun. */
async function begin(fault: string, nodeOptions: readonly string[] = []): Promise<void> {
  armed = join(folder, 'armed');
  const faulty = join(folder, 'fault.mjs');
  writeFileSync(faulty, programFault(armed, fault));
  server = await startServer({ nodeOptions: [...nodeOptions, '--import', pathToFileURL(faulty).href] });
  client = await signIn(server);
  const labels = Array.from({ length: categories }, (_, index) => ({ name: categoryName(index) }));
  taskId = (await client.createTask({ labels })).id;
  await client.finished(await client.useServerFiles(taskId, [join(shared, 'images')]));
  writeFileSync(armed, '');
}

/** Its answer may be cut off by the end of the program. */
const startImport = () => client.startImport('tasks', taskId, 'COCO 1.0', { path: file }).catch(() => '');

async function importRequest(): Promise<Request> {
  const query = { action: 'import' };
  const { results } = await client.good<{ results: Request[] }>('GET', '/api/requests', { query });
  if (!results[0]) throw new Error('There is no import.');
  return results[0];
}

async function startAgain(): Promise<void> {
  server = await server.restart();
  client = client.at(server.url);
}

/** Restarts the program after each kill, until it was killed `times` times; then the fault is disarmed. */
async function killed(times: number): Promise<void> {
  for (let kill = 1; kill <= times; kill += 1) {
    while (server.isRunning()) await sleep(5);
    if (kill === times) rmSync(armed);
    // The program may end before it reports that it is ready.
    await startAgain().catch(() => undefined);
  }
}

/** Restarts the program each time that it ends, until its import has failed. */
async function failedImport(): Promise<Request> {
  for (;;) {
    if (!server.isRunning()) await startAgain().catch(() => undefined);
    const found = await importRequest().catch(() => undefined);
    if (found?.status === 'failed') return found;
    await sleep(5);
  }
}

async function uploadsAreGone(): Promise<void> {
  while (takenOver(server.dataDir).length > 0) await sleep(20);
}

// Each test starts the program several times.
describe('a request that was running when the process ended', { timeout: 600_000 }, () => {
  const kill = "process.kill(process.pid, 'SIGKILL');";

  it('finishes in the end, however often the process is killed', async () => {
    await begin(kill);
    await startImport();
    await killed(5);
    const { id, message } = await importRequest();
    expect(message).toContain('Limner has ended 5 times during this request');
    await client.finished(id);
    expect((await client.annotations('tasks', taskId)).shapes).toHaveLength(annotations);
    await uploadsAreGone();
    expect(storeProblems(server.dataDir)).toEqual([]);
  });

  it('can be cancelled while it waits, and leaves no file', async () => {
    await begin(kill);
    await startImport();
    await killed(4);
    const { id } = await importRequest();
    await client.good('POST', `/api/requests/${encodeURIComponent(id)}/cancel`);
    await uploadsAreGone();
  });

  it.each([
    ['an error that nobody catches', 'throw new Error("a fault of its own");', 'a fault of its own'],
    ['no more memory', 'for (;;) held.push(new Array(100_000).fill({}));', 'out of memory'],
  ])('fails if it ends the program twice, the second time alone: %s', async (_what, fault, reason) => {
    await begin(fault, ['--max-old-space-size=150']);
    await startImport();
    const failed = await failedImport();
    expect(failed.message).toMatch(/Limner crashed twice during this request, the second time while it ran alone/);
    expect(failed.message).toContain(reason);
    expect((await client.annotations('tasks', taskId)).shapes).toEqual([]);
    await uploadsAreGone();
    expect(server.isRunning()).toBe(true);
  });
});
