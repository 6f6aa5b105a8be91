import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from 'playwright-core';
import { signIn, type TestClient } from '../support/client.ts';
import { prepareElectron22 } from '../support/electron-22/prepare.ts';
import { ownerPassword, startServer } from '../support/server.ts';
import { makeFrameFolder } from '../support/tiny-frames.ts';
import { prepareCoco, type CocoWorkspace } from './support/coco-workspace.ts';
import {
  delaysOf,
  delaysOfElectron,
  measurable,
  startIdleProcess,
  type MeasureDelays,
} from './support/delays/measure.ts';
import { trainSize } from './support/generate-coco.ts';
import type { BenchOptions } from './support/options.ts';
import { inMilliseconds } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const defaultRounds = 3;
const photos = 10_000;
const photoSize = { width: 1600, height: 1200 };

interface Work {
  readonly name: string;
  readonly run: (client: TestClient) => Promise<unknown>;
}

/**
 * Delays of the thread that also handles the window, while the service of the same process works, beside a process that
 * only waits, and beside the main process of Electron 22 whose service is a child process (needs a display).
 */
export async function bench(options: BenchOptions): Promise<void> {
  const { scale } = options;
  const size = {
    images: Math.max(1, Math.round(trainSize.images * scale)),
    annotations: Math.round(trainSize.annotations * scale),
  };
  await withWorkspace(async (folder) => {
    const workspace = await prepareCoco(folder, size, options);
    const images = join(folder, 'photos');
    const count = Math.max(1, Math.round(photos * scale));
    await makeFrameFolder(images, count, (index) => `photo-${index}.jpg`, photoSize);
    const works = worksOf(workspace, images, size.annotations, count);
    const rows: string[][] = [];
    for (let round = 0; round < (options.rounds ?? defaultRounds); round += 1) {
      for (const work of works) rows.push(...(await inNode(folder, workspace, work, options)));
      if (process.env['DISPLAY']) for (const work of works) rows.push(...(await inElectron(folder, workspace, work)));
    }
    printTable('Delays of the event loop', ['', '99th percentile', 'longest'], rows.toSorted(byName));
    printNote('The delays contain the resolution of the measurement, 1 ms.');
    if (!process.env['DISPLAY']) printNote('Electron was not measured, because there is no display.');
  });
}

const byName = ([a = '']: readonly string[], [b = '']: readonly string[]): number => a.localeCompare(b);

const worksOf = (workspace: CocoWorkspace, images: string, annotations: number, count: number): readonly Work[] => [
  {
    name: `import of ${annotations.toLocaleString('en')} annotations`,
    async run(client) {
      const upload = await client.uploadForImport('tasks', workspace.taskId, 'COCO 1.0', { path: workspace.file });
      await client.finished(await client.finishImport(upload), 100);
    },
  },
  {
    name: `preparation of ${count.toLocaleString('en')} photos`,
    async run(client) {
      const { id } = await client.createTask({ name: 'photos', labels: [{ name: 'thing' }] });
      await client.finished(await client.useServerFiles(id, [images]), 100);
    },
  },
];

async function inNode(
  folder: string,
  workspace: CocoWorkspace,
  { name, run }: Work,
  { entry }: BenchOptions,
): Promise<string[][]> {
  const file = join(folder, 'delays.json');
  const dataDir = await workspace.copyDataDir(`node-${performance.now()}`);
  await using server = await startServer({ dataDir, entry, ...measurable(file) });
  const client = await signIn(server);
  const idle = await startIdleProcess(join(folder, 'idle.json'));
  try {
    const measures = [delaysOf(server.pid, file), idle.measure];
    const found = await during(measures, () => run(client));
    return [row(`${name}: with the service`, found[0]), row(`${name}: process that only waits`, found[1])];
  } finally {
    idle.stop();
  }
}

async function inElectron(folder: string, workspace: CocoWorkspace, { name, run }: Work): Promise<string[][]> {
  const { executable, env } = await prepareElectron22();
  const dataDir = await workspace.copyDataDir(`electron-${performance.now()}`);
  const user = join(folder, `user-${performance.now()}`);
  mkdirSync(user);
  const electron = await _electron.launch({
    executablePath: executable,
    args: [`--user-data-dir=${user}`, '--data-dir', dataDir, '--port', '0'],
    env: { ...(process.env as Record<string, string>), ...env },
  });
  try {
    const page = await electron.firstWindow();
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\//);
    await page.getByRole('navigation').first().waitFor();
    const client = await signIn({ url: new URL(page.url()).origin, user: 'admin', password: ownerPassword });
    const [delays] = await during([delaysOfElectron(electron)], () => run(client));
    return [row(`${name}: Electron 22, service in a child process`, delays)];
  } finally {
    await electron.close();
  }
}

async function during(measures: readonly MeasureDelays[], run: () => Promise<unknown>) {
  const ends = await Promise.all(measures.map((measure) => measure()));
  await run();
  return Promise.all(ends.map((end) => end()));
}

const row = (name: string, delays: { readonly p99Ms: number; readonly maxMs: number } | undefined): string[] => [
  name,
  inMilliseconds(delays?.p99Ms ?? NaN),
  inMilliseconds(delays?.maxMs ?? NaN),
];
