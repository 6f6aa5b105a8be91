import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signIn, type TestClient } from '../support/client.ts';
import { makeImages } from '../support/images.ts';
import { startServer } from '../support/server.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inSeconds, median } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 3;
/** Number of different file contents; the other files repeat them. */
const contents = 50;
const sizes = [10_000, 100_000];

interface Opened {
  readonly firstImageMs: number;
  readonly readMs: number;
}

/**
 * Opens a folder in place, from the request that names it to the bytes of the first image and the annotations of its
 * frame. Alternates a folder that is read first with one that opens when it is listed.
 */
export async function bench({ scale, rounds, entry }: BenchOptions): Promise<void> {
  const made = await makeImages(contents, { width: 640, height: 480 });
  for (const size of sizes) {
    const count = Math.round(size * scale);
    await withWorkspace(async (folder) => {
      const images = join(folder, 'images');
      await mkdir(images);
      for (let index = 0; index < count; index += 1) {
        const name = `photo-${String(index).padStart(6, '0')}.jpg`;
        await writeFile(join(images, name), made[index % contents]?.bytes ?? '');
      }
      const bare: number[] = [];
      const first: Opened[] = [];
      const listed: Opened[] = [];
      const server = await startServer({ dataDir: join(folder, 'data'), entry });
      try {
        const client = await signIn(server);
        for (let round = 0; round < (rounds ?? defaultRounds); round += 1) {
          bare.push(await listPlainly(images));
          first.push(await open(client, images, false));
          listed.push(await open(client, images, true));
        }
      } finally {
        await server.stop();
      }
      await rm(images, { recursive: true });
      const anchor = median(bare);
      const row = (name: string, times: readonly number[]) => [
        name,
        inSeconds(median(times)),
        inSeconds(Math.min(...times)),
        asRatio(median(times), anchor),
      ];
      printTable(
        `A folder of ${count.toLocaleString('en')} images`,
        ['', 'median', 'best', 'ratio'],
        [
          row('anchor: listed, first file read', bare),
          row(
            'first image, all files read before',
            first.map(({ firstImageMs }) => firstImageMs),
          ),
          row(
            'first image, listed',
            listed.map(({ firstImageMs }) => firstImageMs),
          ),
          row(
            'all files read, before the first image',
            first.map(({ readMs }) => readMs),
          ),
          row(
            'all files read, after the first image',
            listed.map(({ readMs }) => readMs),
          ),
        ],
      );
    });
  }
  printNote('The window adds the page of the job, which `npm run bench -- peers` measures.');
}

async function listPlainly(folder: string): Promise<number> {
  const started = performance.now();
  const [name = ''] = (await readdir(folder)).sort();
  await readFile(join(folder, name));
  return performance.now() - started;
}

async function open(client: TestClient, folder: string, early: boolean): Promise<Opened> {
  const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
  const started = performance.now();
  const request = await client.useServerFiles(id, [folder], { sorting_method: 'natural', open_early: early });
  const job = await firstJob(client, id);
  await Promise.all([
    client.good('GET', early ? `/api/limner/jobs/${job}/frames` : `/api/jobs/${job}/data/meta`),
    client.good('GET', `/api/jobs/${job}/annotations/`, { query: { frame: 0 } }),
    client.good('GET', `/api/jobs/${job}/data`, { query: { type: 'frame', number: 0, quality: 'original' } }),
  ]);
  const firstImageMs = performance.now() - started;
  await client.finished(request);
  const readMs = performance.now() - started;
  await client.good('DELETE', `/api/tasks/${id}`);
  return { firstImageMs, readMs };
}

async function firstJob(client: TestClient, task: number): Promise<number> {
  for (;;) {
    const { results } = await client.good<{ results: { id: number }[] }>('GET', '/api/jobs', {
      query: { task_id: task },
    });
    const [job] = results;
    if (job) return job.id;
    await sleep(20);
  }
}
