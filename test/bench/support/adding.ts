import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { signIn, type TestClient } from '../../support/client.ts';
import { makeImage, makeImages } from '../../support/images.ts';
import { startServer } from '../../support/server.ts';
import { cpuMsOf, peakBytesOf, resetPeak, untilAtRest } from './growth/service-process.ts';
import type { BenchOptions } from './options.ts';
import { asRatio, figure, inMegabytes, inSeconds, median } from './statistics.ts';
import { printNote, printTable } from './table.ts';
import { withWorkspace } from './workspace.ts';

const defaultRounds = 3;
const existing = 100_000;
const added = 10_000;
/** Number of different file contents; the other files repeat them. */
const contents = 50;
/** Jobs of the task, so that the number of its jobs counts, too. */
const segmentSize = 500;
const concurrency = 8;

interface Cost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Peak memory above that before the request. */
  readonly peakBytes: number;
}

/**
 * Adds images to a large task and creates a task of the same images, in turns. Both use the images in place, as
 * `limner add` and `limner create-task` do. Each runs in a new process, because a peak depends on what ran before.
 */
export async function benchAdding({ scale, rounds, entry }: BenchOptions): Promise<void> {
  const before = Math.max(100, Math.round(existing * scale));
  const count = Math.max(10, Math.round(added * scale));
  await withWorkspace(async (folder) => {
    const tiny = await makeImage({ width: 32, height: 24 });
    const old = await writeFolder(join(folder, 'old'), before, [tiny]);
    const photos = (await makeImages(contents, { width: 640, height: 480 })).map(({ bytes }) => bytes);
    const dataDir = join(folder, 'data');
    const inService = async <Result>(work: (client: TestClient, pid: number) => Promise<Result>): Promise<Result> => {
      const server = await startServer({ dataDir, entry });
      try {
        return await work(await signIn(server), server.pid);
      } finally {
        await server.stop();
      }
    };
    const large = await inService((client) => createTask(client, old));
    const fresh: Cost[] = [];
    const grown: Cost[] = [];
    for (let round = 0; round < (rounds ?? defaultRounds); round += 1) {
      const photosOfRound = await writeFolder(join(folder, `new-${round}`), count, photos, `round-${round}-`);
      fresh.push(await inService((client, pid) => costOf(pid, () => createTask(client, photosOfRound))));
      grown.push(await inService((client, pid) => costOf(pid, () => addImages(client, large, photosOfRound))));
    }
    const total = (await inService((client) => client.task(large))).size;
    printCosts(`${figure(count)} images, in place`, count, { fresh, grown, before });
    printNote(
      `The large task had ${figure(before)} images before the first round, and ${figure(total ?? 0)} at the end.`,
    );
    printNote(`Ratio: cost of an image added to the large task, divided by its cost in a new task.`);
  });
}

function printCosts(
  title: string,
  count: number,
  {
    fresh,
    grown,
    before,
  }: { readonly fresh: readonly Cost[]; readonly grown: readonly Cost[]; readonly before: number },
): void {
  const medianOf = (costs: readonly Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]));
  const row = (name: string, key: keyof Cost, unit: (value: number) => string, perImage: (value: number) => string) => [
    name,
    unit(medianOf(fresh, key)),
    perImage(medianOf(fresh, key) / count),
    unit(medianOf(grown, key)),
    perImage(medianOf(grown, key) / count),
    asRatio(medianOf(grown, key), medianOf(fresh, key)),
  ];
  const inMicroseconds = (milliseconds: number) => `${figure(milliseconds * 1000)} µs`;
  const inKilobytes = (bytes: number) => `${figure(bytes / 1000)} kB`;
  printTable(
    title,
    ['', 'new task', 'per image', `added to ${figure(before)}`, 'per image', 'ratio'],
    [
      row('CPU time', 'cpuMs', inSeconds, inMicroseconds),
      row('wall time', 'wallMs', inSeconds, inMicroseconds),
      row('peak memory above rest', 'peakBytes', inMegabytes, inKilobytes),
    ],
  );
}

async function costOf(pid: number, work: () => Promise<unknown>): Promise<Cost> {
  await untilAtRest(pid);
  const rest = await resetPeak(pid);
  const cpu = await cpuMsOf(pid);
  const started = performance.now();
  await work();
  const wallMs = performance.now() - started;
  await untilAtRest(pid);
  return { wallMs, cpuMs: (await cpuMsOf(pid)) - cpu, peakBytes: (await peakBytesOf(pid)) - rest };
}

async function createTask(client: TestClient, folder: string): Promise<number> {
  const { id } = await client.createTask({ labels: [{ name: 'thing' }], segment_size: segmentSize });
  await client.finished(await client.useServerFiles(id, [folder]));
  return id;
}

async function addImages(client: TestClient, id: number, folder: string): Promise<void> {
  const { rq_id: requestId } = await client.good<{ rq_id: string }>('POST', `/api/limner/tasks/${id}/images/`, {
    json: { server_files: [folder] },
  });
  await client.finished(requestId);
}

async function writeFolder(folder: string, count: number, files: readonly Buffer[], prefix = ''): Promise<string> {
  await mkdir(folder);
  const numbers = Array.from({ length: count }, (_, index) => index).values();
  const lane = async () => {
    for (const index of numbers) {
      const name = `${prefix}${String(index).padStart(6, '0')}.jpg`;
      await writeFile(join(folder, name), files[index % files.length] ?? '');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return folder;
}
