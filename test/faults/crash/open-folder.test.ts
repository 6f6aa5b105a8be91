import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { DataMeta } from '../../../preload/contract/schema/resources.ts';
import { ApiError, signIn, type TestClient } from '../../support/client.ts';
import { makeImage } from '../../support/images.ts';
import { createRandom } from '../../support/random.ts';
import { startServer, type RunningServer } from '../../support/server.ts';
import { entriesOf } from '../../support/zip-entries.ts';
import { fewerKills, seed } from './kill-plan.ts';
import { storeProblems } from './store-checks.ts';

const frames = 1200;
const sequences = Math.max(4, fewerKills);
const folder = mkdtempSync(join(tmpdir(), 'limner-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One image in ten is not an image. */
const isBad = (frame: number): boolean => frame % 10 === 7;

interface Opened {
  readonly id: number;
  readonly job: number;
  readonly label: number;
}

async function open(client: TestClient, images: string): Promise<Opened> {
  const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
  await client.useServerFiles(id, [images], { sorting_method: 'natural', open_early: true });
  for (;;) {
    const [job] = await client.jobs(id);
    const [label] = await client.labels(id);
    if (job && label) return { id, job: job.id, label: label.id };
    await sleep(5);
  }
}

async function annotate(client: TestClient, { job, label }: Opened, frame: number): Promise<void> {
  const box = { type: 'rectangle' as const, frame, points: [1, 1, 9, 9], label_id: label };
  await client.good('PATCH', `/api/jobs/${job}/annotations/`, {
    query: { action: 'create' },
    json: { version: 0, tags: [], tracks: [], shapes: [box] },
  });
}

const remove = (client: TestClient, { job }: Opened, frame: number) =>
  client.good('PATCH', `/api/limner/jobs/${job}/frames/${frame}`, { json: { deleted: true } });

/** Everything that a client sees of a task. */
async function stateOf(client: TestClient, { id, job }: Opened) {
  const { frames: all, deleted_frames, size } = await client.meta('jobs', job);
  const { shapes } = await client.annotations('jobs', job);
  const file = join(folder, `export-${id}.zip`);
  await client.exportDataset('tasks', id, 'COCO 1.0', file);
  const { 'annotations/instances_default.json': coco } = await entriesOf(readFileSync(file));
  return {
    frames: all?.map(({ name, width, height, limner_state }) => [name, width, height, limner_state]),
    deleted_frames,
    size,
    shapes: shapes.map(({ frame, points }) => [frame, points]),
    exported: (JSON.parse(String(coco)) as { images: { file_name: string; width: number }[] }).images.map(
      ({ file_name, width }) => [file_name, width],
    ),
  };
}

type Step =
  | { readonly do: 'annotate' | 'delete' | 'look'; readonly frame: number }
  | { readonly do: 'kill' | 'export' | 'removeOther' | 'wait' };

describe('a folder is used while its images are read', () => {
  let server: RunningServer | undefined;
  afterEach(async () => {
    await server?.kill9();
    await server?.stop();
  });

  it(
    'ends like a folder that was read before it was used, whatever happens in between',
    { timeout: 60_000 + sequences * 30_000 },
    async () => {
      const images = join(folder, 'images');
      mkdirSync(images);
      const image = await makeImage({ width: 64, height: 48 });
      for (let index = 0; index < frames; index += 1) {
        const name = `photo-${String(index).padStart(5, '0')}.jpg`;
        writeFileSync(join(images, name), isBad(index) ? 'text' : image);
      }
      const random = createRandom(seed);
      server = await startServer();
      let client = await signIn(server);
      let unread = 0;
      for (let sequence = 0; sequence < sequences; sequence += 1) {
        const steps = planOf(random);
        let other: Opened | null = null;
        const task = await open(client, images);
        for (const step of steps) {
          const { frames: now } = await client.good<DataMeta>('GET', `/api/limner/jobs/${task.job}/frames`);
          if (now?.some(({ limner_state }) => limner_state === 'unread')) unread += 1;
          if (step.do === 'annotate') await annotate(client, task, step.frame);
          if (step.do === 'delete') await remove(client, task, step.frame);
          if (step.do === 'look') await look(client, task, step.frame);
          if (step.do === 'export') await client.startExport('tasks', task.id, 'COCO 1.0').catch(alreadyRuns);
          if (step.do === 'wait') await sleep(random() * 100);
          if (step.do === 'removeOther') {
            other = await open(client, images);
            await client.good('DELETE', `/api/tasks/${other.id}`);
          }
          if (step.do === 'kill') {
            await server.kill9();
            server = await server.restart();
            client = client.at(server.url);
          }
        }
        const before = await open(client, images);
        await client.finished(await requestOf(client, before.id));
        for (const step of steps) {
          if (step.do === 'annotate') await annotate(client, before, step.frame);
          if (step.do === 'delete') await remove(client, before, step.frame);
        }
        await settled(client, task.id);
        expect(await stateOf(client, task), `sequence ${sequence}, seed ${seed}`).toEqual(
          await stateOf(client, before),
        );
        expect(storeProblems(server.dataDir), `sequence ${sequence}, seed ${seed}`).toEqual([]);
        for (const { id } of [task, before]) await client.good('DELETE', `/api/tasks/${id}`);
      }
      expect(unread, 'steps that ran while images were read').toBeGreaterThan(0);
      console.log(`${sequences} sequences, seed ${seed}: ${unread} steps ran while images were read`);
    },
  );
});

function planOf(random: () => number): Step[] {
  const any = (): number => Math.floor(random() * frames);
  const image = (): number => {
    const frame = any();
    return isBad(frame) ? frame - 1 : frame;
  };
  return Array.from({ length: 3 + Math.floor(random() * 6) }, (): Step => {
    const choice = Math.floor(random() * 8);
    if (choice < 2) return { do: 'annotate', frame: image() };
    if (choice === 2) return { do: 'delete', frame: image() };
    if (choice === 3) return { do: 'look', frame: any() };
    return { do: (['kill', 'export', 'removeOther', 'wait'] as const)[choice - 4] ?? 'wait' };
  });
}

async function look(client: TestClient, { job }: Opened, frame: number): Promise<void> {
  const { status } = await client.call('GET', `/api/jobs/${job}/data?type=frame&quality=original&number=${frame}`);
  expect(status).toBe(isBad(frame) ? 400 : 200);
}

function alreadyRuns(error: unknown): void {
  if (!(error instanceof ApiError) || error.status !== 409) throw error;
}

async function requestOf(client: TestClient, taskId: number): Promise<string> {
  const { results } = await client.good<{ results: { id: string; operation: { type: string } }[] }>(
    'GET',
    '/api/requests',
    { query: { task_id: taskId } },
  );
  return results.find(({ operation }) => operation.type === 'create:task')?.id ?? '';
}

/** Waits for all requests of a task. */
async function settled(client: TestClient, taskId: number): Promise<void> {
  const { results } = await client.good<{ results: { id: string }[] }>('GET', '/api/requests', {
    query: { task_id: taskId },
  });
  for (const { id } of results) expect((await client.ended(id)).message).not.toContain('Cannot');
}
