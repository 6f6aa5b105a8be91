import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openWorkbench, type Workbench } from '../e2e/support/workbench.ts';
import { createClient } from '../support/client.ts';
import { writeLargePicture } from '../support/large-image.ts';
import { printMemory, walkOf, withMoreNames } from './support/pictures-memory.ts';
import type { BenchOptions } from './support/options.ts';
import { asRatio, inMegabytes, inMilliseconds, median, percentile } from './support/statistics.ts';
import { printNote, printTable } from './support/table.ts';
import { withWorkspace } from './support/workspace.ts';

const photos = 12;

/** Measures in the page: from a key to the repaint, and the longest time without a repaint or an answer. */
function pageTools(): void {
  const repaint = (): Promise<void> => new Promise((resolve) => requestAnimationFrame(() => resolve()));
  const shown = (): number =>
    Number(
      document.querySelector<HTMLElement>('[data-testid="frame-shown"]:not([data-picture="loading"])')?.dataset[
        'frame'
      ] ?? -1,
    );
  let longest = { gap: 0, task: 0 };
  let last = performance.now();
  const watch = (now: number): void => {
    longest.gap = Math.max(longest.gap, now - last);
    last = now;
    requestAnimationFrame(watch);
  };
  requestAnimationFrame(watch);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longest.task = Math.max(longest.task, duration);
  }).observe({ type: 'longtask' });
  const tools = {
    longest() {
      const found = longest;
      longest = { gap: 0, task: 0 };
      return found;
    },
    async step(): Promise<number> {
      const frame = shown() + 1;
      const since = performance.now();
      window.dispatchEvent(new KeyboardEvent('keydown', { code: 'KeyF', key: 'f' }));
      while (shown() !== frame) await repaint();
      await repaint();
      return performance.now() - since;
    },
    /** Decodes the file at full size with the browser and draws it. */
    async bare(path: string): Promise<number> {
      const blob = await (await fetch(path)).blob();
      const since = performance.now();
      const bitmap = await createImageBitmap(blob);
      const context = new OffscreenCanvas(1280, 800).getContext('2d');
      context?.drawImage(bitmap, 0, 0, 1280, 800);
      context?.getImageData(0, 0, 1, 1);
      bitmap.close();
      return performance.now() - since;
    },
  };
  Object.assign(window, { pictureTools: tools });
}

interface Tools {
  longest(): { readonly gap: number; readonly task: number };
  step(): Promise<number>;
  bare(path: string): Promise<number>;
}
type ToolWindow = Window & { readonly pictureTools: Tools };

const longest = (page: Page) => page.evaluate(() => (window as unknown as ToolWindow).pictureTools.longest());
const bare = (page: Page, path: string) =>
  page.evaluate((file) => (window as unknown as ToolWindow).pictureTools.bare(file), path);

/** Samples the resident memory of the page's process and returns the peak. */
async function watchRenderer({ context }: Workbench) {
  const devtools = await context.browser()?.newBrowserCDPSession();
  const { processInfo = [] } = (await devtools?.send('SystemInfo.getProcessInfo')) ?? {};
  const pids = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
  let most = 0;
  const look = async (): Promise<number> => {
    const sizes = await Promise.all(
      pids.map(async (pid) => {
        const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
        return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * 1024;
      }),
    );
    const now = Math.max(0, ...sizes);
    most = Math.max(most, now);
    return now;
  };
  const timer = setInterval(() => void look(), 20);
  return {
    now: look,
    stop: async (): Promise<number> => {
      clearInterval(timer);
      await look();
      return most;
    },
  };
}

async function lookAround(page: Page): Promise<void> {
  const box = await page.getByTestId('canvas').boundingBox();
  if (box === null) throw new Error('The canvas is not on the page.');
  for (const [x, y] of [
    [0.3, 0.3],
    [0.7, 0.3],
    [0.6, 0.7],
    [0.3, 0.7],
  ] as const) {
    await page.mouse.move(box.x + x * box.width, box.y + y * box.height);
    for (let notch = 0; notch < 18; notch += 1) {
      await page.mouse.wheel(0, -100);
      await page.waitForTimeout(120);
    }
    for (let turn = 0; turn < 6; turn += 1) {
      await page.keyboard.down('Shift');
      await page.mouse.wheel(0, 300);
      await page.keyboard.up('Shift');
      await page.waitForTimeout(300);
    }
    await page.mouse.wheel(0, 1800);
    await page.waitForTimeout(300);
  }
}

interface Job {
  readonly task: number;
  readonly job: number;
}

async function makeJob(workbench: Workbench, files: readonly string[]): Promise<Job> {
  const client = createClient(workbench.server.url, workbench.server.authorization);
  const { id } = await client.createTask({ name: 'pictures', labels: [{ name: 'thing' }] });
  await client.finished(await client.useServerFiles(id, files));
  return { task: id, job: (await client.jobs(id))[0]?.id ?? 0 };
}

const originalOf = ({ job }: Job, frame: number): string =>
  `/api/jobs/${job}/data?type=frame&number=${frame}&quality=original`;

