import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn, type TestClient } from '../support/client.ts';
import { imageForm, makeImages, type NamedImage } from '../support/images.ts';
import { startServer, type RunningServer } from '../support/server.ts';
import { benchAdding } from './support/adding.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, figure, inMegabytes, inSeconds, median } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 3;
const photos = 10_000;
const batchFiles = 200;
/** Number of different file contents; the other files repeat them. */
const contents = 50;
const concurrency = 8;

const parts: Readonly<Record<string, (options: BenchOptions) => Promise<void>>> = { upload, add: benchAdding };

export async function bench(options: BenchOptions): Promise<void> {
  if (options.part !== null && !Object.hasOwn(parts, options.part)) {
    throw new Error(`There is no part "${options.part}": ${Object.keys(parts).join(', ')}.`);
  }
  for (const [name, run] of Object.entries(parts))
    if (options.part === null || options.part === name) await run(options);
}

/**
 * Creates a task of many small photos. Measures from the first byte of the upload to its end; compares with plainly
 * written files.
 */
async function upload({ scale, rounds, entry }: BenchOptions): Promise<void> {
  const count = Math.max(batchFiles, Math.round(photos * scale));
  const made = await makeImages(contents, { width: 640, height: 480 });
  const images = Array.from({ length: count }, (_, index): NamedImage => {
    const { bytes } = made[index % contents] ?? { bytes: Buffer.alloc(0) };
    return { name: `photo-${String(index).padStart(6, '0')}.jpg`, bytes };
  });
  await withWorkspace(async (folder) => {
    const plain: number[] = [];
    const synced: number[] = [];
    const uploads: number[] = [];
    const tasks: number[] = [];
    const peaks: number[] = [];
    for (let round = 0; round < (rounds ?? defaultRounds); round += 1) {
      plain.push(await writeFiles(join(folder, 'plain'), images, false));
      synced.push(await writeFiles(join(folder, 'synced'), images, true));
      const dataDir = join(folder, 'data');
      await mkdir(dataDir);
      const server = await startServer({ dataDir, entry });
      try {
        const { uploadMs, taskMs, peakBytes } = await makeTask(server, images);
        uploads.push(uploadMs);
        tasks.push(taskMs);
        if (peakBytes !== null) peaks.push(peakBytes);
      } finally {
        await server.stop();
      }
      await rm(dataDir, { recursive: true });
    }
    const bare = median(plain);
    const row = (name: string, times: readonly number[], peak = '–') => [
      name,
      inSeconds(median(times)),
      inSeconds(Math.min(...times)),
      `${figure((count * 1000) / median(times))} /s`,
      asRatio(median(times), bare),
      peak,
    ];
    printTable(
      `A task of ${count.toLocaleString('en')} photos of ${figure(images[0]?.bytes.length ?? 0)} bytes`,
      ['', 'median', 'best', 'photos', 'ratio', 'peak memory'],
      [
        row('anchor: written plainly', plain),
        row('anchor: written and synced', synced),
        row('uploaded', uploads),
        row('uploaded and made a task', tasks, peaks.length > 0 ? inMegabytes(median(peaks)) : '–'),
      ],
    );
    printNote('What the server answers is on the disk: compare it with the files that are synced.');
  });
}

async function writeFiles(folder: string, images: readonly NamedImage[], withSync: boolean): Promise<number> {
  await mkdir(folder);
  const started = performance.now();
  await eachOf(images, ({ name, bytes }) => writeFile(join(folder, name), bytes));
  if (withSync) {
    await eachOf(images, ({ name }) => sync(join(folder, name)));
    await sync(folder);
  }
  const milliseconds = performance.now() - started;
  await rm(folder, { recursive: true });
  return milliseconds;
}

async function eachOf<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = items.values();
  const lane = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function makeTask(server: RunningServer, images: readonly NamedImage[]) {
  const client: TestClient = await signIn(server);
  const { id } = await client.createTask({ labels: [{ name: 'thing' }] });
  const path = `/api/tasks/${id}/data/`;
  const started = performance.now();
  await client.good('POST', path, { headers: { 'Upload-Start': '' } });
  for (let start = 0; start < images.length; start += batchFiles) {
    const form = imageForm(images.slice(start, start + batchFiles));
    await client.good('POST', path, { headers: { 'Upload-Multiple': '' }, body: form });
  }
  const uploadMs = performance.now() - started;
  const { rq_id: requestId } = await client.good<{ rq_id: string }>('POST', path, {
    headers: { 'Upload-Finish': '' },
    json: { image_quality: 70 },
  });
  await client.finished(requestId);
  return { uploadMs, taskMs: performance.now() - started, peakBytes: await server.peakMemoryBytes() };
}
