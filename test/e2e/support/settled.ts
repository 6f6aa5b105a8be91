import type { Page, Request } from 'playwright-core';
import { expect } from 'vitest';

const pendingOf = new WeakMap<Page, Set<Request>>();

/** Tracks requests of a page. Call it before `settled`, and before the navigation that is to settle. */
export function followRequests(page: Page): void {
  if (pendingOf.has(page)) return;
  const pending = new Set<Request>();
  pendingOf.set(page, pending);
  page.on('request', (request) => {
    // Requests of the previous page get no answer.
    if (request.isNavigationRequest() && request.frame() === page.mainFrame()) pending.clear();
    // The event stream stays open as long as the page.
    if (request.resourceType() !== 'eventsource') pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
}

/** Resolves when the page is idle: answers are rendered and follow-up requests are sent. */
const idle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const untilIdle = () => new Promise<unknown>((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
    await document.fonts.ready;
    for (let round = 0; round < 2; round += 1) {
      await untilIdle();
      await new Promise(requestAnimationFrame);
    }
    await untilIdle();
  });

/** The second time covers answers that arrived during the wait. */
const quietTimes = 2;

/**
 * Resolves when a screen has its heading, its fonts and all its answers. Waiting for half a second without requests
 * would be slower, much more so where a screen polls.
 */
export async function settled(page: Page): Promise<void> {
  const pending = pendingOf.get(page);
  if (pending === undefined) throw new Error('What this page asks for is not followed.');
  await page.locator('h1').first().waitFor({ state: 'attached' });
  let quiet = 0;
  await expect
    .poll(async () => {
      // Not checked while requests are pending, because each check makes the page render.
      if (pending.size === 0) await idle(page);
      quiet = pending.size === 0 ? quiet + 1 : 0;
      return quiet;
    })
    .toBe(quietTimes);
}
