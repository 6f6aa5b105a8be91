import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import type { LabeledDataInput } from '../../preload/contract/schema/annotations.ts';
import { openWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { createClient } from '../support/client.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { trackTools, type TrackTools } from './support/tracks-page.ts';
import { withWorkspace } from './support/workspace.ts';

const stepsOfRound = 30;
const editsOfRound = 8;
const paintsOfGesture = 90;

interface Opened {
  readonly name: string;
  readonly path: string;
}

function makeVideo(folder: string, frames: number): string {
  const file = join(folder, 'long.mp4');
  const codec = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '50', '-frames:v'];
  const source = ['-f', 'lavfi', '-i', 'testsrc=size=320x240:rate=25'];
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...source, ...codec, String(frames), file]);
  return file;
}

type TrackInput = NonNullable<LabeledDataInput['tracks']>[number];

/** A box that moves from keyframe to keyframe, beginning at `from`. It stays where it has `life` frames behind it. */
function wanderer(label_id: number, index: number, from: number, life: number, keyframes: number): TrackInput {
  const every = Math.max(1, Math.floor(life / keyframes));
  const shapes = Array.from({ length: keyframes }, (_, place) => {
    const [x, y] = [(index * 7 + place * 13) % 280, (index * 11 + place * 5) % 200];
    return { frame: from + place * every, type: 'rectangle' as const, points: [x, y, x + 24, y + 24] };
  });
  const last = shapes.at(-1)!;
  return { label_id, frame: from, shapes: [...shapes, { ...last, frame: from + life, outside: true }] };
}

/** Creates a task of the same video, with tracks. */
async function bringIn(workbench: Workbench, file: string, name: string, tracksOf: (label: number) => TrackInput[]) {
  const client = createClient(workbench.server.url, workbench.server.authorization);
  const { id: task } = await client.createTask({ name, labels: [{ name: 'thing' }] });
  await client.finished(await client.useServerFiles(task, [file]));
  const [job = 0] = await workbench.service.jobsOf(task);
  const [label] = await client.labels(task);
  const tracks = tracksOf(label!.id);
  for (let at = 0; at < tracks.length; at += 500)
    await client.changeAnnotations('jobs', job, 'create', { tracks: tracks.slice(at, at + 500) });
  return { name, path: `/tasks/${task}/jobs/${job}` };
}

const inPage = <Name extends keyof TrackTools>(page: Page, name: Name, ...given: Parameters<TrackTools[Name]>) =>
  page.evaluate(
    // `trackTools` put exactly these tools into the page.
    ([tool, values]) => (window.trackTools[tool] as (...all: unknown[]) => unknown)(...values),
    [name, given] as const,
  ) as Promise<Awaited<ReturnType<TrackTools[Name]>>>;

async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

interface Figures {
  readonly opened: number[];
  readonly steps: number[];
  readonly stepWork: number[];
  readonly edits: number[];
  readonly editWork: number[];
  readonly saves: number[];
}

const emptyFigures = (): Figures => ({ opened: [], steps: [], stepWork: [], edits: [], editWork: [], saves: [] });

async function open(page: Page, path: string): Promise<number> {
  const since = performance.now();
  await page.goto(path);
  await page.evaluate(trackTools);
  await inPage(page, 'until', 0);
  await page.getByTestId('timeline-name').first().waitFor();
  return performance.now() - since;
}

async function measure(page: Page, session: CDPSession, { path }: Opened, figures: Figures, from: number) {
  figures.opened.push(await open(page, path));
  await inPage(page, 'goTo', from);
  await inPage(page, 'steps', 5);
  let before = await workOf(session);
  figures.steps.push(...(await inPage(page, 'steps', stepsOfRound)));
  figures.stepWork.push(((await workOf(session)) - before) / stepsOfRound);
  await page.getByTestId('timeline-name').first().click();
  for (let turn = 0; turn < editsOfRound; turn += 1) {
    await inPage(page, 'steps', 1);
    before = await workOf(session);
    const { painted, saved } = await inPage(page, 'edit');
    figures.edits.push(painted);
    figures.saves.push(saved);
    figures.editWork.push((await workOf(session)) - before);
  }
}

/** Gaps between two paints while the timeline scrolls. */
async function fluency(page: Page, { name, path }: Opened): Promise<string[][]> {
  await open(page, path);
  const rows: string[][] = [];
  for (const gesture of ['rest', 'scroll', 'zoom', 'scrub'] as const) {
    const gaps = await inPage(page, 'gaps', gesture, paintsOfGesture);
    rows.push([`${name}: ${gesture}`, ...[0.5, 0.95, 1].map((share) => inMilliseconds(percentile(gaps, share)))]);
  }
  return rows;
}

/** Opens a long video with tracks in the window, and compares with the same video with a single one. Prints tables. */
export async function bench({ scale, rounds }: BenchOptions): Promise<void> {
  const frames = Math.max(1000, Math.round(10_000 * scale));
  await withWorkspace(async (folder) => {
    const file = makeVideo(folder, frames);
    await using workbench = await openWorkbench({ width: 1280, height: 800 }, { LIMNER_SHARE: folder });
    const { page, context } = workbench;
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable');
    const whole = frames - 1;
    const bring = (name: string, count: number, life: number, keyframes: number) =>
      bringIn(workbench, file, name, (label) =>
        Array.from({ length: count }, (_, index) =>
          // The edited track is the first one. It is on every frame.
          index === 0
            ? wanderer(label, index, 0, whole, 100)
            : wanderer(label, index, (index * 37) % (frames - life), life, keyframes),
        ),
      );
    const empty = await bring('1 track', 1, whole, 100);
    const full = await bring('500 tracks, all on every frame', 500, whole, 100);
    const many = await bring('10,000 tracks, 500 on a frame', 10_000, Math.floor(frames / 20), 4);
    const jobs = [empty, full, many];
    const found = new Map(jobs.map((job) => [job, emptyFigures()]));
    for (let round = 0; round < (rounds ?? 3); round += 1)
      for (const job of jobs) await measure(page, session, job, found.get(job)!, Math.floor(frames / 3) + round * 100);
    const anchor = found.get(empty)!;
    const row = (name: string, pick: (figures: Figures) => number[]) =>
      jobs.map((job, index) => [
        index === 0 ? name : '',
        job.name,
        inMilliseconds(median(pick(found.get(job)!))),
        inMilliseconds(percentile(pick(found.get(job)!), 0.95)),
        asRatio(median(pick(found.get(job)!)), median(pick(anchor))),
      ]);
    printTable(
      `A video of ${frames} frames in the window, tracks of 100 keyframes`,
      ['', '', 'p50', 'p95', '× 1 track'],
      [
        ...row('one frame on, until painted', ({ steps }) => steps),
        ...row('… work of the page', ({ stepWork }) => stepWork),
        ...row('a keyframe moved, until painted', ({ edits }) => edits),
        ...row('… until saved', ({ saves }) => saves),
        ...row('… work of the page', ({ editWork }) => editWork),
        ...row('the job opened', ({ opened }) => opened),
      ],
    );
    printTable(
      'Paints of the timeline: time from one to the next',
      ['', 'p50', 'p95', 'longest'],
      [...(await fluency(page, full)), ...(await fluency(page, many))],
    );
    printNote('At rest nothing moves: what the machine itself does to the time between two paints.');
  });
}