async function openLarge(workbench: Workbench, small: string, file: string) {
  // A new page has its own renderer process and no caches.
  const page = await workbench.context.newPage();
  await page.addInitScript(pageTools);
  const job = await makeJob(workbench, [small, file]);
  await page.goto(`/tasks/${job.task}/jobs/${job.job}?frame=0`);
  await page.locator('[data-testid="frame-shown"][data-picture="ready"]').waitFor({ state: 'attached' });
  await page.waitForTimeout(3000);
  await longest(page);
  await lookAround(page);
  const lookingSmall = await longest(page);
  const renderer = await watchRenderer(workbench);
  const before = await renderer.now();
  const tiles = page.waitForResponse((answer) => answer.url().endsWith('/frames/1/tiles'), { timeout: 300_000 });
  const opened = await page.evaluate(() => (window as unknown as ToolWindow).pictureTools.step());
  const since = performance.now();
  await tiles;
  const made = performance.now() - since;
  const opening = await longest(page);
  await lookAround(page);
  const looking = await longest(page);
  const most = await renderer.stop();
  const whole = await bare(page, originalOf(job, 1)).catch(() => Number.NaN);
  await page.close();
  return { before, opened, made, opening, looking, lookingSmall, most, whole };
}

/** Photos of the walk in `--part memory`, 2.8 MB each. */
const photosOfWalk = 120;

async function benchMemory(long: boolean): Promise<void> {
  await withWorkspace(async (folder) => {
    const photo = join(folder, 'photo.jpg');
    await writeLargePicture(photo, { width: 4000, height: 3000 });
    const files = await withMoreNames(join(folder, 'walk'), [photo], photosOfWalk);
    await using workbench = await openWorkbench({ width: 1920, height: 1080 });
    const job = await makeJob(workbench, files);
    await workbench.page.goto(`/tasks/${job.task}/jobs/${job.job}?frame=0`);
    await workbench.page.locator('[data-testid="frame-shown"][data-picture="ready"]').waitFor({ state: 'attached' });
    await workbench.page.waitForTimeout(3000);
    await printMemory(workbench.page, files.length, walkOf(long));
  });
}

/** Opens large images in the window, and compares with the browser's own decoding of the same files. Prints tables. */
export async function bench({ scale, part, long }: BenchOptions): Promise<void> {
  if (part === 'memory') return benchMemory(long);
  const side = Math.sqrt(scale);
  const sized = (width: number, height: number) => ({
    width: Math.round(width * side),
    height: Math.round(height * side),
  });
  await withWorkspace(async (folder) => {
    const photoFiles = Array.from({ length: photos }, (_, index) => join(folder, `photo-${10 + index}.jpg`));
    for (const file of photoFiles) await writeLargePicture(file, sized(4000, 3000));
    const small = join(folder, '0-small.jpg');
    await writeLargePicture(small, { width: 640, height: 480 });
    const large = [
      { name: '12,000 × 9,000', file: join(folder, 'large.jpg'), size: sized(12_000, 9000) },
      { name: '20,000 × 15,000', file: join(folder, 'huge.jpg'), size: sized(20_000, 15_000) },
    ];
    for (const { file, size } of large) await writeLargePicture(file, size);
    await using workbench = await openWorkbench({ width: 1920, height: 1080 });
    const { page } = workbench;
    await page.addInitScript(pageTools);
    const job = await makeJob(workbench, photoFiles);
    await page.goto(`/tasks/${job.task}/jobs/${job.job}?frame=0`);
    await page.locator('[data-testid="frame-shown"][data-picture="ready"]').waitFor({ state: 'attached' });
    const steps: number[] = [];
    const bares: number[] = [];
    for (let index = 1; index < photos; index += 1) {
      // Lets the neighbouring frames load first.
      await page.waitForTimeout(1500);
      steps.push(await page.evaluate(() => (window as unknown as ToolWindow).pictureTools.step()));
      bares.push(await bare(page, originalOf(job, index)));
    }
    printTable(
      'Steps among JPEGs of 12 megapixels, prefetched: from the key to the repaint',
      ['', 'median', 'p95', 'ratio'],
      [
        [
          'anchor: the file decoded whole and drawn',
          inMilliseconds(median(bares)),
          inMilliseconds(percentile(bares, 0.95)),
          asRatio(1, 1),
        ],
        [
          'step',
          inMilliseconds(median(steps)),
          inMilliseconds(percentile(steps, 0.95)),
          asRatio(median(steps), median(bares)),
        ],
      ],
    );
    await page.close();
    const rows: string[][] = [];
    for (const { name, file } of large) {
      const found = await openLarge(workbench, small, file);
      rows.push([
        name,
        inMilliseconds(found.opened),
        inMilliseconds(found.whole),
        asRatio(found.opened, found.whole),
        inMilliseconds(found.made),
        `${inMilliseconds(found.opening.task)}, ${inMilliseconds(found.opening.gap)}`,
        `${inMilliseconds(found.lookingSmall.task)}, ${inMilliseconds(found.lookingSmall.gap)}`,
        `${inMilliseconds(found.looking.task)}, ${inMilliseconds(found.looking.gap)}`,
        inMegabytes(found.before),
        inMegabytes(found.most),
      ]);
    }
    printTable(
      'Large pictures, 1920×1080, software raster',
      [
        '',
        'opened',
        'anchor: decoded whole',
        'ratio',
        'tiles made',
        'opening: longest task, gap',
        'anchor: looking at 640 × 480',
        'looking: task, gap',
        'page before',
        'page at most',
      ],
      rows,
    );
    printNote(
      'Longest task: of the page, of 50 ms and more (0: none). Gap: between two animation frames. Page: resident memory of ' +
        "the renderer's process, with what it shares with others.",
    );
  });
}
