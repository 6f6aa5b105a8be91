import { chromium, type Browser, type Page } from 'playwright-core';
import { openScriptPage } from '../e2e/canvas-harness/open-harness.ts';
import type { AnchorMeasured } from './support/canvas-anchors-page.ts';
import type { Gesture, Measured, Opened } from './support/canvas-page.ts';
import type { BenchOptions } from './support/options.ts';
import { median, percentile } from './support/statistics.ts';
import { printTable } from './support/table.ts';

const rounds = 3;
const stepsOfRound = 60;

const gestures: readonly { gesture: Gesture; name: string; budget: number | null }[] = [
  { gesture: 'hover', name: 'hover', budget: 4 },
  { gesture: 'drag', name: 'drag one shape', budget: 8 },
  { gesture: 'drag 50', name: 'drag 50', budget: null },
  { gesture: 'drag 200', name: 'drag 200', budget: null },
  { gesture: 'scale 50', name: 'scale 50', budget: null },
  { gesture: 'scale 200', name: 'scale 200', budget: null },
  { gesture: 'rotate 50', name: 'turn 50', budget: null },
  { gesture: 'rotate 200', name: 'turn 200', budget: null },
  { gesture: 'pan', name: 'pan step', budget: 16 },
  { gesture: 'zoom', name: 'zoom step', budget: 16 },
  { gesture: 'edit', name: 'change one shape', budget: 8 },
  { gesture: 'crisp', name: 'everything anew', budget: null },
];

/**
 * Shapes (half boxes, half polygons of 20 points) at 1280×800 in headless Chromium with software raster. "work" is the
 * page's thread from the event to the end of raster. "frame" is a complete frame with the compositor. The ratio is to
 * the same steps over the bare image in the same run. Prints a table; never passes or fails.
 */
export async function bench({ scale, part }: BenchOptions): Promise<void> {
  const shapeCount = Math.round(5000 * scale);
  const browser = await launch();
  try {
    const page = await openScriptPage(browser, new URL('./support/canvas-page.ts', import.meta.url));
    const rows = await engineRows(page, shapeCount);
    await page.close();
    if (part !== 'own') {
      const anchors = await openScriptPage(browser, new URL('./support/canvas-anchors-page.ts', import.meta.url));
      rows.push(...(await anchorRows(anchors, shapeCount)));
    }
    printTable(
      `Canvas, ${shapeCount} shapes, 1280×800, software raster`,
      ['', 'work ms', 'p95', 'budget', 'frame ms', 'p95', '× bare'],
      rows,
    );
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

async function engineRows(page: Page, shapeCount: number): Promise<string[][]> {
  const open = (count: number): Promise<Opened> => page.evaluate((shapes) => window.bench.open(shapes), count);
  const measure = (gesture: Gesture): Promise<Measured> =>
    page.evaluate(([name, steps]) => window.bench.measure(name, steps), [
      gesture,
      gesture === 'crisp' ? 6 : stepsOfRound,
    ] as const);

  const opened: Opened[] = [];
  const openedBare: Opened[] = [];
  const full = new Map<Gesture, Measured[]>();
  const bare = new Map<Gesture, Measured[]>();
  for (let round = 0; round < rounds; round += 1) {
    openedBare.push(await open(0));
    for (const { gesture } of gestures) bare.set(gesture, [...(bare.get(gesture) ?? []), await measure(gesture)]);
    opened.push(await open(shapeCount));
    for (const { gesture } of gestures) full.set(gesture, [...(full.get(gesture) ?? []), await measure(gesture)]);
  }
  const rows = gestures.map(({ gesture, name, budget }) => {
    const measured = full.get(gesture) ?? [];
    const frame = measured.flatMap((one) => one.frame);
    const bareFrame = (bare.get(gesture) ?? []).flatMap((one) => one.frame);
    const work = measured.flatMap((one) => one.work);
    return row(name, { work, frame, budget, ratio: median(frame) / median(bareFrame) });
  });
  const openRow = (name: string, budget: number, of: (one: Opened) => number): string[] =>
    row(name, { work: opened.map(of), budget, ratio: median(opened.map(of)) / median(openedBare.map(of)) });
  return [
    ...rows,
    openRow('open frame', 150, ({ shownMs }) => shownMs),
    openRow('open frame, longest at once', 50, ({ longestMs: ms }) => ms),
  ];
}

/** Alternative ways of drawing the same shapes, for comparison in the same run. */
async function anchorRows(page: Page, shapeCount: number): Promise<string[][]> {
  const measured: AnchorMeasured[] = await page.evaluate((count) => window.anchors.run(count), shapeCount);
  return measured.map(({ name, work, bare }) => row(name, { work, budget: null, ratio: median(work) / median(bare) }));
}

interface Figures {
  /** Milliseconds per step. */
  readonly work: readonly number[];
  readonly frame?: readonly number[];
  readonly budget: number | null;
  /** Ratio of the median to the same step with no shapes on the image. */
  readonly ratio: number;
}

function row(name: string, { work, frame, budget, ratio }: Figures): string[] {
  const number = (value: number): string => value.toFixed(value < 10 ? 2 : 1);
  const both = (values: readonly number[]) => [median(values), percentile(values, 0.95)].map(number);
  return [
    name,
    ...both(work),
    budget === null ? '' : number(budget),
    ...(frame ? both(frame) : ['', '']),
    number(ratio),
  ];
}
