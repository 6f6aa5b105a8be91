import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Browser, type Page } from 'playwright-core';
import { chromiumPath } from '../support/paths.ts';

export interface OpenHarness {
  readonly browser: Browser;
  readonly page: Page;
  close(): Promise<void>;
}

/** Served by the test: pages on localhost are secure contexts, like the real page. */
const address = 'http://localhost/canvas-harness';

export async function openScriptPage(browser: Browser, script: URL, viewport = { width: 1280, height: 800 }) {
  const bundle = await build({
    entryPoints: [fileURLToPath(script)],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'chrome140',
    logLevel: 'silent',
  });
  const page = await browser.newPage({ viewport });
  page.on('pageerror', (error) => process.stderr.write(`${error.stack ?? error.message}\n`));
  await page.route(address, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<!doctype html><html><body style="margin:0"></body></html>' }),
  );
  await page.goto(address);
  await page.addScriptTag({ content: bundle.outputFiles[0]?.text ?? '' });
  return page;
}

/** Opens Chromium without a GPU, with a page that has an engine in `window.harness`. */
export async function openHarness(viewport?: { width: number; height: number }): Promise<OpenHarness> {
  const browser = await chromium.launch({
    executablePath: chromiumPath,
    args: ['--disable-gpu', '--no-sandbox', '--enable-precise-memory-info'],
  });
  const page = await openScriptPage(browser, new URL('./harness-page.ts', import.meta.url), viewport);
  return { browser, page, close: () => browser.close() };
}
