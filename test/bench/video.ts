import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createService } from '../e2e/support/service.ts';
import { openWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { createClient } from '../support/client.ts';
import { createRandom } from '../support/random.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMilliseconds, inSeconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const rate = 30;
const clipSeconds = 25;
const seekCount = 40;
/** Long enough for all read-ahead of the last shown frame to finish. */
const restMs = 900;
const heldFrames = 100;

/** A clip of moving noise with the defaults of x264, repeated without encoding again. */
function makeVideo(folder: string, seconds: number): string {
  const [clip, file] = [join(folder, 'clip.mp4'), join(folder, 'video.mp4')];
  const source = `testsrc2=size=1920x1080:rate=${rate}:duration=${clipSeconds},noise=alls=6:allf=t+u`;
  const codec = ['-c:v', 'libx264', '-preset', 'faster', '-pix_fmt', 'yuv420p', '-g', '250', '-bf', '3', '-b:v', '5M'];
  const run = (...given: string[]): void => void execFileSync('ffmpeg', ['-v', 'error', '-y', ...given]);
  run('-f', 'lavfi', '-i', source, ...codec, clip);
  run('-stream_loop', String(Math.ceil(seconds / clipSeconds) - 1), '-i', clip, '-c', 'copy', file);
  return file;
}

/** Tools inside the page. They send the events that a user's keys cause. */
function pageTools(): void {
  const mark = (): HTMLElement | null =>
    document.querySelector('[data-testid="frame-shown"]:not([data-picture="loading"])');
  const repaint = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  /** Waits for a change of the page. Polling at each repaint would cost the page time. */
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const seen = new MutationObserver(() => {
        seen.disconnect();
        resolve();
      });
      seen.observe(document.body, { subtree: true, childList: true, attributeFilter: ['data-frame', 'data-picture'] });
    });
  const key = (code: string): void => void window.dispatchEvent(new KeyboardEvent('keydown', { code, key: code }));
  const tools = {
    shown: () => Number(mark()?.dataset['frame'] ?? -1),
    /** Milliseconds until the repaint that shows the frame, comparable with the callback of a `<video>`. */
    async until(frame: number, since: number): Promise<number> {
      while (tools.shown() !== frame) await change();
      const took = performance.now() - since;
      await repaint();
      return took;
    },
    async goTo(frame: number): Promise<number> {
      const input = document.querySelector<HTMLInputElement>('input[aria-label="Frame number"]')!;
      input.focus();
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(input, String(frame));
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await repaint();
      const since = performance.now();
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true }));
      return tools.until(frame, since);
    },
    async step(by: 1 | -1): Promise<number> {
      const frame = tools.shown() + by;
      const since = performance.now();
      key(by > 0 ? 'KeyF' : 'KeyD');
      return tools.until(frame, since);
    },
    /** Holds a key for some frames at a keyboard's repeat rate: frames on the way, the longest gap, and the end. */
    async hold(code: string, presses: number): Promise<{ pictures: number; gap: number; end: number }> {
      const seen: { frame: number; at: number }[] = [{ frame: tools.shown(), at: performance.now() }];
      const over = new AbortController();
      const watch = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const frame = tools.shown();
          if (frame >= 0 && frame !== seen.at(-1)?.frame) seen.push({ frame, at: performance.now() });
          await repaint();
        }
      };
      const watched = watch();
      const last = tools.shown() + (code === 'KeyF' ? presses : -presses);
      for (let press = 0; press < presses; press += 1) {
        key(code);
        await new Promise((resolve) => setTimeout(resolve, 33));
      }
      const end = await tools.until(last, performance.now());
      over.abort();
      await watched;
      const gaps = seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? at));
      return { pictures: seen.length - 1, gap: Math.max(...gaps), end };
    },
    async play(seconds: number): Promise<number> {
      const frames = new Set<number>();
      const until = performance.now() + seconds * 1000;
      window.dispatchEvent(new KeyboardEvent('keydown', { code: 'Space', key: ' ' }));
      window.dispatchEvent(new KeyboardEvent('keyup', { code: 'Space', key: ' ' }));
      while (performance.now() < until) {
        frames.add(tools.shown());
        await repaint();
      }
      window.dispatchEvent(new KeyboardEvent('keydown', { code: 'Space', key: ' ' }));
      window.dispatchEvent(new KeyboardEvent('keyup', { code: 'Space', key: ' ' }));
      frames.delete(-1);
      return frames.size;
    },
    async openAnchor(path: string): Promise<void> {
      const video = document.createElement('video');
      Object.assign(video, { src: path, muted: true, preload: 'auto', id: 'anchor' });
      Object.assign(video.style, { position: 'fixed', inset: '0', width: '960px', zIndex: '9' });
      document.body.append(video);
      await new Promise((resolve) => video.addEventListener('canplaythrough', resolve, { once: true }));
    },
    async seekAnchor(seconds: number): Promise<number> {
      const video = document.querySelector<HTMLVideoElement>('#anchor')!;
      video.hidden = false;
      await repaint();
      const since = performance.now();
      const done = new Promise((resolve) => video.requestVideoFrameCallback(resolve));
      video.currentTime = seconds;
      await done;
      const took = performance.now() - since;
      video.hidden = true;
      return took;
    },
    async playAnchor(seconds: number): Promise<number> {
      const video = document.querySelector<HTMLVideoElement>('#anchor')!;
      video.hidden = false;
      const before = video.getVideoPlaybackQuality();
      await video.play();
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      video.pause();
      const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
      return totalVideoFrames - before.totalVideoFrames - (droppedVideoFrames - before.droppedVideoFrames);
    },
    closeAnchor: () => document.querySelector('#anchor')?.remove(),
  };
  Object.assign(window, { tools });
}

