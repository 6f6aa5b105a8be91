import { execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createService } from '../e2e/support/service.ts';
import { openWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { createClient } from '../support/client.ts';
import { projectRoot } from '../support/node-executable.ts';
import { createRandom } from '../support/random.ts';
import type { BenchOptions } from './support/options.ts';
import { memoryByRole } from './support/side-by-side/processes.ts';
import { asRatio, figure, inMegabytes, inMilliseconds, inSeconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { anchorTools, inPage, jobTools, type Held } from './support/video-tools.ts';
import { withWorkspace } from './support/workspace.ts';

const rate = 30;
const clipSeconds = 25;
const seekCount = 40;
/** Long enough for all read-ahead of the last shown frame to finish. */
const restMs = 900;
const heldFrames = 100;
const freshSeeks = 8;
const freshFrames = 45;
const playedSeconds = 8;
const apiFrames = 100;
/** Not measured: they start a decoder. */
const apiFirst = 30;

interface Opened {
  readonly workbench: Workbench;
  readonly file: string;
  readonly seconds: number;
  readonly task: number;
  readonly job: number;
  readonly page: Page;
  /** An empty page with the same file in a `<video>` element. */
  readonly anchor: Page;
  /** Random frame numbers, the same in each run. */
  readonly places: (count: number) => number[];
  readonly rounds: number;
}

const parts: Readonly<Record<string, (opened: Opened) => Promise<void>>> = {
  play: benchPlay,
  seek: benchSeeks,
  step: benchSteps,
  api: benchApi,
};

/** Plays a 1080p video of ten minutes in the window, and compares with the browser's own player. Prints tables. */
export async function bench({ scale, part, rounds }: BenchOptions): Promise<void> {
  if (part !== null && !Object.hasOwn(parts, part)) {
    throw new Error(`There is no part "${part}": ${Object.keys(parts).join(', ')}.`);
  }
  const seconds = Math.max(2, Math.round((600 * scale) / clipSeconds)) * clipSeconds;
  await withWorkspace(async (folder) => {
    const file = makeVideo(folder, seconds);
    await using workbench = await openWorkbench({ width: 1280, height: 800 }, { LIMNER_SHARE: folder });
    const { task, job } = await bringIn(workbench, file, seconds);
    const anchor = await workbench.context.newPage();
    const random = createRandom(7);
    const places = (count: number): number[] =>
      Array.from({ length: count }, () => Math.floor(random() * (seconds * rate - 300)) + 100);
    const { page } = workbench;
    const opened = { workbench, file, seconds, task, job, page, anchor, places, rounds: rounds ?? 3 };
    for (const [name, run] of Object.entries(parts)) {
      if (part !== null && part !== name) continue;
      await page.goto('/tasks');
      await anchor.goto('/api/server/about');
      await run(opened);
    }
  });
}

const run = (...given: string[]): void => void execFileSync('ffmpeg', ['-v', 'error', '-y', ...given]);

/** A clip of moving noise with the defaults of x264. Kept, because encoding takes longer than the measurements. */
function keptClip(): string {
  const clip = join(projectRoot, '.cache', 'bench-clip.mp4');
  if (existsSync(clip)) return clip;
  const source = `testsrc2=size=1920x1080:rate=${rate}:duration=${clipSeconds},noise=alls=6:allf=t+u`;
  const codec = ['-c:v', 'libx264', '-preset', 'faster', '-pix_fmt', 'yuv420p', '-g', '250', '-bf', '3', '-b:v', '5M'];
  const part = join(projectRoot, '.cache', `bench-clip-${process.pid}.mp4`);
  run('-f', 'lavfi', '-i', source, ...codec, part);
  renameSync(part, clip);
  return clip;
}

/** The clip, repeated without encoding again. */
function makeVideo(folder: string, seconds: number): string {
  const file = join(folder, 'video.mp4');
  run('-stream_loop', String(Math.ceil(seconds / clipSeconds) - 1), '-i', keptClip(), '-c', 'copy', file);
  return file;
}

async function bringIn({ server }: Workbench, file: string, seconds: number): Promise<{ task: number; job: number }> {
  const client = createClient(server.url, server.authorization);
  const { id: task } = await client.createTask({ name: 'bench', labels: [{ name: 'thing' }] });
  const since = performance.now();
  await client.finished(await client.useServerFiles(task, [file]));
  const took = performance.now() - since;
  const [job] = await createService(server).jobsOf(task);
  printTable(
    `A 1080p video of ${seconds} s at ${rate} frames a second`,
    ['', 'time', 'of its length'],
    [['brought in, in place', inSeconds(took), asRatio(took / 1000, seconds)]],
  );
  return { task, job: job ?? 0 };
}

async function openJob({ page, task, job }: Opened): Promise<void> {
  await page.goto(`/tasks/${task}/jobs/${job}`);
  await page.evaluate(jobTools);
  await inPage(page, 'until', 0, 0);
}

async function openAnchor({ anchor, job }: Opened): Promise<void> {
  await anchor.evaluate(anchorTools);
  await inPage(anchor, 'open', `/api/limner/jobs/${job}/video`);
}

/** Proportional set size of the service and of Chromium. */
const memory = (): number => [...memoryByRole().values()].reduce((sum, one) => sum + one, 0);

/** Plays in turns, from the same frames, so that other load of the machine affects both. */
async function benchPlay(opened: Opened): Promise<void> {
  const { page, anchor, rounds } = opened;
  const before = memory();
  const anchorCounts: number[] = [];
  const counts: number[] = [];
  let anchorMemory = 0;
  let ownMemory = 0;
  for (const place of opened.places(rounds)) {
    const from = Math.max(0, place - playedSeconds * rate);
    if (anchorCounts.length === 0) await openAnchor(opened);
    await inPage(anchor, 'seek', (from + 0.5) / rate);
    await anchor.waitForTimeout(restMs);
    anchorCounts.push(await inPage(anchor, 'play', playedSeconds));
    anchorMemory ||= memory() - before;
    const alone = memory();
    if (counts.length === 0) await openJob(opened);
    await inPage(page, 'goTo', from);
    await page.waitForTimeout(restMs);
    counts.push(await inPage(page, 'play', playedSeconds));
    ownMemory ||= memory() - alone;
  }
  const row = (name: string, values: readonly number[], bytes: number) => [
    name,
    String(median(values)),
    String(Math.min(...values)),
    asRatio(median(values), median(anchorCounts)),
    inMegabytes(bytes),
  ];
  printTable(
    `Played for ${playedSeconds} s (${playedSeconds * rate} frames), ${rounds} rounds`,
    ['', 'frames shown', 'fewest', '× <video>', 'memory'],
    [row('<video>', anchorCounts, anchorMemory), row('Limner', counts, ownMemory)],
  );
  printNote('Memory (PSS) after the first round, above that before the page was opened.');
}

async function benchSeeks(opened: Opened): Promise<void> {
  const { page, anchor } = opened;
  await openJob(opened);
  await openAnchor(opened);
  const seeks: number[] = [];
  const anchorSeeks: number[] = [];
  for (const [index, place] of opened.places(seekCount).entries()) {
    const both = [
      async () => seeks.push(await inPage(page, 'goTo', place)),
      async () => anchorSeeks.push(await inPage(anchor, 'seek', (place + 0.5) / rate)),
    ];
    for (const seek of index % 2 === 0 ? both : both.toReversed()) {
      await page.waitForTimeout(restMs);
      await seek();
    }
  }
  const row = (name: string, values: readonly number[]) => [
    name,
    ...[0.5, 0.95].map((share) => inMilliseconds(percentile(values, share))),
    ...[0.5, 0.95].map((share) => asRatio(percentile(values, share), percentile(anchorSeeks, share))),
  ];
  printTable(
    `${seekCount} random seeks`,
    ['', 'p50', 'p95', '× <video> p50', 'p95'],
    [row('<video>', anchorSeeks), row('Limner', seeks)],
  );
}

async function benchSteps(opened: Opened): Promise<void> {
  const { page, anchor } = opened;
  await openJob(opened);
  await openAnchor(opened);
  await inPage(page, 'goTo', 300);
  const ahead = await numbersOf(60, () => inPage(page, 'step', 1));
  const back = await numbersOf(60, () => inPage(page, 'step', -1));
  printTable(
    'A step',
    ['', 'p50', 'p95'],
    [
      ['one frame ahead', ahead],
      ['one frame back', back],
    ].map(([name, values]) => [
      String(name),
      ...[0.5, 0.95].map((share) => inMilliseconds(percentile(values as number[], share))),
    ]),
  );
  const held = [
    [`F held for ${heldFrames} frames`, await inPage<Held>(page, 'hold', 'KeyF', heldFrames)],
    [`D held for ${heldFrames} frames`, await inPage<Held>(page, 'hold', 'KeyD', heldFrames)],
  ] as const;
  printTable(
    'A key held',
    ['', 'frames shown', 'longest gap', 'last one after'],
    held.map(([name, { pictures, gap, end }]) => [name, String(pictures), inMilliseconds(gap), inMilliseconds(end)]),
  );
  const anchorSeeks: number[] = [];
  const fresh = new Map<string, Held[]>([
    ['KeyF', []],
    ['KeyD', []],
  ]);
  for (const place of opened.places(freshSeeks)) {
    for (const [code, rows] of fresh) {
      await page.waitForTimeout(restMs);
      anchorSeeks.push(await inPage(anchor, 'seek', (place + 0.5) / rate));
      await inPage(page, 'goTo', place);
      rows.push(await inPage<Held>(page, 'hold', code, freshFrames));
    }
  }
  const gaps = (rows: readonly Held[]) => rows.map(({ gap }) => gap);
  printTable(
    `A key held for ${freshFrames} frames right after each of ${freshSeeks} seeks`,
    ['', 'frames shown', 'longest gap, median', 'longest', '× <video> seek p50', 'last one after'],
    [
      ['<video>, one seek', '', inMilliseconds(median(anchorSeeks)), inMilliseconds(Math.max(...anchorSeeks)), '', ''],
      ...[...fresh].map(([code, rows]) => [
        `${code.slice(3)} held`,
        figure(median(rows.map(({ pictures }) => pictures))),
        inMilliseconds(median(gaps(rows))),
        inMilliseconds(Math.max(...gaps(rows))),
        asRatio(median(gaps(rows)), median(anchorSeeks)),
        inMilliseconds(Math.max(...rows.map(({ end }) => end))),
      ]),
    ],
  );
}

/** Frames in order over the API, beside ffmpeg, which decodes and encodes the same frames. */
async function benchApi({ workbench: { server }, job, file, places, rounds }: Opened): Promise<void> {
  const client = createClient(server.url, server.authorization);
  const get = async (query: string): Promise<number> => {
    const since = performance.now();
    await client.bytes(`/api/jobs/${job}/data?${query}&quality=compressed`);
    return performance.now() - since;
  };
  const own: number[] = [];
  const bare: number[] = [];
  const chunks: number[] = [];
  for (const place of places(rounds)) {
    const since = performance.now();
    const seek = ['-ss', String((place - apiFirst) / rate)];
    const frames = ['-frames:v', String(apiFrames + apiFirst), '-c:v', 'mjpeg', '-q:v', '3', '-f', 'null', '-'];
    execFileSync('ffmpeg', ['-v', 'error', ...seek, '-i', file, ...frames]);
    bare.push((performance.now() - since) / (apiFrames + apiFirst));
    const all = await numbersOf(apiFirst + apiFrames, (index) => get(`type=frame&number=${place - apiFirst + index}`));
    own.push(...all.slice(apiFirst));
    chunks.push(await get(`type=chunk&number=${Math.floor(place / 36)}`));
  }
  const mean = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;
  printTable(
    `${apiFrames} frames in order over the API, ${rounds} rounds`,
    ['', 'mean', 'p95', '× ffmpeg', 'peak memory of the service'],
    [
      ['ffmpeg to JPEG, with its start', inMilliseconds(mean(bare)), '', '', ''],
      [
        'Limner, each frame',
        inMilliseconds(mean(own)),
        inMilliseconds(percentile(own, 0.95)),
        asRatio(mean(own), mean(bare)),
        inMegabytes(await server.peakMemoryBytes()),
      ],
      [
        'Limner, a chunk of 36, for each frame',
        inMilliseconds(mean(chunks) / 36),
        '',
        asRatio(mean(chunks) / 36, mean(bare)),
        '',
      ],
    ],
  );
}

async function numbersOf(count: number, next: (index: number) => Promise<number>): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push(await next(index));
  return found;
}
