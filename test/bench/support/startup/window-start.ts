import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startServer } from '../../../support/server.ts';
import { openingEnvironment, openWindow, pageOf } from '../side-by-side/browser-window.ts';
import { endDescendants } from '../side-by-side/processes.ts';
import type { Screen } from '../side-by-side/screen.ts';

/** Moments of one start, in milliseconds since the process of the service was created. */
export interface Moments {
  /** Node.js runs the program. */
  readonly process: number;
  /** The service listens and opens the browser. */
  readonly listening: number;
  /** The service answers. */
  readonly ready: number;
  /** The browser requests the page. */
  readonly navigation: number;
  readonly html: number;
  /** All scripts that the page needs before its first request are loaded. */
  readonly scripts: number;
  /** The first list is requested, and answered. */
  readonly requested: number;
  readonly listed: number;
  readonly firstPaint: number;
  /** Last change of the screen. */
  readonly complete: number;
}

const still = { quiet: 1500, timeout: 120_000 };
const listPath = '/api/tasks';

export interface StartOptions {
  readonly screen: Screen;
  /** Contains the data directory and the profile of the browser, or becomes their folder. */
  readonly folder: string;
  readonly password: string | null;
}

/** Starts the service, which opens Chromium as its window, and waits until the window is complete. */
export async function startWindow({ screen, folder, password }: StartOptions): Promise<Moments> {
  const profile = join(folder, 'profile');
  const timesFile = join(folder, 'times.json');
  const began = Date.now();
  const server = await startServer({
    dataDir: join(folder, 'data'),
    entry: 'built',
    password,
    isOpening: true,
    nodeOptions: ['--import', join(import.meta.dirname, 'preload.mjs')],
    env: { ...screen.env, ...openingEnvironment(profile), LIMNER_BENCH_TIMES: timesFile },
  });
  try {
    const { at } = await screen.still(still);
    const page = await pageOf(profile).evaluate<PageTimes>(pageTimes);
    const times = JSON.parse(readFileSync(timesFile, 'utf8')) as ServiceTimes;
    return momentsOf({ began, complete: at - began, ready: server.readyMs, page, times });
  } finally {
    await endDescendants(server.pid);
    await server.stop();
  }
}

/** Milliseconds from the process of Chromium until its window with an empty page is complete. */
export async function startBrowserAlone(screen: Screen, folder: string): Promise<number> {
  const profile = join(folder, 'profile');
  const began = Date.now();
  const window = openWindow(`data:text/html,${encodeURIComponent(emptyPage)}`, { folder, env: screen.env, profile });
  try {
    return (await screen.still(still)).at - began;
  } finally {
    await window.process.stop();
  }
}

/** Has as many colours as the driver of the screen expects of a window that is complete. */
const emptyPage = `<body style="background:linear-gradient(90deg,#000,#fff)">`;

/** A copy of a folder that was used once, so that each start finds the same. */
export async function copyOfUsed(from: string, to: string): Promise<void> {
  if (existsSync(from)) await cp(from, to, { recursive: true, verbatimSymlinks: true });
  await rm(join(to, 'profile', 'DevToolsActivePort'), { force: true });
}

interface ServiceTimes {
  /** Start of the process, in milliseconds since the epoch; the others count from it. */
  readonly origin: number;
  readonly process: number;
  readonly listening: number;
}

interface PageTimes {
  readonly origin: number;
  readonly html: number;
  readonly firstPaint: number;
  readonly resources: readonly { readonly path: string; readonly start: number; readonly end: number }[];
}

const pageTimes = `({
  origin: performance.timeOrigin,
  html: performance.getEntriesByType('navigation')[0].responseEnd,
  firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  resources: performance.getEntriesByType('resource').map(({ name, startTime, responseEnd }) => ({
    path: new URL(name).pathname, start: startTime, end: responseEnd,
  })),
})`;

function momentsOf({
  began,
  complete,
  ready,
  page,
  times,
}: {
  readonly began: number;
  readonly complete: number;
  readonly ready: number;
  readonly page: PageTimes;
  readonly times: ServiceTimes;
}): Moments {
  const ofService = (ms: number): number => times.origin + ms - began;
  const ofPage = (ms: number): number => page.origin + ms - began;
  const list = page.resources.find(({ path }) => path === listPath);
  if (list === undefined) throw new Error(`The page did not request ${listPath}.`);
  const scripts = page.resources.filter(({ path, start }) => path.endsWith('.js') && start < list.end);
  return {
    process: ofService(times.process),
    listening: ofService(times.listening),
    ready,
    navigation: ofPage(0),
    html: ofPage(page.html),
    scripts: ofPage(Math.max(...scripts.map(({ end }) => end))),
    requested: ofPage(list.start),
    listed: ofPage(list.end),
    firstPaint: ofPage(page.firstPaint),
    complete,
  };
}