type Tools = Record<string, (...given: readonly unknown[]) => Promise<never>>;
const inPage = <Result>(page: Page, name: string, ...given: readonly unknown[]): Promise<Result> =>
  page.evaluate(
    ([tool, values]) => (window as unknown as { tools: Tools }).tools[tool]!(...values) as Promise<Result>,
    [name, given] as const,
  );

const numbersOf = async (count: number, next: (index: number) => Promise<number>): Promise<number[]> => {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) found.push(await next(index));
  return found;
};

/** Plays a 1080p video of ten minutes in the window, and compares with the browser's own player. Prints tables. */
export async function bench({ scale }: BenchOptions): Promise<void> {
  const seconds = Math.max(2, Math.round((600 * scale) / clipSeconds)) * clipSeconds;
  const frames = seconds * rate;
  await withWorkspace(async (folder) => {
    const file = makeVideo(folder, seconds);
    await using workbench = await openWorkbench({ width: 1280, height: 800 }, { LIMNER_SHARE: folder });
    const { page } = workbench;
    const brought = await bringIn(workbench, file);
    await page.goto(`/tasks/${brought.task}/jobs/${brought.job}`);
    await page.evaluate(pageTools);
    await inPage(page, 'until', 0, 0);
    const random = createRandom(7);
    const places = Array.from({ length: seekCount }, () => Math.floor(random() * (frames - 200)) + 50);
    await inPage(page, 'goTo', 100);
    await inPage(page, 'openAnchor', `/api/limner/jobs/${brought.job}/video`);
    const seeks: number[] = [];
    const anchorSeeks: number[] = [];
    // Alternates, so that other load of the machine affects both.
    for (const [index, place] of places.entries()) {
      const both = [
        async () => seeks.push(await inPage(page, 'goTo', place)),
        async () => anchorSeeks.push(await inPage(page, 'seekAnchor', (place + 0.5) / rate)),
      ];
      for (const seek of index % 2 === 0 ? both : both.toReversed()) {
        await page.waitForTimeout(restMs);
        await seek();
      }
    }
    const anchorPlayed = await inPage<number>(page, 'playAnchor', 8);
    await inPage(page, 'closeAnchor');
    await inPage(page, 'goTo', 300);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const ahead = await numbersOf(60, () => inPage(page, 'step', 1));
    const back = await numbersOf(60, () => inPage(page, 'step', -1));
    const heldAhead = await inPage<Held>(page, 'hold', 'KeyF', heldFrames);
    const heldBack = await inPage<Held>(page, 'hold', 'KeyD', heldFrames);
    await inPage(page, 'goTo', Math.floor(frames / 2));
    await page.waitForTimeout(1000);
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    const heldFresh = await inPage<Held>(page, 'hold', 'KeyD', heldFrames);
    const played = await inPage<number>(page, 'play', 8);
    const both = (values: readonly number[]) => [median(values), percentile(values, 0.95)].map(inMilliseconds);
    printTable(
      `A 1080p video of ${seconds} s at ${rate} frames a second in the window`,
      ['', 'p50', 'p95', '× <video> p50', 'p95'],
      [
        ['<video>, random seek', ...both(anchorSeeks), '', ''],
        [
          'random seek',
          ...both(seeks),
          asRatio(median(seeks), median(anchorSeeks)),
          asRatio(percentile(seeks, 0.95), percentile(anchorSeeks, 0.95)),
        ],
        ['one frame ahead', ...both(ahead), '', ''],
        ['one frame back', ...both(back), '', ''],
      ],
    );
    printTable(
      'A key held, and play',
      ['', 'pictures', 'longest gap', 'last one after'],
      [
        [`F held for ${heldFrames} frames`, ...heldRow(heldAhead)],
        [`D held for ${heldFrames} frames`, ...heldRow(heldBack)],
        [`the same, a second after a leap`, ...heldRow(heldFresh)],
        ['play, 8 s', String(played), '', ''],
        ['<video>, play, 8 s', String(anchorPlayed), '', ''],
      ],
    );
    printTable(
      'The service',
      ['', 'time', 'of its length'],
      [['brought in, in place', inSeconds(brought.milliseconds), asRatio(brought.milliseconds / 1000, seconds)]],
    );
    printNote(`Frames in order over the API: ${await apiFrames(workbench, brought.job)}.`);
  });
}

