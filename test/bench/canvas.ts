import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { AnchorMeasured } from './support/canvas-anchors-page.ts';
import type { Gesture, Measured } from './support/canvas-page.ts';

export interface TableRow {
  readonly name: string;
  /** Milliseconds. */
  readonly median: number;
  readonly p95: number;
  readonly budget: number | null;
  /** Median against the same step with no shapes on the image. */
  readonly ratio: number;
  readonly frameMedian: number;
  readonly frameP95: number;
}

export interface Table {
  readonly title: string;
  readonly rows: readonly TableRow[];
}

const rounds = 3;
const stepsOfRound = 60;

const gestures: readonly { gesture: Gesture; name: string; budget: number | null }[] = [
  { gesture: 'hover', name: 'hover', budget: 4 },
  { gesture: 'drag', name: 'drag one shape', budget: 8 },
  { gesture: 'pan', name: 'pan step', budget: 16 },
  { gesture: 'zoom', name: 'zoom step', budget: 16 },
  { gesture: 'edit', name: 'change one shape', budget: 8 },
  { gesture: 'crisp', name: 'everything anew', budget: null },
];

/**
 * Shapes (half boxes, half polygons of 20 points) at 1280×800 in headless Chromium with software raster.
 * "work" is the page's thread from the event to the end of raster; "frame" is a whole frame with the compositor.
 * The ratio is to the same steps over the bare picture in the same run. Prints a table; never passes or fails.
 */
export async function benchCanvas(shapeCount = 5000): Promise<Table> {
  const browser = await launch();
  try {
    const page = await openPage(browser, './support/canvas-page.ts');
    const rows = await benchEngine(page, shapeCount);
    await page.close();
    const anchors = await openPage(browser, './support/canvas-anchors-page.ts');
    rows.push(...(await benchAnchors(anchors, shapeCount)));
    const table = { title: `Canvas, ${shapeCount} shapes, 1280×800, software raster`, rows };
    print(table);
    return table;
  } finally {
    await browser.close();
  }
}

async function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--disable-gpu',
      '--no-sandbox',
      '--disable-frame-rate-limit',
      '--disable-gpu-vsync',
      '--enable-precise-memory-info',
    ],
  });
}

async function openPage(browser: Browser, entry: string): Promise<Page> {
  const bundle = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome140',
    logLevel: 'silent',
  });
  const address = 'http://localhost/canvas-bench';
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><body style="margin:0">' }),
  );
  await page.goto(address);
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
  return page;
}

async function benchEngine(page: Page, shapeCount: number): Promise<TableRow[]> {
  const open = (count: number): Promise<number> => page.evaluate((shapes) => window.bench.open(shapes), count);
  const measure = (gesture: Gesture): Promise<Measured> =>
    page.evaluate(([name, steps]) => window.bench.measure(name, steps), [
      gesture,
      gesture === 'crisp' ? 6 : stepsOfRound,
    ] as const);

  const opened: number[] = [];
  const openedBare: number[] = [];
  const full = new Map<Gesture, Measured[]>();
  const bare = new Map<Gesture, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    openedBare.push(await open(0));
    for (const { gesture } of gestures) bare.set(gesture, [...(bare.get(gesture) ?? []), await measure(gesture)]);
    opened.push(await open(shapeCount));
    for (const { gesture } of gestures) full.set(gesture, [...(full.get(gesture) ?? []), await measure(gesture)]);
  }
  const openRow: TableRow = {
    name: 'open frame',
    median: quantile(opened, 0.5),
    p95: quantile(opened, 0.95),
    budget: 150,
    ratio: quantile(opened, 0.5) / quantile(openedBare, 0.5),
    frameMedian: Number.NaN,
    frameP95: Number.NaN,
  };
  const rows = gestures.map(({ gesture, name, budget }): TableRow => {
    const work = (full.get(gesture) ?? []).flatMap((measured) => measured.work);
    const frame = (full.get(gesture) ?? []).flatMap((measured) => measured.frame);
    const bareFrame = (bare.get(gesture) ?? []).flatMap((measured) => measured.frame);
    return {
      name,
      median: quantile(work, 0.5),
      p95: quantile(work, 0.95),
      budget,
      ratio: quantile(frame, 0.5) / quantile(bareFrame, 0.5),
      frameMedian: quantile(frame, 0.5),
      frameP95: quantile(frame, 0.95),
    };
  });
  return [...rows, openRow];
}

/** Other ways of drawing the same shapes, for comparison in the same run. */
async function benchAnchors(page: Page, shapeCount: number): Promise<TableRow[]> {
  const measured: AnchorMeasured[] = await page.evaluate((count) => window.anchors.run(count), shapeCount);
  return measured.map(({ name, work, bare }) => ({
    name,
    median: quantile(work, 0.5),
    p95: quantile(work, 0.95),
    budget: null,
    ratio: quantile(work, 0.5) / quantile(bare, 0.5),
    frameMedian: Number.NaN,
    frameP95: Number.NaN,
  }));
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))] ?? Number.NaN;
}

function print({ title, rows }: Table): void {
  const number = (value: number): string => (Number.isNaN(value) ? '' : value.toFixed(value < 10 ? 2 : 1)).padStart(9);
  process.stdout.write(`\n${title}\n`);
  const head = ['work ms', 'p95', 'budget', 'frame ms', 'p95', '× bare'];
  process.stdout.write(`${''.padEnd(34)}${head.map((name) => name.padStart(9)).join('')}\n`);
  for (const row of rows) {
    const cells = [row.median, row.p95, row.budget ?? Number.NaN, row.frameMedian, row.frameP95, row.ratio];
    process.stdout.write(`${row.name.padEnd(34)}${cells.map(number).join('')}\n`);
  }
}

if (import.meta.main) await benchCanvas(Number(process.argv[2] ?? 5000));
