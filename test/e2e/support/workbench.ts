import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, afterEach, expect } from 'vitest';
import { startServer, type RunningServer } from '../../support/server.ts';
import { buildRenderer } from './build-renderer.ts';
import { watchPage } from './watch-page.ts';
import { chromiumPath } from './paths.ts';
import { createService, type Service } from './service.ts';

/** A free port, because a browser's origin must stay the same after a restart of the server. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('No port.')),
      );
    });
  });

export interface Workbench {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly server: RunningServer;
  readonly service: Service;
  readonly folder: string;
  readonly pageErrors: readonly string[];
  openContext(): Promise<BrowserContext>;
  kill(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

let running: Promise<Browser> | undefined;

/** One Chromium for all files of a worker, because a start costs as much as several tests. */
function browserOfWorker(): Promise<Browser> {
  running ??= chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] }).then((browser) => {
    browser.once('disconnected', () => (running = undefined));
    return browser;
  });
  return running;
}

/** The real server with the built screens, and a window in Chromium that is signed in by the launch link. */
export async function openWorkbench(
  viewport = { width: 1280, height: 800 },
  env: Readonly<Record<string, string>> = {},
): Promise<Workbench> {
  await buildRenderer();
  const folder = mkdtempSync(join(tmpdir(), 'limner-e2e-'));
  let server = await startServer({ dataDir: join(folder, 'data'), port: await freePort(), env });
  const contexts: BrowserContext[] = [];
  const openContext = async (): Promise<BrowserContext> => {
    const browser = await browserOfWorker();
    const options = { baseURL: server.url, viewport, acceptDownloads: true, reducedMotion: 'reduce' } as const;
    const context = await browser.newContext(options);
    context.setDefaultTimeout(90_000);
    contexts.push(context);
    return context;
  };
  const close = async (): Promise<void> => {
    await Promise.all(contexts.map((context) => context.close()));
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const context = await openContext();
    const page = await context.newPage();
    const pageErrors: string[] = [];
    page.on('pageerror', (error) => pageErrors.push(String(error)));
    await page.goto(server.launchUrl);
    await page.getByRole('navigation', { name: 'Main navigation' }).waitFor();
    return {
      page,
      context,
      folder,
      pageErrors,
      service: createService(server),
      openContext,
      get server() {
        return server;
      },
      kill: () => server.kill9(),
      async restart() {
        server = await server.restart();
      },
      close,
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export async function useWorkbench(...how: Parameters<typeof openWorkbench>): Promise<Workbench> {
  const workbench = await openWorkbench(...how);
  const tell = watchPage(workbench.page);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(`${task.name}: ${await tell()}`);
  });
  afterAll(async () => {
    await workbench.close();
    expect(workbench.pageErrors).toEqual([]);
  });
  return workbench;
}