interface Held {
  readonly pictures: number;
  readonly gap: number;
  readonly end: number;
}
const heldRow = ({ pictures, gap, end }: Held): string[] => [
  String(pictures),
  inMilliseconds(gap),
  inMilliseconds(end),
];

async function bringIn({ server }: Workbench, file: string) {
  const client = createClient(server.url, server.authorization);
  const { id: task } = await client.createTask({ name: 'bench', labels: [{ name: 'thing' }] });
  const since = performance.now();
  await client.finished(await client.useServerFiles(task, [file]));
  const milliseconds = performance.now() - since;
  const [job] = await createService(server).jobsOf(task);
  return { task, job: job ?? 0, milliseconds };
}

/** Milliseconds per frame without the first ones, which start a decoder. */
async function apiFrames({ server }: Workbench, job: number): Promise<string> {
  const client = createClient(server.url, server.authorization);
  const read = async (number: number): Promise<number> => {
    const since = performance.now();
    await client.bytes(`/api/jobs/${job}/data?type=frame&number=${number}&quality=compressed`);
    return performance.now() - since;
  };
  const all = await numbersOf(130, (index) => read(200 + index));
  const inOrder = all.slice(30);
  const chunkSince = performance.now();
  await client.bytes(`/api/jobs/${job}/data?type=chunk&number=4&quality=compressed`);
  const chunk = performance.now() - chunkSince;
  const mean = inOrder.reduce((sum, value) => sum + value, 0) / inOrder.length;
  return `${inMilliseconds(mean)} each (p95 ${inMilliseconds(percentile(inOrder, 0.95))}); a chunk of 36 in ${inMilliseconds(chunk)}`;
}
